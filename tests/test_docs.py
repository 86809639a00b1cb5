"""README.md, CONTRIBUTING.md and `.ci/run` say what is true: commands that exist, files that exist, links that lead somewhere."""

from __future__ import annotations

import argparse
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = ("README.md", "CONTRIBUTING.md")
START, TEST = "python3 run.py", "python3 run.py test"
OURS = {"app.py", "run.py", "pages", "radharmony_core", "tests", "benchmarks", "docs", ".ci", ".streamlit"}
MADE_LATER = {".venv", "demo", "cache", "radharmony.toml", "radharmony.json"}  # by a start, so not in the repository


def commands(text: str) -> list[str]:
    """The lines of a document's code blocks, fenced or indented, without prompt and comment."""
    fenced = re.findall(r"^```[^\n]*\n(.*?)^```", text, flags=re.M | re.S)
    indented = re.findall(r"(?:^|\n)\n((?: {4}[^\n]*\n?)+)", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    lines = (re.sub(r"^\$ |\s+#.*$", "", line.strip()) for block in [*fenced, *indented] for line in block.splitlines())
    return [line for line in lines if line]


def subcommands(text: str) -> set[str]:
    """Each X of ``python -m radharmony_core X``, wherever the text says it."""
    return set(re.findall(r"-m radharmony_core +([a-z][a-z_-]*)", text))


def named_paths(text: str) -> set[str]:
    """The files and folders of ours that a text names in code: those below a folder of ours, and any .py or .md."""
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    words = {word for part in [*spans, *commands(text)] for word in part.split()}
    plain = {word.strip(",.:;()\"'") for word in words if not re.search(r"[<>{}$=~|]|\.\.\.|://|::", word)}
    ours = {word for word in plain if word.split("/")[0] in OURS or re.fullmatch(r"[\w./-]+\.(py|md)", word)}
    return {word for word in ours | {word for word in plain if word.startswith("requirements")} if word.isascii()}


def missing_paths(text: str, root: Path) -> list[str]:
    """A star stands for any name; what a start makes need not be there."""
    kept = [path for path in sorted(named_paths(text)) if path.split("/")[0] not in MADE_LATER]
    return [path for path in kept if not any(root.glob(path.rstrip("/")))]


def broken_links(text: str, root: Path) -> list[str]:
    """Relative targets that are no file, and anchors that are no heading of this document."""
    headings = re.findall(r"^#+ +(.+?)\s*$", text, flags=re.M)
    anchors = {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}
    broken = []
    for target in re.findall(r"\]\(<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\)", text) + re.findall(r'(?:src|href)="([^"]+)"', text):
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        if (path and not (root / path).exists()) or (not path and anchor not in anchors):
            broken.append(target)
    return broken


def _document(name: str) -> str:
    if not (ROOT / name).exists():
        pytest.skip(f"{name} is not there yet")
    return (ROOT / name).read_text(encoding="utf-8")


SMALL = """# Title
Start, see [the rules](CONTRIBUTING.md) and [below](#a-b-c):
```bash
$ python3 run.py   # opens a browser
python3 run.py test
```
Or `python -m radharmony_core demo OUT`; code in `radharmony_core/x.py`, `pages/`, `tests/*.py`;
raw data in `files/p10` and `a.csv`.

    python -m radharmony_core check --config mine.toml

## A: b & C
Then python -m radharmony_core find-more.
"""


def test_a_small_document_is_read(tmp_path: Path) -> None:
    assert commands(SMALL) == [START, TEST, "python -m radharmony_core check --config mine.toml"]
    assert subcommands(SMALL) == {"demo", "check", "find-more"}
    assert named_paths(SMALL) == {"run.py", "radharmony_core", "radharmony_core/x.py", "pages/", "tests/*.py"}
    assert missing_paths(SMALL, tmp_path) == ["pages/", "radharmony_core", "radharmony_core/x.py", "run.py", "tests/*.py"]
    assert broken_links(SMALL, tmp_path) == ["CONTRIBUTING.md", "#a-b-c"]
    for name in ("CONTRIBUTING.md", "run.py", "radharmony_core/x.py", "pages/x.py", "tests/y.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert missing_paths(SMALL, tmp_path) == []
    assert broken_links(SMALL.replace("#a-b-c", "#a-b--c"), tmp_path) == [], "a sign between two blanks leaves both"


@pytest.mark.parametrize(
    ("text", "broken", "reason"),
    [
        ("", [], "an empty document"),
        ("[x](https://example.org/a) [m](mailto:a@b.c)", [], "outside links are not followed: no network"),
        ("![film](docs/film.png)", ["docs/film.png"], "pictures are links"),
        ('<img src="docs/film.png">', ["docs/film.png"], "as HTML as well"),
        ('[x](docs/a.md "title")', ["docs/a.md"], "a title is not part of the target"),
        ("[x](#nowhere)", ["#nowhere"], "an anchor without its heading"),
        ("# Some where\n[x](#some-where)", [], "an anchor with it"),
    ],
)
def test_links_are_checked(tmp_path: Path, text: str, broken: list[str], reason: str) -> None:
    assert broken_links(text, tmp_path) == broken, reason


@pytest.mark.parametrize("command", [START, TEST])
def test_readme_says_how_to_start_and_to_test(command: str) -> None:
    assert command in commands(_document("README.md"))


def test_ci_runs_the_command_that_people_run() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert [line for line in script.splitlines() if "run.py" in line and not line.startswith("#")] == [TEST]
    assert TEST in commands(_document("CONTRIBUTING.md"))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_files_and_folders_that_are_named_exist(name: str) -> None:
    text = _document(name)
    assert named_paths(text), f"{name} names no file of ours: the check has lost its object"
    assert missing_paths(text, ROOT) == []


@pytest.mark.parametrize("name", [*DOCUMENTS, "CHANGELOG.md"])
def test_links_lead_somewhere(name: str) -> None:
    assert broken_links(_document(name), ROOT) == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_commands_of_the_core_exist(name: str) -> None:
    text = _document(name)
    parser: argparse.ArgumentParser = importlib.import_module("radharmony_core.cli").build_parser()
    choices = [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    assert choices, "python -m radharmony_core has no subcommands"
    assert subcommands(text) <= set(choices[0])
