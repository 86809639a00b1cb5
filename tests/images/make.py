"""Image files for the tests, most written byte by byte so that odd ones can be made; nothing here uses the code under test."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image
from pydicom.datadict import dictionary_VR, tag_for_keyword

IMPLICIT = "1.2.840.10008.1.2"
EXPLICIT = "1.2.840.10008.1.2.1"
DEFLATED = "1.2.840.10008.1.2.1.99"
BIG_ENDIAN = "1.2.840.10008.1.2.2"
JPEG_8 = "1.2.840.10008.1.2.4.50"
JPEG_12 = "1.2.840.10008.1.2.4.51"
JPEG_LOSSLESS = "1.2.840.10008.1.2.4.70"
JPEG_LS = "1.2.840.10008.1.2.4.80"
J2K = "1.2.840.10008.1.2.4.90"
JPEG_LS_NEAR = "1.2.840.10008.1.2.4.81"
J2K_LOSSY = "1.2.840.10008.1.2.4.91"
HTJ2K = "1.2.840.10008.1.2.4.201"
JPEG_XL = "1.2.840.10008.1.2.4.110"
RLE = "1.2.840.10008.1.2.5"
ENCAPSULATED = "1.2.840.10008.1.2.1.98"
DEFLATED_FRAME = "1.2.840.10008.1.2.8.1"

LONG_FORM = {"OB", "OW", "SQ", "UN", "UT", "OF", "OD"}
UNDEFINED = 0xFFFFFFFF


def element(tag: int, vr: str, value: bytes, *, explicit: bool = True, order: str = "<", length: int | None = None) -> bytes:
    """One data element; ``length`` overrides the true one."""
    value += b"\0" * (len(value) % 2)
    size = len(value) if length is None else length
    head = struct.pack(f"{order}HH", tag >> 16, tag & 0xFFFF)
    if not explicit:
        return head + struct.pack(f"{order}L", size) + value
    if vr in LONG_FORM:
        return head + vr.encode() + b"\0\0" + struct.pack(f"{order}L", size) + value
    return head + vr.encode() + struct.pack(f"{order}H", size) + value


def encoded(vr: str, value: Any, *, explicit: bool, order: str) -> bytes:
    """A Python value in the bytes of its VR; bytes stay as they are, a list of dicts is a sequence."""
    if isinstance(value, bytes):
        return value
    if vr == "SQ":
        items = (data_set(item, explicit=explicit, order=order) for item in value)
        return b"".join(struct.pack(f"{order}HHL", 0xFFFE, 0xE000, len(item)) + item for item in items)
    many = list(value) if isinstance(value, (list, tuple)) else [value]
    if vr in ("US", "SS"):
        return struct.pack(f"{order}{len(many)}{'H' if vr == 'US' else 'h'}", *many)
    text = "\\".join(str(one) for one in many).encode()
    return text + b" " * (len(text) % 2)


def data_set(tags: dict[str, Any], *, explicit: bool = True, order: str = "<") -> bytes:
    """Elements in rising order. A key is a keyword, or keyword:VR to force a VR; a value of None leaves the element out."""
    parts = []
    for key, value in tags.items():
        keyword, _, vr = key.partition(":")
        tag = tag_for_keyword(keyword)
        assert tag is not None, keyword
        vr = vr or dictionary_VR(tag).split(" or ")[0]
        if value is not None:
            data = encoded(vr, value, explicit=explicit, order=order)
            parts.append((tag, element(tag, vr, data, explicit=explicit, order=order)))
    return b"".join(part for _, part in sorted(parts))


def meta(uid: str | None) -> bytes:
    """File meta information with a transfer syntax, or without where ``uid`` is None."""
    tags: dict[str, Any] = {"MediaStorageSOPClassUID": b"1.2.3\0", "MediaStorageSOPInstanceUID": b"1.2.4\0"}
    if uid:
        tags["TransferSyntaxUID"] = uid.encode() + b"\0" * (len(uid) % 2)
    rest = data_set(tags)
    return element(0x00020000, "UL", struct.pack("<L", len(rest))) + rest


def pixel_tags(cells: npt.NDArray[Any], **over: Any) -> dict[str, Any]:
    """The Image Pixel module for ``cells``, which may be changed tag by tag; None leaves one out."""
    bits = over.get("BitsStored") or 8 * cells.dtype.itemsize
    tags: dict[str, Any] = {
        "SOPClassUID": b"1.2.3\0",
        "SamplesPerPixel": 1 if cells.ndim == 2 else 3,
        "PhotometricInterpretation": "MONOCHROME2" if cells.ndim == 2 else "RGB",
        "Rows": cells.shape[0],
        "Columns": cells.shape[1],
        "BitsAllocated": 8 * cells.dtype.itemsize,
        "BitsStored": bits,
        "HighBit": bits - 1,
        "PixelRepresentation": int(cells.dtype.kind == "i"),
    }
    return tags | over


def dicom(
    path: Path,
    cells: npt.NDArray[Any],
    *,
    uid: str | None = EXPLICIT,
    explicit: bool | None = None,
    frame: str = "whole",
    pixels: bytes | None = None,
    **over: Any,
) -> Path:
    """A DICOM file. ``frame`` is whole, "no preamble" (the data set alone) or "preamble only"; ``over`` changes tags."""
    order = ">" if uid == BIG_ENDIAN else "<"
    explicit = uid != IMPLICIT if explicit is None else explicit
    body = data_set(pixel_tags(cells, **over), explicit=explicit, order=order)
    data = cells.astype(f"{order}{cells.dtype.str[1:]}").tobytes() if pixels is None else pixels
    is_fragments = data[:4] == b"\xfe\xff\x00\xe0"
    vr = "OB" if cells.dtype.itemsize == 1 or is_fragments else "OW"
    body += element(0x7FE00010, vr, data, explicit=explicit, order=order, length=UNDEFINED if is_fragments else None)
    if uid == DEFLATED:
        packer = zlib.compressobj(wbits=-15)
        body = packer.compress(body) + packer.flush()
    heads = {"whole": bytes(128) + b"DICM" + meta(uid), "no preamble": b"", "preamble only": bytes(128) + b"DICM"}
    path.write_bytes(heads[frame] + body)
    return path


def fragments(codestreams: Sequence[bytes], offsets: Iterable[int] = ()) -> bytes:
    """Encapsulated pixel data (PS3.5 A.4) with a basic offset table."""
    table = b"".join(struct.pack("<L", offset) for offset in offsets)
    items = [table, *(stream + b"\0" * (len(stream) % 2) for stream in codestreams)]
    body = b"".join(struct.pack("<HHL", 0xFFFE, 0xE000, len(item)) + item for item in items)
    return body + struct.pack("<HHL", 0xFFFE, 0xE0DD, 0)


def packbits(values: bytes) -> bytes:
    """One RLE segment (PS3.5 G.3.1): equal runs repeated, the rest literal, padded to an even length."""
    runs = [values[i : i + 50] for i in range(0, len(values), 50)]
    data = b"".join(
        bytes([257 - len(run), run[0]]) if len(run) > 1 and len(set(run)) == 1 else bytes([len(run) - 1]) + run for run in runs
    )
    return data + b"\0" * (len(data) % 2)


def rle_frame(cells: npt.NDArray[Any]) -> bytes:
    """An RLE frame: for each sample the segment of the uppermost bytes first, that of the lowest last (PS3.5 G.2)."""
    big = cells.astype(cells.dtype.newbyteorder(">")).reshape(cells.shape[0] * cells.shape[1], -1)
    planes = np.ascontiguousarray(big).view(np.uint8).reshape(len(big), -1)
    segments = [packbits(plane.tobytes()) for plane in planes.T]
    offsets = [64 + sum(map(len, segments[:i])) for i in range(len(segments))]
    return struct.pack(f"<{1 + len(offsets)}L", len(offsets), *offsets).ljust(64, b"\0") + b"".join(segments)


def deflated(cells: npt.NDArray[Any]) -> bytes:
    """A raw deflate stream of little endian cells."""
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(cells.astype(f"<{cells.dtype.str[1:]}").tobytes()) + packer.flush()


def coded(pixels: npt.NDArray[Any], kind: str, **options: Any) -> bytes:
    """A picture in the bytes that Pillow writes; ``options`` are Pillow's."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, kind, **options)
    return buffer.getvalue()


