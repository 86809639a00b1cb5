"""MS-CXR as samples: films with boxes, flags and, where they are beside the films, reports."""

from __future__ import annotations

from typing import Any, ClassVar

import pandas as pd

from radharmony_core.dataset.base import HarmonizedDataset, Transform
from radharmony_core.dataset.source import Origin, PathLike
from radharmony_core.labels import MS_CXR_CATEGORIES
from radharmony_core.schema import MS_CXR_COLUMNS

__all__ = ["MSCXRDataset"]


class MSCXRDataset(HarmonizedDataset):
    """``MSCXRDataset(".../files/", ".../MS_CXR_Local_Alignment_v1.1.0.csv", output_cls=True).get_datasets()[0]`` is a sample.

    ``base_image_dir`` is MIMIC-CXR-JPG's or MIMIC-CXR's folder at any usual depth, ``csv_path`` either release's CSV or the
    JSON; both are required unless one of these stands in for the table: ``harmonized_df``, a table made earlier, also as a
    CSV gives it back; ``harmonizer``, an object; ``harmonizer_path``, what its ``save`` has written.

    A sample is a dict:

    - ``img``: 1 x 224 x 224, 0 black to 1 white, the 256 levels of the film as it is displayed (`read_image`), of ``dtype``:
      ``torch.bfloat16`` where PyTorch is installed, else NumPy's ``float32``. A ``torch`` type gives tensors, a NumPy type
      arrays, whatever is installed.
    - ``cls`` with ``output_cls``: 8 values of ``dtype``, in the order of the label columns: 1 annotated, 0 not annotated,
      which is not the same as negative.
    - ``bbox`` and ``bbox_labels`` with ``output_bbox``: lists of [y_min, y_max, x_min, x_max], fractions of ``img``, and of
      findings. A box that is odd keeps its numbers: NaN, beyond 0..1, or without area. A file of another shape than the table
      says is taken for the whole picture, resized, which a warning says, film by film.
    - ``mask`` with ``output_mask``: 8 x 224 x 224 of ``dtype``, a channel for each of ``cls``, the finding's boxes filled with
      1 by the rule of `fill_boxes`, on the film only.
    - ``report`` with ``output_report``: the raw text beside the films (``p10/p10000032/s50414267.txt``, or in
      ``mimic-cxr-reports.zip``); empty where a study has none.

    What cannot be served is left out with a `DatasetWarning`. In a batch boxes stay a list an image: by ``collate_fn=collate``,
    which also takes several samples of an image, and by the default collation of PyTorch and of MONAI.

    ``transform`` replaces the default, `DefaultTransform`, which keeps the aspect ratio and fills up with black. It is called
    with the sample and gives it back, as MONAI's dictionary transforms do. It gets ``img`` at the film's own size
    (1 x rows x columns, 32-bit), ``mask`` likewise (8-bit), and ``bbox`` in fractions. What it gives back is brought to
    ``dtype``, and boxes follow the image: MONAI's flips, turns, zooms, crops and pads move them (`fit_boxes`), and they fit
    after any resizing. A transform of another kind that moves the image must move them itself; where that is to be seen, as by
    a changed shape, or by a mask that was left behind, a warning says so.

    ``cache_dir`` keeps films as the default transform reduces them, about 50 kB each, for their owner's eyes alone; workers and
    processes share it, and None switches it off. Other transforms, subclasses of the default among them, get each film decoded
    anew: to augment cached samples, wrap the result of `get_datasets`, such as in ``monai.data.Dataset``, with `fit_boxes` as
    the last transform.

    Raises ConfigError and MissingFileError for arguments that cannot be; what a harmonizer raises comes when the table is
    first needed.
    """

    origin: ClassVar[Origin] = Origin(
        "ms_cxr",
        MS_CXR_COLUMNS,
        "Pass the table as a harmonizer gives it.",
        "base_image_dir and csv_path",
        frozenset({"csv_path", "mimic_base_dir"}),
    )
    findings: ClassVar[tuple[str, ...]] = MS_CXR_CATEGORIES
    serves: ClassVar[frozenset[str]] = frozenset({"cls", "bbox", "mask", "report"})

    def __init__(
        self,
        base_image_dir: PathLike | None = None,
        csv_path: PathLike | None = None,
        *,
        output_cls: bool = False,
        output_mask: bool = False,
        output_report: bool = False,
        output_bbox: bool = False,
        transform: Transform | None = None,
        cache_dir: PathLike | None = "./cache",
        dtype: Any = None,
        harmonized_df: pd.DataFrame | None = None,
        harmonizer: Any = None,
        harmonizer_path: PathLike | None = None,
    ) -> None:
        super().__init__(
            base_image_dir,
            {"csv_path": csv_path, "mimic_base_dir": base_image_dir},
            output_cls=output_cls,
            output_mask=output_mask,
            output_report=output_report,
            output_bbox=output_bbox,
            transform=transform,
            cache_dir=cache_dir,
            dtype=dtype,
            harmonized_df=harmonized_df,
            harmonizer=harmonizer,
            harmonizer_path=harmonizer_path,
        )
