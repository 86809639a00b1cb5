"""A labeler of this test's own: what sentences say of each label, by plain word lists. It shares nothing with what it reads."""

from __future__ import annotations

import re

__all__ = ["body_of", "read_labels"]

_WORDS = {
    "Atelectasis": ["atelectasis"],
    "Cardiomegaly": ["cardiomegaly", "heart size", "cardiac silhouette"],
    "Consolidation": ["consolidation"],
    "Edema": ["edema"],
    "Enlarged Cardiomediastinum": ["mediastinal", "mediastinum"],
    "Fracture": ["fracture"],
    "Lung Lesion": ["nodule", "mass"],
    "Lung Opacity": ["opacity", "opacities"],
    "Pleural Effusion": ["effusion", "effusions"],
    "Pleural Other": ["pleural thickening", "pleural scarring"],
    "Pneumonia": ["pneumonia"],
    "Pneumothorax": ["pneumothorax"],
    "Support Devices": ["pacemaker", "tube", "catheter", "wires"],
}
_UNSURE = r"\b(possible|suspected|suspicious for|cannot be excluded)\b"
_DENIED = r"\b(no|is normal|are normal|not enlarged|not widened|has been removed|no longer seen)\b"
_HEADING = re.compile(r"^ (FIMPRESSION|FINSINGS|IMPRESSION|FINDINGS|PORTABLE AP CHEST|PA AND LATERAL VIEWS OF THE CHEST):", re.I)


def read_labels(text: str) -> dict[str, int]:
    """1, 0 or -1 for each label that a sentence names; where two sentences differ, the later one's."""
    said = {}
    for sentence in re.split(r"(?<=[a-z])\.\s+|\.$", text):
        low = sentence.lower()
        for label, words in _WORDS.items():
            if any(re.search(rf"\b{word}\b", low) for word in words):
                unsure = re.search(_UNSURE, low) and "suspicious nodule" not in low
                said[label] = -1 if unsure else 0 if re.search(_DENIED, low) else 1
    return said


def body_of(report: str) -> str:
    """Findings and impression, or all below the first line where no heading is; in one line."""
    parts = re.split(r"^(?= [A-Za-z][A-Za-z ]*:)", report, flags=re.MULTILINE)
    kept = [part.split(":", 1)[1] for part in parts if _HEADING.match(part)]
    if not kept:
        kept = [report.split("\n", 1)[1]]
    return " ".join(" ".join(kept).split())
