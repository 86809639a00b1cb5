"""Which datasets are a demo's: nobody should take one for patients, or patients for a demo."""

from __future__ import annotations

from radharmony_core.catalog import DatasetStatus
from radharmony_core.demo import is_demo

__all__ = ["is_made_up"]


def is_made_up(status: DatasetStatus) -> bool:
    """Whether a file that the dataset was read from lies in a folder that the demo's writer has made."""
    return any(is_demo(folder) for path in status.inputs[:1] for folder in path.parents)
