"""The contract of the harmonized table, list cells as text, and issues as a table."""

from __future__ import annotations

import math
import tracemalloc
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from radharmony_core.harmonizer import MSCXRHarmonizer
from radharmony_core.schema import ISSUE_CODES, ISSUE_COLUMNS, IssueLog, cells_for_csv, lists_to_json, parse_list_cell, validate
from tests.support import annotation, write_table


@pytest.fixture
def table(tmp_path: Path) -> pd.DataFrame:
    rows = [annotation(), annotation(x="left"), annotation(dicom_id="bbbb")]
    return MSCXRHarmonizer(write_table(tmp_path / "ms.csv", rows)).harmonize()


def test_a_sound_table_keeps_the_contract(table: pd.DataFrame) -> None:
    assert validate(table) == []


BREACHES = [
    ("a column is missing", lambda frame: frame.drop(columns="split"), "Expected the columns"),
    ("two columns swapped", lambda frame: frame[[*frame.columns[1::-1], *frame.columns[2:]]], "Expected the columns"),
    ("a flag of 2", lambda frame: frame.assign(edema=2), "flag"),
    ("flags as floats", lambda frame: frame.assign(edema=1.0), "flag"),
    ("ids as numbers", lambda frame: frame.assign(patient_id=10000001), "text"),
    ("a size as text", lambda frame: frame.assign(image_width="48"), "integer"),
    ("phrases as one text", lambda frame: frame.assign(label_text="mild edema"), "texts"),
    ("a box of three numbers", lambda frame: frame.assign(bbox=[[[0.0, 1.0, 0.0]]] * len(frame)), "boxes"),
    ("fewer phrases than boxes", lambda frame: frame.assign(label_text=[["one"]] * len(frame)), "parallel"),
]


@pytest.mark.parametrize(("reason", "change", "words"), BREACHES, ids=[row[0] for row in BREACHES])
def test_a_breach_is_named(table: pd.DataFrame, reason: str, change: object, words: str) -> None:
    assert callable(change)
    assert words in " ".join(validate(change(table))), reason


CELLS = [
    # reason, text, value
    ("JSON", "[[0.1, 0.2, 0.3, 0.4]]", [[0.1, 0.2, 0.3, 0.4]]),
    ("a Python literal with tuples", "[(0.1, 0.2, 0.3, 0.4)]", [[0.1, 0.2, 0.3, 0.4]]),
    ("texts", '["left, base", "l’œdème"]', ["left, base", "l’œdème"]),
    ("null in a list", "[[null, null, null, null]]", [[None] * 4]),
    ("empty cell", "", None),
    ("a missing value spelled out", "nan", None),
    ("empty list", "[]", None),
    ("no cell", None, None),
    ("missing values in capitals", "NaN", None),
    ("pandas' own", "<NA>", None),
    ("half, as pandas writes a list", "[[inf, -inf, 0.5, 1.0]]", [[math.inf, -math.inf, 0.5, 1.0]]),
    ("NumPy's numbers, as pandas writes a list", "[[np.float64(0.1), np.float32(-0.5)]]", [[0.1, -0.5]]),
    ("NumPy's texts", "[np.str_('Edema'), 'np.float64(1)']", ["Edema", "np.float64(1)"]),
    ("a phrase with such words beside such a number", "['nan and inf', None]", ["nan and inf", None]),
]


@pytest.mark.parametrize(("reason", "text", "value"), CELLS, ids=[row[0] for row in CELLS])
def test_list_cells(reason: str, text: str | None, value: object) -> None:
    assert parse_list_cell(text) == value, reason


NOT_NUMBERS = [
    ("as pandas writes a list", "[[nan, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4]]"),
    ("as JavaScript and Python's JSON write it", "[[NaN, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4]]"),
    ("NumPy's own", "[[np.float64(nan), 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4]]"),
]


@pytest.mark.parametrize(("reason", "text"), NOT_NUMBERS, ids=[row[0] for row in NOT_NUMBERS])
def test_a_number_that_is_none_is_nan(reason: str, text: str) -> None:
    value = parse_list_cell(text)
    assert value is not None
    assert math.isnan(value[0][0]), reason
    assert (value[0][1:], value[1]) == ([0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4])


