"""Image files as films: decoded by content, displayed as their file says, encoded for the browser.

``read_image`` never shows a picture that is not the file's: what is cut or cannot be decoded is refused in words, and what
had to be assumed or chosen is a notice.
"""

from __future__ import annotations

from radharmony_core.images.encode import EncodedFilm, encode_jpeg
from radharmony_core.images.film import MAX_PIXELS, FilmImage, ImageHeader
from radharmony_core.images.folder import list_images
from radharmony_core.images.reader import read_header, read_image

__all__ = [
    "MAX_PIXELS",
    "EncodedFilm",
    "FilmImage",
    "ImageHeader",
    "encode_jpeg",
    "list_images",
    "read_header",
    "read_image",
]
