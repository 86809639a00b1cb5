"""Films as files: the JPG of MIMIC-CXR-JPG and, for some patients, the DICOM file of MIMIC-CXR it comes from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import UID, DigitalXRayImageStorageForPresentation, ExplicitVRLittleEndian

from radharmony_core.demo.dice import number, uid
from radharmony_core.demo.film import MAX_STORED, draw_film
from radharmony_core.demo.looks import jpg_look
from radharmony_core.demo.plan import Film, Plan, Study
from radharmony_core.demo.tables import JPG_ROOT, MIMIC_ROOT

__all__ = ["is_monochrome1", "write_film"]

_QUALITY = 95  # as MIMIC-CXR-JPG


def is_monochrome1(plan: Plan, film: Film) -> bool:
    """Half of the detectors store dense parts as low values."""
    return number(plan.seed, film.dicom_id, "photometric") % 2 == 0


def write_film(plan: Plan, study: Study, film: Film, out: Path) -> None:
    """Draw one film and write its files under ``out``."""
    stored = draw_film(plan.spec(study, film))
    inverted = is_monochrome1(plan, film)
    if inverted:
        stored = (MAX_STORED - stored).astype(np.uint16)
    path = out / JPG_ROOT / study.folder / f"{film.dicom_id}.jpg"
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(jpg_look(stored, monochrome1=inverted)).save(path, "JPEG", quality=_QUALITY)
    if study.patient.dicom:
        path = out / MIMIC_ROOT / study.folder / f"{film.dicom_id}.dcm"
        path.parent.mkdir(parents=True, exist_ok=True)
        _dicom(plan, study, film, stored, inverted).save_as(path, enforce_file_format=True)


def _dicom(plan: Plan, study: Study, film: Film, stored: NDArray[np.uint16], inverted: bool) -> Dataset:
    ds = Dataset()
    ds.file_meta = FileMetaDataset()
    ds.file_meta.MediaStorageSOPClassUID = DigitalXRayImageStorageForPresentation
    ds.file_meta.MediaStorageSOPInstanceUID = UID(uid(film.dicom_id))
    ds.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    ds.file_meta.ImplementationClassUID = UID(uid("radharmony demo"))
    ds.file_meta.ImplementationVersionName = "RADHARMONY_DEMO"
    _identity(ds, study, film)
    _acquisition(ds, plan, study, film)
    _pixels(ds, stored, inverted)
    _window(ds, stored, number(plan.seed, film.dicom_id, "window") % 4)
    return ds


def _identity(ds: Dataset, study: Study, film: Film) -> None:
    ds.SOPClassUID = DigitalXRayImageStorageForPresentation
    ds.SOPInstanceUID = UID(uid(film.dicom_id))
    ds.StudyInstanceUID = uid("study", study.study_id)
    ds.SeriesInstanceUID = uid("series", film.dicom_id)
    ds.StudyDate = ds.ContentDate = f"{study.when:%Y%m%d}"
    ds.StudyTime = ds.ContentTime = f"{study.when:%H%M%S}.{study.when.microsecond // 1000:03d}"
    ds.StudyID, ds.AccessionNumber = str(study.study_id), ""
    ds.PatientID, ds.PatientName, ds.PatientBirthDate = str(study.patient.subject_id), "", ""
    ds.PatientSex = "F" if study.patient.female else "M"
    ds.SeriesNumber, ds.InstanceNumber = 1, film.number + 1
    ds.ReferringPhysicianName = ""
    ds.PatientIdentityRemoved = "YES"


def _acquisition(ds: Dataset, plan: Plan, study: Study, film: Film) -> None:
    spacing = round(plan.spec(study, film).frame.cm * 10, 5)
    ds.Modality, ds.PresentationIntentType, ds.BodyPartExamined = "DX", "FOR PRESENTATION", "CHEST"
    ds.ImageType = ["DERIVED", "PRIMARY"]
    ds.Manufacturer, ds.ManufacturerModelName = "RadHarmony", "Made-up detector"
    ds.PerformedProcedureStepDescription = "CHEST (PORTABLE AP)" if study.portable else "CHEST (PA AND LAT)"
    ds.ViewPosition = film.view
    ds.PatientOrientation = ["P", "F"] if film.lateral else ["L", "F"]
    ds.ImageLaterality = "U"
    ds.KVP = "120" if not film.portable else "90"
    ds.ImagerPixelSpacing = [spacing, spacing]
    ds.BurnedInAnnotation = "NO"


def _pixels(ds: Dataset, stored: NDArray[np.uint16], inverted: bool) -> None:
    ds.SamplesPerPixel = 1
    ds.PhotometricInterpretation = "MONOCHROME1" if inverted else "MONOCHROME2"
    ds.PresentationLUTShape = "INVERSE" if inverted else "IDENTITY"
    ds.Rows, ds.Columns = stored.shape
    ds.BitsAllocated, ds.BitsStored, ds.HighBit, ds.PixelRepresentation = 16, 12, 11, 0
    ds.PixelIntensityRelationship, ds.PixelIntensityRelationshipSign = "LOG", 1 if inverted else -1
    ds.RescaleIntercept, ds.RescaleSlope, ds.RescaleType = "0", "1", "US"
    ds.LossyImageCompression = "00"
    ds.PixelData = np.ascontiguousarray(stored, dtype="<u2").tobytes()
    ds["PixelData"].VR = "OW"


def _window(ds: Dataset, stored: NDArray[np.uint16], kind: int) -> None:
    """The full range, one window, three to choose from, or none at all: all four occur."""
    low, high = (float(value) for value in np.percentile(stored[::5, ::5], (4, 97)))
    centre, width = round((low + high) / 2), max(2, round(high - low))
    if kind == 0:
        ds.WindowCenter, ds.WindowWidth = "2048", "4096"
    elif kind == 1:
        ds.WindowCenter, ds.WindowWidth = str(centre), str(width)
    elif kind == 2:
        ds.WindowCenter = [str(centre)] * 3
        ds.WindowWidth = [str(width), str(round(width * 0.75)), str(round(width * 1.3))]
        ds.WindowCenterWidthExplanation = ["NORMAL", "HARDER", "SOFTER"]
