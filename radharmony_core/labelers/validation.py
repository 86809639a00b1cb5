"""A labeler against a radiologist's labels: mention, negation and uncertainty, each a yes or no for every study."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt
import pandas as pd

from radharmony_core.harmonizer.mimic.label_cells import NO_FINDING
from radharmony_core.labelers.states import BLANK, UNUSABLE, LabelStates, States, rows_of, say_uncounted, states_of
from radharmony_core.labels import CHEXPERT_LABELS
from radharmony_core.schema import IssueLog

__all__ = ["TASKS", "VALIDATION_COLUMNS", "validate_labels"]

TASKS: dict[str, str] = {
    "mention": "positive, negative or uncertain",
    "negation": "negative",
    "uncertainty": "uncertain",
}
_COUNTS = ("true_positive", "false_positive", "false_negative", "true_negative")
_SCORES = ("precision", "recall", "f1")
VALIDATION_COLUMNS = ("label", "task", *_COUNTS, *_SCORES, "reason")

_Counts = npt.NDArray[np.int64]


def validate_labels(
    truth: pd.DataFrame | LabelStates, predicted: pd.DataFrame | LabelStates, log: IssueLog | None = None
) -> pd.DataFrame:
    """How well ``predicted`` finds what ``truth`` has, label by label: a row a label and task, columns `VALIDATION_COLUMNS`.

    The three tasks are those of the CheXpert paper (Irvin et al., arXiv 1901.07031) and of MIMIC-CXR-JPG's (Johnson et al.,
    arXiv 1901.07042), as the notebook of the latter's authors computes them on the 687 studies that a radiologist labelled
    (MIT-LCP/mimic-code, txt/validation/compare_negbio_and_chexpert.ipynb). Each is binary over every study in ``truth``:
    *mention* is yes for any state but blank, *negation* for 0, *uncertainty* for -1; whatever else is no, blank included.

    Precision is TP / (TP + FP), recall TP / (TP + FN), F1 2 TP / (2 TP + FP + FN), as scikit-learn has them (Float64, 0 to
    1). Where the divisor is 0 the cell is missing, as scikit-learn gives NaN with ``zero_division=nan``, and ``reason`` says
    why; it is empty where all three could be computed. The notebook leaves more out: all three where ``truth`` has no study
    to be found, and F1 where precision and recall are both 0 (here 0).

    Both are files as `read_label_states` reads them, or tables indexed by study_id (text, unique) with the 14 label columns in
    snake_case, 1, 0, -1 or missing. A study of ``truth`` that ``predicted`` does not have counts as blank there, and is an issue
    in ``log`` where one is given. Studies that only ``predicted`` has are not looked at. A study of which one of them has an
    answer that cannot be used is not counted for that label, an issue as well; where that is so of all of them, as in a file
    without the label's column, its figures are missing. Raises TableError for tables of another form.
    """
    true, guess = states_of(truth, "true"), states_of(predicted, "predicted")
    studies = true.ids
    if log is not None:
        absent = studies.difference(guess.ids, sort=False)
        log.add("study_without_labels", rows=itertools.repeat(None), values=absent, column="predicted")
    pair = true.states, rows_of(guess, studies)
    usable = (pair[0] != UNUSABLE) & (pair[1] != UNUSABLE)
    if log is not None:
        say_uncounted(usable, log)
    counted = np.stack(
        [_counts(is_true, is_guess, usable) for is_true, is_guess in zip(_tasks(pair[0]), _tasks(pair[1]), strict=True)]
    )
    counts: _Counts = counted.transpose(2, 0, 1).reshape(-1, len(_COUNTS))  # label by label, the tasks in turn
    true_positive, false_positive, false_negative, _ = counts.T
    called, there = true_positive + false_positive, true_positive + false_negative
    labels, tasks = np.repeat(CHEXPERT_LABELS, len(TASKS)), np.tile(list(TASKS), len(CHEXPERT_LABELS))
    table = pd.DataFrame({"label": labels, "task": tasks}, dtype="str")
    for place, name in enumerate(_COUNTS):
        table[name] = pd.array(counts[:, place], dtype="Int64")
    table["precision"] = _ratio(true_positive, called)
    table["recall"] = _ratio(true_positive, there)
    table["f1"] = _ratio(2 * true_positive, called + there)
    reasons = map(_reason, labels, tasks, called.tolist(), there.tolist())
    table["reason"] = pd.Series(list(reasons), dtype="str")
    nobody = np.repeat(~usable.any(axis=0) & (len(studies) > 0), len(TASKS))
    table.loc[nobody, list(_COUNTS)] = pd.NA
    table.loc[nobody, "reason"] = np.repeat(_unusable(pair), len(TASKS))[nobody]
    return table


def _tasks(states: States) -> tuple[npt.NDArray[np.bool_], ...]:
    """Shape (studies, 14) for each of `TASKS`, in their order."""
    return states != BLANK, states == 0, states == -1


def _counts(true: npt.NDArray[np.bool_], guess: npt.NDArray[np.bool_], usable: npt.NDArray[np.bool_]) -> _Counts:
    """Shape (4, 14), in the order of the columns: of the studies that are ``usable``."""
    cases = (true & guess, ~true & guess, true & ~guess, ~true & ~guess)
    return np.stack([(case & usable).sum(axis=0) for case in cases])


def _unusable(pair: tuple[States, States]) -> npt.NDArray[np.object_]:
    """For each label why no study of it is counted."""
    nobody = [(states == UNUSABLE).all(axis=0) for states in pair]
    words = ["Truth has no usable answer for this label.", "The predicted labels have no usable answer for this one."]
    return np.select(nobody, np.array(words, dtype=object), "No study has a usable answer in both.")


def _ratio(above: _Counts, below: _Counts) -> pd.api.extensions.ExtensionArray:
    values = np.divide(above, below, out=np.zeros(len(above)), where=below > 0)
    ratios = pd.array(values, dtype="Float64")
    ratios[below == 0] = pd.NA
    return ratios


def _reason(label: str, task: str, called: int, there: int) -> str:
    """Why a score is missing: how many studies the labeler calls so, and how many are so."""
    if called and there:
        return ""
    state = TASKS[task]
    if label == NO_FINDING and task != "mention" and not called and not there:
        return f"{NO_FINDING} is positive or not mentioned, never {state}: there is nothing to score."
    if not called and not there:
        return f"No study is {state}, neither in truth nor as predicted: there is nothing to score."
    if not called:
        return f"Precision: no study is predicted {state}."
    return f"Recall: no study is {state} in truth."
