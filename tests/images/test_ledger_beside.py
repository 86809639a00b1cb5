"""What a file says beside its pixels: losses before, overlays, shutters, pixels that are not square. Said, and not applied."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from radharmony_core.images import read_image
from tests.images.make import EXPLICIT, data_set, dicom, element, meta, pixel_tags

CELLS = np.random.default_rng(4).integers(0, 4096, (12, 10)).astype(np.uint16)


# tags, words of the notice or "", name and numbers of the step, the reason
BESIDE: list[tuple[dict[str, Any], str, str, dict[str, float], str]] = [
    (
        {"PixelAspectRatio": [2, 1]},
        "not square (PixelAspectRatio 2 down to 1 across)",
        "Pixel aspect",
        {"vertical": 2, "horizontal": 1},
        "2:1",
    ),
    (
        {"PixelSpacing": [0.1, 0.2]},
        "not square (PixelSpacing 0.1",
        "Pixel aspect",
        {"vertical": 0.1, "horizontal": 0.2},
        "spacing",
    ),
    (
        {"PixelAspectRatio": [2, 1], "PixelSpacing": [0.2, 0.1], "ImagerPixelSpacing": [0.2, 0.1]},
        "not square (PixelAspectRatio",
        "Pixel aspect",
        {"vertical": 2, "horizontal": 1},
        "the same thing three times is said once",
    ),
    ({"ShutterShape": ["CIRCULAR", "POLYGONAL"]}, "shutter (CIRCULAR, POLYGONAL)", "Shutter", {}, "two shutters"),
    ({"LossyImageCompression": "01"}, "", "Lossy compression", {}, "a loss of unknown size"),
    (
        {"LossyImageCompression": "01", "LossyImageCompressionRatio": [3, 8], "LossyImageCompressionMethod": ["A", "B"]},
        "",
        "Lossy compression",
        {"ratio": 8},
        "the last of two ratios",
    ),
    ({"PixelAspectRatio": [1, 1], "ImagerPixelSpacing": [0.143, 0.1431], "LossyImageCompression": "00"}, "", "", {}, "nothing"),
    ({"PixelAspectRatio": b"x ", "PixelSpacing": b"0\\1 ", "ShutterShape": b""}, "", "", {}, "what is no number, and empty"),
]


@pytest.mark.parametrize(("tags", "words", "name", "expected", "reason"), BESIDE, ids=[row[4] for row in BESIDE])
def test_what_is_there_and_not_applied_is_said(
    tmp_path: Path, tags: dict[str, Any], words: str, name: str, expected: dict[str, float], reason: str
) -> None:
    film = read_image(dicom(tmp_path / "a.dcm", CELLS, WindowCenter=2048, WindowWidth=4096, **tags))
    assert (len(film.notices), all(words in notice for notice in film.notices)) == (bool(words), True), film.notices
    assert [step.name for step in film.ledger[1:-4]] == ([name] if name else []), reason
    assert not name or film.ledger[1].numbers == expected


@pytest.mark.parametrize(("groups", "words"), [([0x6000], "an overlay,"), ([0x6000, 0x6002, 0x601E], "3 overlays,")])
def test_overlays_are_counted_and_not_drawn(tmp_path: Path, groups: list[int], words: str) -> None:
    body = data_set(pixel_tags(CELLS))
    for group in groups:
        body += element(group << 16 | 0x10, "US", b"\x0c\0") + element(group << 16 | 0x3000, "OW", bytes(120_000))
    path = tmp_path / "a.dcm"
    path.write_bytes(bytes(128) + b"DICM" + meta(EXPLICIT) + body + element(0x7FE00010, "OW", CELLS.tobytes()))
    film = read_image(path, "full")
    assert len(film.notices) == 1
    assert words in film.notices[0]
    assert (film.ledger[1].name, film.ledger[1].numbers) == ("Overlays", {"planes": len(groups)})
    assert np.array_equal(film.pixels, read_image(dicom(path, CELLS)).pixels)
