"""Films of every kind for the tests of thumbnails; a picture with hard edges, gradients and grain, drawn here."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import imagecodecs
import numpy as np
import numpy.typing as npt
from PIL import Image

from tests.images.make import J2K, JPEG_8, RLE, dicom, fragments, rle_frame, saved

Gray = npt.NDArray[np.uint8]


def picture(width: int, height: int) -> Gray:
    """A bright shape on a dark ground, a black border, a white mark, and grain of a few gray levels."""
    y, x = np.mgrid[0:height, 0:width]
    round_part = np.hypot((x / width - 0.45) / 0.35, (y / height - 0.5) / 0.4) < 1
    level = 40 + 90 * y / height + 80 * round_part + np.random.default_rng(3).normal(0, 2, (height, width))
    level[: height // 20] = 0
    level[height // 10 : height // 7, width // 10 : width // 5] = 255
    gray: Gray = level.clip(0, 255).astype(np.uint8)
    return gray


def deep(width: int, height: int) -> npt.NDArray[np.uint16]:
    """The same on 12 bits."""
    return picture(width, height).astype(np.uint16) * 16


def jpeg_bytes(pixels: Gray, **options: Any) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "JPEG", **{"quality": 95, **options})
    return buffer.getvalue()


def exif(orientation: int) -> Image.Exif:
    tags = Image.Exif()
    tags[0x0112] = orientation
    return tags


WINDOW: dict[str, Any] = {"WindowCenter": 1600, "WindowWidth": 300}  # narrow: most of the film is clipped

# What is written; a name that says why.
KINDS: dict[str, Callable[[Path], Path]] = {
    "jpeg": lambda path: saved(path, picture(1204, 1400), "JPEG", quality=95),
    "jpeg of odd sides": lambda path: saved(path, picture(2041, 1555), "JPEG", quality=95),
    "jpeg reduced by two": lambda path: saved(path, picture(1051, 1203), "JPEG", quality=95),
    "jpeg with restart marks": lambda path: saved(path, picture(2100, 1300), "JPEG", quality=90, restart_marker_rows=1),
    "progressive jpeg": lambda path: saved(path, picture(2100, 1300), "JPEG", progressive=True),
    "colour jpeg": lambda path: saved(path, np.dstack([picture(2100, 1300)] * 3) // np.array([1, 2, 3], np.uint8), "JPEG"),
    "turned jpeg": lambda path: saved(path, picture(2100, 1300), "JPEG", exif=exif(6)),
    "small jpeg": lambda path: saved(path, picture(97, 61), "JPEG"),
    "png": lambda path: saved(path, picture(700, 901), "PNG"),
    "16-bit png": lambda path: saved(path, deep(700, 901), "PNG"),
    "tiff": lambda path: saved(path, picture(700, 901), "TIFF"),
    "dicom": lambda path: dicom(path, deep(700, 901), BitsStored=12, HighBit=11),
    "narrow window": lambda path: dicom(path, deep(700, 901), BitsStored=12, HighBit=11, **WINDOW),
    "white is low": lambda path: dicom(
        path, deep(700, 901), BitsStored=12, HighBit=11, PhotometricInterpretation="MONOCHROME1", **WINDOW
    ),
    "rle": lambda path: dicom(path, deep(300, 401), uid=RLE, pixels=fragments([rle_frame(deep(300, 401))]), **WINDOW),
    "jpeg in dicom": lambda path: dicom(path, picture(700, 901), uid=JPEG_8, pixels=fragments([jpeg_bytes(picture(700, 901))])),
    "jpeg 2000": lambda path: dicom(
        path, deep(700, 901), uid=J2K, pixels=fragments([_j2k(deep(700, 901))]), BitsStored=12, HighBit=11, **WINDOW
    ),
}


def _j2k(cells: npt.NDArray[np.uint16]) -> bytes:
    return bytes(imagecodecs.jpeg2k_encode(cells, codecformat="J2K", bitspersample=12, reversible=True))