def test_what_to_csv_writes_of_a_table_with_an_unplaced_box_is_read(tmp_path: Path, table: pd.DataFrame) -> None:
    table.to_csv(tmp_path / "t.csv", index=False)
    back = [parse_list_cell(cell) for cell in pd.read_csv(tmp_path / "t.csv")["bbox"]]
    assert str(back) == str(table["bbox"].tolist()), "nan is not equal to itself"


REFUSED_CELLS = [
    ("a hundred thousand brackets", "[" * 100_000, "cut short"),
    ("a number of ten thousand digits", f"[{'9' * 10_000}", "cut short"),
    ("a list cut short", "[[0.1, 0.2", "cut short"),
    ("another name", "[[nul, 0.2]]", "cut short"),
    ("another call", "[[np.array(0.1)]]", "cut short"),
    ("a call of several", "[np.float64(0.1, 2)]", "cut short"),
    ("a zero byte", "[\0]", "cut short"),
    ("no number at all in a print-out", "[[nan nan nan nan]]", "NumPy"),
    ("a NumPy print-out", "[[0.1 0.2 0.3 0.4]]", "NumPy"),
    ("a NumPy print-out of whole numbers", "[[0. 1. 0. -1.]]", "NumPy"),
    ("a NumPy print-out cut short", "[[0.1 0.2 ... 0.4]]", "NumPy"),
    ("a call", "__import__('os').getcwd()", "no list"),
    ("a number", "3", "int"),
    ("an object", '{"a": 1}', "dict"),
    ("words", "left lung", "no list"),
]


