"""The harmonized columns and the issues: what a table must hold, and how a problem in the data is written down."""

from __future__ import annotations

from radharmony_core.schema.cells import array_of, cells_for_csv, lists_to_json, parse_list_cell
from radharmony_core.schema.columns import (
    BOX_ORDER,
    CASIA_CXR_COLUMNS,
    LABEL_COLUMNS,
    MIMIC_CXR_COLUMNS,
    MIMIC_CXR_JPG_COLUMNS,
    MS_CXR_COLUMNS,
    SCHEMA_VERSION,
    Column,
)
from radharmony_core.schema.issue_codes import ISSUE_CODES, IssueCode
from radharmony_core.schema.issues import ISSUE_COLUMNS, IssueLog, issues_frame
from radharmony_core.schema.table import validate

__all__ = [
    "BOX_ORDER",
    "CASIA_CXR_COLUMNS",
    "ISSUE_CODES",
    "ISSUE_COLUMNS",
    "LABEL_COLUMNS",
    "MIMIC_CXR_COLUMNS",
    "MIMIC_CXR_JPG_COLUMNS",
    "MS_CXR_COLUMNS",
    "SCHEMA_VERSION",
    "Column",
    "IssueCode",
    "IssueLog",
    "array_of",
    "cells_for_csv",
    "issues_frame",
    "lists_to_json",
    "parse_list_cell",
    "validate",
]
