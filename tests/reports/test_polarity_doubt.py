"""What English reports leave open, and what they do not though they doubt something else; decided by hand."""

from __future__ import annotations

import pytest

from radharmony_core.reports import polarity

SENTENCES = [
    # reason, expected, text
    ("possible change", "affirmed", "Possible slight increase in left {effusion}."),
    ("possibly larger", "affirmed", "Possibly increased left {effusion}."),
    ("to evaluate further", "affirmed", "Consider CT for further evaluation of the {nodule}."),
    ("an order", "affirmed", "Suggest followup of the left {effusion}."),
    ("a date", "affirmed", "On May 3 a {pneumothorax} was present."),
    ("either", "uncertain", "Either {edema} or pneumonia could have this appearance."),
    ("either, the second", "uncertain", "Either edema or {pneumonia}."),
    ("raises the possibility", "uncertain", "Raises the possibility of {pneumonia}."),
    ("possibilities include", "uncertain", "Possibilities include {pneumonia}."),
    ("concern is raised", "uncertain", "Concern is raised for {pneumonia}."),
    ("thought to represent", "uncertain", "Thought to represent {atelectasis}."),
    ("favored over", "uncertain", "Atelectasis is favored over {pneumonia}."),
    ("if any", "uncertain", "{Trace effusion}, if any."),
    ("hard to exclude", "uncertain", "{Infection} would be hard to exclude."),
    ("difficult to exclude, before", "uncertain", "It would be difficult to exclude {pneumonia}."),
    ("another possibility", "uncertain", "{Aspiration} is another possibility."),
    ("limits exclusion", "uncertain", "Limits exclusion of {effusion}."),
    ("correlate for", "uncertain", "Correlate clinically for {aspiration}."),
    ("possibly present", "uncertain", "{Effusion} is possibly present."),
    ("a denied exclusion behind a denial", "uncertain", "Absence of a lateral view does not exclude {effusion}."),
    ("a question before what it asks for", "uncertain", "Cough ? {pneumonia}"),
    ("a question of the sentence before", "affirmed", "Pneumonia? New left {effusion}."),
    ("a question behind a colon", "affirmed", "Basal {opacity}: pneumonia?"),
    ("on either side", "affirmed", "No effusion at either base; {atelectasis} on the left."),
    ("if any, before", "uncertain", "Minimal, if any, {pulmonary edema}."),
    ("a doubt about what stands before it", "affirmed", "Pneumonia possible, {effusion} on the left."),
    ("nothing", "affirmed", "{Effusion}"),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "expected", "text"), SENTENCES, ids=[row[0] for row in SENTENCES])
def test_what_is_left_open(reason: str, expected: str, text: str) -> None:
    start, end = text.index("{"), text.index("}") - 1
    assert polarity(text.replace("{", "").replace("}", ""), start, end) == expected, reason
