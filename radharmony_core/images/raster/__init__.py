"""JPEG, PNG and TIFF files as gray levels.

Pillow's format classes are used directly instead of ``Image.open``: the kind and the size are known by then, so its
guessing and its size warning, which is process-wide, have nothing to do. ``LOAD_TRUNCATED_IMAGES`` is never set.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFile, JpegImagePlugin, PngImagePlugin, TiffImagePlugin

from radharmony_core.errors import ImageError, UnsupportedImageError
from radharmony_core.images.film import FLAT_GRAY, Gray, Kind, check_size, stretch, to_gray
from radharmony_core.images.raster.exif import Directory, read_directory
from radharmony_core.images.raster.jpeg import JpegInfo, read_jpeg_info
from radharmony_core.images.raster.png import check_png_pixels, read_png_info

__all__ = ["TIFF_HEIGHT", "TIFF_ORIENTATION", "TIFF_WIDTH", "read_jpeg", "read_raster"]

TIFF_WIDTH, TIFF_HEIGHT, TIFF_ORIENTATION = 0x0100, 0x0101, 0x0112
_TIFF_BITS, _TIFF_PHOTOMETRIC, _TIFF_SAMPLE_FORMAT = 0x0102, 0x0106, 0x0153

_DEEP_MODES = ("I", "F", "I;16", "I;16B", "I;16L", "I;16N")


def read_raster(kind: Kind, data: bytes, name: str, said: list[str]) -> Gray:
    """The picture in ``data``, a whole file of a known kind, turned upright. Choices and guesses are added to ``said``.

    Raises ImageTooLargeError before any memory is taken, UnsupportedImageError, or ImageError for a file that is cut.
    """
    if kind == "jpeg":
        info = read_jpeg_info(data, name)
        return _turned(read_jpeg(info, name, said), info.orientation, said)
    if kind == "png":
        return _read_png(data, name, said)
    return _read_tiff(data, name, said)


def read_jpeg(info: JpegInfo, name: str, said: list[str], *, is_rgb: bool = False) -> Gray:
    """A JPEG picture as stored, not turned. ``is_rgb``: three components are red, green and blue, whatever is usual."""
    check_size(info.coded_width, info.coded_height, name)
    if info.precision != 8 or info.frame in (0xC3, 0xC7, 0xCB, 0xCF, 0xF7):
        way = "lossless" if info.precision == 8 else f"{info.precision}-bit"
        raise UnsupportedImageError(
            f"{name} is a {way} JPEG; 8-bit JPEG, baseline or progressive, is read. Convert it to PNG or DICOM."
        )
    gray = _decode_jpeg(info.bare, name, said, is_rgb)
    if _may_be_cut(gray, info) and not np.array_equal(gray, _decode_jpeg(_lengthened(info.bare), name, [], is_rgb)):
        raise ImageError(f"{name} is cut: the JPEG has an end mark and lacks a part of the picture. Take a fresh copy.")
    return gray


def _decode_jpeg(data: bytes, name: str, said: list[str], is_rgb: bool) -> Gray:
    image = _opened(JpegImagePlugin.JpegImageFile, data, name)
    if is_rgb:
        # Without an Adobe mark the decoder takes three components for YCbCr; asked for YCbCr, it leaves them as they are.
        image.draft("YCbCr", image.size)
    _load(image, name)
    if is_rgb and image.mode == "YCbCr":
        image = Image.merge("RGB", image.split())
    return _gray(image, name, said)


def _may_be_cut(gray: Gray, info: JpegInfo) -> bool:
    """Whether the end of the picture may be made up: where coded data end too early, the decoder fills with flat blocks."""
    last = gray[(gray.shape[0] - 1) // 8 * 8 :, (gray.shape[1] - 1) // 8 * 8 :]
    return info.is_progressive or bool((last == last[0, 0]).all())


def _lengthened(data: bytes) -> bytes:
    """The same file with more coded data before its end mark. A whole picture has no use for them and stays as it is."""
    end = data.rfind(b"\xff\xd9")
    return data[:end] + bytes(range(7, 247)) * 8 + b"\xff\xd9" if end > 0 else data


def _read_png(data: bytes, name: str, said: list[str]) -> Gray:
    info = read_png_info(data, name)
    check_size(info.width, info.height, name)
    check_png_pixels(info, name)
    if info.has_transparent_value:
        said.append("The PNG marks one value as transparent; it is shown like any other.")
    if info.is_animated:
        said.append("The PNG is animated; its still picture is shown.")
    image = _opened(PngImagePlugin.PngImageFile, info.bare, name)
    _load(image, name)
    gray = _gray(image, name, said, halved=info.depth == 16 and info.colour != 0)
    return _turned(gray, info.orientation, said)


def _read_tiff(data: bytes, name: str, said: list[str]) -> Gray:
    directory = read_directory(data, name)
    check_size(directory.first(TIFF_WIDTH, 0), directory.first(TIFF_HEIGHT, 0), name)
    image = _opened(TiffImagePlugin.TiffImageFile, data, name)
    check_size(image.width, image.height, name)
    _load(image, name)
    if directory.following:
        said.append("The TIFF has several pictures; the first is shown.")
    if directory.first(TIFF_ORIENTATION, 1) in range(2, 9):
        said.append(_turned_words(directory.first(TIFF_ORIENTATION, 1)))
    return _gray(image, name, said, directory=directory, halved=_is_halved(image, directory))


def _is_halved(image: Image.Image, directory: Directory) -> bool:
    return image.mode not in _DEEP_MODES and max(directory.numbers.get(_TIFF_BITS, [1])) > 8


def _opened(format_class: Any, data: bytes, name: str) -> Any:
    # This and the next are the one boundary around Pillow with a broad catch: on damaged bytes its decoders raise what they
    # like, from SyntaxError to zlib.error. What they give is refused, never shown half.
    try:
        return format_class(io.BytesIO(data))
    except Exception as error:
        raise _damaged(name, error) from error


def _load(image: ImageFile.ImageFile, name: str) -> None:
    try:
        image.load()
    except Exception as error:
        raise _damaged(name, error) from error


def _damaged(name: str, error: Exception) -> ImageError:
    if "decoder" in str(error) and "not available" in str(error):
        return UnsupportedImageError(f"{name}: this Pillow cannot read it ({error}). Convert it to PNG or DICOM.")
    return ImageError(f"{name} is cut or damaged: the picture cannot be decoded ({error}). Take a fresh copy of the file.")


def _gray(image: Image.Image, name: str, said: list[str], *, directory: Directory | None = None, halved: bool = False) -> Gray:
    """Any mode as gray levels: deep values by their range, colours as luminance, transparency over black."""
    if image.mode in _DEEP_MODES:
        return _by_range(_deep_values(image, directory), said)
    if halved:
        said.append("The file has 16-bit colours; the upper 8 bits are read, and spread by their value range.")
        return _by_range(np.asarray(_flat(image, name, said)), said)
    return np.asarray(_flat(image, name, said))


def _flat(image: Image.Image, name: str, said: list[str]) -> Image.Image:
    if image.mode in ("1", "L"):
        return image.convert("L")
    if image.mode in ("P", "PA"):
        image = image.convert("RGBA")
    if image.mode in ("RGBA", "LA", "RGBa", "La"):
        image = _over_black(image, said)
    if image.mode in ("CMYK", "YCbCr", "LAB"):
        said.append(f"The picture is in {image.mode} colours; its luminance is shown.")
        return image.convert("RGB").convert("L")
    if image.mode in ("RGB", "RGBX"):
        red, green, blue = (image.getchannel(i).tobytes() for i in range(3))
        if not red == green == blue:
            said.append("The picture is in colour; its luminance is shown.")
        return image.convert("L")
    if image.mode == "L":
        return image
    raise UnsupportedImageError(f"{name}: pictures of Pillow's mode {image.mode!r} are not read. Convert it to gray PNG.")


def _over_black(image: Image.Image, said: list[str]) -> Image.Image:
    image = image.convert({"RGBa": "RGBA", "La": "LA"}.get(image.mode, image.mode))
    plain = image.convert("RGB" if image.mode == "RGBA" else "L")
    alpha = image.getchannel("A")
    if alpha.getextrema() == (255, 255):
        return plain
    said.append("The picture is partly transparent; it is shown over black.")
    return Image.composite(plain, Image.new(plain.mode, plain.size), alpha)


def _deep_values(image: Image.Image, directory: Directory | None) -> npt.NDArray[Any]:
    values = np.asarray(image)
    if directory is None:
        return values
    if image.mode == "I" and directory.numbers.get(_TIFF_BITS) == [32] and directory.first(_TIFF_SAMPLE_FORMAT, 1) == 1:
        # Pillow holds 32-bit values as signed, these are not.
        values = values.view(np.uint32)
    if directory.first(_TIFF_PHOTOMETRIC, 1) == 0:
        # WhiteIsZero (TIFF 6.0 section 4); the decoder turns it for 8 bits only.
        values = values.max() - values
    return values


def _by_range(values: npt.NDArray[Any], said: list[str]) -> Gray:
    finite = np.isfinite(values)
    if not finite.all():
        said.append("Some pixels are no finite number; they are shown black.")
    inside = values[finite]
    low, high = (float(inside.min()), float(inside.max())) if inside.size else (0.0, 0.0)
    if low == high:
        said.append(f"Every pixel of the image has the same value; it is shown as one flat gray ({FLAT_GRAY}).")
    else:
        said.append(f"The values run from {low:g} to {high:g}; this range is spread over the gray levels.")
    if values.dtype.itemsize == 2:
        table = to_gray(stretch(np.arange(65536, dtype=np.float64), low, high))
        return np.take(table, values)
    return to_gray(np.where(finite, stretch(np.where(finite, values, low).astype(np.float64), low, high), 0.0))


def _turned_words(orientation: int) -> str:
    return f"The file says that the picture must be turned to stand upright (EXIF orientation {orientation}); this was done."


def _turned(gray: Gray, orientation: int, said: list[str]) -> Gray:
    """EXIF 2.3 4.6.4, tag 0112: which side of the picture the first row and the first column are."""
    if orientation == 1:
        return gray
    said.append(_turned_words(orientation))
    turned = {
        2: gray[:, ::-1],
        3: gray[::-1, ::-1],
        4: gray[::-1],
        5: gray.T,
        6: np.rot90(gray, -1),
        7: gray[::-1, ::-1].T,
        8: np.rot90(gray, 1),
    }
    return np.ascontiguousarray(turned[orientation])
