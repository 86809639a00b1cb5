"""Two hundred DICOM files against pydicom's functions, and against the standard's formulas where pydicom departs from them."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from pydicom import dcmread
from pydicom.dataset import Dataset

from radharmony_core.images import decode_image, read_image
from tests.images.generated import COUNT, FACTORS, Film, films, write
from tests.images.reference import Levels, by_pydicom, by_standard, modality_of, padding_of

FRACTIONS = ("slope 0.37", "slope -0.5")


@dataclass(frozen=True)
class Departure:
    """Where pydicom does not do what the standard says: the condition, what it does, the paragraph, and whether a file has it.

    The expected levels are then those of ``by_standard``.
    """

    condition: str
    pydicom: str
    paragraph: str
    applies: Callable[[Film, Dataset], bool]


def voi_places(data: Dataset) -> npt.NDArray[np.float64]:
    """How far each pixel's value stands behind the first input of the VOI table."""
    values = list(map(modality_of(data), data.pixel_array.ravel().tolist()))
    return np.asarray(np.array(values) - data.VOILUTSequence[0].LUTDescriptor[1], np.float64)


def overflows(data: Dataset) -> bool:
    """Signed cells minus a table's first input leave the cells' own type."""
    if data.PixelRepresentation == 0 or "RescaleSlope" in data:
        return False
    if "ModalityLUTSequence" in data:
        first = data.ModalityLUTSequence[0].LUTDescriptor[1]
    elif "VOILUTSequence" in data:
        first = data.VOILUTSequence[0].LUTDescriptor[1]
    else:
        return False
    return bool(int(data.pixel_array.max()) - first >= 2 ** (data.BitsAllocated - 1))


DEPARTURES = [
    Departure(
        "padding",
        "shows padded pixels as values of the picture",
        "PS3.3 C.7.5.1.1.2: they are no part of the picture; black here",
        lambda film, _: film.kinds["padding"] != "no padding",
    ),
    Departure(
        "a window after a negative slope",
        "takes the output range in the slope's direction, from the highest value down, which turns the picture",
        "PS3.3 C.11.2.1.2.1: below the window is y_min, the lowest output",
        lambda film, data: (
            film.kinds["modality"].startswith("slope -") and "WindowCenter" in data and "VOILUTSequence" not in data
        ),
    ),
    Departure(
        "Presentation LUT Shape INVERSE",
        "subtracts from the brightest pixel of the picture",
        "PS3.3 C.11.6.1.2: the output range is turned, whatever the picture reaches of it",
        lambda film, _: film.kinds["polarity"].endswith("INVERSE"),
    ),
    Departure(
        "a VOI table of 8-bit entries, two in a word",
        "raises struct.error: it looks for a word an entry",
        "PS3.3 C.11.2.1.1: stored in a format equivalent to 8 bits allocated",
        lambda film, _: film.kinds["voi"] == "table 8",
    ),
    Departure(
        "a VOI table of 8-bit entries in words and inputs from 256 on",
        "counts the inputs in the entries' 8 bits, so that they begin again at 256",
        "PS3.3 C.11.2.1.1: inputs above the last one take the last entry, and the entries' bits do not limit the inputs",
        lambda film, data: film.kinds["voi"] == "table 8 in words" and bool(voi_places(data).max() > 255),
    ),
    Departure(
        "a VOI table of more bits and inputs from 65,536 on",
        "counts the inputs in the entries' 16 bits",
        "PS3.3 C.11.2.1.1: inputs above the last one take the last entry",
        lambda _, data: "VOILUTSequence" in data and bool(voi_places(data).max() > 65535),
    ),
    Departure(
        "a VOI table after a slope that gives fractions",
        "cuts the fraction off",
        "PS3.3 C.11.2.1.1: inputs are whole numbers; the nearest one is taken here",
        lambda film, data: film.kinds["modality"] in FRACTIONS and "VOILUTSequence" in data,
    ),
    Departure(
        "signed cells far above a table's first input",
        "counts the inputs in the cells' signed type, which overflows",
        "PS3.3 C.11.1.1.1, C.11.2.1.1: inputs above the last one take the last entry",
        lambda _, data: overflows(data),
    ),
    Departure(
        "a VOI table whose first input is below 0, unsigned pixels, implicit VR",
        "reads the first input without its sign, as PixelRepresentation says",
        "PS3.3 C.11.2.1.1: its sign is that of the values that come in, after the modality transformation",
        lambda film, data: (
            film.kinds["syntax"] == "implicit"
            and data.PixelRepresentation == 0
            and "VOILUTSequence" in data
            and data.VOILUTSequence[0].LUTDescriptor[1] > 32767
            and modality_of(data)(int(data.pixel_array.min())) < 32767
        ),
    ),
]


def worst(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> float:
    return float(np.abs(one - other.astype(np.float64)).max())


def pydicoms_levels(path: Path) -> Levels | None:
    """None where it raises: it then shows nothing."""
    try:
        return by_pydicom(path)
    except struct.error:
        return None


def test_the_files_have_every_kind() -> None:
    made = list(films())
    assert len(made) == COUNT == 200
    for factor, kinds in FACTORS.items():
        assert {film.kinds[factor] for film in made} == set(kinds)


def test_every_film_is_the_standards_and_pydicoms_where_it_follows_the_standard(tmp_path: Path) -> None:
    alone: dict[str, int] = dict.fromkeys((departure.condition for departure in DEPARTURES), 0)
    compared = 0
    for film in films():
        path = write(film, tmp_path / "film.dcm")
        data = dcmread(path)
        standard, pydicom = by_standard(path), pydicoms_levels(path)
        shown = read_image(path).pixels
        assert worst(shown, standard) <= 0.5 + 1e-6, f"{film}: not the nearest level to that of the standard"
        found = [departure.condition for departure in DEPARTURES if departure.applies(film, data)]
        if len(found) == 1:
            alone[found[0]] += pydicom is None or worst(standard, pydicom) > 1
        if found in ([], ["padding"]):
            picture = ~np.isin(data.pixel_array, padding_of(data))
            assert pydicom is not None, film
            assert worst(shown[picture], pydicom[picture]) <= 1, f"{film}: pydicom departs, and no condition of it is listed"
            compared += 1
    assert compared >= 90, "nearly half of the files are such that pydicom follows the standard"
    assert [condition for condition, count in alone.items() if not count] == [], "pydicom does not depart here any more"


SEVERAL = [film for film in films() if film.kinds["voi"] == "several"]


@pytest.mark.parametrize("film", SEVERAL, ids=[str(film.number) for film in SEVERAL])
def test_the_second_window_is_shown_by_its_key_and_its_name(film: Film, tmp_path: Path) -> None:
    path = write(film, tmp_path / "film.dcm")
    decoded, expected = decode_image(path), by_standard(path, 1)
    for name in ("window2", "HARDER", "harder"):
        assert worst(decoded.show(name).pixels, expected) <= 0.5 + 1e-6, name
    assert np.array_equal(decoded.show().pixels, read_image(path).pixels), "another window changes nothing of the film"


BOTH = [film for film in films() if film.kinds["voi"] == "table and window"]


@pytest.mark.parametrize("film", BOTH, ids=[str(film.number) for film in BOTH])
def test_the_window_beside_a_table_can_be_chosen(film: Film, tmp_path: Path) -> None:
    path = write(film, tmp_path / "film.dcm")
    shown: Any = decode_image(path).show("window1").pixels
    data = dcmread(path)
    del data.VOILUTSequence
    data.save_as(path)
    assert worst(shown, by_standard(path)) <= 0.5 + 1e-6
