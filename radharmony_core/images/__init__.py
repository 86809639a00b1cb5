"""Image files as films: decoded by content, displayed as their file says, encoded for the browser.

``decode_image`` reads a film once, to be shown through any window; ``read_image`` reads and shows it. Neither gives a picture
that is not the file's: what is cut or cannot be decoded is refused in words, and what had to be assumed or chosen is a notice.
"""

from __future__ import annotations

from radharmony_core.images.decoded import DecodedFilm
from radharmony_core.images.display.voi import Window
from radharmony_core.images.encode import EncodedFilm, encode_jpeg
from radharmony_core.images.film import MAX_PIXELS, FilmImage, ImageHeader, Preset, Step
from radharmony_core.images.folder import list_images
from radharmony_core.images.reader import decode_image, read_header, read_image

__all__ = [
    "MAX_PIXELS",
    "DecodedFilm",
    "EncodedFilm",
    "FilmImage",
    "ImageHeader",
    "Preset",
    "Step",
    "Window",
    "decode_image",
    "encode_jpeg",
    "list_images",
    "read_header",
    "read_image",
]
