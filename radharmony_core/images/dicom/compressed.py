"""Stored pixel values from compressed pixel data: fragments, one frame's codestream, the decoder (PS3.5 annex A.4).

RLE is decoded by `rle`, 8-bit JPEG as a JPEG file is, the rest by pydicom's plugins. Which of those work depends on the
installed packages; one that is missing is named.
"""

from __future__ import annotations

import io
import struct
from dataclasses import replace
from typing import Any

import numpy as np
from pydicom.encaps import encapsulate, generate_fragments
from pydicom.pixels.decoders.base import get_decoder
from pydicom.pixels.utils import get_j2k_parameters
from pydicom.uid import (
    UID,
    JPEG2000TransferSyntaxes,
    JPEGBaseline8Bit,
    JPEGExtended12Bit,
    JPEGLSTransferSyntaxes,
    JPEGTransferSyntaxes,
    RLELossless,
)

from radharmony_core.errors import ImageError, UnsupportedImageError
from radharmony_core.images.dicom.guard import bounded
from radharmony_core.images.dicom.part10 import UNDEFINED, DicomFile
from radharmony_core.images.dicom.rle import read_rle
from radharmony_core.images.dicom.stored import Cells, Stored, pixel_element
from radharmony_core.images.dicom.tags import PixelFormat
from radharmony_core.images.raster import read_jpeg
from radharmony_core.images.raster.jpeg import JpegInfo, read_jpeg_info

__all__ = ["read_compressed"]

_SEQUENCE_END = b"\xfe\xff\xdd\xe0"

_LIBJPEG = "pylibjpeg and pylibjpeg-libjpeg"
_OPENJPEG = "pylibjpeg and pylibjpeg-openjpeg"
_PACKAGES: dict[str, str] = {
    "1.2.840.10008.1.2.4.50": "Pillow",
    "1.2.840.10008.1.2.4.51": _LIBJPEG,
    "1.2.840.10008.1.2.4.57": _LIBJPEG,
    "1.2.840.10008.1.2.4.70": _LIBJPEG,
    "1.2.840.10008.1.2.4.80": "pyjpegls",
    "1.2.840.10008.1.2.4.81": "pyjpegls",
    "1.2.840.10008.1.2.4.90": "Pillow",
    "1.2.840.10008.1.2.4.91": "Pillow",
    "1.2.840.10008.1.2.4.201": _OPENJPEG,
    "1.2.840.10008.1.2.4.202": _OPENJPEG,
    "1.2.840.10008.1.2.4.203": _OPENJPEG,
}


def read_compressed(dicom: DicomFile, form: PixelFormat, name: str, said: list[str]) -> Stored:
    """The first frame of compressed pixel data, decoded.

    Raises UnsupportedImageError, with the transfer syntax and the package that reads it, where no decoder is installed;
    ImageError for a codestream that is cut, damaged or of another size than the header says.
    """
    uid = dicom.transfer_syntax
    if uid is None:
        raise ImageError(f"{name}: pixel data without a transfer syntax cannot be decompressed.")
    if uid != RLELossless and (uid not in _PACKAGES or not get_decoder(uid).is_available):
        raise _unsupported(uid, name, _PACKAGES.get(uid, ""))
    codestream = _first_codestream(dicom, form, name)
    precision = _check_codestream(codestream, uid, form, name)
    if uid in (JPEGBaseline8Bit, JPEGExtended12Bit) and precision == 8:
        return _read_jpeg(codestream, form, name, said)
    if uid == JPEGExtended12Bit and not _reads_12_bits():
        raise _unsupported(uid, name, _PACKAGES[uid])
    if uid == RLELossless:
        return Stored(read_rle(codestream, form, name), form.bits_stored, form.high_bit + 1 - form.bits_stored, form.signed)
    return _stored(_decode(codestream, uid, replace(form, bits_stored=precision), name), precision, form, said)


def _stored(cells: Cells, precision: int, form: PixelFormat, said: list[str]) -> Stored:
    """``precision`` is the codestream's own; it decides how values are read.

    Encoders often code 16 bits where 12 are stored: the values are the same then, and there is nothing to say. Fewer bits
    than stored may be other values altogether, and the header's window then no longer fits.
    """
    is_wider = precision > form.bits_stored and (form.signed or int(cells.max()) < 1 << form.bits_stored)
    if is_wider or precision == form.bits_stored:
        return Stored(cells, precision, 0, form.signed)
    said.append(
        f"The header says {form.bits_stored} bits a pixel and the compressed picture has {precision}; the picture's were used."
    )
    return Stored(cells, precision, 0, form.signed, is_rescaled=precision < form.bits_stored)


def _read_jpeg(codestream: bytes, form: PixelFormat, name: str, said: list[str]) -> Stored:
    """8-bit JPEG, decoded as a JPEG file is: refused when cut, and colours in it come out as luminance."""
    info = read_jpeg_info(codestream, name)
    if info.components != form.samples:
        raise ImageError(
            f"{name}: the header says {form.samples} samples a pixel and the compressed picture has {info.components}. Export "
            "the image again."
        )
    gray = read_jpeg(info, name, said, is_rgb=form.photometric == "RGB" and not info.says_colours)
    return _stored(gray, 8, form, said)


