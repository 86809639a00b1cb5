"""Two patients of MIMIC-CXR-JPG and MIMIC-CXR in the raw layout, small enough to know by heart.

Patient 10000001 has study 50000001 (a PA and a lateral view) and the *earlier* study 50000002; patient 10000002 has 50000003.
"""

from __future__ import annotations

import gzip
from pathlib import Path

__all__ = ["REPORT", "write_jpg_tables", "write_mimic_tables"]

REPORT = " FINDINGS:  Mild edema.\n"

_METADATA = """dicom_id,subject_id,study_id,PerformedProcedureStepDescription,ViewPosition,Rows,Columns,StudyDate,StudyTime,\
ProcedureCodeSequence_CodeMeaning,ViewCodeSequence_CodeMeaning,PatientOrientationCodeSequence_CodeMeaning
aaaa,10000001,50000001,CHEST (PA AND LAT),PA,64,48,21100102,100000.0,CHEST (PA AND LAT),postero-anterior,Erect
bbbb,10000001,50000001,CHEST (PA AND LAT),LATERAL,64,48,21100102,100000.0,CHEST (PA AND LAT),lateral,Erect
cccc,10000001,50000002,CHEST (PORTABLE AP),AP,64,48,21100101,80556.875,CHEST (PORTABLE AP),antero-posterior,
dddd,10000002,50000003,CHEST (PORTABLE AP),,64,48,21500101,1.0,CHEST (PORTABLE AP),,
"""
_SPLIT = """dicom_id,study_id,subject_id,split
aaaa,50000001,10000001,train
bbbb,50000001,10000001,train
cccc,50000002,10000001,train
dddd,50000003,10000002,test
"""
_LABELS = """subject_id,study_id,Atelectasis,Cardiomegaly,Consolidation,Edema,Enlarged Cardiomediastinum,Fracture,Lung Lesion,\
Lung Opacity,No Finding,Pleural Effusion,Pleural Other,Pneumonia,Pneumothorax,Support Devices
"""
_CHEXPERT = f"""{_LABELS}10000001,50000001,,,,1.0,,,,,,,,0.0,,
10000001,50000002,,,,-1.0,,,,,,,,,,
10000002,50000003,,,,,,,,,,,,,,
"""
_NEGBIO = f"""{_LABELS}10000001,50000001,,,,0.0,,,,,,,,0.0,,
10000001,50000002,,,,-1.0,,,,,,,,,,
10000002,50000003,,,,,,,,,,,,,,
"""
_RECORDS = """subject_id,study_id,dicom_id,path
10000001,50000001,aaaa,files/p10/p10000001/s50000001/aaaa.dcm
10000002,50000003,dddd,files/p10/p10000002/s50000003/dddd.dcm
"""
_STUDIES = """subject_id,study_id,path
10000001,50000001,files/p10/p10000001/s50000001.txt
10000002,50000003,files/p10/p10000002/s50000003.txt
"""


def _packed(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()))


def write_jpg_tables(root: Path) -> Path:
    """Metadata, split and both labelers' tables of MIMIC-CXR-JPG."""
    for name, text in (("metadata", _METADATA), ("split", _SPLIT), ("chexpert", _CHEXPERT), ("negbio", _NEGBIO)):
        _packed(root / f"mimic-cxr-2.0.0-{name}.csv.gz", text)
    return root


def write_mimic_tables(root: Path) -> Path:
    """Record list and study list of MIMIC-CXR, and the report of study 50000001 only."""
    _packed(root / "cxr-record-list.csv.gz", _RECORDS)
    _packed(root / "cxr-study-list.csv.gz", _STUDIES)
    report = root / "files/p10/p10000001/s50000001.txt"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.write_text(REPORT, encoding="utf-8")
    return root
