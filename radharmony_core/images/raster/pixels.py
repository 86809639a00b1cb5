"""What stands around Pillow: its decoders as ours, and any of its modes as gray levels, a strip of rows at a time.

Pillow's format classes are used directly instead of ``Image.open``: the kind and the size are known by then, so its guessing
and its size warning, which is process-wide, have nothing to do. ``LOAD_TRUNCATED_IMAGES`` is never set.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageChops

from radharmony_core.errors import ImageError, ImageTooLargeError, UnsupportedImageError
from radharmony_core.images.film import Gray, check_size, row_strips
from radharmony_core.images.raster.picture import check_memory

__all__ = ["DEEP_MODES", "as_array", "damaged", "decoded", "flat", "flat_array"]

DEEP_MODES = ("I", "F", "I;16", "I;16B", "I;16L", "I;16N")

_IN_COLOUR = "The picture is in colour; its luminance is shown."
_TRANSPARENT = "The picture is partly transparent; it is shown over black."
_PLAIN = {"RGBA": "RGB", "RGBa": "RGB", "LA": "L", "La": "L"}


def decoded(format_class: Any, data: bytes, name: str, draft: str = "") -> Image.Image:
    """The picture in ``data``, loaded; ``draft`` asks the decoder for a mode.

    Raises ImageTooLargeError before memory is taken, ImageError for what cannot be decoded.
    """
    # The one boundary around Pillow with a broad catch: on damaged bytes its decoders raise what they like, from SyntaxError
    # to zlib.error. What they give is refused, never shown half.
    try:
        image: Image.Image = format_class(io.BytesIO(data))
        check_size(image.width, image.height, name)
        check_memory(len(data) + image.width * image.height * _bytes_a_pixel(image.mode), name)
        if draft:
            image.draft(draft, image.size)
        image.load()
    except ImageTooLargeError:
        raise
    except Exception as error:
        raise damaged(name, error) from error
    return image


def _bytes_a_pixel(mode: str) -> int:
    """Of the picture in Pillow and of the values taken out of it."""
    if mode in ("1", "L", "P"):
        return 2
    return 4 if mode.startswith("I;16") else 8 if mode in DEEP_MODES else 5


def damaged(name: str, error: Exception) -> ImageError:
    """The refusal of a picture that a decoder refused."""
    if "decoder" in str(error) and "not available" in str(error):
        return UnsupportedImageError(f"{name}: this Pillow cannot read it ({error}). Convert it to PNG or DICOM.")
    return ImageError(f"{name} is cut or damaged: the picture cannot be decoded ({error}). Take a fresh copy of the file.")


def as_array(image: Image.Image) -> npt.NDArray[Any]:
    """The values of a picture of one channel. In strips: at once, Pillow copies through bytes twice."""
    probe = np.asarray(image.crop((0, 0, 1, 1)))
    values = np.empty((image.height, image.width), probe.dtype)
    for rows in row_strips(values.shape):
        values[rows] = np.asarray(_strip(image, rows))
    return values


def flat(image: Image.Image, name: str, said: list[str], *, is_negative: bool = False) -> Gray:
    """Any mode of 8 bits as gray levels: colours as luminance, transparency over black. What was done is added to ``said``.

    ``is_negative``: every number is to be taken from 255 first.
    """
    if image.mode in ("CMYK", "YCbCr", "LAB"):
        said.append(f"The picture is in {image.mode} colours; its luminance is shown.")
    elif image.mode not in ("1", "L", "P", "PA", "RGB", "RGBX", *_PLAIN):
        raise UnsupportedImageError(f"{name}: pictures of Pillow's mode {image.mode!r} are not read. Convert it to gray PNG.")
    gray = np.empty((image.height, image.width), np.uint8)
    found: set[str] = set()
    for rows in row_strips(gray.shape):
        strip = _strip(image, rows)
        gray[rows] = np.asarray(_flat_strip(ImageChops.invert(strip) if is_negative else strip, found))
    said += [words for words in (_TRANSPARENT, _IN_COLOUR) if words in found]
    return gray


def flat_array(colours: npt.NDArray[np.uint8], said: list[str]) -> Gray:
    """Red, green and blue, rows x columns x 3, as luminance. Colours that are no grays are added to ``said``."""
    gray = np.empty(colours.shape[:2], np.uint8)
    found: set[str] = set()
    for rows in row_strips(gray.shape):
        gray[rows] = np.asarray(_flat_strip(Image.fromarray(np.ascontiguousarray(colours[rows])), found))
    said += found
    return gray


def _strip(image: Image.Image, rows: slice) -> Image.Image:
    return image.crop((0, rows.start, image.width, min(rows.stop, image.height)))


def _flat_strip(image: Image.Image, found: set[str]) -> Image.Image:
    if image.mode in ("P", "PA"):
        image = image.convert("RGBA")
    if image.mode in _PLAIN:
        image = _over_black(image, found)
    if image.mode in ("CMYK", "YCbCr", "LAB"):
        return image.convert("RGB").convert("L")
    if image.mode in ("RGB", "RGBX"):
        red, green, blue = (image.getchannel(i).tobytes() for i in range(3))
        if not red == green == blue:
            found.add(_IN_COLOUR)
    return image.convert("L")


def _over_black(image: Image.Image, found: set[str]) -> Image.Image:
    image = image.convert({"RGBa": "RGBA", "La": "LA"}.get(image.mode, image.mode))
    plain = image.convert(_PLAIN[image.mode])
    alpha = image.getchannel("A")
    if alpha.getextrema() == (255, 255):
        return plain
    found.add(_TRANSPARENT)
    return Image.composite(plain, Image.new(plain.mode, plain.size), alpha)
