"""Where CheXpert and NegBio say the same of a study, counted label by label."""

from __future__ import annotations

import itertools

import pandas as pd

from radharmony_core.harmonizer.mimic.label_cells import NO_FINDING
from radharmony_core.labelers.states import UNUSABLE, LabelStates, rows_of, say_uncounted, states_of
from radharmony_core.labels import CHEXPERT_LABELS, LABEL_STATES
from radharmony_core.schema import IssueLog

__all__ = ["AGREEMENT_COLUMNS", "agreement"]

AGREEMENT_COLUMNS = (*LABEL_STATES.values(), "disagreement")


def agreement(
    chexpert: pd.DataFrame | LabelStates, negbio: pd.DataFrame | LabelStates, log: IssueLog | None = None
) -> pd.DataFrame:
    """Studies by what both labelers say: shape (14, 4), a row a label in the order of CHEXPERT_LABELS, columns
    `AGREEMENT_COLUMNS` (Int64).

    ``positive``, ``negative`` and ``uncertain`` count the studies for which both labelers give that state. ``disagreement``
    counts those that one labeler leaves blank and the other does not, and those for which they give two states. A study
    that both leave blank is in no column. So the paper defines it (Johnson et al., arXiv 1901.07042), and the notebook of
    its authors computes it (MIT-LCP/mimic-code, generate-stats-from-paper.ipynb).

    Both are files as `read_label_states` reads them, or tables indexed by study_id (text, unique) with the 14 label columns in
    snake_case, 1, 0, -1 or missing. A study that only one of them has counts as blank in the other, as in the left join of that
    notebook, and is an issue in ``log`` where one is given; the published files have the same 227,827 studies. A study of which
    one file has an answer that cannot be used is in no column of that label, an issue as well; where that is so of all of
    them, as in a file without the label's column, the label's row is missing.

    No Finding's ``negative`` and ``uncertain`` are missing rather than 0, because No Finding has no such state; where both
    labelers have one all the same, it is counted. Raises TableError for tables of another form.
    """
    one, other = states_of(chexpert, "CheXpert"), states_of(negbio, "NegBio")
    studies = one.ids
    if not studies.equals(other.ids):
        studies = studies.union(other.ids, sort=False)
        for labels, name in ((one, "CheXpert"), (other, "NegBio")):
            if log is not None:
                absent = studies.difference(labels.ids, sort=False)
                log.add("study_without_labels", rows=itertools.repeat(None), values=absent, column=name)
    first, second = rows_of(one, studies), rows_of(other, studies)
    usable = (first != UNUSABLE) & (second != UNUSABLE)
    if log is not None:
        say_uncounted(usable, log)
    same = first == second
    counts = {meaning: (same & (first == value)).sum(axis=0) for value, meaning in LABEL_STATES.items()}
    counts["disagreement"] = (~same & usable).sum(axis=0)
    table = pd.DataFrame(counts, index=pd.Index(CHEXPERT_LABELS, name="label"), dtype="Int64")
    for meaning in ("negative", "uncertain"):
        if table.loc[NO_FINDING, meaning] == 0:
            table.loc[NO_FINDING, meaning] = pd.NA
    table.loc[~usable.any(axis=0) & (len(studies) > 0)] = pd.NA
    return table
