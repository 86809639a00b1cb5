"""Files as people have them: other encodings, stray quotes, gzip under the wrong name or cut off. No row is lost in silence."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from radharmony_core.errors import TableError
from radharmony_core.harmonizer import MIMICCXRJPGHarmonizer
from radharmony_core.harmonizer.tables import file as table_file
from tests.harmonizer.mimic.made import HEADERS, cells, codes, csv_text, film, in_split, labels, write

FILMS = [film(f"d{number}", str(50000001 + number)) for number in range(40)]
TABLES = {
    "metadata": FILMS,
    "split": [in_split(each) for each in FILMS],
    "chexpert": [labels(str(each["study_id"]), edema="-1.0") for each in FILMS],
    "negbio": [labels(str(each["study_id"]), edema="1.0") for each in FILMS],
}


def quoted(text: str) -> str:
    return "\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in text.splitlines()) + "\n"


def stray_quote(text: str) -> str:
    """A quote that is opened in the third row and never closed."""
    lines = text.splitlines()
    lines[3] = lines[3].replace(",", ',"', 1)
    return "\n".join(lines) + "\n"


FORMS: list[tuple[str, Callable[[str], bytes], list[str]]] = [
    # reason, how each table is written, codes that are said of each table
    ("packed", lambda text: gzip.compress(text.encode()), []),
    ("not packed, under a name that says so", lambda text: text.encode(), []),
    ("a mark, quotes and CRLF", lambda text: b"\xef\xbb\xbf" + quoted(text).replace("\n", "\r\n").encode(), []),
    ("packed as well", lambda text: gzip.compress(b"\xef\xbb\xbf" + quoted(text).replace("\n", "\r\n").encode()), []),
    ("UTF-16 with tabs", lambda text: text.replace(",", "\t").encode("utf-16"), []),
    ("semicolons", lambda text: text.replace(",", ";").encode(), []),
    ("no line end at the end", lambda text: gzip.compress(text.rstrip("\n").encode()), []),
    ("a stray quote", lambda text: gzip.compress(stray_quote(text).encode()), ["open_quote"]),
    ("a blank line within", lambda text: text.replace("\n", "\n\n", 1).encode(), ["blank_row"]),
    ("cp1252", lambda text: text.replace("10000001", "1000000\u2019", 1).encode("cp1252"), ["encoding_guess"]),
    ("zeros after the end", lambda text: gzip.compress(text.encode()) + bytes(512), []),
    ("in two members", lambda text: gzip.compress(text[:300].encode()) + gzip.compress(text[300:].encode()), []),
]


@pytest.mark.parametrize(("reason", "form", "said"), FORMS, ids=[row[0] for row in FORMS])
def test_no_row_is_lost(tmp_path: Path, reason: str, form: Callable[[str], bytes], said: list[str]) -> None:
    for key, rows in TABLES.items():
        write(tmp_path, key, rows).write_bytes(form(csv_text(HEADERS[key], rows)))
    harmonizer = MIMICCXRJPGHarmonizer(tmp_path)
    table = harmonizer.harmonize()
    assert len(table) == len(FILMS), reason
    whole = [row for row in range(40) if row != 2 or "open_quote" not in said]
    assert [cells(table, "dicom_id")[row] for row in whole] == [FILMS[row]["dicom_id"] for row in whole]
    assert cells(table, "edema").count(-1) >= 39
    found = harmonizer.issues
    for name in ("metadata", "split", "chexpert", "negbio"):
        about = found[found["message"].str.startswith(f"mimic-cxr-2.0.0-{name}.csv.gz: ")]
        assert set(said) <= set(about["code"]), reason
    assert said or codes(found) == ["tree_not_found"], reason


def test_packed_under_a_plain_name(tmp_path: Path) -> None:
    for key, rows in TABLES.items():
        write(tmp_path, key, rows, f"mimic-cxr-2.0.0-{key}.csv").write_bytes(gzip.compress(csv_text(HEADERS[key], rows).encode()))
    table = MIMICCXRJPGHarmonizer(tmp_path).harmonize()
    assert (cells(table, "split"), cells(table, "edema")) == (["train"] * 40, [-1] * 40)


CUTS = [
    # reason, what happens to the packed bytes, words of the issue
    ("cut in the middle", lambda data: data[: len(data) // 2], "it ends too early"),
    ("cut before its checksum", lambda data: data[:-8], "it ends too early"),
    ("something else after it", lambda data: data + b"more", "what follows its end is not gzip"),
]


@pytest.mark.parametrize(("reason", "damage", "words"), CUTS, ids=[row[0] for row in CUTS])
def test_a_damaged_file_keeps_its_whole_lines_and_says_so(
    tmp_path: Path, reason: str, damage: Callable[[bytes], bytes], words: str
) -> None:
    films = [film(f"{number * 7919:032x}") for number in range(400)]
    path = write(tmp_path, "metadata", films)
    path.write_bytes(damage(path.read_bytes()))
    harmonizer = MIMICCXRJPGHarmonizer(csv_path=path)
    table = harmonizer.harmonize()
    assert cells(table, "dicom_id") == [each["dicom_id"] for each in films[: len(table)]], "each row that is there is right"
    assert len(table) > 100 if reason == "cut in the middle" else len(table) == 400, reason
    damaged = harmonizer.issues.query("code == 'damaged_gzip'")
    assert damaged["severity"].tolist() == ["error"], reason
    assert words in damaged["message"].iloc[0], reason
    assert "open_quote" not in codes(harmonizer.issues)


@pytest.mark.parametrize("place", [0.2, 0.5, 0.8])
def test_labels_in_which_a_bit_has_changed_are_refused(tmp_path: Path, place: float) -> None:
    """Every line may be there, with other states in some: the checksum is all that shows it."""
    for key, rows in TABLES.items():
        write(tmp_path, key, rows)
    path = write(tmp_path, "chexpert", [labels(str(50000001 + number), edema="-1.0") for number in range(4000)])
    data = bytearray(path.read_bytes())
    data[int(len(data) * place)] ^= 1
    path.write_bytes(data)
    with pytest.raises(TableError, match=r"chexpert\.csv\.gz as it was published; a byte in it has changed"):
        MIMICCXRJPGHarmonizer(tmp_path).harmonize()


def test_a_few_bytes_that_unpack_without_end_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_file, "MOST_UNPACKED", 1_000_000)
    path = tmp_path / "metadata.csv.gz"
    path.write_bytes(gzip.compress(b"dicom_id,subject_id,study_id\n" + bytes(5_000_000)))
    with pytest.raises(TableError, match=r"unpack to more than 1,000,000, which no table"):
        MIMICCXRJPGHarmonizer(csv_path=path).harmonize()


def test_a_zip_under_the_name_of_a_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "metadata.csv.gz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("metadata.csv", csv_text(HEADERS["metadata"], FILMS))
    with pytest.raises(TableError, match=r"that is a zip, whatever its name\. Unpack it"):
        MIMICCXRJPGHarmonizer(csv_path=path).harmonize()
