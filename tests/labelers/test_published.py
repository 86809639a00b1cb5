"""The published table as literal numbers, a pair of tables made to have them, and what is said where a cell differs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from radharmony_core.errors import TableError
from radharmony_core.labelers import (
    PUBLISHED_SPLIT,
    PUBLISHED_STUDIES,
    agreement,
    differences_from_published,
    published_agreement,
)
from radharmony_core.labels import column_of
from tests.labelers.tables import State

# arXiv 1901.07042, the label frequencies on the training set; percentages are of its 222,750 studies.
PAPER = """
Atelectasis                | 44,012 |    921 |  9,623 | 1,705
Cardiomegaly               | 38,002 | 15,563 |  5,753 | 5,769
Consolidation              | 10,199 |  7,791 |  2,913 | 1,576
Edema                      | 25,549 | 24,746 | 11,426 | 2,282
Enlarged Cardiomediastinum |  6,798 |  5,158 |  9,015 |   248
Fracture                   |  3,675 |    871 |    295 |   867
Lung Lesion                |  5,939 |    822 |    996 |   289
Lung Opacity               | 49,512 |  2,794 |  2,052 | 2,460
No Finding                 | 74,019 |      - |      - | 3,825
Pleural Effusion           | 51,680 | 26,532 |  5,184 | 1,617
Pleural Other              |  1,884 |    120 |    707 |    91
Pneumonia                  | 15,333 | 23,771 | 17,313 | 1,377
Pneumothorax               |  9,159 | 41,250 |    848 | 1,291
Support Devices            | 63,971 |  3,014 |     95 | 1,785
"""
ROWS = {
    name.strip(): [None if cell.strip() == "-" else int(cell.replace(",", "")) for cell in cells]
    for name, *cells in (line.split("|") for line in PAPER.strip().splitlines())
}


def test_the_data_are_the_papers_numbers() -> None:
    table = published_agreement()
    cells = table.astype(object).where(table.notna(), None)
    assert {name: list(row) for name, row in zip(cells.index, cells.to_numpy(), strict=True)} == ROWS
    assert (PUBLISHED_SPLIT, PUBLISHED_STUDIES) == ("train", 222_750)


def published_size() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Both labelers' tables, made so that agreement() must give the paper's numbers: for each label the studies are dealt
    from a place of its own, first those that agree, then those that disagree, in each of the ways there are."""
    ids = pd.Index(np.char.add("s", np.arange(PUBLISHED_STUDIES).astype(str)), dtype="str", name="study_id")
    ways = [(1, None), (None, 1), (0, None), (None, 0), (-1, None), (None, -1), (1, 0), (0, -1), (-1, 1)]
    first, second = {}, {}
    for place, (name, (positive, negative, uncertain, disagreement)) in enumerate(ROWS.items()):
        pairs: list[tuple[State, State]] = []
        for state, count in ((1, positive), (0, negative), (-1, uncertain)):
            pairs += [(state, state)] * (count or 0)
        pairs += [ways[number % (2 if name == "No Finding" else len(ways))] for number in range(disagreement or 0)]
        pairs += [(None, None)] * (PUBLISHED_STUDIES - len(pairs))
        pairs = pairs[place * 1000 :] + pairs[: place * 1000]
        first[column_of(name)] = pd.array([one for one, _ in pairs], dtype="Int8")
        second[column_of(name)] = pd.array([other for _, other in pairs], dtype="Int8")
    return pd.DataFrame(first, index=ids), pd.DataFrame(second, index=ids)


def test_tables_of_the_published_size_give_the_published_table() -> None:
    chexpert, negbio = published_size()
    found = agreement(chexpert, negbio.iloc[::-1])
    assert {name: [None if cell is pd.NA else cell for cell in row] for name, row in found.T.items()} == ROWS
    assert differences_from_published(found).empty


def test_a_cell_that_differs_is_named_with_both_numbers() -> None:
    found = published_agreement()
    found.loc["Edema", "negative"] = 24_745
    found.loc["No Finding", "uncertain"] = 3
    found.loc["Fracture", "disagreement"] = pd.NA
    told = differences_from_published(found)
    assert list(told.columns) == ["label", "column", "published", "found"]
    assert told.astype(object).where(told.notna(), None).to_numpy().tolist() == [
        ["Edema", "negative", 24_746, 24_745],
        ["Fracture", "disagreement", 867, None],
        ["No Finding", "uncertain", None, 3],
    ]


def test_a_table_without_studies_differs_in_every_cell_but_the_empty_ones() -> None:
    nothing = published_agreement() * 0
    assert len(differences_from_published(nothing)) == 14 * 4 - 2


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (published_agreement().iloc[::-1], "another order would compare other labels"),
        (published_agreement().drop(columns="uncertain"), "a column less"),
        (pd.DataFrame(), "nothing"),
    ],
)
def test_a_table_of_another_form_is_refused(table: pd.DataFrame, reason: str) -> None:
    with pytest.raises(TableError, match="as agreement"):
        differences_from_published(table)