def chunk(kind: bytes, data: bytes) -> bytes:
    """One PNG chunk."""
    return struct.pack(">L", len(data)) + kind + data + struct.pack(">L", zlib.crc32(kind + data))


def png(width: int, height: int, rows: bytes, *, depth: int = 8, colour: int = 0, more: bytes = b"") -> bytes:
    """A PNG whose inflated data are ``rows``, right or wrong; ``more`` are chunks before the data."""
    header = chunk(b"IHDR", struct.pack(">LLBBBBB", width, height, depth, colour, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + more + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def exif(orientation: int) -> bytes:
    """EXIF data with nothing but an orientation."""
    return b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0" + struct.pack("<HH", orientation, 0) + bytes(4)


def tiff(pixels: np.ndarray[Any, Any], photometric: int, *, sample_format: int = 1, order: str = "<") -> bytes:
    """An uncompressed TIFF of one strip (TIFF 6.0 section 4)."""
    height, width = pixels.shape
    data = pixels.astype(pixels.dtype.newbyteorder(order)).tobytes()
    tags = [
        (256, width),
        (257, height),
        (258, 8 * pixels.dtype.itemsize),
        (259, 1),
        (262, photometric),
        (273, 8),
        (277, 1),
        (278, height),
        (279, len(data)),
        (339, sample_format),
    ]
    data += b"\0" * (len(data) % 2)
    entries = b"".join(struct.pack(f"{order}HHLL", tag, 4, 1, value) for tag, value in tags)
    start = struct.pack(f"{order}HL", 42, 8 + len(data))
    return ({"<": b"II", ">": b"MM"}[order] + start + data) + struct.pack(f"{order}H", len(tags)) + entries + bytes(4)


def saved(path: Path, image: Image.Image | np.ndarray[Any, Any], kind: str, **options: Any) -> Path:
    """A picture written by Pillow; ``options`` are Pillow's."""
    image = Image.fromarray(image) if isinstance(image, np.ndarray) else image
    image.save(path, kind, **options)
    return path


def rgb(gray: np.ndarray[Any, Any], *more: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Three equal channels of ``gray``, and ``more``."""
    return np.dstack([gray, gray, gray, *more])
