"""MS-CXR's paths where only a part of the images is on the disk, or they are of another kind than the table says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from radharmony_core.harmonizer import MSCXRHarmonizer
from tests.support import annotation, gray_image, write_table

COUNT = 120


def rows() -> list[dict[str, object]]:
    return [annotation(patient=f"100{number:05}", study=f"500{number:05}", dicom_id=f"i{number}") for number in range(COUNT)]


def place(number: int, suffix: str = ".jpg") -> str:
    return f"p10/p100{number:05}/s500{number:05}/i{number}{suffix}"


def jpg(_: int) -> str:
    return ".jpg"


def dcm(_: int) -> str:
    return ".dcm"


def png(_: int) -> str:
    return ".png"


def mixed(number: int) -> str:
    return ".dcm" if number % 3 else ".jpg"


PARTS: list[tuple[str, list[int], Callable[[int], str], Callable[[int], str], list[tuple[str, str]]]] = [
    # reason, images on the disk, their extensions, the extensions of the table afterwards, the issues
    ("one JPG", [7], jpg, jpg, []),
    ("a few JPGs", [7, 11, 13], jpg, jpg, []),
    ("one DICOM: the others are named as they will be", [7], dcm, dcm, []),
    ("a few of both kinds", [7, 11, 12], mixed, lambda number: ".dcm" if number in (7, 11) else ".jpg", [("tree_mixed", "")]),
    ("a few PNGs", [7, 11], png, lambda number: ".png" if number in (7, 11) else ".jpg", [("tree_kind", ".png")]),
    ("all as PNGs", list(range(COUNT)), png, png, [("tree_kind", ".png")]),
    ("all as DICOM", list(range(COUNT)), dcm, dcm, []),
    ("all, of both kinds", list(range(COUNT)), mixed, mixed, [("tree_mixed", "")]),
]  # fmt: skip


@pytest.mark.parametrize(("depth", "very_many"), [("", False), ("", True), ("mimic-cxr-jpg/2.1.0/files", False)])
@pytest.mark.parametrize(("reason", "there", "suffix", "expected", "issues"), PARTS, ids=[row[0] for row in PARTS])
def test_a_part_of_the_images_is_found_film_by_film(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    depth: str,
    very_many: bool,
    reason: str,
    there: list[int],
    suffix: Callable[[int], str],
    expected: Callable[[int], str],
    issues: list[tuple[str, str]],
) -> None:
    if very_many:  # as if these were more than the few thousand that are each looked up
        monkeypatch.setattr("radharmony_core.harmonizer.ms_cxr.on_disk._EACH_LOOKED_UP", COUNT - 1)
    base = tmp_path / "data"
    for number in there:
        gray_image(base / depth / place(number, suffix(number)), 4, 4)
    harmonizer = MSCXRHarmonizer(write_table(tmp_path / "ms.csv", rows()), base)
    found = harmonizer.harmonize()["image_path"].tolist()
    assert found == [place(number, expected(number)) for number in range(COUNT)], reason
    assert harmonizer.image_root == base / depth
    told = harmonizer.issues.fillna({"value": ""})
    assert list(zip(told["code"], told["value"], strict=True)) == issues


def test_other_patients_images_are_said_not_to_be_those(tmp_path: Path) -> None:
    gray_image(tmp_path / "data" / "files" / "p19" / "p19000000" / "s59000000" / "z.jpg", 4, 4)
    harmonizer = MSCXRHarmonizer(write_table(tmp_path / "ms.csv", rows()), tmp_path / "data")
    assert harmonizer.harmonize()["image_path"].tolist() == [place(number) for number in range(COUNT)]
    assert harmonizer.image_root is None
    assert harmonizer.issues["code"].tolist() == ["tree_not_found"]


def test_a_tree_of_another_kind_is_said_in_its_own_words(tmp_path: Path) -> None:
    gray_image(tmp_path / "files" / place(0, ".png"), 4, 4)
    harmonizer = MSCXRHarmonizer(write_table(tmp_path / "ms.csv", rows()[:1]), tmp_path / "files")
    assert harmonizer.issues["message"].tolist() == [
        "The images' files end in .png, not as the table says; each image was looked up by itself."
    ]


@pytest.mark.parametrize(
    ("linked", "count", "codes"),
    [
        ("p10", COUNT, ["tree_not_found", "link_outside"]),
        ("p10/p10000007", 1, ["link_outside"]),
        (place(7), 1, ["link_outside"]),
    ],
)
def test_images_that_a_link_leads_out_to_are_issues(tmp_path: Path, linked: str, count: int, codes: list[str]) -> None:
    """They are not opened, so it has to be said why; the rows stay."""
    files = tmp_path / "data" / "files"
    for number in range(COUNT):
        gray_image(files / place(number), 4, 4)
    (files / linked).rename(tmp_path / "moved")
    (files / linked).symlink_to(tmp_path / "moved")
    harmonizer = MSCXRHarmonizer(write_table(tmp_path / "ms.csv", rows()), tmp_path / "data")
    assert harmonizer.harmonize()["image_path"].tolist() == [place(number) for number in range(COUNT)]
    issues = harmonizer.issues
    assert list(dict.fromkeys(issues["code"])) == codes
    told = issues[issues["code"] == "link_outside"]
    assert len(told) == count
    assert place(7) in told["image_path"].tolist()
