"""Boxes of a film that is turned upright by its orientation tag (TIFF 6.0 section 8, EXIF 2.3 section 4.6.4, tag 0x0112).

The tag says where the first row and the first column of the stored picture belong: 1 top and left; 2 top, right; 3 bottom,
right; 4 bottom, left; 5 left, top; 6 right, top; 7 right, bottom; 8 left, bottom. From 5 on, width and height are exchanged.
"""

from __future__ import annotations

from radharmony_core.boxes.kinds import NormBox

__all__ = ["check_orientation", "turn_box", "turn_box_back"]

_BACK = {6: 8, 8: 6}  # a quarter turn is undone by the other one; every other value undoes itself


def turn_box(box: NormBox, orientation: int) -> NormBox:
    """A box in fractions of the picture as stored, in fractions of the upright one. A box that has its edges exchanged, or no
    area, is so afterwards. Raises ValueError for an orientation other than 1 to 8."""
    check_orientation(orientation)
    rows, columns = (box.y_min, box.y_max), (box.x_min, box.x_max)
    # Where the stored rows and columns end up: from 5 on the rows run across. Then which of them start at the far end.
    across, down = (rows, columns) if orientation >= 5 else (columns, rows)
    if orientation in (2, 3, 6, 7):  # right
        across = _from_the_other_end(across)
    if orientation in (3, 4, 7, 8):  # bottom
        down = _from_the_other_end(down)
    return NormBox(*down, *across)


def turn_box_back(box: NormBox, orientation: int) -> NormBox:
    """A box in fractions of the upright picture, in fractions of the picture as stored. Raises as `turn_box`."""
    return turn_box(box, _BACK.get(orientation, orientation))


def check_orientation(orientation: int) -> None:
    """Raises ValueError for a number that is no orientation."""
    if orientation not in range(1, 9):
        raise ValueError(f"An orientation is a whole number from 1 to 8; got {orientation!r}.")


def _from_the_other_end(edges: tuple[float, float]) -> tuple[float, float]:
    return 1 - edges[1], 1 - edges[0]
