"""Sections as places in the raw text: made-up reports in the shapes the datasets have, what belongs where decided by hand."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from radharmony_core.errors import ReportError
from radharmony_core.reports import section_text, split_sections

LONG = "The heart is mildly enlarged and there is a small left pleural effusion with no evidence of pneumothorax at all today."
TITLE = " " * 33 + "FINAL REPORT\n"
RULE = " " + "_" * 60 + "\n"

ENGLISH = [
    # reason, report, sections
    ("an empty report", "", []),
    ("white space", " \n\n\t\n", []),
    ("the title alone", TITLE, []),
    ("the dataset's own form",
     f"{TITLE} EXAMINATION:  CHEST (PA AND LAT)\n \n INDICATION:  ___F with cough  // pneumonia?\n \n FINDINGS: \n \n Clear.\n"
     " \n IMPRESSION: \n \n No acute\n process.\n",
     ["examination: CHEST (PA AND LAT)", "indication: ___F with cough  // pneumonia?", "findings: Clear.",
      "impression: No acute\n process."]),
    ("leading blanks lost", "FINDINGS: Clear.\nIMPRESSION: Normal.", ["findings: Clear.", "impression: Normal."]),
    ("CRLF", " FINDINGS: Clear.\r\n \r\n IMPRESSION: Normal.\r\n", ["findings: Clear.", "impression: Normal."]),
    ("mixed case", " Findings: lungs clear.\n Impression: normal.\n", ["findings: lungs clear.", "impression: normal."]),
    ("small letters", "findings: lungs clear.\nimpression: normal.", ["findings: lungs clear.", "impression: normal."]),
    ("no blank behind the colon", "FINDINGS:Clear.\nIMPRESSION:Normal.", ["findings: Clear.", "impression: Normal."]),
    ("misspelt", " FINSINGS: a\n FIMPRESSION: b\n INDCATION: c\n", ["findings: a", "impression: b", "indication: c"]),
    ("otherwise misspelt", " FINDIGNS: a\n Impresion: b\n COMPARSION: c\n", ["findings: a", "impression: b", "comparison: c"]),
    ("other words", " REASON FOR EXAM: a\n CLINICAL HISTORY: b\n CONCLUSION: c\n RECOMMENDATION(S): d\n",
     ["indication: a", "history: b", "impression: c", "recommendations: d"]),
    ("words around", " ADDITIONAL CLINICAL HISTORY PROVIDED: a\n IMPRESSION: b", ["history: a", "impression: b"]),
    ("joined", " FINDINGS AND IMPRESSION:  Small left effusion.\n",
     ["findings: Small left effusion.", "impression: Small left effusion."]),
    ("joined by a slash", " Findings/Impression: a\n", ["findings: a", "impression: a"]),
    ("two of one name", " FINDINGS: one.\n\n FINDINGS: two.\n\n IMPRESSION: three.\n",
     ["findings: one.", "findings: two.", "impression: three."]),
    ("an empty one is left out", " FINDINGS:\n IMPRESSION: a\n", ["impression: a"]),
    ("a view title begins the findings", " COMPARISON: None.\n \n PORTABLE AP CHEST:  Clear.\n IMPRESSION: a\n",
     ["comparison: None.", "findings: Clear.", "impression: a"]),
    ("a longer view title", " UPRIGHT AP AND LATERAL VIEWS OF THE CHEST: Clear.", ["findings: Clear."]),
    ("a view title in mixed case", " COMPARISON: None.\n PA and lateral views of the chest: Clear.",
     ["comparison: None.", "findings: Clear."]),
    ("a view title right below IMPRESSION is part of it", " IMPRESSION: \n \n PA AND LATERAL CHEST:  Clear.",
     ["impression: PA AND LATERAL CHEST:  Clear."]),
    ("parts of the body stay in the findings", " FINDINGS:\n LUNGS: clear.\n HEART: normal.\n IMPRESSION: a",
     ["findings: LUNGS: clear.\n HEART: normal.", "impression: a"]),
    ("a strange heading before them names its own", " TRACER: none.\n FINDINGS: a", ["tracer: none.", "findings: a"]),
    ("a heading without a colon", " INDICATION: a\n \n IMPRESSION\n \n Clear.", ["indication: a", "impression: Clear."]),
    ("an addendum on top", f"{TITLE} ADDENDUM:  Called at 3:45 pm.\n \n{RULE} FINDINGS: a\n IMPRESSION: b\n",
     ["addendum: Called at 3:45 pm.", "findings: a", "impression: b"]),
    ("an addendum without a heading", f"{TITLE} Called to Dr. ___.\n \n{RULE}{TITLE} FINDINGS: a\n",
     ["addendum: Called to Dr. ___.", "findings: a"]),
    ("a wet read on top", f" WET READ: ___ ___ 9:34 PM\n  No acute process.\n{RULE}{TITLE} FINDINGS: a\n",
     ["wet_read: ___ ___ 9:34 PM\n  No acute process.", "findings: a"]),
    ("a wet read with its version", " WET READ VERSION #1 ___ 9:34 PM\n No acute process.\n", ["wet_read: No acute process."]),
    ("a line of what is de-identified is no rule", " FINDINGS: seen by\n ___\n clear.", ["findings: seen by\n ___\n clear."]),
    ("below a closing line", f" IMPRESSION: a\n{RULE} Dictated by ___.", ["impression: a", "other: Dictated by ___."]),
    ("text before the first heading", f"{TITLE} Single view.\n \n IMPRESSION: a\n", ["preamble: Single view.", "impression: a"]),
    ("no heading", f"{TITLE} Single portable view.  Lungs are clear.\n",
     ["full_report: Single portable view.  Lungs are clear."]),
    ("no heading, two paragraphs", f"{TITLE} Single view.\n \n Clear.\n \n Normal.\n",
     ["full_report: Single view.", "last_paragraph: Clear.\n \n Normal."]),
    ("no heading, CRLF", "Single view.\r\nClear.", ["full_report: Single view.\r\nClear."]),
    ("neither findings nor impression", " HISTORY: cough.\n \n The lungs are clear.\n",
     ["history: cough.", "last_paragraph: The lungs are clear."]),
    ("a text without lines",
     f"FINAL REPORT EXAMINATION: CHEST INDICATION: {'cough ' * 15}FINDINGS: Lungs clear. Impression: Normal.",
     ["examination: CHEST", f"indication:{' cough' * 15}", "findings: Lungs clear.", "impression: Normal."]),
    ("a word in a sentence",
     " FINDINGS:  No new findings: heart size normal.\n IMPRESSION:  These findings were called at 3:45 pm.\n",
     ["findings: No new findings: heart size normal.", "impression: These findings were called at 3:45 pm."]),
    ("a word where a line was broken", " FINDINGS: There are no new\n findings: normal.\n",
     ["findings: There are no new\n findings: normal."]),
    ("a word that begins a line", " FINDINGS: Clear.\n Note: rotated.\n IMPRESSION: a",
     ["findings: Clear.\n Note: rotated.", "impression: a"]),
    ("a joined heading of a long line", f"FINDINGS AND IMPRESSION: {LONG}", [f"findings: {LONG}", f"impression: {LONG}"]),
    ("words before a heading of a long line", f"REASON FOR EXAM: {LONG}\nIMPRESSION: a",
     [f"indication: {LONG}", "impression: a"]),
    ("a short text without lines", "INDICATION: cough. FINDINGS: Clear. Impression: Normal.",
     ["indication: cough.", "findings: Clear.", "impression: Normal."]),
    ("a word of a short sentence", "FINDINGS: My IMPRESSION: stable.", ["findings: My IMPRESSION: stable."]),
    ("a number behind the colon", " FINDINGS:2 views.\n\n IMPRESSION:1. a\n 2. b",
     ["findings: 2 views.", "impression: 1. a\n 2. b"]),
    ("two colons", " FINDINGS::  a\n IMPRESSION: :  b", ["findings: a", "impression: b"]),
    ("small letters below the title", f"{TITLE} findings: a\n \n impression: b", ["findings: a", "impression: b"]),
    ("impression and plan", " FINDINGS: a\n\n IMPRESSION AND PLAN: b", ["findings: a", "impression: b", "recommendations: b"]),
    ("summary", " FINDINGS: a\n\n SUMMARY: b", ["findings: a", "impression: b"]),
    ("diagnosis", " INTERPRETATION: a\n\n DIAGNOSIS: b", ["findings: a", "impression: b"]),
    ("joined by nothing", " FINDINGS IMPRESSION: a", ["findings: a", "impression: a"]),
    ("a dash for a colon", " FINDINGS: a\n\n IMPRESSION - b", ["findings: a", "impression: b"]),
    ("a dash in a heading with a colon", " IMPRESSION: a\n LUNGS - BOTH: b", ["impression: a\n LUNGS - BOTH: b"]),
    ("signs without width", "\ufeffFINDINGS: a\n\n\u200bIMPRESSION: b", ["findings: a", "impression: b"]),
    ("a time", " FINDINGS: a\n Called at 3:45 PM: b", ["findings: a\n Called at 3:45 PM: b"]),
]  # fmt: skip
FRENCH = [
    ("an empty report", "", []),
    ("CASIA-CXR's cells, joined",
     "Findings:\nAbsence d’épanchement./Cœur normal./\n\nIndication:\nToux\n\nComparison:\nNone\n\nImpression:\nNormal",
     ["findings: Absence d’épanchement./Cœur normal./", "indication: Toux", "comparison: None", "impression: Normal"]),
    ("French headings", "INDICATION : toux.\nTECHNIQUE : face.\nRÉSULTATS : clair.\nCONCLUSION : normal.",
     ["indication: toux.", "technique: face.", "findings: clair.", "impression: normal."]),
    ("without accents, a narrow blank", "Resultats\u202f: clair.\n\nAu total : normal.",
     ["findings: clair.", "impression: normal."]),
    ("joined", "RÉSULTATS ET CONCLUSION : clair.", ["findings: clair.", "impression: clair."]),
    ("misspelt", "RESULTTATS : clair.\nCONCLUSON : normal.", ["findings: clair.", "impression: normal."]),
    ("a view title", "RADIOGRAPHIE THORACIQUE DE FACE : clair.", ["findings: clair."]),
    ("a title with RX", "RX THORAX FACE :\nclair.\n\nCONCLUSION : normal.", ["findings: clair.", "impression: normal."]),
    ("a dash for a colon", "Résultats : clair.\n\nConclusion - normal.", ["findings: clair.", "impression: normal."]),
    ("mixed case without a colon", "Indication\nToux.\n\nRésultats\nclair.\n\nConclusion\nnormal.",
     ["indication: Toux.", "findings: clair.", "impression: normal."]),
    ("a word alone in a line", "Résultats : clair\nConclusion\ndu jour.", ["findings: clair\nConclusion\ndu jour."]),
    ("a word in a sentence", "RÉSULTATS : pas d’autre résultat : normal.", ["findings: pas d’autre résultat : normal."]),
]  # fmt: skip
ALL: list[tuple[str, str, list[str], str]] = [(*row, "en") for row in ENGLISH] + [(*row, "fr") for row in FRENCH]


@pytest.mark.parametrize(("reason", "report", "expected", "language"), ALL, ids=[f"{row[3]}: {row[0]}" for row in ALL])
def test_sections(reason: str, report: str, expected: list[str], language: str) -> None:
    assert [f"{one.name}: {report[one.start : one.end]}" for one in split_sections(report, language)] == expected, reason


def test_a_heading_has_its_place_too() -> None:
    report = " FINDINGS AND IMPRESSION:  a.\n Recommendation :  b\n"
    places = [(one.heading_start, one.heading_end) for one in split_sections(report)]
    assert [report[start:end] for start, end in places] == ["FINDINGS AND IMPRESSION"] * 2 + ["Recommendation"]
    assert [(one.heading_start, one.heading_end) for one in split_sections("  text")] == [(2, 2)]


def test_sections_of_one_name_are_joined_or_said_to_be_missing() -> None:
    report = " FINDINGS: one.\n\n FINDINGS: two.\n"
    assert section_text(report, "findings") == "one.\n\ntwo."
    assert section_text(report, "impression") is None
    assert section_text("", "findings") is None
    assert section_text("CONCLUSION : normal.", "impression", "fr") == "normal."


@pytest.mark.parametrize("report", [None, b"FINDINGS: a", 3])
def test_what_is_no_text_is_refused(report: object) -> None:
    with pytest.raises(ReportError, match="str; got"):
        split_sections(report)  # type: ignore[arg-type]


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ReportError, match="'xx'"):
        split_sections("FINDINGS: a", "xx")


@pytest.mark.parametrize(
    "piece",
    ["A:\n", "__________\n", " ", "\n ", "A: ", "FINDINGS: ", "FINDINGX:\n", "ADDITIONAL FOO:\n", "AB CD\n", "x"],
)
def test_a_huge_report_of_one_thing_ends(piece: str) -> None:
    report = piece * (200_000 // len(piece))
    assert all(0 <= one.start < one.end <= len(report) for one in split_sections(report))


PIECES = st.sampled_from(
    [
        "FINDINGS",
        "Impression",
        "findings:",
        ":",
        " ",
        "\n",
        "\r\n",
        "\n \n",
        "a",
        "É",
        "_" * 12,
        "FINAL REPORT",
        "ADDENDUM:",
        "AP CHEST:",
        "3:45",
        "No.",
        "/",
        "AND",
        "\u2028",
        "#1",
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join) | st.text(max_size=60), st.sampled_from(["en", "fr"]))
def test_sections_are_places_in_order(report: str, language: str) -> None:
    sections = split_sections(report, language)
    assert all(0 <= one.heading_start <= one.heading_end <= one.start < one.end <= len(report) for one in sections)
    assert all(report[one.start : one.end] == report[one.start : one.end].strip() for one in sections)
    assert all(one.end <= other.start or one.start == other.start for one, other in pairwise(sections))
