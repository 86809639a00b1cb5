"""What datasets and their settings are called on the screen."""

from __future__ import annotations

__all__ = ["HELP", "TITLES"]

TITLES = {"ms_cxr": "MS-CXR", "mimic_cxr_jpg": "MIMIC-CXR-JPG", "mimic_cxr": "MIMIC-CXR", "casia_cxr": "CASIA-CXR"}

HELP: dict[str, dict[str, str]] = {
    "ms_cxr": {
        "root": "One folder that has everything below it: table, films, reports",
        "csv_path": "MS_CXR_Local_Alignment_v1.1.0.csv, or the .json",
        "mimic_base_dir": "MIMIC-CXR's films, JPG or DICOM: any folder above p10 ... p19",
        "report_dir": "Reports, where p10/p10000032/s50414267.txt are; leave empty if beside the films",
    },
    "mimic_cxr_jpg": {
        "root": "The release's folder, with the mimic-cxr-2.0.0-*.csv.gz tables",
        "csv_path": "The metadata table, if it lies elsewhere",
        "base_image_dir": "The films, if they lie elsewhere",
        "label_csv_path": "A label table, if it lies elsewhere",
        "split_csv_path": "The split table, if it lies elsewhere",
    },
    "mimic_cxr": {
        "root": "The release's folder, with cxr-record-list.csv.gz",
        "csv_path": "The record list, if it lies elsewhere",
        "dicom_base_dir": "The DICOM files, if they lie elsewhere",
        "report_csv_path": "The study list, if it lies elsewhere",
        "report_dir": "Reports, a folder or mimic-cxr-reports.zip, if they lie elsewhere",
    },
    "casia_cxr": {
        "root": "The folder with CASIA-CXR_Cardiomegaly and the other classes",
        "report_csv_path": "A table of reports, if it lies elsewhere",
        "label_csv_path": "A table of labels, if it lies elsewhere",
        "base_image_dir": "The films, if they lie elsewhere",
    },
}