@pytest.mark.parametrize(("reason", "text", "words"), REFUSED_CELLS, ids=[row[0] for row in REFUSED_CELLS])
def test_what_is_no_list_is_refused_by_name(reason: str, text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_list_cell(text)


def test_lists_survive_a_csv(tmp_path: Path, table: pd.DataFrame) -> None:
    path = tmp_path / "t.csv"
    lists_to_json(table).to_csv(path, index=False)
    back = pd.read_csv(path, dtype=str, keep_default_na=False)
    first = parse_list_cell(back["bbox"].iloc[0])
    assert first is not None
    assert first[0] == table["bbox"].iloc[0][0]
    assert first[1] == [None] * 4, "JSON knows no NaN"
    assert all(math.isnan(number) for number in table["bbox"].iloc[0][1]), "the table itself is not changed"
    assert parse_list_cell(back["label_text"].iloc[0]) == ["mild edema", "mild edema"]


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_csv_holds_no_number_that_json_does_not_know(number: float) -> None:
    frame = pd.DataFrame({"bbox": [[[number, 0.5, 0.0, 1.0]]]})
    assert lists_to_json(frame)["bbox"].tolist() == ["[[null, 0.5, 0.0, 1.0]]"]


def test_a_phrase_may_hold_the_words_that_json_lacks() -> None:
    frame = pd.DataFrame({"label_text": [["NaN and Infinity", "œdème"], []], "bbox": [[[float("nan")]], [[0.5]]]})
    assert lists_to_json(frame)["label_text"].tolist() == ['["NaN and Infinity", "œdème"]', "[]"]
    assert lists_to_json(frame)["bbox"].tolist() == ["[[null]]", "[[0.5]]"]


MOMENTS = [
    ([], [], "no row"),
    (["2150-03-04", None], ["2150-03-04", None], "days alone, as CASIA-CXR has them"),
    ([None], [None], "no day at all"),
    (["2150-03-04T08:05:56", "2150-03-05"], ["2150-03-04T08:05:56", "2150-03-05T00:00:00"], "one with a time: all get one"),
    (["2150-03-04T08:05:56.875"], ["2150-03-04T08:05:56.875"], "fractions, as MIMIC-CXR-JPG has them"),
]


@pytest.mark.parametrize(("moments", "texts", "reason"), MOMENTS, ids=[row[2] for row in MOMENTS])
def test_dates_become_iso_8601(moments: list[str | None], texts: list[str | None], reason: str) -> None:
    frame = pd.DataFrame({"at": pd.to_datetime(pd.Series(moments, dtype="str"), format="ISO8601")})
    cells = cells_for_csv(frame)["at"]
    assert [None if pd.isna(cell) else cell for cell in cells] == texts, reason
    assert frame["at"].dtype.kind == "M", "the table itself stays as it was"


def test_states_and_numbers_stay_in_a_csv(tmp_path: Path) -> None:
    states = pd.DataFrame({"edema": pd.array([1, 0, -1, None], dtype="Int8"), "phrases": [["a, b"], [], ['"'], ["c"]]})
    cells_for_csv(states).to_csv(tmp_path / "t.csv", index=False)
    assert (tmp_path / "t.csv").read_text(encoding="utf-8").splitlines() == [
        "edema,phrases",
        '1,"[""a, b""]"',
        "0,[]",
        r'-1,"[""\""""]"',
        ',"[""c""]"',
    ]


def test_a_hundred_thousand_issues_take_little_memory() -> None:
    count = 100_000
    tracemalloc.start()
    log = IssueLog()
    log.add("box_outside_image", rows=range(count), values=["x"] * count, image_paths=["p"] * count)
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert taken / count < 100, "bytes an issue: sentences are written when the table is asked for"
    assert len(log) == len(log.frame()) == count


ADDED = [
    # reason, what is added, entries
    ("no rows", {"rows": []}, 0),
    ("no rows but values", {"rows": [], "values": ["a"]}, 0),
    ("the whole file", {}, 1),
    ("the whole file, with a value", {"values": ["a"]}, 1),
    ("three rows", {"rows": [1, 2, 3], "values": [1, "a", None]}, 3),
]


@pytest.mark.parametrize(("reason", "what", "count"), ADDED, ids=[row[0] for row in ADDED])
def test_one_entry_a_row(reason: str, what: dict[str, Any], count: int) -> None:
    log = IssueLog()
    log.add("blank_row", **what)
    frame = log.frame()
    assert (len(log), len(frame)) == (count, count), reason
    assert frame.dtypes.equals(IssueLog().frame().dtypes)
    assert frame["value"].isna().tolist() == [value is None for value in what.get("values", [None] * count)][:count]


def test_issues_are_a_table_even_when_there_are_none() -> None:
    log = IssueLog()
    assert tuple(log.frame().columns) == ISSUE_COLUMNS
    assert log.frame().empty
    log.add("not_a_number", rows=[2, 5], values=["left", ""], column="x")
    log.add("tree_mixed")
    frame = log.frame()
    assert frame["row"].tolist()[:2] == [2, 5]
    assert frame["row"].isna().tolist() == [False, False, True]
    assert frame["message"].iloc[0] == "x is 'left', which is not a number."


def test_a_folder_whose_name_is_no_text_is_told_with_escapes() -> None:
    log = IssueLog(source="œ\udce9.csv")
    log.add("encoding_guess", values=["caf\udce9 œ"])
    told = log.frame().iloc[0]
    assert told["value"] == r"caf\udce9 œ"
    assert told["message"].startswith(r"œ\udce9.csv: ")


def test_a_code_nobody_wrote_down_is_refused() -> None:
    with pytest.raises(KeyError):
        IssueLog().add("misc")


@pytest.mark.parametrize("code", sorted(ISSUE_CODES))
def test_every_code_has_a_severity_and_a_whole_sentence(code: str) -> None:
    kind = ISSUE_CODES[code]
    assert kind.severity in ("error", "warning", "note")
    assert kind.message.format(value="v", column="c").endswith((".", "v"))


def test_issues_of_several_tables_name_their_table() -> None:
    whole, of_one, of_other = IssueLog(), IssueLog(source="split.csv"), IssueLog(source="{braces}.csv")
    of_one.add("blank_row", rows=[3])
    of_other.add("blank_row", rows=[3])
    whole.add("blank_row", rows=[7])
    whole.extend(of_one)
    whole.extend(of_other)
    sentence = "The line is empty; it is counted and left out."
    assert whole.frame()["message"].tolist() == [sentence, f"split.csv: {sentence}", f"{{braces}}.csv: {sentence}"]
    assert (len(whole), whole.frame()["row"].tolist()) == (3, [7, 3, 3])
