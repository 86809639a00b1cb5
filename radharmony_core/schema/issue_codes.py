"""The codes of issues: what each stands for. They are stable; add one here before using it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ISSUE_CODES", "IssueCode"]


@dataclass(frozen=True, slots=True)
class IssueCode:
    """What a code stands for. ``severity`` is one of SARIF's: ``error``, ``warning``, ``note``; ``message`` may use {value}
    and {column}."""

    severity: str
    message: str


ISSUE_CODES: dict[str, IssueCode] = {
    "ambiguous_category": IssueCode("error", "The category {value} stands for several names; its id is kept, and flags nothing."),
    "ambiguous_image": IssueCode("error", "The image {value} stands for several paths; the annotation is kept without a path."),
    "annotation_size_conflict": IssueCode(
        "warning", "The annotation gives its image the size {value}, the image itself another; the image's is used."
    ),
    "bad_cell": IssueCode("warning", "{column} is {value!r}, which cannot be read; it is left missing."),
    "bad_datetime": IssueCode("error", "{column} is {value!r}, which is no date or time of day; the study has none."),
    "bad_file_name": IssueCode("warning", "The name {value} holds bytes that are no text; the file or folder is left out."),
    "bad_record": IssueCode("error", "The record {value} is no object, or has no id that can be used; it is left out."),
    "bad_size": IssueCode("error", "{column} is {value!r}, which is no whole number above 0; it is left missing."),
    "bad_time": IssueCode("error", "{column} is {value!r}, which is no time of day; the study's date is kept, at 00:00."),
    "blank_id": IssueCode("error", "{column} is blank; no other table can be joined by it."),
    "blank_row": IssueCode("note", "The line is empty; it is counted and left out."),
    "blank_text": IssueCode("warning", "The record has no text; it is kept."),
    "box_outside_image": IssueCode("error", "The box {value} reaches beyond the image; it is kept as it is."),
    "box_shape": IssueCode("error", "The box {value} is not a list of exactly four numbers; it cannot be placed."),
    "box_without_area": IssueCode("error", "The box {value} has no area: width and height must be above 0."),
    "class_conflict": IssueCode(
        "error",
        "An id names the class {value!r}, the folder or the other id another one. The class label is the folder's, or else "
        "ExamID's; the image is that of both ids, or the one whose name is ImageID.",
    ),
    "damaged_gzip": IssueCode(
        "error", "The gzip file is damaged ({value}). Its whole lines before that are read, unchecked; the others are missing."
    ),
    "decimal_comma": IssueCode("warning", "{value} cells of {column} have a decimal comma (1,0); they are read as numbers."),
    "duplicate_id": IssueCode("warning", "The {column} {value!r} stands in an earlier row as well; both rows are kept."),
    "duplicate_image": IssueCode(
        "warning", "The image {value!r} stands in an earlier row as well, which says the same; it is used once."
    ),
    "duplicate_row": IssueCode("warning", "The same box with the same phrase stands in an earlier row; both are kept."),
    "duplicate_study": IssueCode(
        "warning", "The study {value!r} stands in an earlier row as well, which says the same; it is used once."
    ),
    "empty_phrase": IssueCode("error", "The phrase is empty."),
    "encoding_guess": IssueCode("warning", "The file is not UTF-8; it was read as {value}."),
    "extra_column": IssueCode("note", "The column {column!r} is not part of the table; it is left out."),
    "filler_row": IssueCode("note", "The row holds nothing but filling such as #; it is counted and left out."),
    "flags_as_words": IssueCode("note", "Labels are marked with words, which are read as 1 and 0: {value}."),
    "id_as_number": IssueCode(
        "warning", "{value} ids in {column} are written as numbers with a decimal point (10000032.0); their digits are used."
    ),
    "id_conflict": IssueCode(
        "error", "{column} is {value!r} here, another one than in the table of images; that one is followed."
    ),
    "id_mismatch": IssueCode("warning", "The dicom_id {value!r} is not the file name in the path; the path is followed."),
    "image_conflict": IssueCode(
        "error", "The image {value!r} stands in an earlier row as well, which says something else; the earlier row is used."
    ),
    "image_size_conflict": IssueCode(
        "error", "The size {value} differs from that of the image's first row; each box uses its own."
    ),
    "image_size_mismatch": IssueCode("error", "The file on disk is {value}, another shape than the table says."),
    "image_size_missing": IssueCode(
        "error", "The image size {value} is not two whole numbers above 0; the box cannot be placed."
    ),
    "label_conflict": IssueCode(
        "error", "The study {value!r} has different answers for {column} in two rows; the label is left missing."
    ),
    "label_outvoted": IssueCode(
        "warning", "{value!r} has {column} in one place and a 0 for it in another; it counts as labelled."
    ),
    "link_outside": IssueCode(
        "error", "The link {value!r} leads to nothing, or out of the dataset's folder; it is not followed."
    ),
    "missing_class": IssueCode("warning", "There is no folder of the class {value}; its records are missing."),
    "missing_column": IssueCode("error", "The column {column!r} is missing; what it holds is left empty."),
    "missing_image": IssueCode("error", "The image {value!r} is not in the images' folder."),
    "missing_labels": IssueCode("note", "The study {value!r} has no row in this label table; its labels are missing."),
    "missing_metadata": IssueCode(
        "warning", "The image {value!r} is in the record list, not in the metadata; what those hold is missing."
    ),
    "missing_record": IssueCode("note", "{value} images of the metadata are not in the record list; they are not part of it."),
    "missing_report": IssueCode("warning", "The report {value!r} was not found."),
    "missing_split": IssueCode("warning", "The image {value!r} has no split; it is left missing."),
    "missing_table": IssueCode("warning", "No table was found for {value}; what it holds is left missing."),
    "multiline_record": IssueCode("note", "The record goes over {value} lines, because line breaks stand between its quotes."),
    "names_joined": IssueCode(
        "warning", "The row has more cells than the header: {value!r}. They are read as further names of {column}."
    ),
    "no_images_of_class": IssueCode(
        "warning", "No image of the class {value} was found; the paths of its records are left missing."
    ),
    "no_rows": IssueCode("warning", "The table has a header and not one row."),
    "not_a_number": IssueCode("error", "{column} is {value!r}, which is not a number."),
    "number_conflict": IssueCode(
        "error",
        "The number of {column} {value!r} is not that of the row's other id. Only an image whose name is ImageID is its image.",
    ),
    "odd_state": IssueCode("warning", "{value} studies have 0 or -1 for {column}, by the format 1 or blank; that is kept."),
    "open_quote": IssueCode(
        "error", "The record opens a quote that is not closed; its cells may be divided in the wrong places."
    ),
    "passed_over_file": IssueCode("warning", "The file {value} is empty or damaged; another one is read in its place."),
    "path_conflict": IssueCode(
        "error", "The path {value!r} names another image, study or patient than the row's ids; the ids are followed."
    ),
    "path_mismatch": IssueCode("warning", "The path {value!r} is not where the image's ids say; the path is followed."),
    "path_shape": IssueCode("error", "The path {value!r} is not files/pNN/pNNNNNNNN/sNNNNNNNN/NAME.jpg."),
    "paths_from_ids": IssueCode("warning", "There is no column {column!r}; the paths are made of the ids."),
    "ragged_row": IssueCode(
        "error", "The row has {value} cells, another number than the header; which cell belongs to which column is uncertain."
    ),
    "repeated_label_row": IssueCode("note", "{value!r} has labels in an earlier row as well; it gets those of both."),
    "repeated_text": IssueCode("note", "{column} repeats: {value}. All are kept."),
    "row_without_id": IssueCode("warning", "The row's id is {value!r}, not CASIA-CXR...<digits>; it is counted and left out."),
    "row_without_text": IssueCode(
        "warning", "The row of {value!r} has neither Findings nor Impression; it is counted and left out."
    ),
    "several_files": IssueCode("note", "Several files fit; {value} is read."),
    "several_images": IssueCode("note", "{value!r} has the class and number of another image; that one is used."),
    "shared_image": IssueCode(
        "error", "{value!r} has the image of an earlier record. An image is of one record: they are the same, or one is wrong."
    ),
    "shifted_row": IssueCode(
        "error",
        "The row has {value} cells, not as many as the header, so none of its sections can be told from the next: they are left "
        "missing, and the report is that part of the row as it stands.",
    ),
    "shifted_rows": IssueCode(
        "error", "Of {value} rows of another length only ids of MIMIC's shape are used; the rest is missing."
    ),
    "split_conflict": IssueCode("error", "The patient is also in the split {value!r}; patients must not span splits."),
    "split_disagreement": IssueCode("error", "The image {value!r} has two splits in two rows; it is left missing."),
    "study_conflict": IssueCode("error", "The study is also that of patient {value!r}; a study belongs to one patient."),
    "study_row_conflict": IssueCode(
        "error", "The study {value!r} stands in an earlier row as well, which says something else; the earlier row is used."
    ),
    "study_without_labels": IssueCode(
        "warning", "The study {value!r} has no row among the {column} labels; it counts as not mentioned there."
    ),
    "tree_kind": IssueCode(
        "note", "The images' files end in {value}, not as the table says; each image was looked up by itself."
    ),
    "tree_mixed": IssueCode("note", "The images' folder holds several kinds of file; each image was looked up by itself."),
    "tree_not_found": IssueCode(
        "warning", "None of the images looked for is below {value!r}; the paths stay as the table has them."
    ),
    "uncounted_studies": IssueCode("warning", "{value} studies are not counted for {column}: a file has no usable answer."),
    "unknown_category": IssueCode("error", "The category {value!r} is not one of MS-CXR's eight; it is kept and flags nothing."),
    "unknown_class": IssueCode("warning", "The class {value!r} is not one of CASIA-CXR's five; it is kept and flags nothing."),
    "unknown_class_folder": IssueCode("warning", "The folder {value!r} is none of CASIA-CXR's five classes; it is left out."),
    "unknown_flag": IssueCode(
        "warning", "{column} is {value!r}, which is neither 1 nor 0 nor blank; it is taken as not labelled."
    ),
    "unknown_image": IssueCode("error", "The annotation names the image {value}, which the file does not list; it has no path."),
    "unknown_label": IssueCode("error", "{column} is {value!r}, which is none of 1, 0, -1 and blank; the label is left missing."),
    "unknown_label_name": IssueCode(
        "warning", "The label {column!r} is not one of the dataset's list; it is kept in source_labels and flags nothing."
    ),
    "unknown_labels": IssueCode("error", "{value} cells of {column} are none of 1, 0, -1 and blank; they are left missing."),
    "unknown_split": IssueCode("warning", "The split {value!r} is not one that the dataset was published with; it is kept."),
    "unmatched_label_row": IssueCode("warning", "The labels of {value!r} belong to no record that is kept; they are left out."),
    "unmatched_row": IssueCode("note", "{value} rows speak of what is not among the images; they are left out."),
    "unreadable_archive": IssueCode("error", "A zip of reports cannot be used: {value}"),
    "unreadable_folder": IssueCode("error", "The folder {value} cannot be read; what is in it is missing."),
    "unreadable_image": IssueCode("error", "The image cannot be shown: {value}"),
    "unreadable_report": IssueCode("error", "The report cannot be read: {value}"),
    "unreadable_table": IssueCode("error", "A table cannot be read; what it holds is left missing. {value}"),
    "view_conflict": IssueCode("warning", "{column} is {value!r}, Projection another; Projection is followed."),
    "word_for_blank": IssueCode("warning", "{value} cells of {column} hold a word such as NaN; they count as not mentioned."),
}
