"""The harmonized columns of each dataset: name, kind and meaning."""

from __future__ import annotations

from dataclasses import dataclass

from radharmony_core.labels import CHEXPERT_LABELS, MS_CXR_CATEGORIES, column_of

__all__ = [
    "BOX_ORDER",
    "CASIA_CXR_COLUMNS",
    "LABEL_COLUMNS",
    "MIMIC_CXR_COLUMNS",
    "MIMIC_CXR_JPG_COLUMNS",
    "MS_CXR_COLUMNS",
    "SCHEMA_VERSION",
    "Column",
]

SCHEMA_VERSION = 2
BOX_ORDER = ("y_min", "y_max", "x_min", "x_max")


@dataclass(frozen=True, slots=True)
class Column:
    """One harmonized column. ``kind`` is ``text``, ``integer`` (nullable), ``flag`` (0 or 1), ``state`` (Int8: 1, 0, -1 or
    missing), ``datetime``, ``texts`` or ``boxes`` (Python lists)."""

    name: str
    kind: str
    meaning: str


_SIZE = (
    Column("image_width", "integer", "pixels of the original image"),
    Column("image_height", "integer", "pixels of the original image"),
)

MS_CXR_COLUMNS: tuple[Column, ...] = (
    Column("patient_id", "text", "subject_id of MIMIC-CXR: the digits after the second p of the path"),
    Column("study_id", "text", "study_id of MIMIC-CXR: the digits after the s of the path"),
    Column("image_path", "text", "below the images' folder, with the extension of the tree that was found there"),
    Column("bbox", "boxes", "one [y_min, y_max, x_min, x_max] a box, fractions of the image"),
    Column("bbox_labels", "texts", "parallel to bbox: the finding of each box"),
    *(Column(column_of(name), "flag", f"1 where {name} is annotated, 0 where it is not") for name in MS_CXR_CATEGORIES),
    Column("split", "text", "MS-CXR's own train, val or test; missing in release 0.1"),
    Column("label_text", "texts", "parallel to bbox: the phrase of each box"),
    *_SIZE,
)

LABEL_COLUMNS: tuple[Column, ...] = tuple(
    Column(column_of(name), "state", f"{name}: 1 positive, 0 negative, -1 uncertain, missing where not mentioned")
    for name in CHEXPERT_LABELS
)

MIMIC_CXR_JPG_COLUMNS: tuple[Column, ...] = (
    Column("patient_id", "text", "subject_id"),
    Column("study_id", "text", "study_id"),
    Column("image_path", "text", "below the images' folder: p10/p10000032/s50414267/NAME.jpg"),
    Column("dicom_id", "text", "the image's id, which is its file's name as well"),
    Column("split", "text", "train, validate or test, as published"),
    Column("view_position", "text", "ViewPosition of the DICOM header; missing where it is blank"),
    Column("view_group", "text", "frontal (AP, PA), lateral (LATERAL, LL), other, or unknown where the position is blank"),
    Column("procedure", "text", "PerformedProcedureStepDescription"),
    Column(
        "study_datetime",
        "datetime",
        "StudyDate and StudyTime (00:00 where that is unknown), shifted: only gaps within a patient are true",
    ),
    *_SIZE,
    *LABEL_COLUMNS,
    Column(
        "labels_disagreed",
        "integer",
        "on how many labels CheXpert and NegBio differ: one blank and the other not, or two states; missing without both",
    ),
)

MIMIC_CXR_COLUMNS: tuple[Column, ...] = (
    *MIMIC_CXR_JPG_COLUMNS,
    Column("report", "text", "the study's report as it stands in its file; missing where there is none"),
    Column("language", "text", "en"),
)

CASIA_CXR_COLUMNS: tuple[Column, ...] = (
    Column("patient_id", "text", "PatientID; numbers restart in every class, so the class stands before one that names none"),
    Column("study_id", "text", "ExamID"),
    Column("image_path", "text", "below the dataset's folder, found by class and number; missing where there is no file"),
    Column("image_id", "text", "ImageID; a later one of the same kind ends in ~2, so that rows can be told apart"),
    Column("report_id", "text", "ReportID"),
    Column("split", "text", "always missing: the dataset has none"),
    Column("view_position", "text", "AP or PA (Projection, else PositionView)"),
    Column("view_group", "text", "frontal, or unknown where the position is blank"),
    Column("study_datetime", "datetime", "StudyDate, a day without a time"),
    Column("patient_age", "integer", "years"),
    Column("patient_sex", "text", "M or F"),
    *_SIZE,
    *LABEL_COLUMNS,
    Column("source_labels", "texts", "the class and the local labels under their own names"),
    Column("findings", "text", "the cell as it stands in the file"),
    Column("indication", "text", "the cell as it stands in the file"),
    Column("comparison", "text", "the cell as it stands in the file"),
    Column("impression", "text", "the cell as it stands in the file"),
    Column("report", "text", "the four cells one below the other, each under its column's name"),
    Column("language", "text", "fr"),
)
