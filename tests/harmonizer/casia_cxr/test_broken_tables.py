"""A table of one class that cannot be read: the other classes go on, and its own is said to be missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from radharmony_core.errors import TableError
from radharmony_core.harmonizer import CASIACXRHarmonizer
from tests.harmonizer.casia_cxr.made import HEADER, record, write_class
from tests.support import write_table

LABELS = "ImageID,Edema\nCASIA-CXR_Mass_ImgID_0001,1\n"
BROKEN = [
    # reason, which table of Pneumonia, its bytes, a word of the message
    ("reports of no bytes", "Reports", b"", "CASIA-CXR_Pneumonia_Reports.csv"),
    ("reports of another kind", "Reports", b"<html></html>\n", "html"),
    ("reports without a header", "Reports", (",".join(map(str, record("Pneumonia").values())) + "\n").encode(), "first line"),
    ("labels of no bytes", "Labels", b"", "CASIA-CXR_Pneumonia_Labels.csv"),
    ("labels that are none", "Labels", b"ImageID,age\nCASIA-CXR_Pneumonia_ImgID_0001,57\n", "ImageID"),
    ("names in two columns", "Labels", b"ImageID,Finding1,Finding2\nCASIA-CXR_Pneumonia_ImgID_0001,Edema,Fracture\n", "Finding2"),
    ("labels without a header", "Labels", b"CASIA-CXR_Pneumonia_ImgID_0001,Edema\nCASIA-CXR_Pneumonia_ImgID_0002,Edema\n",
     "first record"),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "which", "content", "word"), BROKEN, ids=[row[0] for row in BROKEN])
def test_the_other_classes_go_on(tmp_path: Path, reason: str, which: str, content: bytes, word: str) -> None:
    write_class(tmp_path, labels=LABELS)
    (write_class(tmp_path, "Pneumonia", images=[]) / f"CASIA-CXR_Pneumonia_{which}.csv").write_bytes(content)
    harmonizer = CASIACXRHarmonizer(tmp_path)
    table = harmonizer.harmonize()
    expected = [["Mass", "Edema"]] if which == "Reports" else [["Mass", "Edema"], ["Pneumonia"]]
    assert sorted(table["source_labels"].tolist()) == expected, reason
    issues = harmonizer.issues
    (broken,) = issues.query("code == 'unreadable_table'").to_dict("records")
    assert broken["severity"] == "error"
    assert word in broken["message"]
    assert not issues.query("code == 'missing_table'")["value"].str.contains("labels of Pneumonia").any(), "it was found"
    assert "missing_labels" not in set(issues["code"]), "a broken table is said once, not for each record"


def test_a_broken_table_among_several_that_are_named(tmp_path: Path) -> None:
    good = write_table(tmp_path / "Mass.csv", [record()], HEADER)
    empty = tmp_path / "Pneumonia.csv"
    empty.touch()
    harmonizer = CASIACXRHarmonizer(csv_path=[empty, good])
    assert len(harmonizer.harmonize()) == 1
    assert harmonizer.issues["code"].tolist().count("unreadable_table") == 1


def test_it_is_refused_when_no_table_can_be_read(tmp_path: Path) -> None:
    for kind in ("Mass", "Pneumonia"):
        (write_class(tmp_path, kind) / f"CASIA-CXR_{kind}_Reports.csv").write_bytes(b"")
    with pytest.raises(TableError, match="CASIA-CXR_Pneumonia_Reports"):
        CASIACXRHarmonizer(tmp_path).harmonize()


def test_labels_that_are_named_and_cannot_be_read_are_refused(tmp_path: Path) -> None:
    write_class(tmp_path, labels=LABELS)
    broken = tmp_path / "labels.csv"
    broken.write_text("a,b\n1,2\n")
    with pytest.raises(TableError, match=r"labels\.csv"):
        CASIACXRHarmonizer(tmp_path, label_csv_path=broken).harmonize()
