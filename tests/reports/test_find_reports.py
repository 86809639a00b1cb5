"""Where reports are looked for: trees of files in any usual form, zips, and both together; and a zip that cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from radharmony_core.errors import MissingFileError, TableError
from radharmony_core.reports import find_reports
from radharmony_core.schema import IssueLog
from tests.reports.support import ONE, READ, TEXTS, THREE, TWO, write_tree, write_zip, zip_of

DEEP = "physionet.org/files/mimic-cxr/2.1.0"
ALL, FIRST, NONE = (ONE, TWO, THREE), (ONE,), ()
ZIP = "mimic-cxr-reports.zip"
FOUND = [
    # reason, folder of the tree and its reports, path of the zip and its reports, what is asked, in this order
    ("the tree itself", (".", ALL), None, ["."]),
    ("the tree after wget", (f"{DEEP}/files", ALL), None, [f"{DEEP}/files"]),
    ("the zip at the top", None, (ZIP, ALL), [ZIP]),
    ("the zip after wget", None, (f"{DEEP}/{ZIP}", ALL), [f"{DEEP}/{ZIP}"]),
    ("files go before the zip", ("files", ALL), (ZIP, ALL), ["files", ZIP]),
    ("the zip is unpacked in part", ("files", FIRST), (ZIP, ALL), [ZIP, "files"]),
    ("a part, and no zip", ("files", FIRST), None, ["files"]),
    ("a part, and the zip has no more", ("files", FIRST), (ZIP, FIRST), ["files", ZIP]),
    ("a part, and the zip has the others", ("files", FIRST), (ZIP, (TWO, THREE)), [ZIP, "files"]),
    ("a zip without these reports", None, (ZIP, NONE), [ZIP]),
    ("a zip of another name", None, ("other.zip", ALL), None),
    ("neither", None, None, None),
]
_Written = tuple[str, Sequence[str]] | None


@pytest.mark.parametrize("with_log", [False, True])
@pytest.mark.parametrize(("reason", "tree", "packed", "asked"), FOUND, ids=[row[0] for row in FOUND])
def test_reports_are_found(
    tmp_path: Path, reason: str, tree: _Written, packed: _Written, asked: list[str] | None, with_log: bool
) -> None:
    if tree is not None:
        write_tree(tmp_path / "place" / tree[0], {name: TEXTS[name] for name in tree[1]})
    if packed is not None:
        write_zip(tmp_path / "place" / packed[0], [("files/" + name, TEXTS[name]) for name in packed[1]])
    log = IssueLog()
    found = find_reports([tmp_path / "nowhere", tmp_path / "place"], [ONE, TWO, THREE], log if with_log else None)
    places = [] if asked is None else [tmp_path / "place" / each for each in asked]
    assert ([] if found is None else found.inputs()) == places, reason
    assert len(log) == 0
    if found is not None:
        held = {*(tree[1] if tree else ()), *(packed[1] if packed else ())}
        texts = found.texts([ONE, TWO, THREE], log).to_pylist()
        assert texts == [text if name in held else None for name, text in zip((ONE, TWO, THREE), READ, strict=True)]


@pytest.mark.parametrize(
    ("first", "second", "order"), [((ONE, TWO), (THREE,), (0, 1)), ((ONE,), (TWO, THREE), (1, 0)), ((ONE,), (TWO,), (0, 1))]
)
def test_of_two_trees_the_one_with_most_is_asked_first(
    tmp_path: Path, first: Sequence[str], second: Sequence[str], order: Sequence[int]
) -> None:
    places = [write_tree(tmp_path / str(number), dict.fromkeys(held, b"")) for number, held in enumerate((first, second))]
    found = find_reports(places, [ONE, TWO, THREE])
    assert found is not None
    assert found.inputs() == [places[place] for place in order]


def test_what_the_files_have_not_comes_out_of_the_zip(tmp_path: Path) -> None:
    many = [f"p10/p{10_000_001 + number // 3}/s{50_000_001 + number}.txt" for number in range(300)]
    write_tree(tmp_path / "files", {name: f"file {name}".encode() for name in many[:200]})
    write_zip(tmp_path / ZIP, [("files/" + name, f"zip {name}".encode()) for name in many[100:290]])
    source = find_reports([tmp_path], many)
    assert source is not None
    log, told = IssueLog(), list[tuple[int, int, str]]()
    expected = [f"file {name}" for name in many[:200]] + [f"zip {name}" for name in many[200:290]] + [None] * 10
    assert source.texts([*many, many[0]], log, lambda *how_far: told.append(how_far)).to_pylist() == [*expected, expected[0]]
    assert log.frame()["value"].tolist() == many[290:]
    assert told == [(301, 301, "reports")]
    assert [source.read(name).text for name in (many[0], many[250])] == [expected[0], expected[250]]
    with pytest.raises(MissingFileError):
        source.read(many[295])
    assert source.texts([], log).to_pylist() == []


BROKEN = [
    ("no byte", lambda data: data[:0]),
    ("half of it", lambda data: data[: len(data) // 2]),
    ("a page to log in", lambda data: b"<html>log in</html>" + data[:0]),
    ("a damaged index", lambda data: data.replace(b"PK\x01\x02", b"PK\x01\x03")),
]


@pytest.mark.parametrize("held", [ALL, FIRST, NONE])
@pytest.mark.parametrize(("reason", "damage"), BROKEN, ids=[row[0] for row in BROKEN])
def test_a_zip_that_cannot_be_read_is_an_issue_and_files_are_read(
    tmp_path: Path, reason: str, damage: Callable[[bytes], bytes], held: Sequence[str]
) -> None:
    path = zip_of(tmp_path / ZIP)
    path.write_bytes(damage(path.read_bytes()))
    write_tree(tmp_path / "files", {name: TEXTS[name] for name in held})
    log = IssueLog()
    source = find_reports([tmp_path], [ONE, TWO, THREE], log)
    texts = [None] * 3 if source is None else source.texts([ONE, TWO, THREE], log).to_pylist()
    assert texts == [text if name in held else None for name, text in zip((ONE, TWO, THREE), READ, strict=True)], reason
    said = log.frame().query("code == 'unreadable_archive'")
    asked_for_it = held != ALL or reason != "a damaged index"  # into which nobody looks while nothing is missing
    assert said["severity"].tolist() == ["error"] * asked_for_it
    assert said["message"].str.contains(ZIP, regex=False).all()


@pytest.mark.parametrize(("reason", "damage"), BROKEN, ids=[row[0] for row in BROKEN])
def test_a_zip_that_was_asked_for_and_cannot_be_read_is_refused(
    tmp_path: Path, reason: str, damage: Callable[[bytes], bytes]
) -> None:
    path = zip_of(tmp_path / "mine.zip")
    path.write_bytes(damage(path.read_bytes()))
    log = IssueLog()
    with pytest.raises(TableError, match=r"mine\.zip"):  # noqa: PT012  it is refused when it is found or when it is read
        source = find_reports([path], [ONE], log)
        assert source is not None
        source.texts([ONE], log)
    assert len(log) == 0, reason


LAYOUTS = [
    # reason, the folder that is named, where a report of each study is below the place
    ("in the studies' folders", ".", "files/p10/p10000001/s{}/s{}.txt"),
    ("in capitals there", ".", "files/p10/p10000001/s{}/s{}.TXT"),
    ("names in capitals", ".", "files/p10/p10000001/s{}.TXT"),
    ("all in one folder", ".", "reports/s{}.txt"),
    ("all in the folder itself", "reports", "reports/s{}.txt"),
    ("in capitals", ".", "reports/s{}.TXT"),
]


@pytest.mark.parametrize(("reason", "place", "shape"), LAYOUTS, ids=[row[0] for row in LAYOUTS])
def test_reports_in_other_folders_are_found(tmp_path: Path, reason: str, place: str, shape: str) -> None:
    studies = [50000001 + number for number in range(30)]
    (tmp_path / "files" / "p10" / "p10000001" / "s50000001").mkdir(parents=True)
    write_tree(tmp_path, {shape.format(*[study] * 2): str(study).encode() for study in studies[10:]})
    relatives = [f"p10/p10000001/s{study}.txt" for study in studies]
    source, log = find_reports([tmp_path / "nowhere", tmp_path / place], relatives), IssueLog()
    assert source is not None
    assert source.texts(relatives, log).to_pylist() == [None] * 10 + [str(study) for study in studies[10:]], reason
    assert log.frame()["value"].tolist() == relatives[:10], "a report is asked for by one name wherever it is"
    assert source.read(relatives[10]).text == str(studies[10])
    assert source.inputs()[0].is_dir()


@pytest.mark.parametrize("folder", ["mimic-cxr/2.1.0/files", "files"])
def test_a_few_patients_of_many_are_a_tree_too(tmp_path: Path, folder: str) -> None:
    """Of 10,000 studies in the list two were downloaded: those few that are looked for are not among them."""
    write_tree(tmp_path / folder, {ONE: b"a", THREE: b"b"})
    many = [f"p12/p12000000/s{59_000_000 + number}.txt" for number in range(10_000)]
    found = find_reports([tmp_path / "nowhere", tmp_path], many)
    assert found is not None
    assert found.inputs() == [tmp_path / folder]


def test_a_tree_of_images_has_no_reports(tmp_path: Path) -> None:
    write_tree(tmp_path / "files", {"p10/p10000001/s50000001/a.jpg": b"", "p10/p10000001/s50000001/a.txt": b""})
    assert find_reports([tmp_path], [ONE]) is None


@pytest.mark.parametrize("place", ["2.1.0/files", "2.1.0"])
@pytest.mark.parametrize("relatives", [[ONE], []])
def test_a_zip_beside_the_images_folder_is_found_from_there(tmp_path: Path, place: str, relatives: list[str]) -> None:
    (tmp_path / "2.1.0" / "files").mkdir(parents=True)
    path = zip_of(tmp_path / "2.1.0" / "mimic-cxr-reports.zip")
    found = find_reports([tmp_path / place], relatives)
    assert found is not None
    assert found.inputs() == [path]


def test_a_zip_above_another_folder_is_somebody_elses(tmp_path: Path) -> None:
    (tmp_path / "files" / "2.1.0").mkdir(parents=True)
    for folder in (tmp_path, tmp_path / "files"):
        zip_of(folder / "mimic-cxr-reports.zip")
    assert find_reports([tmp_path / "files" / "2.1.0"], [ONE]) is None


def test_a_zip_in_the_images_folder_goes_before_one_beside_it(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    zip_of(tmp_path / "mimic-cxr-reports.zip")
    inside = zip_of(tmp_path / "files" / "mimic-cxr-reports.zip")
    found = find_reports([tmp_path / "files"], [ONE])
    assert found is not None
    assert found.inputs() == [inside]


def test_without_reports_to_look_for_a_zip_is_found(tmp_path: Path) -> None:
    path = zip_of(tmp_path / "mimic-cxr-reports.zip")
    found = find_reports([tmp_path], [])
    assert found is not None
    assert found.inputs() == [path]


def test_a_zip_of_any_name_may_be_the_place(tmp_path: Path) -> None:
    path = zip_of(tmp_path / "copied reports")
    found = find_reports([path], [ONE])
    assert found is not None
    assert found.inputs() == [path]


def test_of_two_zips_the_one_with_the_reports_is_asked_first(tmp_path: Path) -> None:
    one, other = write_zip(tmp_path / "a.zip", [("files/" + ONE, b"")]), zip_of(tmp_path / "b.zip")
    found = find_reports([one, other], [ONE, TWO])
    assert found is not None
    assert found.inputs() == [other, one]


@pytest.mark.parametrize("relatives", [[ONE], []])
def test_no_reports_anywhere_are_none(tmp_path: Path, relatives: list[str]) -> None:
    (tmp_path / "files" / "p10").mkdir(parents=True)
    assert find_reports([tmp_path, tmp_path / "nowhere"], relatives) is None
    assert find_reports([], relatives) is None
