"""One thumbnail is the film as it is displayed, reduced: of every kind of file, and refused where the film is."""

from __future__ import annotations

import io
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from radharmony_core.errors import ImageError, MissingFileError, RadHarmonyError
from radharmony_core.images import read_image
from radharmony_core.images.reduced import read_reduced
from radharmony_core.thumbnails import Thumbnail, thumbnail
from tests.images.make import dicom, saved
from tests.thumbnails.films import KINDS, Gray, deep, jpeg_bytes, picture


def shown(made: Thumbnail) -> Gray:
    image = Image.open(io.BytesIO(made.data))
    assert (image.format, image.mode, image.size) == ("JPEG", "L", (made.width, made.height))
    return np.asarray(image)


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_the_displayed_film_reduced_by_averaging(tmp_path: Path, kind: str) -> None:
    path = KINDS[kind](tmp_path / "film")
    film = read_image(path)
    scale = min(1.0, 256 / max(film.pixels.shape))
    size = (round(film.width * scale), round(film.height * scale))
    expected = cv2.resize(film.pixels, size, interpolation=cv2.INTER_AREA).astype(int)
    reduced = read_reduced(path, 256)
    assert reduced.pixels.shape == expected.shape
    difference = np.abs(reduced.pixels - expected)
    assert difference.mean() < 0.5, "before it is encoded"
    assert difference.max() <= 12, "at the hardest edges"
    made = thumbnail(path)
    assert (made.width, made.height) == size
    assert np.abs(shown(made) - expected).mean() < 2
    assert list(made.notices) == film.notices


# Width, height, side; width and height of the thumbnail, by hand.
SIZES = [
    (2544, 3056, 256, (213, 256), "MIMIC-CXR's most frequent size: 256 x 2544 / 3056 = 213.1"),
    (3056, 2544, 256, (256, 213), "on its side"),
    (2048, 2048, 256, (256, 256), "a square"),
    (2049, 2043, 256, (256, 255), "sides that no reduction divides"),
    (200, 100, 256, (200, 100), "a smaller film keeps its size"),
    (257, 100, 256, (256, 100), "one pixel more"),
    (4000, 3, 256, (256, 1), "a strip keeps a row"),
    (1, 1, 256, (1, 1), "one pixel"),
    (2048, 1024, 1, (1, 1), "the smallest side"),
    (2048, 1024, 500, (500, 250), "another side"),
]


@pytest.mark.parametrize(("width", "height", "side", "size", "reason"), SIZES, ids=[row[4] for row in SIZES])
def test_the_longer_side_is_as_asked(
    tmp_path: Path, width: int, height: int, side: int, size: tuple[int, int], reason: str
) -> None:
    made = thumbnail(saved(tmp_path / "a.jpg", np.full((height, width), 90, np.uint8), "JPEG"), side)
    assert (made.width, made.height) == size
    assert np.abs(shown(made).astype(int) - 90).max() <= 1


def test_a_side_below_one_is_no_side(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least 1 pixel"):
        thumbnail(tmp_path / "a.jpg", 0)


@pytest.mark.parametrize("width", [2040, 2041, 2042])
@pytest.mark.parametrize("edge", [8, 15, 1000, 1017, 2032, 2039])
def test_an_edge_stays_where_it_is(tmp_path: Path, width: int, edge: int) -> None:
    """Decoded reduced by four, whole, and reduced by two."""
    film = np.zeros((600, width), np.uint8)
    film[:, edge:] = 200
    row = read_reduced(saved(tmp_path / "a.jpg", film, "JPEG", quality=100), 256).pixels[30].astype(float)
    assert abs(row.sum() / 200 - (width - edge) * 256 / width) < 0.1, "bright columns, in pixels of the thumbnail"


def test_gray_levels_come_first_then_the_average(tmp_path: Path) -> None:
    """Stored 0 and 4000 in turn, window 0..1000: displayed they are black and white, on average gray. An average of stored
    values, 2000, would be white."""
    cells = (np.indices((512, 512)).sum(axis=0) % 2 * 4000).astype(np.uint16)
    path = dicom(tmp_path / "a.dcm", cells, BitsStored=12, HighBit=11, WindowCenter=500, WindowWidth=1000)
    assert np.abs(shown(thumbnail(path)).astype(int) - 128).max() <= 2


def test_a_plain_jpeg_is_not_decoded_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(tmp_path / "a.jpg", picture(2100, 1300), "JPEG")

    def refuse(path: Path) -> None:
        raise AssertionError(path)

    monkeypatch.setattr("radharmony_core.images.reduced.read_image", refuse)
    assert thumbnail(path).width == 256


WHOLE = jpeg_bytes(picture(2100, 1300), restart_marker_rows=4)
SOUND = jpeg_bytes(picture(2100, 1300))
DAMAGED = [
    *[(SOUND[: len(SOUND) * part // 8], f"cut after {part} eighths") for part in range(1, 8)],
    *[(SOUND[: len(SOUND) * part // 8] + b"\xff\xd9", f"cut after {part} eighths, with an end mark") for part in range(1, 8)],
    *[(WHOLE[: len(WHOLE) * part // 8] + b"\xff\xd9", f"with restart marks, {part} eighths") for part in range(1, 8)],
    (SOUND[:-400] + b"\xff\xd9", "the last blocks are gone"),
    (jpeg_bytes(picture(2100, 1300), progressive=True)[:-9000] + b"\xff\xd9", "a progressive one without its last scans"),
    (SOUND[:200], "a part of the header"),
    (b"\xff\xd8\xff", "three bytes"),
    (b"", "an empty file"),
    (b"text", "another file"),
]


@pytest.mark.parametrize(("data", "reason"), DAMAGED, ids=[row[1] for row in DAMAGED])
def test_what_is_refused_as_a_film_is_refused_as_a_thumbnail(tmp_path: Path, data: bytes, reason: str) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(data)
    with pytest.raises(ImageError) as film:
        read_image(path)
    with pytest.raises(type(film.value)) as small:
        thumbnail(path)
    assert str(small.value) == str(film.value), reason


def test_a_cut_dicom_is_refused(tmp_path: Path) -> None:
    path = dicom(tmp_path / "a.dcm", deep(300, 300))
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(RadHarmonyError, match=r"a\.dcm"):
        thumbnail(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError):
        thumbnail(tmp_path / "gone.jpg")
