"""Whole files of every kind that is read, small, so that a change meets the parts that decide and a second takes many."""

from __future__ import annotations

import io
import struct
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import imagecodecs
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageCms

from tests.images import make

__all__ = ["DEFLATED_HEAD", "seeds"]

Cells = npt.NDArray[Any]
Stream = bytes | bytearray  # as the encoders give it

GRAY: Cells = np.random.default_rng(3).integers(0, 256, (24, 20)).astype(np.uint8)
GRAY[16:] = 7  # flat, as the border of a film is
DEEP = GRAY.astype(np.uint16) * 16
SIGNED = DEEP.astype(np.int16) - 2000
COLOUR = np.dstack([GRAY, GRAY[::-1], 255 - GRAY])
LARGEST_SEED = 500_000

EXTENDED, LOSSLESS_ANY, NEAR_LOSSLESS = "1.2.840.10008.1.2.4.51", "1.2.840.10008.1.2.4.57", "1.2.840.10008.1.2.4.81"
LOSSY_J2K, HTJ2K, XL_LOSSLESS, XL = (f"1.2.840.10008.1.2.4.{number}" for number in (91, 201, 110, 112))

# What stands before the deflated data set of the deflated seeds.
DEFLATED_HEAD = bytes(128) + b"DICM" + make.meta(make.DEFLATED)

TABLE = [{"LUTDescriptor": [4, 0, 16], "LUTData": struct.pack("<4H", 0, 20000, 40000, 65535)}]
TWO_WINDOWS: dict[str, Any] = {
    "WindowCenter": ["2000", "1500.5"],
    "WindowWidth": ["4000", "800"],
    "WindowCenterWidthExplanation": ["NORMAL", "BONE"],
    "RescaleSlope": "2",
    "RescaleIntercept": "-1024",
    "RescaleType": "HU",
}

# Tags by case, over 12 bits stored in 16, uncompressed.
HEADERS: dict[str, dict[str, Any]] = {
    "plain": {},
    "12 bits": {"BitsStored": 12},
    "high bit": {"BitsStored": 12, "HighBit": 15},
    "windows": TWO_WINDOWS,
    "sigmoid": TWO_WINDOWS | {"VOILUTFunction": "SIGMOID"},
    "exact": TWO_WINDOWS | {"VOILUTFunction": "LINEAR_EXACT", "PhotometricInterpretation": "MONOCHROME1"},
    "tables": {"ModalityLUTSequence": TABLE, "VOILUTSequence": TABLE * 2, "PresentationLUTShape": "INVERSE"},
    "padding": {"PixelPaddingValue": 0, "PixelPaddingRangeLimit": 112, "WindowCenter": "99", "WindowWidth": "1"},
    "frames": {"NumberOfFrames": "2", "Rows": 12},
    "no bits": {"BitsAllocated": None, "BitsStored": None, "HighBit": None, "PixelRepresentation": None},
}


def seeds(more: Path | None = None) -> dict[str, bytes]:
    """Files by name; those of ``more``, a folder looked through to its bottom, are added unless they are large."""
    with tempfile.TemporaryDirectory() as name:
        found = dict(_dicom(Path(name) / "seed"))
    found |= {f"raster {name}": bytes(data) for name, data in _raster()}
    for path in sorted(more.rglob("*")) if more else []:
        if path.is_file() and path.stat().st_size <= LARGEST_SEED and path.suffix.lower() in (".dcm", ".png", ".jpg", ".tif"):
            found[f"file {path.name}"] = path.read_bytes()
    return found


def _dicom(path: Path) -> Iterator[tuple[str, bytes]]:
    def made(cells: Cells = DEEP, **options: Any) -> bytes:
        return make.dicom(path, cells, **options).read_bytes()

    for name, tags in HEADERS.items():
        yield f"dicom {name}", made(**tags)
    yield "dicom signed", made(SIGNED, BitsStored=13, **TWO_WINDOWS)
    yield "dicom 8 bit", made(GRAY, PhotometricInterpretation="MONOCHROME1")
    yield "dicom 32 bit", made(DEEP.astype(np.uint32) * 99)
    yield "dicom colour", made(COLOUR)
    yield "dicom planes", made(np.moveaxis(COLOUR, -1, 0).reshape(24, 20, 3), PlanarConfiguration=1)
    yield "dicom full ybr", made(COLOUR, PhotometricInterpretation="YBR_FULL")
    yield "dicom palette", made(GRAY, PhotometricInterpretation="PALETTE COLOR", **_palette())
    for name, uid in (("implicit", make.IMPLICIT), ("big endian", make.BIG_ENDIAN), ("deflated", make.DEFLATED)):
        yield f"dicom {name}", made(uid=uid, VOILUTSequence=TABLE, **TWO_WINDOWS)
    yield "dicom bare", made(uid=make.IMPLICIT, frame="no preamble", **TWO_WINDOWS)
    for name, kind, uid, cells, stream in _codestreams():
        photometric = {"PhotometricInterpretation": "YBR_FULL_422"} if cells.ndim == 3 else {}
        yield f"dicom {name}", made(cells, uid=uid, pixels=make.fragments([bytes(stream)]), **photometric | kind)
    whole = [bytes(imagecodecs.jpeg8_encode(cells)) for cells in (GRAY, 255 - GRAY)]
    offsets = [0, 8 + len(whole[0]) + len(whole[0]) % 2]
    yield "dicom jpeg frames", made(GRAY, uid=make.JPEG_8, pixels=make.fragments(whole, offsets), NumberOfFrames="2")
    for keyword in ("FloatPixelData", "DoubleFloatPixelData"):
        yield f"dicom {keyword}", _floating(made(VOILUTSequence=TABLE, **TWO_WINDOWS), keyword)


