"""Counts at the published size by hand from the releases' pages, and their shares at other sizes."""

from __future__ import annotations

import pytest

from radharmony_core.demo.scale.published import FULL, apportion, ms_counts, size_of

OTHER_SIZES = (5_001, 5_002, 5_100, 6_000, 12_345, 99_999, 377_109, 377_111, 1_000_000)


@pytest.mark.parametrize(
    ("weights", "total", "parts", "reason"),
    [
        ([1, 1], 2, [1, 1], "even"),
        ([1, 1], 3, [2, 1], "of equal remainders the first gets more"),
        ([1, 2, 7], 10, [1, 2, 7], "exact"),
        ([1, 2, 7], 5, [1, 1, 3], "0.5, 1.0 and 3.5: the first of the equal remainders"),
        ([3, 1], 0, [0, 0], "nothing to share"),
        ([0, 5], 4, [0, 4], "no weight, no part"),
        ([0.1, 0.2], 3, [1, 2], "fractions"),
    ],
)
def test_apportion(weights: list[float], total: int, parts: list[int], reason: str) -> None:
    assert apportion(weights, total) == parts, reason


def test_the_full_size_is_the_published_one() -> None:
    size = size_of(377_110)
    assert FULL == 377_110
    assert size.images == [368_960, 2_991, 5_159]
    assert size.studies == [222_758, 1_808, 3_269]
    assert size.patients == [64_586, 500, 293]
    assert sum(size.without_row) == 8
    assert sum(size.without_label) == 2_414
    assert size.labelled_by_hand == 687
    assert size.without_heading == 66


def test_ms_cxr_at_full_size_is_the_published_one() -> None:
    train, val, test = ms_counts(377_110)
    assert list(test.phrases.values()) == [8, 53, 15, 8, 12, 14, 30, 36]
    assert [sum(part.phrases[name] for part in (train, val, test)) for name in test.phrases] == [
        61, 333, 117, 46, 82, 96, 182, 245,
    ]  # fmt: skip
    assert [sum(part.phrases.values()) + part.extra for part in (train, val, test)] == [1_020, 212, 216]
    counts = [(sum(part.phrases.values()), part.seconds, part.pairs, part.repeats) for part in (train, val, test)]
    phrases, seconds, pairs, repeats = (sum(values) for values in zip(*counts, strict=True))
    assert (phrases, phrases - seconds, phrases - seconds - pairs, phrases - seconds - pairs - repeats) == (
        1_162, 1_120, 1_047, 851,
    ), "phrases, image records of the JSON, images, patients"  # fmt: skip
    assert sum(part.from_scratch for part in (train, val, test)) == 136


@pytest.mark.parametrize("images", OTHER_SIZES)
def test_other_sizes_are_whole_and_in_proportion(images: int) -> None:
    size = size_of(images)
    assert sum(size.images) == sum(size.views) == images
    for films, studies, patients in zip(size.images, size.studies, size.patients, strict=True):
        assert films >= studies >= patients >= 1
    assert sum(size.studies) == pytest.approx(images * 227_835 / 377_110, abs=1)
    for part in ms_counts(images):
        assert min(part.phrases.values()) >= 0
        assert part.seconds + part.pairs + 2 * part.repeats <= sum(part.phrases.values())
    assert all(sum(part.phrases[name] for part in ms_counts(images)) >= 1 for name in part.phrases), "every category"
