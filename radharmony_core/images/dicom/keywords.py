"""The keywords of the DICOM elements that decide how a picture looks."""

from __future__ import annotations

from pydicom.datadict import tag_for_keyword

__all__ = [
    "BYTES",
    "FUNCTIONAL_GROUPS",
    "OF_AN_ITEM",
    "OF_A_GROUP",
    "OF_THE_IMAGE",
    "OVERLAY_ROWS",
    "SEQUENCES",
    "WANTED",
]

# PS3.6 section 6: keywords; pydicom knows tag and VR of each.
SEQUENCES = ("ModalityLUTSequence", "VOILUTSequence")
OF_AN_ITEM = ("LUTDescriptor", "LUTData", "LUTExplanation", "ModalityLUTType", "WindowCenter")
PALETTES = tuple(f"{colour}PaletteColorLookupTable" for colour in ("Red", "Green", "Blue"))
BYTES = ("LUTData", *(f"{palette}Data" for palette in PALETTES), *(f"Segmented{palette}Data" for palette in PALETTES))
OF_THE_IMAGE = (
    "SamplesPerPixel",
    "PhotometricInterpretation",
    "PlanarConfiguration",
    "NumberOfFrames",
    "Rows",
    "Columns",
    "BitsAllocated",
    "BitsStored",
    "HighBit",
    "PixelRepresentation",
    "PixelPaddingValue",
    "PixelPaddingRangeLimit",
    "WindowCenter",
    "WindowWidth",
    "RescaleIntercept",
    "RescaleSlope",
    "WindowCenterWidthExplanation",
    "VOILUTFunction",
    "PresentationLUTShape",
    "RescaleType",
    "LossyImageCompression",
    "LossyImageCompressionRatio",
    "LossyImageCompressionMethod",
    "PixelAspectRatio",
    "PixelSpacing",
    "ImagerPixelSpacing",
    "NominalScannedPixelSpacing",
    "PresentationIntentType",
    "ShutterShape",
    *(f"{palette}Descriptor" for palette in PALETTES),
    *BYTES[1:],
)
# PS3.3 C.7.6.16: what an image of several frames says of all of them, and of each; and the groups that are wanted of it.
FUNCTIONAL_GROUPS = ("SharedFunctionalGroupsSequence", "PerFrameFunctionalGroupsSequence")
OF_A_GROUP = {
    "PixelValueTransformationSequence": ("RescaleIntercept", "RescaleSlope", "RescaleType"),
    "FrameVOILUTSequence": ("WindowCenter", "WindowWidth", "WindowCenterWidthExplanation", "VOILUTFunction"),
}
# PS3.5 7.6: a plane each in the even groups 6000 to 601E. That it has rows tells that it is there.
OVERLAY_ROWS = tuple(range(0x60000010, 0x60200010, 0x20000))
_KEYWORDS = (*OF_THE_IMAGE, *SEQUENCES, *FUNCTIONAL_GROUPS)
WANTED = frozenset((*(tag for tag in map(tag_for_keyword, _KEYWORDS) if tag is not None), *OVERLAY_ROWS))
