"""Boxes, and the frames they are measured in: the original image, the film as it is shown, the screen. One order per type.

Three things are called a box in this field and they do not mix: ``PixelBox`` is COCO's (x, y, width, height) in pixels of
the original image, origin at the top left corner of the top left pixel; ``NormBox`` is y-first, each number a fraction of
the image's height or width; ``DisplayBox`` is a place on the screen. A bare list of four numbers is none of them and is
refused by the type checker. The conversions are named by what they take and give: ``pixel_to_norm``, ``norm_to_display``.

Nothing here clips or reorders on its own: a box that lies outside or has no area keeps its numbers, so that it can be seen,
and ``box_notice`` has the words for it.
"""

from __future__ import annotations

from radharmony_core.boxes.kinds import NormBox, PixelBox, clip, iou, norm_to_pixel, outside_of, pixel_to_norm, usable_size
from radharmony_core.boxes.placement import Placement, place_film
from radharmony_core.boxes.screen import DisplayBox, View, display_to_norm, display_to_pixel, norm_to_display, pixel_to_display
from radharmony_core.boxes.turn import turn_box, turn_box_back
from radharmony_core.boxes.words import REACH, box_notice, drawn_part, is_within_reach

__all__ = [
    "REACH",
    "DisplayBox",
    "NormBox",
    "PixelBox",
    "Placement",
    "View",
    "box_notice",
    "clip",
    "display_to_norm",
    "display_to_pixel",
    "drawn_part",
    "iou",
    "is_within_reach",
    "norm_to_display",
    "norm_to_pixel",
    "outside_of",
    "pixel_to_display",
    "pixel_to_norm",
    "place_film",
    "turn_box",
    "turn_box_back",
    "usable_size",
]
