"""Each record's image file: by class and number, because the folders that the table names (ImageDir) are not on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from radharmony_core.harmonizer.casia_cxr.names import class_in_name, parts_of_ids
from radharmony_core.harmonizer.places import first_places, places_in

__all__ = ["ImageFiles"]

_STEM = r"(?i)^.*/|\.jpe?g$"


@dataclass(frozen=True, slots=True)
class ImageFiles:
    """n image files: ``paths`` as they were listed, but those in a folder of their own class first, ``stems`` their names in
    lower case without extension, ``keys`` their ``<Class>/<number>``, null where the name is of another form."""

    paths: pa.Array
    stems: pa.Array
    keys: pa.Array

    @classmethod
    def of(cls, paths: Sequence[str]) -> ImageFiles:
        """From paths with ``/``; the first of several that fit a record is its image."""
        found = pa.array(paths, pa.string())
        stems = pc.utf8_lower(pc.replace_substring_regex(found, _STEM, ""))
        classes, numbers = parts_of_ids(stems)
        stray = ~pc.fill_null(pc.equal(classes, _classes_of_folders(found)), False).to_numpy(zero_copy_only=False)
        order = pa.array(np.argsort(stray, kind="stable"))
        return cls(*(column.take(order) for column in (found, stems, pc.binary_join_element_wise(classes, numbers, "/"))))

    def find(self, image_ids: pa.Array, classes: pa.Array, numbers: pa.Array) -> pa.Array:
        """Each record's path, null where there is no file.

        The file's name is ImageID itself; or ``CASIA-CXR_<Class>_<NNNN>`` with the digits of ImageID; or it has the record's
        class and number with other zeros before it; in any case. Where ``classes`` is null, because a record's ids disagree, only
        the first is asked: a film by its number would be another patient's.
        """
        ids = pc.utf8_lower(pc.utf8_trim_whitespace(image_ids))
        digits = pc.struct_field(pc.extract_regex(ids, r"(?P<digits>\d+)$"), "digits")
        digits = pc.if_else(pc.is_valid(parts_of_ids(ids)[1]), digits, pa.scalar(None, pa.string()))
        stems = pc.utf8_lower(pc.binary_join_element_wise("casia-cxr", classes, digits, "_"))
        keys = pc.binary_join_element_wise(classes, numbers, "/")
        tries = ((ids, self.stems), (stems, self.stems), (keys, self.keys))
        return pc.coalesce(*(self._paths_of(wanted, known) for wanted, known in tries))

    def passed_over(self, used: pa.Array) -> list[str]:
        """Files that are another of an image's by class and number, and that no record has."""
        counts = pc.value_counts(self.keys.drop_null())
        several = pc.struct_field(counts, "values").filter(pc.greater(pc.struct_field(counts, "counts"), 1))
        unused = pc.invert(pc.is_in(self.paths, used))
        again = first_places(self.keys) != np.arange(len(self.keys))
        taken = pc.is_in(self.keys, self.keys.filter(pc.invert(unused)))
        left = pc.and_(pc.and_(unused, pc.is_in(self.keys, several)), pc.or_(taken, pa.array(again)))
        return self.paths.filter(left).to_pylist()  # type: ignore[no-any-return]

    def count_of(self, class_name: str) -> int:
        """How many files have the class in their name."""
        return int(pc.sum(pc.fill_null(pc.starts_with(self.keys, f"{class_name}/"), False)).as_py() or 0)

    def _paths_of(self, wanted: pa.Array, known: pa.Array) -> pa.Array:
        once = pa.array(first_places(known) == np.arange(len(known)))
        places = places_in(wanted, known.filter(once))
        return self.paths.filter(once).take(pa.array(np.where(places < 0, 0, places), mask=places < 0))


def _classes_of_folders(paths: pa.Array) -> pa.Array:
    """The class that the folders of each path name, null where they name none, or two."""
    folders = pc.replace_substring_regex(paths, "[^/]*$", "").dictionary_encode()
    names = [class_in_name(folder) for folder in folders.dictionary.to_pylist()]
    return pa.array(names, pa.string()).take(folders.indices)
