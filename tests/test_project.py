"""What holds for the whole repository: nothing of one machine in it, pinned packages, and settings that keep data here."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from radharmony_core.labels import MS_CXR_CATEGORIES, style_of

ROOT = Path(__file__).resolve().parents[1]
# In pieces, or this file would find itself.
HOSTS = ["py" + "pi.org", "python" + "hosted.org", "npm" + "js.org", "anaconda" + ".org", "npm" + "js.com", "jsdelivr" + ".net"]
FOLDERS = re.compile(r"(?<![\w.)\]}~])/(?:" + "|".join(["home", "root", "work", "Users"]) + ")/")
SKIPPED = {".git", ".venv", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", "demo", "cache"}


def project_files(root: Path) -> list[Path]:
    """What git tracks or would; without git (a downloaded copy) everything that a run does not make."""
    git = shutil.which("git")
    if git and (root / ".git").exists():
        command = [git, "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
        if listed.returncode == 0:
            return [path for name in listed.stdout.split("\0") if name and (path := root / name).is_file()]
    files = (path for path in root.rglob("*") if path.is_file())
    made = {root / name for name in SKIPPED}
    return [path for path in files if not made & set(path.parents) and not SKIPPED - {"demo", "cache"} & set(path.parts)]


def foreign_words(text: str) -> list[str]:
    """Package registries and absolute paths of somebody's machine, as ``line: word``."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        words = [host for host in HOSTS if host in line] + FOLDERS.findall(line)
        found += [f"{number}: {word}" for word in words]
    return found


def unpinned(text: str) -> list[str]:
    """The lines of a requirements file that leave a choice."""
    lines = [line.split("#")[0].strip() for line in text.splitlines()]
    return [line for line in lines if line and not re.fullmatch(r"[\w.-]+==[\w.]+|-r [\w.-]+", line)]


def section(text: str, title: str) -> str:
    """A document's part below the heading ``title``, up to the next heading of its level or above."""
    parts = re.split(rf"^(#+) +{re.escape(title)}\s*$", text, maxsplit=1, flags=re.M)
    return re.split(rf"^#{{1,{len(parts[1])}}} ", parts[2], maxsplit=1, flags=re.M)[0] if len(parts) == 3 else ""


def contrast(one: str, other: str) -> float:
    """WCAG 2's ratio of two ``#rrggbb``."""

    def luminance(color: str) -> float:
        values = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, bright = sorted([luminance(one), luminance(other)])
    return (bright + 0.05) / (dark + 0.05)


def _settings() -> dict[str, Any]:
    return tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))


def test_nothing_of_one_machine_is_in_the_repository() -> None:
    files = project_files(ROOT)
    assert ROOT / "run.py" in files, "the list of files is not the project's"
    found = []
    for path in files:
        content = path.read_bytes()
        text = "" if b"\0" in content else content.decode("utf-8", errors="replace")
        found += [f"{path.relative_to(ROOT)}:{word}" for word in foreign_words(text)]
    assert found == []


@pytest.mark.parametrize(
    ("line", "count", "reason"),
    [
        ("", 0, "an empty line"),
        (f"--index-url https://{HOSTS[0]}/simple", 1, "a registry"),
        ("/".join(["", "home", "ann", "data"]), 1, "somebody's home"),
        ('open("' + "/".join(["", "root", "x.csv"]) + '")', 1, "in quotes"),
        ("/".join(["", "Users", "ann"]) + "/", 1, "a Mac's"),
        ("https://example.org" + "/".join(["", "home", "page"]), 0, "an address's path"),
        ("~" + "/".join(["", "work", "data"]), 0, "below one's own home, whoever reads it"),
        ("../" + "work/data", 0, "relative"),
        ("$XDG" + "/".join(["", "work", ""]), 0, "below a variable"),
    ],
)
def test_foreign_words_are_found(line: str, count: int, reason: str) -> None:
    assert len(foreign_words(line)) == count, reason


def test_the_copy_without_git_is_listed_too(tmp_path: Path) -> None:
    for name in ("a.py", "core/demo/b.py", ".venv/lib/c.py", "demo/d.csv", "core/__pycache__/e.pyc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert {path.name for path in project_files(tmp_path)} == {"a.py", "b.py"}


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_requirements_are_pinned(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "==" in text
    assert unpinned(text) == []


@pytest.mark.parametrize("line", ["numpy", "numpy>=2", "numpy==2.*", "git+https://example.org/x", "-e .", "numpy~=2.4"])
def test_an_open_requirement_is_found(line: str) -> None:
    assert unpinned(f"# why\n{line}  # note\npandas==3.1.1\n") == [line]


@pytest.mark.parametrize(
    ("table", "key", "value", "reason"),
    [
        ("server", "address", "127.0.0.1", "other machines cannot reach the films"),
        ("server", "enableXsrfProtection", True, "a page elsewhere cannot post"),
        ("server", "enableCORS", True, "nor read"),
        ("server", "allowedHosts", ["127.0.0.1", "localhost"], "nor come in by a name of its own"),
        ("browser", "gatherUsageStats", False, "no statistics"),
        ("client", "showErrorDetails", "type", "a traceback may quote a report"),
        ("client", "showErrorLinks", False, "no error text to a search engine"),
        ("theme", "base", "dark", "not a file or an address"),
    ],
)
def test_settings_keep_the_data_here(table: str, key: str, value: object, reason: str) -> None:
    assert _settings()[table][key] == value, reason


def test_the_theme_brings_nothing_from_outside() -> None:
    theme = _settings()["theme"]
    assert "fontFaces" not in theme
    assert not [value for value in theme.values() if isinstance(value, str) and re.search(r"://|:http|url\(", value)]


def test_charts_have_the_colours_of_the_boxes() -> None:
    assert _settings()["theme"]["chartCategoricalColors"] == [style_of(name).color for name in MS_CXR_CATEGORIES]


@pytest.mark.parametrize(
    ("front", "back", "least", "reason"),
    [
        ("textColor", "backgroundColor", 7.0, "text on the page (AAA)"),
        ("textColor", "secondaryBackgroundColor", 7.0, "text in widgets"),
        ("#ffffff", "primaryColor", 4.5, "Streamlit writes white on the accent (AA)"),
        ("primaryColor", "backgroundColor", 3.0, "a control against the page (AA for shapes)"),
        ("linkColor", "backgroundColor", 4.5, "links (AA)"),
    ],
)
def test_colours_can_be_read(front: str, back: str, least: float, reason: str) -> None:
    theme = _settings()["theme"]
    assert contrast(theme.get(front, front), theme[back]) >= least, reason


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_readme_names_what_the_app_is_built_on() -> None:
    if not (ROOT / "README.md").exists():
        pytest.skip("README.md is not there yet")
    built_on = section((ROOT / "README.md").read_text(encoding="utf-8"), "Built on").lower()
    packages = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.txt").read_text(encoding="utf-8"), flags=re.M)
    assert packages
    assert [name for name in packages if name.lower() not in built_on] == []


def test_a_section_ends_at_the_next_heading() -> None:
    text = "# A\n## Built on\nnumpy\n### Why\npandas\n## C\npillow\n"
    assert section(text, "Built on") == "\nnumpy\n### Why\npandas\n"
    assert section(text, "Missing") == ""
