"""How a film lies in the frame that its boxes are measured in, when its file is not what the table speaks of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from radharmony_core.boxes.kinds import ROUNDING, NormBox, PixelBox, check_size
from radharmony_core.boxes.turn import check_orientation, turn_box

__all__ = ["Placement", "place_film"]

Kind = Literal["same", "scaled", "turned", "swapped", "other", "unknown"]
Size = tuple[int, int]  # width, height
_NO_SIZE = "There is no size given for this image: boxes are taken as fractions of the picture as it is, others have no place."
_EXACT, _RESIZED, _NEITHER = 2, 1, 0
_ALIKE = 1.01  # by which the shape of a copy may differ: a side of 100 pixels, rounded by one
_MOST_RESIZED = 100  # times: 4000 pixels are 40 then, which nobody keeps as a film


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the film is, and what is to be done to its boxes.

    ``kind``: ``same`` (the original), ``scaled`` (a resized copy), ``turned`` (boxes were measured on the picture as stored, and
    turn with the film), ``swapped`` (the table's sides exchanged, nobody says which way), ``other`` (cropped, padded or of
    another film: no scaling brings it into the frame), ``unknown`` (the table has no size; boxes
    that are fractions all the same are taken as the film's).

    ``frame``: (width, height) of what boxes are drawn in, upright. ``picture``: the film's place in it, in frame pixels; of
    another shape than the frame it is fitted inside, never stretched. ``turn``: the orientation (1..8) that boxes are turned by.
    ``words``: what must be said, empty where there is nothing. ``is_doubtful``: boxes may not lie where they belong.
    """

    kind: Kind
    frame: Size
    picture: PixelBox
    turn: int
    words: str
    is_doubtful: bool = False

    def place(self, box: NormBox) -> NormBox:
        """A box in fractions of the image that was measured, in fractions of ``frame``."""
        return turn_box(box, self.turn)


def place_film(size: Size, table_size: Size | None, *, orientation: int = 1, stored_size: Size | None = None) -> Placement:
    """How an upright film of ``size`` (width, height) lies in a frame that the table says is of ``table_size``.

    ``orientation`` is the tag that turned it upright (1: as stored), ``stored_size`` the size before; None: it follows from the
    two. A copy counts as resized when it has the frame's shape up to the rounding of its sides: with one side brought to the
    frame's, the other differs by at most one pixel of the smaller of the two, and by 1 %, since a pixel of a tiny table would
    stretch a film to any shape. One that is more than 100 times smaller or larger is doubtful. Raises ValueError for what is no
    size or no orientation.
    """
    check_orientation(orientation)
    stored = stored_size or (size[::-1] if orientation >= 5 else size)
    for one in (size, stored, *([table_size] if table_size else [])):
        check_size(*one)
    if table_size is None:
        return _whole("unknown", size, 1, [_NO_SIZE], [_tag_words(orientation)] if orientation > 1 else [])
    upright, as_stored = _match(size, table_size), _match(stored, table_size)
    if orientation >= 5 and as_stored > upright:
        words = [_turned_words(size, table_size, orientation)]
        return _whole("turned", table_size[::-1], orientation, words, _unlikely(stored, table_size))
    if upright:
        doubts = [_shape_words(orientation)] if orientation > 1 and upright == as_stored else []
        if upright == _EXACT:
            return _whole("same", table_size, 1, [], doubts)
        unlikely = _unlikely(size, table_size)
        trust = [] if unlikely else ["Boxes lie where the table puts them."]
        return _whole("scaled", table_size, 1, [f"{_sizes(size, table_size)}: a resized copy.", *trust], [*unlikely, *doubts])
    if _match(size[::-1], table_size):
        exchanged = "the same sides, exchanged, and nothing says which way the picture was turned"
        return _fitted("swapped", size, table_size, exchanged)
    return _fitted("other", size, table_size, f"another shape, {_difference(size, table_size)}")


def _match(size: Size, table_size: Size) -> int:
    """The same whichever of the two is the copy."""
    if size == table_size:
        return _EXACT
    across, down = (frame / side for frame, side in zip(table_size, size, strict=True))
    if max(across / down, down / across) > _ALIKE:
        return _NEITHER
    wider = abs(table_size[0] - size[0] * down) / max(down, 1.0)  # in pixels of the smaller one
    higher = abs(table_size[1] - size[1] * across) / max(across, 1.0)
    return _RESIZED if min(wider, higher) <= 1 + ROUNDING else _NEITHER


def _whole(kind: Kind, frame: Size, turn: int, words: list[str], doubts: list[str]) -> Placement:
    return Placement(kind, frame, PixelBox(0, 0, *frame), turn, " ".join([*words, *doubts]), bool(doubts))


def _fitted(kind: Kind, size: Size, frame: Size, what: str) -> Placement:
    """The picture in the middle of the frame, as large as fits."""
    scale = min(frame[0] / size[0], frame[1] / size[1])
    w, h = size[0] * scale, size[1] * scale
    picture = PixelBox((frame[0] - w) / 2, (frame[1] - h) / 2, w, h)
    words = f"{_sizes(size, frame)}: {what}. The picture is fitted undistorted into the table's frame; "
    return Placement(kind, frame, picture, 1, words + "its boxes may not lie where they belong.", True)


def _sizes(size: Size, table_size: Size) -> str:
    return f"The file is {size[0]} x {size[1]} pixels, the table says {table_size[0]} x {table_size[1]}"


def _difference(size: Size, table_size: Size) -> str:
    """How much wider or narrower the picture is than the frame, both brought to one height; from twice on, how many times."""
    ratio = (size[0] * table_size[1]) / (size[1] * table_size[0])
    if ratio >= 2:
        return f"{_times(ratio)} times as wide at the same height"
    if ratio <= 0.5:
        return f"{_times(1 / ratio)} times as high at the same width"
    percent = 100 * abs(ratio - 1)
    told = "less than 0.1" if percent < 0.1 else f"{percent:.{0 if percent >= 10 else 1}f}"
    return f"{told} % {'wider' if ratio > 1 else 'narrower'} at the same height"


def _times(ratio: float) -> str:
    return f"{ratio:,.{0 if ratio >= 10 else 1}f}".removesuffix(".0")


def _unlikely(size: Size, table_size: Size) -> list[str]:
    """What is said of a copy that is too small, or too large, to be one."""
    factor = max(size[0] / table_size[0], table_size[0] / size[0])
    if factor <= _MOST_RESIZED:
        return []
    return [
        f"It would be resized by a factor of {_times(factor)}, which hardly any copy is: where the table's size is wrong, its "
        "boxes may not lie where they belong."
    ]


def _turned_words(size: Size, table_size: Size, orientation: int) -> str:
    copy = "" if size == table_size[::-1] else f" The file is a resized copy, {size[0]} x {size[1]} pixels."
    return (
        f"The film was turned upright by its orientation tag ({orientation}). The table's size, {table_size[0]} x "
        f"{table_size[1]}, is that of the picture as stored: boxes were measured on it, and are turned with the film.{copy}"
    )


def _shape_words(orientation: int) -> str:
    """For a picture that has the table's size both before it was turned and after."""
    return _tag_words(orientation, ", which left its shape as it was")


def _tag_words(orientation: int, why: str = "") -> str:
    return (
        f"The film was turned upright by its orientation tag ({orientation}){why}: nothing says whether boxes were measured "
        "before or after. They are taken as measured on the upright picture."
    )
