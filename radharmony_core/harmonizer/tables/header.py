"""A table's first line: which delimiter, and which of the columns that are wanted stand where."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from radharmony_core.harmonizer.tables.records import split_cells
from radharmony_core.schema import IssueLog

__all__ = ["DELIMITERS", "Header", "Wanted"]

DELIMITERS = ",;\t|"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The columns ``expected``. Those of them that are ``optional`` may be missing, and other ones that are ``ignored`` may be
    there, without a word. ``other_names`` has the names that a column goes by in some files."""

    expected: Sequence[str]
    optional: Collection[str] = ()
    ignored: Collection[str] = ()
    other_names: Mapping[str, str] = field(default_factory=dict)


class Header:
    """``delimiter``; ``width``, how many columns there are; ``places`` of those that are wanted. Case and space around a name do
    not count, and of two columns of one name the first is meant."""

    def __init__(self, line: str, wanted: Wanted) -> None:
        self.delimiter = max(DELIMITERS, key=line.count)
        self._wanted = wanted
        names = [name.strip(' \t"').casefold() for name in split_cells(line, self.delimiter)]
        self._names = _common(names, wanted.other_names)
        self.width = len(names)
        folded = {name: name.casefold() for name in wanted.expected}
        self.places = {name: self._names.index(fold) for name, fold in folded.items() if fold in self._names}

    def say(self, log: IssueLog) -> None:
        """Columns that are missing, or there beside what was expected, are issues."""
        expected, optional, ignored = (
            {name.casefold() for name in names} for names in (self._wanted.expected, self._wanted.optional, self._wanted.ignored)
        )
        for name in self._wanted.expected:
            if name not in self.places and name.casefold() not in optional:
                log.add("missing_column", column=name)
        seen: set[str] = set()
        for name in self._names:
            if name not in expected | ignored or name in seen:
                log.add("extra_column", column=name)
            seen.add(name)


def _common(names: list[str], other_names: Mapping[str, str]) -> list[str]:
    """The names with another name of a column replaced, where the column is not there under its own."""
    own = {other.casefold(): name.casefold() for other, name in other_names.items()}
    common = list(names)
    for place, name in enumerate(names):
        if own.get(name, name) not in common:
            common[place] = own[name]
    return common
