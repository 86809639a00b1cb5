"""One row a study: whose it is, when it was, what its report says."""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.catalog.sources import place_or_issue
from radharmony_core.config import Config
from radharmony_core.reports import ReportFiles, ReportSource, find_reports, report_path
from radharmony_core.schema import IssueLog

__all__ = ["all_studies", "fill_reports", "report_source", "report_texts", "with_reports"]

_LOOKED_AT = 200
_PLACES = (
    ("ms_cxr", "report_dir"),
    ("mimic_cxr", "report_dir"),
    ("mimic_cxr", "root"),
    ("ms_cxr", "mimic_base_dir"),
    ("ms_cxr", "root"),
    ("mimic_cxr_jpg", "base_image_dir"),
    ("mimic_cxr_jpg", "root"),
)


def all_studies(images: pd.DataFrame) -> tuple[pd.DataFrame, npt.NDArray[np.int32]]:
    """One row a study of a patient, in the images' order, and each image's place among them (-1 where it names no study).

    ``patient`` numbers the patients; a study of nobody known is a patient of its own. A study's date is that of its first
    image that has one. An image without a patient belongs to its study's, where that has one only.
    """
    named = images["study_id"].notna().to_numpy()
    keys = _with_patients(images[["patient_id", "study_id"]][named].reset_index(drop=True))
    places = np.full(len(images), -1, dtype=np.int32)
    places[named] = keys.groupby(["patient_id", "study_id"], sort=False, dropna=False).ngroup().to_numpy()
    firsts = np.unique(places[named], return_index=True)[1]
    studies = keys.iloc[firsts].reset_index(drop=True)
    patients = pd.factorize(studies["patient_id"])[0].astype(np.int32)
    unknown = patients < 0
    patients[unknown] = patients.max(initial=-1) + 1 + np.arange(int(unknown.sum()))
    studies["patient"] = patients
    when = pd.Series(images["study_datetime"].to_numpy()[named]).groupby(places[named]).first()
    studies["study_datetime"] = when.to_numpy()
    french = images["casia_cxr"].to_numpy()[named][firsts]
    studies["language"] = pd.Categorical(np.where(french, "fr", "en"), categories=["en", "fr"])
    return studies, places


def _with_patients(keys: pd.DataFrame) -> pd.DataFrame:
    missing = keys["patient_id"].isna()
    if not missing.any():
        return keys
    known = keys[~missing].drop_duplicates()
    known = known[~known["study_id"].duplicated(keep=False)]
    patient = dict(zip(known["study_id"].tolist(), known["patient_id"].tolist(), strict=True))
    filled = [patient.get(study) for study in keys["study_id"][missing].tolist()]
    patients = keys["patient_id"].copy()
    patients[missing.to_numpy()] = pd.array(filled, dtype="str")
    return keys.assign(patient_id=patients)


def report_texts(table: pd.DataFrame) -> pd.DataFrame:
    """``study_id`` and ``report`` of a harmonized table, each study once."""
    firsts = np.flatnonzero((table["study_id"].notna() & ~table["study_id"].duplicated()).to_numpy())
    return table[["study_id", "report"]].take(firsts)


def with_reports(studies: pd.DataFrame, texts: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """``studies`` with the report's text of each, missing where no dataset brings it as text."""
    wanted = pa.array(studies["study_id"])
    report = pa.nulls(len(studies), pa.large_string())
    for table in texts.values():
        found = pc.index_in(wanted, value_set=pa.array(table["study_id"]).cast(wanted.type))
        report = pc.coalesce(report, pa.array(table["report"]).cast(pa.large_string()).take(found))
    return studies.assign(report=pd.array(report, dtype="str"))


def report_source(config: Config, images: pd.DataFrame, log: IssueLog) -> ReportSource | None:
    """Where reports of MS-CXR's films, or else of any film of MIMIC-CXR, lie as files or in a zip."""
    of_interest = images[(images["ms_cxr"] if images["ms_cxr"].any() else ~images["casia_cxr"]).to_numpy()]
    paths = of_interest["image_path"].dropna()
    told = {place: config.datasets.get(place[0], {}).get(place[1]) for place in _PLACES}
    told[_PLACES[0]] = place_or_issue(told[_PLACES[0]], "missing_report", log)
    places = [path for path in told.values() if path is not None and os.path.exists(path)]  # noqa: PTH110
    few = [report_path(path) for path in paths.iloc[:: max(1, len(paths) // _LOOKED_AT)]]
    return find_reports(places, few) if few and places else None


def fill_reports(studies: pd.DataFrame, images: pd.DataFrame, source: ReportSource | None, log: IssueLog) -> pd.DataFrame:
    """``studies`` with what a zip has of MS-CXR's reports; those that neither are there nor came as text become issues."""
    of_ms_cxr = images[images["ms_cxr"].to_numpy() & (images["study"].to_numpy() >= 0) & images["image_path"].notna().to_numpy()]
    firsts = of_ms_cxr.drop_duplicates("study")
    without = firsts[studies["report"].isna().to_numpy()[firsts["study"].to_numpy()]]
    paths = [report_path(path) for path in without["image_path"]]
    if source is None:
        if len(paths) == len(firsts) > 0:
            log.add("missing_report", values=["any: no folder or zip of reports was found"])
        else:
            log.add("missing_report", rows=[None] * len(paths), values=paths)
        return studies
    if isinstance(source, ReportFiles):  # read when they are shown, so that a change is seen
        missing = [path for path in paths if not os.path.isfile(source.root / path)]  # noqa: PTH113
        log.add("missing_report", rows=[None] * len(missing), values=missing)
        return studies
    report = studies["report"].copy()
    report.iloc[without["study"].to_numpy()] = source.texts(paths, log).to_pylist()
    return studies.assign(report=report)
