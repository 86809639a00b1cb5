"""Building the table of MIMIC-CXR-JPG looks at few files, however many images there are, and opens none of them.

Counted where it happens: a process of its own, whose calls for files are written down by Python's audit and around `os`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harmonizer.mimic.made import film, in_split, labels, write

COUNTED = """
import json, os, sys
from radharmony_core.harmonizer import MIMICCXRJPGHarmonizer

warm, root = sys.argv[1:]
MIMICCXRJPGHarmonizer(warm).harmonize()  # what Python loads late is loaded now
calls = []
wanted = {"open", "os.scandir", "os.listdir", "os.walk", "glob.glob", "os.open"}
on = False
sys.addaudithook(lambda event, found: calls.append(f"{event} {found[0]}") if on and event in wanted else None)
for name in ("stat", "lstat", "access", "readlink"):
    def counted(path, *rest, own=getattr(os, name), name=name, **more):
        calls.append(f"{name} {path}")
        return own(path, *rest, **more)
    setattr(os, name, counted)
harmonizer = MIMICCXRJPGHarmonizer(root)
calls.clear()
on = True
images = len(harmonizer.harmonize())
harmonizer.inputs()
on = False
print(json.dumps({"images": images, "root": str(harmonizer.image_root), "calls": calls}))
"""


def dataset(root: Path, count: int, *, images: bool) -> Path:
    """``count`` studies of one film each, four a patient, in their tables and as (empty) files."""
    films = [film(f"d{number}", str(50000001 + number), str(10000001 + number // 4)) for number in range(count)]
    write(root, "metadata", films)
    write(root, "split", [in_split(each) for each in films])
    for key in ("chexpert", "negbio"):
        write(root, key, [labels(str(each["study_id"]), str(each["subject_id"])) for each in films])
    for each in films if images else ():
        folder = root / "files" / "p10" / f"p{each['subject_id']}" / f"s{each['study_id']}"
        folder.mkdir(parents=True)
        (folder / f"{each['dicom_id']}.jpg").touch()
    return root


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[int, list[str]]:
    """The calls for files by the number of images."""
    folder = tmp_path_factory.mktemp("calls")
    warm = dataset(folder / "warm", 3, images=False)
    found = {}
    for count in (8, 4000):
        root = dataset(folder / str(count) / "mimic-cxr-jpg" / "2.1.0", count, images=True)
        command = [sys.executable, "-c", COUNTED, str(warm), str(folder / str(count))]
        run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3])
        told = json.loads(run.stdout)
        assert (told["images"], told["root"]) == (count, str(root / "files"))
        found[count] = told["calls"]
    return found


def test_the_tables_are_seen_to_be_opened(calls: dict[int, list[str]]) -> None:
    opened = [call for call in calls[4000] if call.startswith("open ") and call.endswith(".csv.gz")]
    assert len(opened) == 4, "else the counting has lost its object"
    assert [call for call in calls[4000] if call.startswith("stat ")]


def test_there_are_few_calls_whatever_the_size(calls: dict[int, list[str]]) -> None:
    assert len(calls[4000]) <= 100
    assert len(calls[4000]) == len(calls[8]), "the number of images does not count"


def test_no_image_is_opened_and_none_is_looked_at(calls: dict[int, list[str]]) -> None:
    assert [call for call in calls[4000] if ".jpg" in call] == []
