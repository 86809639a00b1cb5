"""What a file says beside its pixels: losses before, and what is there and not applied when the picture is shown."""

from __future__ import annotations

from radharmony_core.images.dicom.part10 import DicomFile
from radharmony_core.images.dicom.tags import PixelFormat, Values
from radharmony_core.images.film import Step

__all__ = ["decoding_steps", "unapplied"]

# Spacings are measured; a difference of less than this share is no other shape.
_SAME = 0.01


def decoding_steps(dicom: DicomFile, form: PixelFormat, said: list[str]) -> list[Step]:
    """How the pixels were coded, whether something was lost before, and which frame is taken."""
    uid = dicom.transfer_syntax
    words = "uncompressed, no transfer syntax named" if uid is None else f"{dicom.syntax_name} ({uid})"
    words = f"DICOM, {words}, {form.columns} x {form.rows} pixels, {form.bits_allocated} bits allocated"
    numbers = {"width": form.columns, "height": form.rows, "bits": form.bits_allocated, "samples": form.samples}
    steps = [Step("Decoding", words, {name: float(number) for name, number in numbers.items()}, "PS3.5 8")]
    if (dicom.values.words("LossyImageCompression") or [""])[0] == "01":
        steps.append(_lossy(dicom.values))
    if form.frames > 1:
        said.append(f"The file has {form.frames} frames; the first is shown.")
        steps.append(Step("Frames", f"The first of {form.frames}", {"which": 1.0, "of": float(form.frames)}, "PS3.3 C.7.6.6"))
    return steps


def _lossy(values: Values) -> Step:
    ratios = [ratio for ratio in values.numbers("LossyImageCompressionRatio") if ratio > 0]
    how = [f"{ratio:g}:1" for ratio in ratios] + values.words("LossyImageCompressionMethod")
    words = f"The picture was compressed with loss before ({', '.join(how) or 'how much is not said'})"
    return Step("Lossy compression", words, {"ratio": ratios[-1]} if ratios else {}, "PS3.3 C.7.6.1.1.5")


def unapplied(values: Values, said: list[str]) -> list[Step]:
    """Overlays, a display shutter, pixels not square and the like: each a notice and a step that says it was not done."""
    steps = []
    planes = values.overlays
    if planes:
        what = "an overlay" if planes == 1 else f"{planes} overlays"
        said.append(f"The file has {what}, drawings or text beside the pixels; they are not shown.")
        steps.append(Step("Overlays", f"{what.capitalize()}, not drawn", {"planes": float(planes)}, "PS3.3 C.9.2"))
    shapes = [word for word in values.words("ShutterShape") if word]
    if shapes:
        shape = ", ".join(shapes)
        said.append(f"The file has a display shutter ({shape}), which is not applied: the whole picture is shown.")
        steps.append(Step("Shutter", f"{shape}, not applied", {}, "PS3.3 C.7.6.11"))
    if values.has_unread_groups:
        said.append("The file has functional groups that cannot be read; a rescale or a window in them is not applied.")
        steps.append(Step("Functional groups", "Cannot be read, not applied", {}, "PS3.3 C.7.6.16"))
    if (values.words("PresentationIntentType") or [""])[0].upper() == "FOR PROCESSING":
        said.append("The image is marked FOR PROCESSING: values of the detector, and not the picture that a workstation shows.")
        steps.append(Step("Intent", "FOR PROCESSING, shown as it is", {}, "PS3.3 C.8.11.1"))
    for keyword in ("PixelAspectRatio", "PixelSpacing", "ImagerPixelSpacing", "NominalScannedPixelSpacing"):
        down, across = (*values.numbers(keyword), 0.0, 0.0)[:2]
        if down > 0 and across > 0 and abs(down / across - 1) > _SAME:
            words = f"{keyword} {down:g} down to {across:g} across"
            said.append(f"The pixels are not square ({words}); the picture is shown as if they were.")
            numbers = {"vertical": down, "horizontal": across}
            steps.append(Step("Pixel aspect", f"{words}, not applied", numbers, "PS3.3 C.7.6.3.1.7"))
            break
    return steps