def _first_codestream(dicom: DicomFile, form: PixelFormat, name: str) -> bytes:
    element = pixel_element(dicom, name)
    if element.length != UNDEFINED:
        raise ImageError(
            f"{name}: its transfer syntax says that the pixel data are compressed, and they are not in fragments. Export "
            "the image again."
        )
    dicom.stream.seek(element.start)
    offsets, fragments = _fragments(dicom, name)
    if form.frames == 1:
        return b"".join(fragments)
    if len(fragments) == form.frames:
        return fragments[0]
    if len(offsets) > 1:
        return _until(fragments, offsets[1])
    raise UnsupportedImageError(
        f"{name} has {form.frames} frames in {len(fragments)} fragments without a table of where each begins; the first "
        "frame cannot be told from the rest. Export the frames one by one."
    )


def _fragments(dicom: DicomFile, name: str) -> tuple[list[int], list[bytes]]:
    """The basic offset table and the fragments (PS3.5 A.4), from the stream's position."""
    try:
        parts = list(generate_fragments(bounded(dicom.stream, dicom.size)))
        dicom.stream.seek(-len(_SEQUENCE_END), io.SEEK_CUR)
    except (OSError, ValueError) as error:
        raise _no_end(name) from error
    # Where the file ends, so do the fragments: the mark behind the last one tells whether it is whole.
    if dicom.stream.read(len(_SEQUENCE_END)) != _SEQUENCE_END:
        raise _no_end(name)
    if len(parts) < 2:
        raise ImageError(f"{name}: its pixel data are empty. Take a fresh copy of the file.")
    table = parts[0][: len(parts[0]) // 4 * 4]
    return list(struct.unpack(f"<{len(table) // 4}L", table)), parts[1:]


def _no_end(name: str) -> ImageError:
    return ImageError(f"{name} is cut: its compressed pixel data have no end. Take a fresh copy of the file.")


def _until(fragments: list[bytes], offset: int) -> bytes:
    taken, position = [], 0
    for fragment in fragments:
        if position >= offset:
            break
        taken.append(fragment)
        position += 8 + len(fragment)
    return b"".join(taken)


def _check_codestream(data: bytes, uid: UID, form: PixelFormat, name: str) -> int:
    """The precision of the codestream in bits; refuses one that is cut or has another size than the header says.

    The sizes are compared before decoding, as a codestream can claim any size whatever the header says.
    """
    if uid in JPEG2000TransferSyntaxes:
        width, height = _j2k_size(data)
        precision = int(get_j2k_parameters(data).get("precision", form.bits_stored))
    elif uid in JPEGTransferSyntaxes or uid in JPEGLSTransferSyntaxes:
        info: JpegInfo = read_jpeg_info(data, name)
        width, height, precision = info.coded_width, info.coded_height, info.precision
    else:
        return form.bits_stored
    if (width, height) != (form.columns, form.rows):
        raise ImageError(
            f"{name}: the header says {form.columns} x {form.rows} pixels and the compressed picture has {width} x {height}. "
            "Export the image again."
        )
    # All three end with the same marker (EOI, EOC); behind it only the padding to an even length.
    if not data.rstrip(b"\0").endswith(b"\xff\xd9"):
        raise ImageError(f"{name} is cut: its compressed picture has no end. Take a fresh copy of the file.")
    return precision


def _j2k_size(data: bytes) -> tuple[int, int]:
    """Width and height from the SIZ marker (ISO 15444-1 A.5.1), 0 x 0 where there is none."""
    start = data.find(b"\xff\x4f\xff\x51", 0, 4096)
    if start < 0 or len(data) < start + 24:
        return 0, 0
    right, bottom, left, top = struct.unpack_from(">4L", data, start + 8)
    return right - left, bottom - top


def _decode(codestream: bytes, uid: UID, form: PixelFormat, name: str) -> Any:
    options: dict[str, Any] = {
        "rows": form.rows,
        "columns": form.columns,
        "samples_per_pixel": form.samples,
        "photometric_interpretation": form.photometric,
        "bits_allocated": max(form.bits_allocated, 8 * -(-form.bits_stored // 8)),
        "bits_stored": form.bits_stored,
        "pixel_representation": int(form.signed),
        "planar_configuration": int(form.planar),
        "number_of_frames": 1,
        "pixel_keyword": "PixelData",
    }
    # The one broad catch here: plugins of several packages, C code among them, raise what they like on damaged bytes.
    try:
        array, _ = get_decoder(uid).as_array(encapsulate([codestream]), index=0, validate=False, **options)
    except Exception as error:
        reason = str(error).strip().splitlines()[-1:] or [type(error).__name__]
        raise ImageError(
            f"{name}: its pixels, coded as {uid.name} (transfer syntax {uid}), could not be decoded: {reason[0].strip()}. "
            "Take a fresh copy of the file, or export it again as Explicit VR Little Endian."
        ) from error
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")


def _reads_12_bits() -> bool:
    """Pillow is listed for JPEG Extended and reads only its 8-bit form; the other plugins read both."""
    return any(plugin != "pillow" for plugin in get_decoder(JPEGExtended12Bit).available_plugins)


def _unsupported(uid: UID, name: str, package: str) -> UnsupportedImageError:
    way_out = f"Install {package} to read it, or export" if package else "Export"
    return UnsupportedImageError(
        f"{name}: its pixels are coded as {uid.name} (transfer syntax {uid}), for which no decoder is installed. {way_out} "
        "the image again as Explicit VR Little Endian."
    )
