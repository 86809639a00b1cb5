"""The film of a row: which file it is, and what it looks like."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from radharmony_core.dataset.notices import Said
from radharmony_core.dataset.sample_cache import ReducedFilm, SampleCache
from radharmony_core.dataset.transforms import DefaultTransform
from radharmony_core.errors import MissingFileError, OutsideRootError, RadHarmonyError
from radharmony_core.images import FilmImage, read_image
from radharmony_core.paths import locate, within
from radharmony_core.paths.locate import is_file

__all__ = ["Films"]


@dataclass(slots=True, eq=False)
class Films:
    """``paths`` are a table's, below ``root``. Errors name the row, because a table is where they are mended."""

    root: Path
    paths: pd.Series[str]
    cache: SampleCache
    said: Said
    _twins: frozenset[str] | None = field(default=None, init=False)

    def name(self, row: int) -> str:
        """How a row is called in a message."""
        return f"Row {row} ({self.paths.iloc[row]})"

    def native(self, row: int) -> FilmImage:
        """The film at its own size. Raises RadHarmonyError, an ImageError or a MissingFileError above all."""
        file = self._file(row)
        try:
            film = read_image(file)
        except RadHarmonyError as error:
            raise type(error)(f"{self.name(row)}: {error}") from error
        self._tell(row, film.said)
        return film

    def reduced(self, row: int, transform: DefaultTransform) -> ReducedFilm:
        """The film as the default transform fits it into its square, from the cache where it is there. Raises as ``native``."""

        def make() -> ReducedFilm:
            film = self.native(row)
            return ReducedFilm(transform.fit(film.pixels), film.height, film.width, film.said, film.orientation)

        film = self.cache.get(self._file(row), f"letterbox {transform.size}", (transform.size, transform.size), make)
        self._tell(row, film.notices)
        return film

    def _tell(self, row: int, notices: tuple[str, ...]) -> None:
        if notices:
            self.said.once(
                "pixels",
                f"{self.name(row)}: {' '.join(notices)} Other films may have such notices too: read_image(path).notices.",
            )

    def _file(self, row: int) -> Path:
        """Under its own name, else with another extension, unless that would be the film of another row."""
        path = self.paths.iloc[row]
        if not isinstance(path, str):
            raise MissingFileError(f"Row {row} names no image. missing_images() lists such rows.")
        try:
            exact = within(self.root, path)
            found = exact if is_file(exact) or _stem(path) in self._shared_stems() else locate(self.root, path)
        except OutsideRootError as error:
            raise OutsideRootError(f"{self.name(row)}: {error}") from error
        if found is None or not is_file(found):
            raise MissingFileError(
                f"{self.name(row)}: there is no such image below {self.root}. missing_images() lists all such rows; pass "
                "harmonized_df=present_images() to do without them, or the right base_image_dir."
            )
        return found

    def _shared_stems(self) -> frozenset[str]:
        """The names, extensions aside, that several rows have: their files are not taken for each other's."""
        if self._twins is None:
            stems = self.paths.dropna().str.replace(r"\.[^./]*$", "", regex=True).str.casefold()
            self._twins = frozenset(stems[stems.duplicated()])
        return self._twins


def _stem(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.rpartition('.')[0] or name}".casefold()
