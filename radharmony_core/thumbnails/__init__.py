"""Films as small pictures, made once and kept."""

from radharmony_core.thumbnails.build import Built, Survey, build, bytes_needed, survey
from radharmony_core.thumbnails.cache import ThumbnailCache
from radharmony_core.thumbnails.films import FilmFiles, film_files
from radharmony_core.thumbnails.make import SIDE, Thumbnail, thumbnail

__all__ = [
    "SIDE",
    "Built",
    "FilmFiles",
    "Survey",
    "Thumbnail",
    "ThumbnailCache",
    "build",
    "bytes_needed",
    "film_files",
    "survey",
    "thumbnail",
]
