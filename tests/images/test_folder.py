"""The images of a folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from radharmony_core.errors import MissingFileError
from radharmony_core.images import list_images
from tests.images.make import IMPLICIT, dicom

PIXELS = np.array([[0, 128], [200, 255]], np.uint8)


def test_images_are_found_by_content_and_junk_is_skipped(tmp_path: Path) -> None:
    found = [
        dicom(tmp_path / "B.DCM", PIXELS),
        dicom(tmp_path / "a", PIXELS, uid=IMPLICIT, frame="no preamble"),
        dicom(tmp_path / "c.txt", PIXELS),
    ]
    for name, kind in (("d.JPG", "JPEG"), ("e.jpeg", "PNG"), ("f.tif", "TIFF")):
        Image.fromarray(PIXELS).save(tmp_path / name, kind)
        found.append(tmp_path / name)
    for name in ("._B.DCM", ".hidden.dcm", "Thumbs.db", "desktop.INI"):
        dicom(tmp_path / name, PIXELS)
    (tmp_path / "empty.dcm").write_bytes(b"")
    (tmp_path / "list.csv").write_text("a,b\n")
    (tmp_path / "login.dcm").write_text("<html></html>")
    (tmp_path / "inner").mkdir()
    dicom(tmp_path / "inner" / "x.dcm", PIXELS)
    assert list_images(tmp_path) == sorted(found)


def test_links_are_followed_inside_the_folder_only(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    outside = dicom(tmp_path / "secret.dcm", PIXELS)
    inside = dicom(folder / "a.dcm", PIXELS)
    (folder / "out.dcm").symlink_to(outside)
    (folder / "in.dcm").symlink_to(inside)
    (folder / "broken.dcm").symlink_to(tmp_path / "nothing")
    (folder / "loop.dcm").symlink_to("loop.dcm")
    assert list_images(folder) == [inside, folder / "in.dcm"]


def test_an_empty_folder_has_no_images(tmp_path: Path) -> None:
    assert list_images(tmp_path) == []


def test_no_folder_is_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    for path in (tmp_path / "no", tmp_path / "file", tmp_path / "\ud800"):
        with pytest.raises(MissingFileError) as caught:
            list_images(path)
        assert str(caught.value).encode()
