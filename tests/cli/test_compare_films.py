"""``compare-films``: what it prints, and the three ways it can end."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from radharmony_core.cli import main
from radharmony_core.images import decode_image
from tests.images.make import dicom, saved
from tests.images.test_agreement import plain, scene


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    film = dicom(tmp_path / "film.dcm", scene(1), BitsStored=12)
    dicom(tmp_path / "cut.dcm", scene(1), pixels=b"\0" * 100)
    saved(tmp_path / "look.jpg", decode_image(film).show("mimic_cxr_jpg").pixels, "JPEG", quality=95)
    saved(tmp_path / "plain.png", plain(scene(1)), "PNG")
    saved(tmp_path / "half.jpg", plain(scene(1))[::2, ::2].copy(), "JPEG")
    saved(tmp_path / "negative.jpg", 255 - plain(scene(1)), "JPEG")
    saved(tmp_path / "moved.jpg", np.roll(plain(scene(1)), 4, axis=1), "JPEG")
    saved(tmp_path / "other.jpg", plain(scene(2)), "JPEG")
    saved(tmp_path / "square.jpg", plain(scene(1))[:240].copy(), "JPEG")
    (tmp_path / "page.jpg").write_text("<html>", encoding="utf-8")
    return tmp_path


# arguments; the exit code; words on stdout; words on stderr; why
ENDS = [
    (["film.dcm", "look.jpg"], 0, "is the MIMIC-CXR-JPG picture of the DICOM", "", "the published look"),
    (
        ["film.dcm", "plain.png"],
        0,
        "the same polarity (correlation 1.00); both are 240 x 300 pixels.",
        "",
        "the same picture, as a PNG",
    ),
    (["film.dcm", "half.jpg"], 0, "the JPG is 120 x 150 pixels, the DICOM 240 x 300, of the same shape", "", "half the size"),
    (["film.dcm", "negative.jpg"], 1, "is the negative of the DICOM (correlation -1.00)", "", "a negative"),
    (["film.dcm", "other.jpg"], 1, "not clearly", "", "another film"),
    (["film.dcm", "square.jpg"], 1, "of another shape", "", "a part of it"),
    (["film.dcm", "page.jpg"], 2, "", "page.jpg is not an image", "a failed download"),
    (["film.dcm", "moved.jpg"], 1, "not exactly in place: boxes may be off by about 2 %", "", "moved a little"),
    (["film.dcm", "gone.jpg"], 2, "", "gone.jpg: there is nothing. Check the path.", "no such file"),
    (["gone.dcm", "look.jpg"], 2, "", "gone.dcm: there is nothing. Check the path.", "no such DICOM file"),
    (["cut.dcm", "look.jpg"], 2, "", "cut.dcm is cut", "half a copy"),
    (["look.jpg", "film.dcm"], 0, "is the MIMIC-CXR-JPG picture of the DICOM", "", "the other way round"),
    (["film.dcm", "film.dcm"], 2, "", "got two DICOM files: film.dcm and film.dcm. Name one of each.", "two DICOM files"),
    (["look.jpg", "plain.png"], 2, "", "got a JPEG and a PNG", "no DICOM file"),
    (["film.dcm", "."], 2, "", "is a folder", "a folder"),
]


@pytest.mark.parametrize(("arguments", "code", "out", "err", "reason"), ENDS, ids=[row[4] for row in ENDS])
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_how_it_ends(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    out: str,
    err: str,
    reason: str,
    form: list[str],
) -> None:
    assert main(["compare-films", *arguments, *form]) == code, reason
    said = capsys.readouterr()
    assert err in said.err
    assert bool(said.err) == (code == 2)
    if code == 2:
        assert said.out == "" or json.loads(said.out) == {"error": said.err.rstrip("\n")}
        assert bool(said.out) == bool(form), "a program reads stdout"
        return
    words = json.loads(said.out)["words"] if form else said.out.rstrip("\n")
    assert out in words
    assert "\n" not in words
    if form:
        assert json.loads(said.out)["agrees"] == (code == 0)


def test_json_has_every_figure(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare-films", "film.dcm", "look.jpg", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["dicom_size"] == told["jpg_size"] == [240, 300]
    assert (told["size"], told["polarity"], told["turned"], told["is_mimic_cxr_jpg"]) == ("same", "same", "", True)
    assert 0 < told["mean_difference"] < 2
    assert 0.95 < told["correlation"] <= 1
    assert main(["compare-films", "film.dcm", "half.jpg", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mean_difference"] is None
    for name, in_place, displacement in (("look.jpg", True, 0.0), ("moved.jpg", False, 4 / 240)):
        main(["compare-films", "film.dcm", name, "--json"])
        told = json.loads(capsys.readouterr().out)
        assert told["in_place"] is in_place
        assert told["displacement"] == pytest.approx(displacement, abs=0.003)


@pytest.mark.parametrize(("arguments", "words"), [([], "DICOM"), (["film.dcm"], "JPG"), (["film.dcm", ""], "empty text")])
def test_it_needs_two_files(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["compare-films", *arguments])
    assert stop.value.code == 2
    assert words in capsys.readouterr().err


def test_a_film_is_not_changed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert main(["compare-films", "film.dcm", "plain.png"]) == 0
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
    assert np.array_equal(decode_image(folder / "plain.png").show().pixels, plain(scene(1)))
