"""Faults met in other tools, as small files kept beside the project; each kind is also tested with cases of our own.

Skipped where those files are not: ``manifest.json`` there says what is right.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.errors import RadHarmonyError
from radharmony_core.harmonizer import MSCXRHarmonizer
from radharmony_core.images import FilmImage, decode_image, list_images, read_image
from radharmony_core.paths import locate
from radharmony_core.schema import parse_list_cell
from tests.images.walk import walked

CASES = Path(__file__).parents[2] / "shared" / "cases"
MANIFEST = CASES / "manifest.json"
PIXELS = ("b01", "b03", "b04", "b06", "b08", "b09", "b10", "b14", "b15", "b19", "b37")
REFUSABLE = ("b04", "b06")  # the right picture or a worded refusal: both are right here; every named coding (b08) is shown


def entries(*cases: str) -> list[Any]:
    if not MANIFEST.is_file():
        return [pytest.param({}, marks=pytest.mark.skip(reason="The handed cases (../shared) are not here."), id="none")]
    found = [entry for entry in json.loads(MANIFEST.read_text(encoding="utf-8")) if entry["case"] in cases]
    return [pytest.param(entry, id=entry["file"]) for entry in found]


def holds(check: dict[str, Any], pixels: Any) -> bool:
    op = check["op"]
    if op == "shape":
        return bool(pixels.shape == (check["rows"], check["cols"]))
    if op in ("brighter", "equal"):
        a, b = (int(pixels[tuple(check[name])]) for name in "ab")
        return a > b if op == "brighter" else a == b
    if op == "value":
        return bool(abs(int(pixels[tuple(check["at"])]) - check["v"]) <= check["tol"])
    if op == "span_at_least":
        y0, y1, x0, x1 = check["box_y0y1x0x1"]
        return bool(int(pixels[y0:y1, x0:x1].max()) - int(pixels[y0:y1, x0:x1].min()) >= check["v"])
    raise AssertionError(f"unknown check {op}")


def shown(path: Path) -> tuple[FilmImage | None, str]:
    try:
        return read_image(path), ""
    except RadHarmonyError as refusal:
        return None, str(refusal)


@pytest.mark.parametrize("entry", entries(*PIXELS))
def test_a_film_is_shown_right_or_refused_in_words(entry: dict[str, Any]) -> None:
    film, refusal = shown(CASES / entry["file"])
    checks = entry["checks"]
    must_refuse = [check for check in checks if check["op"] == "error"]
    if film is None:
        may_refuse = [check for check in checks if check["op"] == "warn"]
        words = [str(check["about"]).lower() for check in (*must_refuse, *may_refuse)]
        assert entry["case"] in REFUSABLE or any(word in refusal.lower() for word in words), refusal
        assert len(refusal) > 30, "a worded refusal"
        return
    assert not must_refuse, "a picture came where a refusal belongs"
    for check in checks:
        if check["op"] == "warn":
            assert check["about"].lower() in " ".join(film.notices).lower()
        elif check["op"] == "folder_images":
            assert len(list_images((CASES / entry["file"]).parent)) == check["n"]
        elif check["op"] != "screen_box":
            assert holds(check, film.pixels), check


@pytest.mark.parametrize("entry", entries("b45"))
def test_memory_does_not_grow_film_by_film(entry: dict[str, Any]) -> None:
    (check,) = entry["checks"]
    films, grown = walked((CASES / entry["file"]).parent, check["times"])
    assert films == 40
    assert grown <= check["memory_growth_mb_at_most"]


@pytest.mark.parametrize("entry", entries("b45"))
def test_what_one_page_does_to_a_film_does_not_reach_another(entry: dict[str, Any]) -> None:
    decoded = decode_image(CASES / entry["file"])
    film = decoded.show()
    for array in (decoded.codes, decoded.units, decoded.is_present, decoded.is_padding, film.pixels):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0
    before = film.pixels.copy()
    decoded.lut()[:] = 0
    decoded.show(invert=True)
    film.notices.append("changed by a page")
    assert "changed by a page" not in film.notices
    assert np.array_equal(decoded.show().pixels, before)
    assert np.array_equal(read_image(CASES / entry["file"]).pixels, before)


@pytest.mark.parametrize("entry", entries("b13"))
def test_every_row_finds_its_file(entry: dict[str, Any]) -> None:
    folder = (CASES / entry["file"]).parent
    table = MSCXRHarmonizer(CASES / entry["file"], folder)
    paths = table.harmonize()["image_path"]
    assert table.image_root
    assert sum(locate(table.image_root, path) is not None for path in paths) == entry["checks"][0]["n"]


@pytest.mark.parametrize("entry", [entry for entry in entries("b33") if "csv" in (entry.id or "none")])
def test_boxes_are_read_as_x_y_w_h(entry: dict[str, Any]) -> None:
    table = MSCXRHarmonizer(CASES / entry["file"]).harmonize()
    (expected,) = entry["checks"][0]["yyxx"]
    assert table["bbox"].iloc[0] == [pytest.approx(expected, abs=1e-6)]


@pytest.mark.skipif(not MANIFEST.is_file(), reason="The handed cases (../shared) are not here.")
def test_list_cells_of_every_kind() -> None:
    cells = json.loads((CASES / "b33_box_format" / "strings.json").read_text(encoding="utf-8"))
    box = [[0.15625, 0.46875, 0.625, 0.833333]]
    assert parse_list_cell(cells["json"]) == parse_list_cell(cells["python"]) == box
    assert parse_list_cell(cells["none"]) is parse_list_cell(cells["empty"]) is None
    with pytest.raises(ValueError, match="NumPy"):
        parse_list_cell(cells["numpy"])
