"""Harmonized tables as map-style datasets: samples for training and evaluation, as tensors or as arrays."""

from radharmony_core.dataset.base import HarmonizedDataset
from radharmony_core.dataset.batches import collate
from radharmony_core.dataset.fitting import fit_boxes
from radharmony_core.dataset.masks import fill_boxes
from radharmony_core.dataset.ms_cxr import MSCXRDataset
from radharmony_core.dataset.notices import DatasetWarning
from radharmony_core.dataset.samples import SampleDataset
from radharmony_core.dataset.siblings import CASIACXRDataset, MIMICCXRDataset, MIMICCXRJPGDataset
from radharmony_core.dataset.transforms import DefaultTransform

__all__ = [
    "DATASETS",
    "CASIACXRDataset",
    "DatasetWarning",
    "DefaultTransform",
    "HarmonizedDataset",
    "MIMICCXRDataset",
    "MIMICCXRJPGDataset",
    "MSCXRDataset",
    "SampleDataset",
    "collate",
    "fill_boxes",
    "fit_boxes",
]

DATASETS: dict[str, type[HarmonizedDataset]] = {
    dataset.origin.kind: dataset for dataset in (MSCXRDataset, MIMICCXRJPGDataset, MIMICCXRDataset, CASIACXRDataset)
}
