"""Which rows of a table have their image on the disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from radharmony_core.dataset.notices import Said
from radharmony_core.paths import leads_out, locate_all

__all__ = ["are_missing"]


def are_missing(root: Path, paths: Sequence[object], said: Said) -> npt.NDArray[np.bool_]:
    """Whether each path has no file below ``root`` that may be opened. A warning where files are there by a link that leads out
    of it, since people see them in their folder."""
    names = list(dict.fromkeys(path for path in paths if isinstance(path, str)))  # two rows may name one image
    there = {name for name, file in zip(names, locate_all(root, names), strict=True) if file is not None}
    lacking = [name for name in names if name not in there]
    out = [name for name, leads in zip(lacking, leads_out(root, lacking), strict=True) if leads]
    if out:
        said.once(
            "links",
            f"{len(out)} images count as missing because they, or links to them, lead out of {root} (such as {out[0]}): only "
            "what is inside is opened. Copy them there, or name the folder that they are really in as base_image_dir.",
        )
    return np.array([path not in there for path in paths], np.bool_)
