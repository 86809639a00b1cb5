"""Where CheXpert and NegBio say the same of a study, counted label by label."""

from __future__ import annotations

import itertools

import pandas as pd

from radharmony_core.labelers.states import rows_of, states_of
from radharmony_core.labels import CHEXPERT_LABELS, LABEL_STATES
from radharmony_core.schema import IssueLog

__all__ = ["AGREEMENT_COLUMNS", "NO_FINDING", "agreement"]

AGREEMENT_COLUMNS = (*LABEL_STATES.values(), "disagreement")
NO_FINDING = "No Finding"  # positive or not mentioned: nobody writes that there is not no finding


def agreement(chexpert: pd.DataFrame, negbio: pd.DataFrame, log: IssueLog | None = None) -> pd.DataFrame:
    """Studies by what both labelers say: shape (14, 4), a row a label in the order of CHEXPERT_LABELS, columns
    `AGREEMENT_COLUMNS` (Int64).

    ``positive``, ``negative`` and ``uncertain`` count the studies for which both labelers give that state. ``disagreement``
    counts those that one labeler leaves blank and the other does not, and those for which they give two states. A study
    that both leave blank is in no column. So the paper defines it (Johnson et al., arXiv 1901.07042), and the notebook of
    its authors computes it (MIT-LCP/mimic-code, generate-stats-from-paper.ipynb).

    Both tables are indexed by study_id (text, unique) and have the 14 label columns in snake_case, 1, 0, -1 or missing. A
    study that only one of them has counts as blank in the other, as in the left join of that notebook, and is an issue in
    ``log`` where one is given; the published files have the same 227,827 studies.

    No Finding's ``negative`` and ``uncertain`` are missing rather than 0, because No Finding has no such state; where both
    labelers have one all the same, it is counted. A cell of a file that could not be read as a state is missing, so blank.

    Raises TableError for tables of another form.
    """
    first, second = states_of(chexpert, "CheXpert"), states_of(negbio, "NegBio")
    studies = chexpert.index
    if not studies.equals(negbio.index):
        studies = studies.union(negbio.index, sort=False)
        for table, name in ((chexpert, "CheXpert"), (negbio, "NegBio")):
            if log is not None:
                absent = studies.difference(table.index, sort=False)
                log.add("study_without_labels", rows=itertools.repeat(None), values=absent, column=name)
    first, second = rows_of(first, chexpert.index, studies), rows_of(second, negbio.index, studies)
    same = first == second
    counts = {meaning: (same & (first == value)).sum(axis=0) for value, meaning in LABEL_STATES.items()}
    counts["disagreement"] = (~same).sum(axis=0)
    table = pd.DataFrame(counts, index=pd.Index(CHEXPERT_LABELS, name="label"), dtype="Int64")
    for meaning in ("negative", "uncertain"):
        if table.loc[NO_FINDING, meaning] == 0:
            table.loc[NO_FINDING, meaning] = pd.NA
    return table
