"""How a film lies in the frame that its boxes are measured in, when its file is not what the table speaks of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from radharmony_core.boxes.kinds import NormBox, PixelBox, check_size
from radharmony_core.boxes.turn import check_orientation, turn_box

__all__ = ["Placement", "place_film"]

Kind = Literal["same", "scaled", "turned", "swapped", "other", "unknown"]
Size = tuple[int, int]  # width, height
_EXACT, _RESIZED, _NEITHER = 2, 1, 0


@dataclass(frozen=True, slots=True)
class Placement:
    """Where the film is, and what is to be done to its boxes.

    ``kind``: ``same`` (the original), ``scaled`` (a resized copy), ``turned`` (boxes were measured on the picture as stored, and
    turn with the film), ``swapped`` (the table's sides exchanged, nobody says which way), ``other`` (cropped, padded or of
    another film: no scaling brings it into the frame), ``unknown`` (the table has no size).

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
    two. A copy counts as resized when each side is within one pixel of the frame's shape, in pixels of the smaller of the two:
    that is where sides were rounded. Raises ValueError for what is no size or no orientation.
    """
    check_orientation(orientation)
    stored = stored_size or (size[::-1] if orientation >= 5 else size)
    for one in (size, stored, *([table_size] if table_size else [])):
        check_size(*one)
    if table_size is None:
        words = "The table gives no size for this image, so its boxes cannot be placed."
        return _whole("unknown", size, 1, words)
    upright, as_stored = _match(size, table_size), _match(stored, table_size)
    if orientation >= 5 and as_stored > upright:
        return _whole("turned", table_size[::-1], orientation, _turned_words(size, table_size, orientation))
    if upright:
        copy = "" if upright == _EXACT else f"{_sizes(size, table_size)}: a resized copy. Boxes lie where the table puts them."
        doubt = _doubt(orientation) if orientation > 1 and upright == as_stored else ""
        words = " ".join(filter(None, (copy, doubt)))
        return _whole("same" if upright == _EXACT else "scaled", table_size, 1, words, bool(doubt))
    if _match(size[::-1], table_size):
        exchanged = "the same sides, exchanged, and nothing says which way the picture was turned"
        return _fitted("swapped", size, table_size, exchanged)
    return _fitted("other", size, table_size, f"another shape, {_difference(size, table_size)}")


def _match(size: Size, table_size: Size) -> int:
    if size == table_size:
        return _EXACT
    scale = min(frame / side for frame, side in zip(table_size, size, strict=True))
    pixel = min(scale, 1.0)  # what differs is counted in pixels of the smaller one
    apart = [abs(frame / scale - side) * pixel for frame, side in zip(table_size, size, strict=True)]
    return _RESIZED if max(apart) <= 1 else _NEITHER


def _whole(kind: Kind, frame: Size, turn: int, words: str, is_doubtful: bool = False) -> Placement:
    return Placement(kind, frame, PixelBox(0, 0, *frame), turn, words, is_doubtful)


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
    """How much wider or narrower the picture is than the frame, both brought to one height."""
    ratio = (size[0] * table_size[1]) / (size[1] * table_size[0])
    percent = 100 * abs(ratio - 1)
    return f"{percent:.{0 if percent >= 10 else 1}f} % {'wider' if ratio > 1 else 'narrower'} at the same height"


def _turned_words(size: Size, table_size: Size, orientation: int) -> str:
    copy = "" if size == table_size[::-1] else f" The file is a resized copy, {size[0]} x {size[1]} pixels."
    return (
        f"The film was turned upright by its orientation tag ({orientation}). The table's size, {table_size[0]} x "
        f"{table_size[1]}, is that of the picture as stored: boxes were measured on it, and are turned with the film.{copy}"
    )


def _doubt(orientation: int) -> str:
    """For a picture that has the table's size both before it was turned and after."""
    return (
        f"The film was turned upright by its orientation tag ({orientation}), which left its shape as it was: nothing says "
        "whether boxes were measured before or after. They are taken as measured on the upright picture."
    )
