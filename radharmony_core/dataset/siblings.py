"""The datasets without boxes as samples: MIMIC-CXR-JPG, MIMIC-CXR and CASIA-CXR.

They take what `MSCXRDataset` takes, ``root`` (the dataset's folder at any usual depth), and the paths of their harmonizers,
each of which goes before what is found below ``root``. ``cls`` has 14 values in the order of the label columns, of four states
each: 1 positive, 0 negative, -1 uncertain, NaN for not mentioned.
"""

from __future__ import annotations

from typing import ClassVar, Unpack

from radharmony_core.dataset.base import HarmonizedDataset, SampleOptions
from radharmony_core.dataset.source import Origin, PathLike, PathLikes
from radharmony_core.errors import ConfigError
from radharmony_core.labels import CHEXPERT_LABELS
from radharmony_core.schema import CASIA_CXR_COLUMNS, MIMIC_CXR_COLUMNS, MIMIC_CXR_JPG_COLUMNS

__all__ = ["CASIACXRDataset", "MIMICCXRDataset", "MIMICCXRJPGDataset"]


class MIMICCXRJPGDataset(HarmonizedDataset):
    """``MIMICCXRJPGDataset(root=".../mimic-cxr-jpg/2.1.0", output_cls=True)``: images, and the labels of ``label_source``.

    ``csv_path`` is the metadata table. A report is served where MIMIC-CXR's files were copied beside the images.
    """

    origin: ClassVar[Origin] = Origin(
        "mimic_cxr_jpg", MIMIC_CXR_JPG_COLUMNS, "Name root, the dataset's folder, or label_csv_path, the table itself."
    )
    findings: ClassVar[tuple[str, ...]] = CHEXPERT_LABELS

    def __init__(
        self,
        base_image_dir: PathLike | None = None,
        csv_path: PathLike | None = None,
        *,
        root: PathLike | None = None,
        label_csv_path: PathLikes | None = None,
        split_csv_path: PathLike | None = None,
        label_source: str = "chexpert",
        **options: Unpack[SampleOptions],
    ) -> None:
        paths = {
            "root": root,
            "csv_path": csv_path,
            "base_image_dir": base_image_dir,
            "label_csv_path": label_csv_path,
            "split_csv_path": split_csv_path,
            "label_source": label_source,
        }
        super().__init__(base_image_dir, paths, **options)


class MIMICCXRDataset(HarmonizedDataset):
    """``MIMICCXRDataset(root=".../mimic-cxr/2.1.0", jpg_root=".../mimic-cxr-jpg/2.1.0", output_report=True)``: DICOM images and
    their reports.

    ``dicom_base_dir``, or ``base_image_dir`` by its other name, is the images' folder, ``csv_path`` the record list,
    ``report_dir`` the reports' folder or zip. Labels and splits are MIMIC-CXR-JPG's, where its folder or tables are named.
    """

    origin: ClassVar[Origin] = Origin(
        "mimic_cxr",
        MIMIC_CXR_COLUMNS,
        "Name jpg_root, the folder of MIMIC-CXR-JPG, which has them, or label_csv_path, the table.",
    )
    findings: ClassVar[tuple[str, ...]] = CHEXPERT_LABELS

    def __init__(
        self,
        base_image_dir: PathLike | None = None,
        csv_path: PathLike | None = None,
        *,
        root: PathLike | None = None,
        dicom_base_dir: PathLike | None = None,
        report_csv_path: PathLike | None = None,
        report_dir: PathLike | None = None,
        jpg_root: PathLike | None = None,
        metadata_csv_path: PathLike | None = None,
        label_csv_path: PathLikes | None = None,
        split_csv_path: PathLike | None = None,
        label_source: str = "chexpert",
        **options: Unpack[SampleOptions],
    ) -> None:
        if base_image_dir is not None and dicom_base_dir is not None:
            raise ConfigError("Expected base_image_dir or dicom_base_dir, two words for one folder; got both.")
        base = dicom_base_dir if base_image_dir is None else base_image_dir
        paths = {
            "root": root,
            "csv_path": csv_path,
            "dicom_base_dir": base,
            "report_csv_path": report_csv_path,
            "report_dir": report_dir,
            "jpg_root": jpg_root,
            "metadata_csv_path": metadata_csv_path,
            "label_csv_path": label_csv_path,
            "split_csv_path": split_csv_path,
            "label_source": label_source,
        }
        super().__init__(base, paths, **options)


class CASIACXRDataset(HarmonizedDataset):
    """``CASIACXRDataset(root=".../CASIA-CXR", output_report=True)``: images with French reports; it has no published split.

    ``csv_path``, or ``report_csv_path`` by its other name, is the reports' table or several, ``base_image_dir`` the folder that
    the images are in or below.
    """

    origin: ClassVar[Origin] = Origin(
        "casia_cxr",
        CASIA_CXR_COLUMNS,
        "Name root, the dataset's folder, or label_csv_path, the tables themselves.",
        several=frozenset({"csv_path", "report_csv_path", "label_csv_path"}),
    )
    findings: ClassVar[tuple[str, ...]] = CHEXPERT_LABELS

    def __init__(
        self,
        base_image_dir: PathLike | None = None,
        csv_path: PathLikes | None = None,
        *,
        root: PathLike | None = None,
        report_csv_path: PathLikes | None = None,
        label_csv_path: PathLikes | None = None,
        **options: Unpack[SampleOptions],
    ) -> None:
        paths = {
            "root": root,
            "csv_path": csv_path,
            "report_csv_path": report_csv_path,
            "label_csv_path": label_csv_path,
            "base_image_dir": base_image_dir,
        }
        super().__init__(base_image_dir, paths, **options)
