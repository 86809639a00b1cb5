"""What a file is, by its first bytes and never by its name."""

from __future__ import annotations

import re
import struct
from pathlib import Path

from pydicom.valuerep import EXPLICIT_VR_LENGTH_16, EXPLICIT_VR_LENGTH_32

from radharmony_core.errors import ImageError, NotAnImageError, UnsupportedImageError
from radharmony_core.images.film import Kind, shown_name

__all__ = ["HEAD_BYTES", "sniff", "sniffed_kind"]

# The DICOM prefix stands at 128 (PS3.10 7.1); a data set without it needs a few elements to be known as one.
HEAD_BYTES = 4096

_SIGNATURES: tuple[tuple[bytes, Kind], ...] = (
    (b"\xff\xd8\xff", "jpeg"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"II*\0", "tiff"),
    (b"MM\0*", "tiff"),
)

_OTHER_IMAGES: tuple[tuple[bytes, str], ...] = (
    (b"GIF8", "a GIF picture"),
    (b"BM", "a BMP picture"),
    (b"\0\0\0\x0cjP  ", "a JPEG 2000 picture outside a DICOM file"),
    (b"\xff\x4f\xff\x51", "a JPEG 2000 codestream outside a DICOM file"),
    (b"\xff\x0a", "a JPEG XL codestream outside a DICOM file"),
    (b"\0\0\0\x0cJXL ", "a JPEG XL picture outside a DICOM file"),
    (b"II+\0", "a BigTIFF picture"),
    (b"MM\0+", "a BigTIFF picture"),
    (b"\x5c\x01\x00\x00", "a NIfTI volume"),
    *((magic + blank, "a PGM picture") for magic in (b"P2", b"P5") for blank in (b"\n", b" ", b"\r", b"\t")),
)

# ISO/IEC 14496-12: the brand behind "ftyp" in the first box.
_BRANDS = dict.fromkeys((b"avif", b"avis"), "an AVIF picture") | dict.fromkeys(
    (b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1"), "a HEIC picture"
)

_OTHER_FILES: tuple[tuple[bytes, str], ...] = (
    (b"PK\x03\x04", "a zip archive; unpack it first"),
    (b"\x1f\x8b", "a gzip file; unpack it first"),
    (b"BZh", "a bzip2 file; unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive; unpack it first"),
    (b"\xfd7zXZ\0", "an xz file; unpack it first"),
    (b"%PDF", "a PDF document"),
    (b"\x89HDF", "an HDF5 file"),
    (b"PAR1", "a Parquet table"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\0\x05\x16\x07", "what macOS writes beside a file (AppleDouble); the real file has the same name without '._'"),
    (b"\0\0\0\x01Bud1", "a macOS folder description"),
    (b"\xd0\xcf\x11\xe0", "an old Office or thumbnail file"),
    (b"version https://git-lfs", "a Git LFS pointer; fetch the real file with 'git lfs pull'"),
    (b"/annex/objects/", "a git-annex pointer; fetch the real file with 'git annex get'"),
    (b"{", "text that looks like JSON"),
    (b"<?xml", "an XML document"),
)

# PS3.5 7.1.2: the value representations with a length of 2 bytes, and those with 2 reserved bytes and 4 of length.
_SHORT = frozenset(vr.encode() for vr in EXPLICIT_VR_LENGTH_16)
_LONG = frozenset(vr.encode() for vr in EXPLICIT_VR_LENGTH_32)

_HTML = re.compile(rb"<(!doctype\s+html|html|head|body|script)\b", re.IGNORECASE)


def sniffed_kind(head: bytes, size: int) -> Kind | None:
    """The kind of image that ``head``, the first ``HEAD_BYTES`` of a file of ``size`` bytes, begins; None for no image."""
    # First, because the 128 bytes before the prefix are free (PS3.10 7.1) and some writers put a TIFF header there.
    # A prefix at the beginning is one whose 128 bytes were lost.
    if head[128:132] == b"DICM" or head.startswith(b"DICM"):
        return "dicom"
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            return kind
    return "dicom" if _first_elements_fit(head, size) else None


def sniff(head: bytes, size: int, path: Path) -> Kind:
    """As ``sniffed_kind``, with words for what is no image.

    Raises NotAnImageError, or UnsupportedImageError for a picture of a kind that is not read here.
    """
    kind = sniffed_kind(head, size)
    if kind is None:
        raise _refusal(head, size, shown_name(path))
    return kind


def _refusal(head: bytes, size: int, name: str) -> ImageError:
    expected = "expected a JPEG, PNG, TIFF or DICOM image"
    if size == 0:
        return NotAnImageError(f"{name} is empty (0 bytes), so it is not an image: {expected}. Copy the file again.")
    for signature, words in _OTHER_IMAGES:
        if head.startswith(signature):
            return UnsupportedImageError(f"{name}: {expected}, found {words}. Convert it to PNG or DICOM.")
    words = "a WebP picture" if head[:4] == b"RIFF" and head[8:12] == b"WEBP" else ""
    if head[4:8] == b"ftyp":
        words = _BRANDS.get(head[8:12], "")
    if words:
        return UnsupportedImageError(f"{name}: {expected}, found {words}. Convert it to PNG or DICOM.")
    return NotAnImageError(f"{name} is not an image: {expected}, found {_looks_like(head)}.")


def _looks_like(head: bytes) -> str:
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if _HTML.match(text) or _HTML.search(text[:512]):
        return "an HTML page, as a failed download or a login page leaves behind; download the file again"
    for signature, words in _OTHER_FILES:
        if head.startswith(signature) or text.startswith(signature):
            return words
    if not any(head):
        return "nothing but zero bytes, as an interrupted copy leaves behind; copy the file again"
    if _is_text(text):
        return "text"
    return "binary data of an unknown kind; it may be damaged at its beginning"


def _is_text(head: bytes) -> bool:
    try:
        # A character may be cut at the end of what was read, which is no reason to call it binary.
        words = head.decode("utf-8") if len(head) < HEAD_BYTES - 4 else head[:-4].decode("utf-8", "ignore")
    except UnicodeDecodeError:
        return False
    return bool(words) and all(c.isprintable() or c in "\r\n\t\f" for c in words)


def _first_elements_fit(head: bytes, size: int) -> bool:
    """Whether bytes without the DICOM preamble are a data set: two rising elements, from group 0002 or 0008, that fit.

    Stands before pydicom, which takes any bytes for a data set once it is told to do without the preamble.
    """
    explicit = head[4:6] in _SHORT or head[4:6] in _LONG
    # Groups are small numbers: 00 08 read little endian would be group 0800, which no data set begins with.
    order = ">" if explicit and head[:1] == b"\0" and head[1:2] != b"\0" else "<"
    position, last = 0, -1
    for _ in range(2):
        if position + 12 > len(head):
            return False
        group, number = struct.unpack_from(f"{order}HH", head, position)
        tag = group << 16 | number
        if tag <= last or (last < 0 and group not in (0x0002, 0x0008)) or group > 0x0040:
            return False
        vr = head[position + 4 : position + 6]
        if explicit and vr not in _SHORT and vr not in _LONG:
            return False
        if explicit and vr in _SHORT:
            length, ahead = struct.unpack_from(f"{order}H", head, position + 6)[0], 8
        else:
            ahead = 12 if explicit else 8
            length = struct.unpack_from(f"{order}L", head, position + ahead - 4)[0]
        position, last = position + ahead + length, tag
        if length % 2 or position > size:
            return False
    return True