def _palette() -> dict[str, Any]:
    ramp = np.arange(256, dtype="<u2") * 257
    parts = ("Red", "Green", "Blue")
    tags: dict[str, Any] = {f"{part}PaletteColorLookupTableDescriptor": [256, 0, 16] for part in parts}
    return tags | {f"{part}PaletteColorLookupTableData": ramp.tobytes() for part in parts}


def _floating(data: bytes, keyword: str) -> bytes:
    """The file with its pixel data as float32 or float64 instead (PS3.3 C.7.6.24, C.7.6.25)."""
    tag, vr, kind, bits = {"FloatPixelData": (0x7FE00008, "OF", "<f4", 32)}.get(keyword, (0x7FE00009, "OD", "<f8", 64))
    head = data[: data.rindex(struct.pack("<HH", 0x7FE0, 0x0010))]
    head = head.replace(
        struct.pack("<HH2sHH", 0x0028, 0x0100, b"US", 2, 16), struct.pack("<HH2sHH", 0x0028, 0x0100, b"US", 2, bits)
    )
    values = DEEP.astype(kind) / 7
    values[0, :3] = [np.nan, np.inf, -1e30]
    return head + make.element(tag, vr, values.tobytes())


def _codestreams() -> Iterator[tuple[str, dict[str, Any], str, Cells, Stream]]:
    """Name, tags, transfer syntax, cells and one frame's codestream."""
    twelve = {"BitsStored": 12} | TWO_WINDOWS
    jpeg, j2k, lossless = imagecodecs.jpeg8_encode, imagecodecs.jpeg2k_encode, imagecodecs.ljpeg_encode
    yield "jpeg", {}, make.JPEG_8, GRAY, jpeg(GRAY, level=90)
    yield "jpeg colour", {}, make.JPEG_8, COLOUR, jpeg(COLOUR, level=90)
    yield "jpeg 12", twelve, EXTENDED, DEEP, jpeg(DEEP, bitspersample=12)
    yield "jpeg lossless", twelve, make.JPEG_LOSSLESS, DEEP, lossless(DEEP, bitspersample=12)
    yield "jpeg lossless 4", {}, LOSSLESS_ANY, DEEP, jpeg(DEEP, lossless=True, predictor=4)
    yield "jpeg lossless signed", {}, make.JPEG_LOSSLESS, SIGNED, lossless(SIGNED.view(np.uint16), bitspersample=16)
    yield "jpeg ls", {}, make.JPEG_LS, DEEP, imagecodecs.jpegls_encode(DEEP)
    yield "jpeg ls near", {}, NEAR_LOSSLESS, DEEP, imagecodecs.jpegls_encode(DEEP, level=2)
    yield "jpeg ls colour", {"PhotometricInterpretation": "RGB"}, make.JPEG_LS, COLOUR, imagecodecs.jpegls_encode(COLOUR)
    yield "j2k", twelve, make.J2K, DEEP, j2k(DEEP, codecformat="j2k", bitspersample=12, reversible=True)
    yield "j2k lossy", {}, LOSSY_J2K, GRAY, j2k(GRAY, codecformat="j2k", level=30)
    yield (
        "j2k colour",
        {"PhotometricInterpretation": "YBR_RCT"},
        make.J2K,
        COLOUR,
        j2k(COLOUR, codecformat="j2k", reversible=True),
    )
    yield "j2k signed", {}, make.J2K, SIGNED, j2k(SIGNED, codecformat="j2k", reversible=True)
    yield "htj2k", {}, HTJ2K, DEEP, imagecodecs.htj2k_encode(DEEP)
    yield "jxl lossless", {}, XL_LOSSLESS, DEEP, imagecodecs.jpegxl_encode(DEEP, lossless=True)
    yield "jxl", {}, XL, GRAY, imagecodecs.jpegxl_encode(GRAY)
    yield "rle", {}, make.RLE, DEEP, make.rle_frame(DEEP)
    yield "rle 8", {}, make.RLE, GRAY, struct.pack("<2L", 1, 64).ljust(64, b"\0") + make.packbits(GRAY.tobytes())


