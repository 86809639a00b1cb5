"""A row of another length than the header: its cells may stand under other names, so that no box is made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from radharmony_core.harmonizer import MSCXRHarmonizer
from tests.support import annotation, write_table

SHIFTED = [
    # reason, the row as it stands in the file
    (
        "a comma in a phrase without quotes",
        "bbbb,Edema,mild, edema,files/p10/p10000001/s50000001/bbbb.jpg,30,10,10,20,48,64,test",
    ),
    ("a decimal comma", "bbbb,Edema,mild edema,files/p10/p10000001/s50000001/bbbb.jpg,30,5,10,10,20,48,64,test"),
    ("a cell too few", "bbbb,Edema,mild edema,files/p10/p10000001/s50000001/bbbb.jpg,10,10,20,48,64,test"),
]


@pytest.mark.parametrize(("reason", "row"), SHIFTED, ids=[row[0] for row in SHIFTED])
def test_a_row_of_another_length_places_no_box(tmp_path: Path, reason: str, row: str) -> None:
    path = write_table(tmp_path / "ms.csv", [annotation()])
    with path.open("a", encoding="utf-8") as file:
        file.write(row + "\n")
    harmonizer = MSCXRHarmonizer(path)
    boxes = harmonizer.boxes_df
    assert boxes["x_min"].isna().tolist() == [False, True], reason
    assert boxes[["x", "y", "w", "h"]].iloc[0].tolist() == [30, 10, 10, 20]
    assert "ragged_row" in harmonizer.issues["code"].tolist()
    assert "not_a_number" not in harmonizer.issues["code"].tolist()
