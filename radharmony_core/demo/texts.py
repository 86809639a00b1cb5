"""Reports of the drawn films, and the labels that follow from their sentences. What was de-identified is ``___``."""

from __future__ import annotations

import random

from radharmony_core.demo.dice import stream
from radharmony_core.demo.extras import DEVICES
from radharmony_core.demo.layout import laid_out
from radharmony_core.demo.plan import Study

__all__ = ["LABELS", "REASONS", "Labels", "labels_of", "negbio_of", "report_of"]

Labels = dict[str, int]

LABELS = (
    "Atelectasis", "Cardiomegaly", "Consolidation", "Edema", "Enlarged Cardiomediastinum", "Fracture", "Lung Lesion",
    "Lung Opacity", "No Finding", "Pleural Effusion", "Pleural Other", "Pneumonia", "Pneumothorax", "Support Devices",
)  # fmt: skip

REASONS = (
    "cough and fever", "shortness of breath", "chest pain", "altered mental status", "weakness", "hypoxia", "status post fall",
    "pre-operative evaluation",
)  # fmt: skip


def _normal(study: Study, draws: random.Random) -> list[tuple[str, Labels]]:
    """Sentences about what is not there, with the label each denies."""
    has = {one.category for one in study.findings}
    said: list[tuple[str, Labels]] = []
    absent = [name for name in ("Pleural Effusion", "Pneumothorax") if name not in has]
    if absent:
        said.append((f"There is no {' or '.join(absent).lower()}.", dict.fromkeys(absent, 0)))
    if "Cardiomegaly" not in has:
        if draws.random() < 0.5:
            said.append(("The heart size is normal.", {"Cardiomegaly": 0}))
        else:
            said.append(("The cardiomediastinal silhouette is within normal limits.", {"Enlarged Cardiomediastinum": 0}))
    if not has & {"Consolidation", "Pneumonia"} and draws.random() < 0.6:
        said.append(("No focal consolidation is seen.", {"Consolidation": 0}))
    if "Edema" not in has and draws.random() < 0.35:
        said.append(("There is no overt pulmonary edema.", {"Edema": 0}))
    if draws.random() < 0.04:
        said.append(("Old healed right rib fractures are again noted.", {"Fracture": 1}))
    return said


def _sentences(study: Study) -> list[tuple[str, Labels]]:
    draws = stream("report", study.study_id)
    said = [(one.sentence, dict(one.labels)) for one in study.words]
    said += [(DEVICES[name], {"Support Devices": 1}) for name in study.devices]
    return said + _normal(study, draws)


def labels_of(study: Study) -> Labels:
    """CheXpert's labels of the report: 1 positive, 0 negative, -1 uncertain; a label that is not there was not mentioned."""
    labels: Labels = {}
    if not study.has_labels:
        return labels
    for _, some in _sentences(study):
        for name, state in some.items():
            labels[name] = max(state, labels.get(name, -2), key=abs) if name in labels else state
    if not any(state for name, state in labels.items() if name != "Support Devices"):
        labels["No Finding"] = 1
    return labels


def negbio_of(study: Study) -> Labels:
    """NegBio's labels: the same but for one study in nine, where it reads an uncertain or a negated mention otherwise."""
    labels = labels_of(study)
    draws = stream("negbio", study.study_id)
    if draws.random() < 0.11:
        for name, state in labels.items():
            if name != "No Finding" and state <= 0:
                changed = {**labels, name: 1 if state < 0 else -1}
                changed.pop("No Finding", None)
                return changed
    return labels


def _impression(study: Study, draws: random.Random) -> str:
    if not study.words:
        return draws.choice(("No acute cardiopulmonary process.", "No acute intrathoracic abnormality."))
    parts = [one.sentence for one in study.words]
    return parts[0] if len(parts) == 1 else "  ".join(f"{number}.  {part}" for number, part in enumerate(parts, start=1))


def _head(study: Study, draws: random.Random) -> list[tuple[str, str]]:
    exam = "CHEST (PORTABLE AP)" if study.portable else "CHEST (PA AND LAT)"
    person = "woman" if study.patient.female else "man"
    sections = [("EXAMINATION", exam)]
    if draws.random() < 0.75:
        sections.append(("INDICATION", f"___ year old {person} with {draws.choice(REASONS)}  // please evaluate"))
    else:
        sections.append(("HISTORY", f"___-year-old {person} with {draws.choice(REASONS)}."))
    if draws.random() < 0.6:
        sections.append(
            ("TECHNIQUE", "Single portable AP view of the chest." if study.portable else "PA and lateral views of the chest.")
        )
    sections.append(("COMPARISON", "Chest radiograph from ___." if study.earlier else "None."))
    return sections


def _sections(study: Study, draws: random.Random) -> list[tuple[str, str]]:
    sections = _head(study, draws)
    body = " ".join(sentence for sentence, _ in _sentences(study))
    kind = draws.random()
    if kind < 0.12:
        sections.insert(
            0, ("WET READ", f"___ ___ ___ 9:34 PM  {study.words[0].sentence if study.words else 'No acute process.'}")
        )
    if kind < 0.17:
        sections.append(("IMPRESSION", body))
    elif kind < 0.3:
        sections.append(("FINDINGS", body))
    else:
        sections += [("FINDINGS", body), ("IMPRESSION", _impression(study, draws))]
    if draws.random() < 0.07:
        sections = [(name.capitalize(), text) for name, text in sections]
    return sections


def report_of(study: Study) -> str:
    """The report's text, ending in a newline."""
    draws = stream("layout", study.study_id)
    addendum = draws.random() < 0.06
    return laid_out(_sections(study, draws), addendum=addendum)
