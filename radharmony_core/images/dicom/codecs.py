"""From a codestream to pixel cells. What it is, its own first bytes say, whatever the transfer syntax calls it.

All decoders are libraries that come with imagecodecs and simplejpeg: libjpeg-turbo for JPEG of 8 and 12 bits and for lossless
JPEG, CharLS for JPEG-LS, OpenJPEG for JPEG 2000 and HTJ2K, libjxl for JPEG XL. OpenJPH, which reads HTJ2K as well, is not
used: its errors do not arrive, and a cut picture comes out half.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import imagecodecs
import numpy as np
import numpy.typing as npt

from radharmony_core.errors import ImageError, UnsupportedImageError
from radharmony_core.images.dicom.j2k import read_j2k_info
from radharmony_core.images.dicom.jxl import JXL_CONTAINER, JXL_START, read_jxl_info
from radharmony_core.images.dicom.stored import Cells
from radharmony_core.images.dicom.tags import PixelFormat
from radharmony_core.images.raster.jpeg import JpegInfo, read_jpeg_info
from radharmony_core.images.raster.jpeg_pixels import is_gray_levels, read_deep_jpeg, read_jpeg
from radharmony_core.images.raster.picture import check_memory

__all__ = ["Codestream", "check_codestream", "decode", "read_codestream"]

_J2K_STARTS = (b"\xff\x4f\xff\x51", b"\0\0\0\x0cjP  \r\n\x87\n")
_LOSSLESS, _JPEG_LS = (0xC3, 0xC7, 0xCB, 0xCF), 0xF7

_HELD_IN_32_BITS = ("JPEG 2000", "High-Throughput JPEG 2000", "JPEG XL")

_THREADS = min(4, os.cpu_count() or 1)


@dataclass(frozen=True)
class Codestream:
    """A picture that is not decoded yet. ``components`` is 0 where its header does not say it early.

    ``is_converted`` is whether the decoder gives red, green and blue, whatever they were turned into for coding.
    """

    coding: str
    width: int
    height: int
    precision: int
    components: int
    is_signed: bool
    is_converted: bool
    data: bytes
    jpeg: JpegInfo | None = None


def read_codestream(data: bytes, name: str) -> Codestream | None:
    """What the first bytes say; None where they are those of no coding. Raises ImageError for a header that is damaged."""
    if data.startswith(b"\xff\xd8\xff"):
        info = read_jpeg_info(data, name)
        size = info.coded_width, info.coded_height
        coding = "JPEG-LS" if info.frame == _JPEG_LS else "lossless JPEG" if info.frame in _LOSSLESS else "JPEG"
        return Codestream(coding, *size, info.precision, info.components, False, coding == "JPEG", data, info)
    if data.startswith(_J2K_STARTS):
        j2k = read_j2k_info(data, name)
        coding = "High-Throughput JPEG 2000" if j2k.is_ht else "JPEG 2000"
        return Codestream(coding, j2k.width, j2k.height, j2k.precision, j2k.components, j2k.is_signed, j2k.is_mixed, data)
    if data.startswith((JXL_START, JXL_CONTAINER)):
        jxl = read_jxl_info(data, name)
        if jxl.is_float:
            raise UnsupportedImageError(f"{name}: its JPEG XL picture has floating point samples. Export it with whole numbers.")
        return Codestream("JPEG XL", jxl.width, jxl.height, jxl.precision, 0, False, True, data)
    return None


def check_codestream(stream: Codestream, form: PixelFormat, name: str) -> None:
    """Raises ImageError for a picture without an end or unlike its header.

    Before decoding, as a codestream can claim any size, and as CharLS looks for a missing end for many seconds.
    """
    if (stream.width, stream.height) != (form.columns, form.rows):
        raise ImageError(
            f"{name}: the header says {form.columns} x {form.rows} pixels and the compressed picture has {stream.width} x "
            f"{stream.height}. Export the image again."
        )
    if stream.components not in (0, form.samples):
        raise ImageError(
            f"{name}: the header says {form.samples} samples a pixel and the compressed picture has {stream.components}. Export "
            "the image again."
        )
    if stream.coding in _HELD_IN_32_BITS:
        # OpenJPEG does so beside what comes out of it, and so does libjxl in colour.
        check_memory(form.rows * form.columns * form.samples * (4 + (stream.precision + 7) // 8), name)
    # JPEG, JPEG-LS and JPEG 2000 end with the same mark (EOI, EOC), behind it only padding; JPEG XL has none and needs none.
    if stream.coding != "JPEG XL" and not stream.data.rstrip(b"\0").endswith(b"\xff\xd9"):
        raise ImageError(f"{name} is cut: its compressed picture has no end. Take a fresh copy of the file.")


def decode(stream: Codestream, form: PixelFormat, name: str, said: list[str]) -> Cells:
    """The cells, rows x columns, or rows x columns x 3 in red, green and blue; colours may come as luminance already.

    Signed values are in two's complement. Raises ImageError for a picture that is cut or damaged.
    """
    if stream.jpeg is not None and is_gray_levels(stream.jpeg):
        is_rgb = form.photometric == "RGB" and not stream.jpeg.says_colours
        return read_jpeg(stream.jpeg, name, said, is_rgb=is_rgb)
    values = _decoded(stream, name)
    expected = (form.rows, form.columns) if form.samples == 1 else (form.rows, form.columns, form.samples)
    if values.shape != expected or values.dtype.kind not in "ui":
        raise _undecodable(stream, name, f"{expected} was expected, and {values.shape} of {values.dtype} came")
    cells: Cells = values.view(f"u{values.dtype.itemsize}")
    if form.samples == 3 and form.photometric in ("YBR_RCT", "YBR_ICT") and not stream.is_converted:
        # PS3.3 C.7.6.3.1.2: both are the transformation inside the codestream, which has left it out.
        said.append(f"PhotometricInterpretation is {form.photometric} and the picture is coded without it; it was read as RGB.")
    elif form.samples == 3 and form.photometric != "RGB" and not stream.is_converted:
        # PS3.3 C.7.6.3.1.2: the first sample is the luminance.
        return np.ascontiguousarray(cells[..., 0])
    return cells


def _decoded(stream: Codestream, name: str) -> npt.NDArray[Any]:
    if stream.jpeg is not None and stream.coding != "JPEG-LS":
        return read_deep_jpeg(stream.jpeg, name)
    # Broad, as it is C code around C code: what it raises for damaged bytes is its own affair.
    try:
        if stream.coding == "JPEG-LS":
            return imagecodecs.jpegls_decode(stream.data)
        if stream.coding == "JPEG XL":
            return imagecodecs.jpegxl_decode(stream.data, numthreads=_THREADS)
        return imagecodecs.jpeg2k_decode(stream.data, numthreads=_THREADS)
    except Exception as error:
        raise _undecodable(stream, name, str(error) or type(error).__name__) from error


def _undecodable(stream: Codestream, name: str, reason: str) -> ImageError:
    return ImageError(
        f"{name} is cut or damaged: its pixels, coded as {stream.coding}, could not be decoded ({reason}). Take a fresh copy of "
        "the file, or export it again as Explicit VR Little Endian."
    )
