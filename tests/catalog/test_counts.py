"""Why found and published counts differ, as far as they themselves can tell."""

from __future__ import annotations

import pytest

from radharmony_core.catalog import PUBLISHED, explain

WHOLE = PUBLISHED["ms_cxr"]
NO_SPLIT = {**WHOLE, "boxes, train": 0, "boxes, val": 0, "boxes, test": 0}

ROWS = [
    # reason, kind, found, made up, words
    ("as published", "ms_cxr", WHOLE, False, ""),
    ("as published, though made up", "ms_cxr", WHOLE, True, ""),
    ("made up", "ms_cxr", {"images": 57}, True, "made-up data"),
    ("nothing", "ms_cxr", {}, False, "No row was found"),
    ("release 0.1", "ms_cxr", NO_SPLIT, False, "release 0.1"),
    ("a subset", "mimic_cxr_jpg", {"images": 37_711}, False, "A subset: 37,711 of 377,110 images (10.0 %)."),
    ("a small one", "mimic_cxr_jpg", {"images": 110}, False, "(less than 0.1 %)"),
    ("the web page's count", "casia_cxr", {"images": 10_931}, False, "A subset: 10,931 of 11,111"),
    ("more", "mimic_cxr", {"images": 377_111}, False, "377,111 images, more than the 377,110"),
    ("the same images, other boxes", "ms_cxr", {**WHOLE, "boxes": 1_449}, False, "other numbers differ"),
]


@pytest.mark.parametrize(("reason", "kind", "found", "made_up", "words"), ROWS, ids=[row[0] for row in ROWS])
def test_a_difference_is_explained(reason: str, kind: str, found: dict[str, int], made_up: bool, words: str) -> None:
    said = explain(kind, found, made_up=made_up)
    assert (words in said) if words else said == "", reason


def test_the_published_parts_sum_to_the_whole() -> None:
    for kind, counts in PUBLISHED.items():
        for whole, total in counts.items():
            parts = [number for name, number in counts.items() if name.startswith(f"{whole}, ")]
            assert not parts or sum(parts) == total, (kind, whole)


def test_a_file_that_was_cut_is_no_subset() -> None:
    assert "could not be read whole" in explain("mimic_cxr_jpg", {"images": 37_711}, made_up=False, damaged=True)
