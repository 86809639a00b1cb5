"""The record list's images with what the metadata say of them."""

from __future__ import annotations

import numpy as np
import pyarrow.compute as pc

from radharmony_core.harmonizer.mimic.images import Images
from radharmony_core.harmonizer.mimic.joins import say_other_ids
from radharmony_core.harmonizer.places import places_in, taken, values_at
from radharmony_core.harmonizer.tables.numbers import as_mask
from radharmony_core.schema import IssueLog

__all__ = ["merged"]


def merged(records: Images, metadata: Images, log: IssueLog) -> Images:
    """The record list's images with the metadata's facts: a left join, in its order. Where ids differ the list is followed.

    Images that only the metadata has are MIMIC-CXR-JPG's alone, and are counted. ``log`` is the metadata's, whose record
    numbers it gives.
    """
    places = places_in(records.dicoms, metadata.dicoms)
    lacking = np.flatnonzero((places < 0) & as_mask(pc.is_valid(records.dicoms)))  # of a blank id it is said already
    names = values_at(records.dicoms, lacking)
    log.add("missing_metadata", rows=[None] * len(names), image_paths=values_at(records.paths, lacking), values=names)
    for name, theirs, ours in (
        ("study_id", metadata.studies, records.studies),
        ("subject_id", metadata.subjects, records.subjects),
    ):
        say_other_ids(name, taken(theirs, places), ours, metadata.rows, places, log)
    alone = len(metadata.rows) - len(np.unique(places[places >= 0]))
    if alone:
        log.add("missing_record", values=[f"{alone:,}"])
    return Images(
        rows=records.rows,
        dicoms=records.dicoms,
        subjects=records.subjects,
        studies=records.studies,
        paths=records.paths,
        facts={name: taken(column, places) for name, column in metadata.facts.items()},
    )
