"""The configured datasets as the tables that pages use: images, boxes and studies, and what is wrong with them."""

from radharmony_core.catalog.counts import PUBLISHED, explain
from radharmony_core.catalog.labels import label_word
from radharmony_core.catalog.load import load_catalog
from radharmony_core.catalog.sources import inputs_of, look_at
from radharmony_core.catalog.tables import Catalog, DatasetStatus

__all__ = ["PUBLISHED", "Catalog", "DatasetStatus", "explain", "inputs_of", "label_word", "load_catalog", "look_at"]
