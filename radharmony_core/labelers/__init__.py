"""How well the labelers of MIMIC-CXR-JPG agree with each other, and with a radiologist's labels."""

from radharmony_core.labelers.agreement import AGREEMENT_COLUMNS, agreement
from radharmony_core.labelers.published import (
    PUBLISHED_AGREEMENT,
    PUBLISHED_SPLIT,
    PUBLISHED_STUDIES,
    differences_from_published,
    published_agreement,
)
from radharmony_core.labelers.splits import studies_in_split
from radharmony_core.labelers.states import LabelStates, read_label_states
from radharmony_core.labelers.validation import TASKS, VALIDATION_COLUMNS, validate_labels

__all__ = [
    "AGREEMENT_COLUMNS",
    "PUBLISHED_AGREEMENT",
    "PUBLISHED_SPLIT",
    "PUBLISHED_STUDIES",
    "TASKS",
    "VALIDATION_COLUMNS",
    "LabelStates",
    "agreement",
    "differences_from_published",
    "published_agreement",
    "read_label_states",
    "studies_in_split",
    "validate_labels",
]
