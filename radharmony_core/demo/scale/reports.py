"""The text of every report: sections as often as in MIMIC-CXR, and in them what the labels say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from radharmony_core.demo.dice import pixel_stream
from radharmony_core.demo.layout import laid_out
from radharmony_core.demo.scale.hospital import Hospital
from radharmony_core.demo.scale.mentions import Statements
from radharmony_core.demo.scale.published import SECTIONS, apportion
from radharmony_core.demo.scale.words import ASIDES, FIRST, NORMAL, UNCHANGED
from radharmony_core.demo.texts import REASONS

__all__ = ["Reports"]

_BODIES = ("both", "findings", "impression", "view")
_ADDENDUM, _TECHNIQUE, _EXAMINATION, _ODD = 0.03, 0.5, 0.75, 0.01
_ODD_NAMES = (  # headings as typed by people in a hurry
    ("IMPRESSION", "Impression"), ("FINDINGS", "Findings"), ("IMPRESSION", "FIMPRESSION"), ("FINDINGS", "FINSINGS"),
    ("INDICATION", "INDCATION"), ("COMPARISON", "Comparison"),
)  # fmt: skip
_ASIDES = 7  # at most
_AROUND = ASIDES + ASIDES[:_ASIDES]  # so that each can be the first of several
_TIMES = tuple(f"{hour}:{minute:02d} {half}" for hour in range(1, 13) for minute in (4, 17, 34, 51) for half in ("AM", "PM"))


def _often(count: int, share: float, draws: np.random.Generator) -> NDArray[np.bool_]:
    """True for exactly ``share`` of ``count``, by chance."""
    return np.asarray(draws.permutation(count) < round(share * count))


def _one_of(count: int, shares: list[float], draws: np.random.Generator) -> list[int]:
    """Each number below ``len(shares)`` as often as its share says."""
    chosen: NDArray[Any] = draws.permutation(np.repeat(np.arange(len(shares)), apportion(shares, count)))
    return [int(one) for one in chosen.tolist()]


class Reports:
    """``text(study)`` for each study of the hospital; ``normal`` tells which reports say that nothing was found.

    Of the reports ``without_heading`` have none, as 66 of MIMIC-CXR's; the rest have the sections of ``SECTIONS`` that often.
    """

    def __init__(self, hospital: Hospital, said: Statements, normal: NDArray[np.bool_], without_heading: int, seed: int) -> None:
        count, draws = len(hospital.study_id), pixel_stream(seed, "scale", "reports")
        findings, impression = SECTIONS["findings"], SECTIONS["impression"]
        both, view = findings + impression - 0.99, 0.01
        self._said, self._normal = said, normal.tolist()
        self._kind = _one_of(count, [both, findings - both, impression - both, view], draws)
        history, indication = SECTIONS["history"], SECTIONS["indication"]
        self._head = _one_of(count, [indication, history, 1 - indication - history], draws)
        self._comparison = _often(count, SECTIONS["comparison"], draws).tolist()
        self._wet = _often(count, SECTIONS["wet read"], draws).tolist()
        self._addendum = _often(count, _ADDENDUM, draws).tolist()
        self._technique = _often(count, _TECHNIQUE, draws).tolist()
        self._examination = _often(count, _EXAMINATION, draws).tolist()
        self._odd = _often(count, _ODD, draws).tolist()
        plain = np.zeros(count, bool)
        plain[draws.choice(count, without_heading, replace=False)] = True
        self._plain = plain.tolist()
        self._number = draws.integers(0, 1 << 30, count).tolist()  # what small choices are made from
        self._female = hospital.female[hospital.patient].tolist()
        self._upright, self._earlier = hospital.upright.tolist(), (hospital.number > 0).tolist()

    def text(self, study: int) -> str:
        """The whole report, ending in a newline."""
        if self._plain[study]:
            return laid_out([("", self._whole(study))])
        sections = [*self._first(study), *self._bodies(study)]
        if self._odd[study]:
            name, other = _ODD_NAMES[self._number[study] % len(_ODD_NAMES)]
            sections = [(other if one == name else one, text) for one, text in sections]
        return laid_out(sections, addendum=self._addendum[study])

    def texts(self) -> Iterator[str]:
        """All reports in the order of the studies."""
        return map(self.text, range(len(self._plain)))

    def _closing(self, study: int) -> str:
        """What it comes to, in a sentence or two."""
        number = self._number[study]
        if self._normal[study]:
            return NORMAL[number % len(NORMAL)]
        found = self._said.found(study)
        if not found:
            return UNCHANGED[number % len(UNCHANGED)] if self._earlier[study] else FIRST
        return found[0] if len(found) == 1 else "  ".join(f"{place}.  {one}" for place, one in enumerate(found[:4], start=1))

    def _body(self, study: int) -> str:
        """What is there, what else is seen, and what is not there; "" where nothing is worth a word."""
        first, more = self._number[study] % len(ASIDES), self._number[study] // 31 % (_ASIDES + 1)
        parts = [*self._said.found(study), *_AROUND[first : first + more], self._said.denied(study)]
        return " ".join(filter(None, parts))

    def _whole(self, study: int) -> str:
        """All in one section."""
        body = self._body(study)
        return f"{body} {self._closing(study)}".lstrip() if self._normal[study] or not body else body

    def _first(self, study: int) -> Iterator[tuple[str, str]]:
        number, upright = self._number[study], self._upright[study]
        if self._wet[study]:
            yield "WET READ", f"___ ___ ___ {_TIMES[number % len(_TIMES)]}  {self._closing(study)}"
        if self._examination[study]:
            yield "EXAMINATION", "CHEST (PA AND LAT)" if upright else "CHEST (PORTABLE AP)"
        person, reason = "woman" if self._female[study] else "man", REASONS[number // 7 % len(REASONS)]
        if self._head[study] == 0:
            yield "INDICATION", f"___ year old {person} with {reason}  // please evaluate"
        elif self._head[study] == 1:
            yield "HISTORY", f"___-year-old {person} with {reason}."
        if self._technique[study]:
            yield "TECHNIQUE", "PA and lateral views of the chest." if upright else "Single portable AP view of the chest."
        if self._comparison[study]:
            yield "COMPARISON", "Chest radiograph from ___." if self._earlier[study] else "None."

    def _bodies(self, study: int) -> Iterator[tuple[str, str]]:
        kind = _BODIES[self._kind[study]]
        if kind == "view":
            yield "PA AND LATERAL VIEWS OF THE CHEST" if self._upright[study] else "PORTABLE AP CHEST", self._whole(study)
            return
        if kind == "both":
            yield "FINDINGS", self._body(study) or self._closing(study)
            yield "IMPRESSION", self._closing(study)
        else:
            yield kind.upper(), self._whole(study)
