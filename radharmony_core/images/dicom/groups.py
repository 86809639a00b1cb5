"""Rescale and window of images of the enhanced kinds, which say them in functional groups (PS3.3 C.7.6.16)."""

from __future__ import annotations

from typing import BinaryIO

from pydicom.charset import default_encoding
from pydicom.dataelem import DataElement, RawDataElement
from pydicom.dataset import Dataset
from pydicom.filereader import read_sequence_item

from radharmony_core.images.dicom.keywords import FUNCTIONAL_GROUPS, OF_A_GROUP
from radharmony_core.images.dicom.tags import NO_VALUE, Values, encoding_of, values_of

__all__ = ["fill_from_groups"]


def fill_from_groups(values: Values, data_set: Dataset, stream: BinaryIO) -> None:
    """Add the rescale and the window of the first frame to ``values``, where the data set itself has none.

    ``stream`` is that of ``data_set``. Nothing raises: ``values.has_unread_groups`` tells that something cannot be read.
    """
    for keyword in FUNCTIONAL_GROUPS:
        if keyword in data_set:
            try:
                _fill(values, _first_item(data_set, keyword, stream), stream)
            except NO_VALUE:
                values.has_unread_groups = True


def _fill(values: Values, groups: Dataset | None, stream: BinaryIO) -> None:
    for keyword, keywords in OF_A_GROUP.items():
        if groups is not None and keyword in groups:
            inner = _first_item(groups, keyword, stream)
            if inner is not None:
                values.fill(keywords, values_of(inner, stream, keywords))


def _first_item(data_set: Dataset, keyword: str, stream: BinaryIO) -> Dataset | None:
    """The first item alone, which is that of the first frame: an image may have thousands."""
    element: RawDataElement | DataElement = data_set.get_item(keyword, keep_deferred=True)
    if isinstance(element, DataElement):
        return next(iter(element.value), None)
    if element.length == 0:
        return None
    stream.seek(element.value_tell)
    item = read_sequence_item(stream, *encoding_of(element), default_encoding)
    if stream.tell() > element.value_tell + element.length:
        raise ValueError(f"the first item of {keyword} is longer than the sequence")
    return item