def _raster() -> Iterator[tuple[str, Stream]]:
    for name, (picture, kind, options) in _PICTURES.items():
        buffer = io.BytesIO()
        picture().save(buffer, kind, **options)
        yield name, buffer.getvalue()
    yield "jpeg 12", imagecodecs.jpeg8_encode(DEEP, bitspersample=12)
    yield "jpeg lossless", imagecodecs.ljpeg_encode(DEEP, bitspersample=16)
    yield "jpeg ls", imagecodecs.jpegls_encode(DEEP)
    yield "jpeg 420", imagecodecs.jpeg8_encode(COLOUR, subsampling="420")
    for colour, depth, channels in ((0, 1, 1), (0, 2, 1), (2, 16, 3), (4, 16, 2), (6, 16, 4), (4, 8, 2)):
        rows = b"".join(b"\0" + bytes(range((20 * channels * depth + 7) // 8)) for _ in range(24))
        yield f"png {colour} {depth}", make.png(20, 24, rows, depth=depth, colour=colour)
    yield "png animated", imagecodecs.apng_encode(np.stack([GRAY, GRAY[::-1]]))
    for number, pixels in enumerate((GRAY, DEEP, DEEP.astype(np.uint32) << 12, SIGNED, DEEP.astype(np.float32), DEEP / 3)):
        sample_format = {"u": 1, "i": 2, "f": 3}[pixels.dtype.kind]
        yield f"tiff {pixels.dtype}", make.tiff(pixels, number % 2, sample_format=sample_format, order="<>"[number % 2])
    yield "tiff float half", make.tiff(np.array([[np.nan, np.inf], [0, 1]], np.float16), 1, sample_format=3)


def _image(pixels: Cells, mode: str | None = None) -> Callable[[], Image.Image]:
    return lambda: Image.fromarray(pixels).convert(mode) if mode else Image.fromarray(pixels)


_PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
_EXIF = b"Exif\0\0" + make.exif(6)
_PICTURES: dict[str, tuple[Callable[[], Image.Image], str, dict[str, Any]]] = {
    "jpeg": (_image(GRAY), "JPEG", {"exif": _EXIF}),
    "jpeg progressive": (_image(COLOUR), "JPEG", {"progressive": True, "icc_profile": _PROFILE}),
    "jpeg gray progressive": (_image(GRAY), "JPEG", {"progressive": True}),
    "jpeg cmyk": (_image(COLOUR, "CMYK"), "JPEG", {}),
    "jpeg restart": (_image(GRAY), "JPEG", {"restart_marker_rows": 1, "comment": "a film"}),
    "png": (_image(GRAY), "PNG", {"exif": make.exif(3), "icc_profile": _PROFILE}),
    "png deep": (_image(DEEP), "PNG", {}),
    "png colour": (_image(COLOUR), "PNG", {"transparency": (1, 2, 3)}),
    "png alpha": (_image(np.dstack([COLOUR, GRAY])), "PNG", {}),
    "png palette": (lambda: Image.fromarray(COLOUR).quantize(9), "PNG", {"transparency": 3}),
    "png bits": (_image(GRAY, "1"), "PNG", {}),
    "tiff lzw": (_image(GRAY), "TIFF", {"compression": "tiff_lzw"}),
    "tiff deflate": (_image(DEEP), "TIFF", {"compression": "tiff_adobe_deflate"}),
    "tiff packbits": (_image(COLOUR), "TIFF", {"compression": "packbits"}),
    "tiff jpeg": (_image(COLOUR), "TIFF", {"compression": "jpeg"}),
    "tiff bits": (_image(GRAY, "1"), "TIFF", {"compression": "group4"}),
    "tiff pages": (_image(GRAY), "TIFF", {"save_all": True, "append_images": [Image.fromarray(GRAY)]}),
    "tiff alpha": (_image(np.dstack([COLOUR, GRAY])), "TIFF", {}),
    "tiff palette": (lambda: Image.fromarray(COLOUR).quantize(9), "TIFF", {}),
    "tiff cmyk": (_image(COLOUR, "CMYK"), "TIFF", {}),
    "tiff lab": (_image(COLOUR, "LAB"), "TIFF", {}),
}
