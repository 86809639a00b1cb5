"""Where MIMIC-CXR's reports are: beside the studies, in the zip, or in a tree of JPGs; and what the study list says of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from radharmony_core.errors import TableError
from radharmony_core.harmonizer import MIMICCXRHarmonizer
from tests.harmonizer.mimic.made import FILMS, TEXT, cells, codes, film, made, mimic, report, with_reports, zipped

USUAL = {"missing_table", "missing_report", "tree_not_found"}


def places(root: Path, where: str) -> dict[str, Any]:
    """Arguments for which the reports are ``where``."""
    texts = {report(FILMS[0]): TEXT, report(FILMS[2]): "second\n"}
    arguments: dict[str, Any] = {"root": mimic(root / "mimic")}
    if where == "beside the studies":
        with_reports(arguments["root"], texts)
    elif where == "a zip in the root":
        zipped(arguments["root"] / "mimic-cxr-reports.zip", texts)
    elif where == "a folder of their own":
        arguments["report_dir"] = with_reports(root / "texts", texts)
    elif where == "a zip of its own":
        arguments["report_dir"] = zipped(root / "mine.zip", {f"other/{place}": text for place, text in texts.items()})
    elif where == "the DICOM tree":
        arguments["dicom_base_dir"] = with_reports(root / "dicom", texts)
    elif where == "the JPG tree":
        arguments["jpg_root"] = with_reports(made(root / "jpg", FILMS), texts)
    return arguments


WHERE = [
    *("beside the studies", "a zip in the root", "a folder of their own", "a zip of its own", "the DICOM tree", "the JPG tree"),
]


@pytest.mark.parametrize("where", WHERE)
def test_reports_are_found(tmp_path: Path, where: str) -> None:
    harmonizer = MIMICCXRHarmonizer(**places(tmp_path, where))
    told: list[tuple[int, int, str]] = []
    assert cells(harmonizer.harmonize(lambda *step: told.append(step)), "report") == [TEXT, TEXT, "second\n"]
    assert "missing_report" not in codes(harmonizer.issues)
    assert told[-1] == (2, 2, "reports"), "each study's report is read once"
    assert harmonizer.inputs()[-1].exists()


def test_a_missing_report_is_an_issue_of_its_study(tmp_path: Path) -> None:
    root = with_reports(mimic(tmp_path), {report(FILMS[0]): TEXT})
    harmonizer = MIMICCXRHarmonizer(root)
    assert cells(harmonizer.harmonize(), "report") == [TEXT, TEXT, None]
    missing = harmonizer.issues.query("code == 'missing_report'")
    assert missing["value"].tolist() == ["p10/p10000002/s50000002.txt"]


@pytest.mark.parametrize("number", [0, 7, 37, 59])
def test_one_report_out_of_many_studies_is_found(tmp_path: Path, number: int) -> None:
    films = [film(f"d{place}", str(50000001 + place), str(10000001 + place)) for place in range(60)]
    root = with_reports(mimic(tmp_path, films), {report(films[number]): TEXT})
    harmonizer = MIMICCXRHarmonizer(root)
    assert cells(harmonizer.harmonize(), "report") == [TEXT if place == number else None for place in range(60)]
    assert codes(harmonizer.issues).count("missing_report") == 59
    assert harmonizer.inputs()[-1] == root / "files"


OTHERS: dict[str, object] = {"study_id": "50000001", "path": report(film(study_id="50000009"))}


def test_a_zip_that_was_cut_off_does_not_cost_the_table(tmp_path: Path) -> None:
    root = with_reports(mimic(tmp_path / "mimic"), {report(FILMS[0]): TEXT})
    path = zipped(root / "mimic-cxr-reports.zip", {report(each): "zip" for each in FILMS})
    path.write_bytes(path.read_bytes()[:60])
    harmonizer = MIMICCXRHarmonizer(root)
    assert cells(harmonizer.harmonize(), "report") == [TEXT, TEXT, None]
    said = harmonizer.issues.query("code == 'unreadable_archive'")
    assert said["severity"].tolist() == ["error"]
    assert "it is another file, or cut short. Download it again." in said["message"].iloc[0]
    assert harmonizer.inputs()[-1] == root / "files"
    with pytest.raises(TableError, match="cut short"):
        MIMICCXRHarmonizer(root, report_dir=path).harmonize()


def test_reports_half_as_files_and_half_in_the_zip(tmp_path: Path) -> None:
    root = with_reports(mimic(tmp_path / "mimic"), {report(FILMS[0]): TEXT})
    path = zipped(root / "mimic-cxr-reports.zip", {report(FILMS[2]): "zip"})
    harmonizer = MIMICCXRHarmonizer(root)
    assert cells(harmonizer.harmonize(), "report") == [TEXT, TEXT, "zip"]
    assert "missing_report" not in codes(harmonizer.issues)
    assert {root / "files", path} <= set(harmonizer.inputs()), "whose change makes the table stale"


STUDIES = [
    # reason, rows of the study list, reports of the three images, codes beside the usual ones
    ("no rows", [], [TEXT, TEXT, None], []),
    ("another path", [{"study_id": "50000001", "path": "files/x/r.txt"}], ["other", "other", None], ["path_mismatch"]),
    ("another spelling of its own", [{"study_id": "50000001", "path": "\\data\\" + report(FILMS[0])}], [TEXT, TEXT, None], []),
    ("another study's report", [OTHERS], [TEXT, TEXT, None], ["path_conflict"]),
    ("another study's, elsewhere", [OTHERS | {"path": "x/S50000009.TXT"}], [TEXT, TEXT, None], ["path_conflict"]),
    ("another patient's folder", [OTHERS | {"path": "files/p19/p19000001/r.txt"}], [TEXT, TEXT, None], ["path_conflict"]),
    ("a study without images", [{"study_id": "59", "path": "files/x/r.txt"}], [TEXT, TEXT, None], ["unmatched_row"]),
    ("a blank study", [{"study_id": "", "path": "files/x/r.txt"}], [TEXT, TEXT, None], ["blank_id"]),
    ("no path", [{"study_id": "50000001"}], [TEXT, TEXT, None], []),
    (
        "twice",
        [{"study_id": "50000001", "path": report(FILMS[0])}, {"study_id": "50000001", "path": "files/x/r.txt"}],
        [TEXT, TEXT, None],
        ["study_row_conflict"],
    ),
    (
        "of another patient",
        [{"subject_id": "19", "study_id": "50000001", "path": report(FILMS[0])}],
        [TEXT, TEXT, None],
        ["id_conflict"],
    ),
]


@pytest.mark.parametrize(("reason", "rows", "reports", "said"), STUDIES, ids=[row[0] for row in STUDIES])
def test_the_study_list_says_where_reports_are(
    tmp_path: Path, reason: str, rows: list[dict[str, object]], reports: list[str | None], said: list[str]
) -> None:
    given = [{"subject_id": "10000001"} | row for row in rows]
    texts = {report(FILMS[0]): TEXT, "files/x/r.txt": "other", str(OTHERS["path"]): "another study's"}
    root = with_reports(mimic(tmp_path, FILMS, given), texts)
    harmonizer = MIMICCXRHarmonizer(root)
    assert cells(harmonizer.harmonize(), "report") == reports, reason
    assert [code for code in codes(harmonizer.issues) if code not in USUAL] == said, reason
