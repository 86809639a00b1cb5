"""MS-CXR's phrases and boxes on the films of the plan: what the report says, edited here and there, and where it is."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from radharmony_core.boxes import PixelBox
from radharmony_core.demo.film import FilmSpec, boxes_of
from radharmony_core.demo.findings import Finding
from radharmony_core.demo.mscxr import Record
from radharmony_core.demo.scale.annotated import Annotated
from radharmony_core.demo.scale.hospital import Hospital
from radharmony_core.demo.scale.published import MS_SPLITS, TWO_SIDED, MsCounts
from radharmony_core.demo.scale.words import Saying, sayings
from radharmony_core.demo.scenarios import phrases_of

__all__ = ["Phrase", "phrases_on", "records_on"]

_EDITED = 0.25  # of the phrases that were reviewed, one word is another
_OTHER_WORDS = (("small", "tiny"), ("mild", "slight"), ("severe", "marked"), ("large", "sizable"))


@dataclass(frozen=True, slots=True)
class Phrase:
    """One annotation: what the image's report says (``saying``, by its place among the label's), and the annotator's ``text``."""

    image: Annotated
    category: str
    saying: int
    finding: Finding
    text: str


def _two_sided(images: list[Annotated], extra: int, draws: np.random.Generator) -> set[tuple[int, str]]:
    """The (film, category) that get a second box: edema wherever possible, then others, but none with two phrases."""
    can = [(image.film, name) for image in images for name in image.categories if name in TWO_SIDED and name not in image.seconds]
    order = [can[place] for place in draws.permutation(len(can))]
    order.sort(key=lambda one: one[1] != "Edema")
    return set(order[:extra])


def _chosen(category: str, *, both: bool, draws: np.random.Generator) -> tuple[int, Finding]:
    """A saying that fits the number of sides, and the finding as it lies on the film."""
    sided = category not in ("Cardiomegaly", "Edema")
    shown = ((place, one.finding) for place, one in enumerate(sayings(category, 1)) if one.finding)
    fit = [(place, finding) for place, finding in shown if not sided or (finding.side == 0) == both]
    place, finding = fit[int(draws.integers(len(fit)))]
    side = int(draws.choice((-1, 1))) if category == "Edema" and not both else finding.side
    return place, replace(finding, side=side, seed=int(draws.integers(1 << 40)))


def _edited(phrase: str) -> str:
    """The same with one word changed, or added where none of the usual ones is there."""
    for word, other in _OTHER_WORDS:
        if phrase.startswith(f"{word} "):
            return other + phrase.removeprefix(word)
    return f"new {phrase}"


def _others(saying: Saying, finding: Finding) -> list[str]:
    """Words of the annotator's own for the same finding, that the report does not hold: two at least."""
    sentence = saying.sentence.lower()
    others = [phrase for phrase in phrases_of(finding) if phrase.lower() not in sentence]
    return [*others, f"findings of {saying.phrase}, as marked", f"outlined: {saying.phrase}"]


def _text(saying: Saying, finding: Finding, from_scratch: bool, draws: np.random.Generator) -> str:
    edited, capital = draws.random() < _EDITED, draws.random() < 0.6
    phrase = _others(saying, finding)[0] if from_scratch else _edited(saying.phrase) if edited else saying.phrase
    return phrase[0].upper() + phrase[1:] if capital else phrase


def _of_split(images: list[Annotated], counts: MsCounts, draws: np.random.Generator) -> list[Phrase]:
    both = _two_sided(images, counts.extra, draws)
    firsts = [(image, name) for image in images for name in image.categories]
    seconds = sum(len(image.seconds) for image in images)
    scratch = set(draws.permutation(len(firsts))[: max(0, counts.from_scratch - seconds)].tolist())
    phrases = []
    for number, (image, name) in enumerate(firsts):
        place, finding = _chosen(name, both=(image.film, name) in both, draws=draws)
        saying = sayings(name, 1)[place]
        phrases.append(Phrase(image, name, place, finding, _text(saying, finding, number in scratch, draws)))
        if name in image.seconds:
            first = phrases[-1].text.lower()
            other = next(text for text in _others(saying, finding) if text.lower() != first)
            phrases.append(Phrase(image, name, place, finding, other))
    return phrases


def phrases_on(images: list[Annotated], counts: list[MsCounts], draws: np.random.Generator) -> list[Phrase]:
    """A phrase for every category of every image, and the second ones; in the order of the films."""
    found = []
    for split, wanted in zip(MS_SPLITS, counts, strict=True):
        found += _of_split([image for image in images if image.split == split], wanted, draws)
    return sorted(found, key=lambda one: one.image.film)


def _boxes(hospital: Hospital, phrase: Phrase, seed: int) -> list[PixelBox]:
    film, study = phrase.image.film, phrase.image.study
    patient = int(hospital.patient[study])
    spec = FilmSpec(
        seed, patient, film, int(hospital.width[film]), int(hospital.height[film]), False, not hospital.upright[study],
        bool(hospital.female[patient]), (phrase.finding,),
    )  # fmt: skip
    return boxes_of(spec)[0][1]


def records_on(hospital: Hospital, phrases: list[Phrase], paths: dict[int, str], seed: int) -> list[Record]:
    """The rows of the table. ``paths`` maps a film to its path below the release's root."""
    records = []
    for one in phrases:
        film = one.image.film
        verbatim = one.text.lower() in sayings(one.category, 1)[one.saying].sentence.lower()
        path = paths[film]
        records += [
            Record(
                path.rpartition("/")[2].removesuffix(".jpg"), one.category, one.text, path, box, int(hospital.width[film]),
                int(hospital.height[film]), one.image.split, verbatim,
            )
            for box in _boxes(hospital, one, seed)
        ]  # fmt: skip
    return records
