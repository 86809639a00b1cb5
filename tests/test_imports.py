"""Imports go one way, ``app -> pages -> pages/_ui -> radharmony_core``, and inside the core down one list.

Read from the source with `ast`, so imports inside functions, relative ones and ``import_module("...")`` count as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CORE = "radharmony_core"
ORDER = [
    "errors",
    "labels",
    "boxes",
    "paths",
    "config",
    "texts",
    "schema",
    "cache",
    "images",
    "reports",
    "demo",
    "harmonizer",
    "labelers",
    "catalog",
    "thumbnails",
    "filters",
    "search",
    "dataset",
    "figures",
    "export",
    "qa",
    "cli",
    "__main__",
]
DEMO_MUST_NOT = {"harmonizer", "catalog", "reports", "images", "schema", "paths", "config", "texts"}
PICKLES = {"pickle", "_pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}


def violations(root: Path) -> list[str]:
    """Every import or call that breaks a rule, as ``file:line: why``; an empty list for a clean tree."""
    found = []
    files = [root / "app.py", *sorted((root / "pages").rglob("*.py")), *sorted((root / CORE).rglob("*.py"))]
    for path in filter(Path.exists, files):
        relative = path.relative_to(root)
        module = ".".join(relative.with_suffix("").parts)
        found += [f"{relative.as_posix()}: {_unlisted(module)}"] if _unlisted(module) else []
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            reasons = [_import_reason(module, name) for name in _imported(node, module, path.name == "__init__.py")]
            found += [f"{relative.as_posix()}:{node.lineno}: {why}" for why in [*reasons, _call_reason(node)] if why]  # type: ignore[attr-defined]
    return found


def _unlisted(module: str) -> str:
    parts = module.split(".")
    known = parts[0] != CORE or parts[1] in (*ORDER, "__init__")
    return "" if known else f"the core has an unknown module {parts[1]}: add it to the list ORDER in tests/test_imports.py"


def _imported(node: ast.AST, module: str, is_package: bool) -> Iterator[str]:
    """The dotted names a statement or call imports; ``from a import b`` gives ``a.b``, as b may be a module."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        here = module.split(".")
        here = here[:-1] if here[-1] == "__init__" else here
        up = node.level - 1 if is_package else node.level
        base = ".".join([*here[: len(here) - up], *([node.module] if node.module else [])]) if node.level else node.module
        yield from (f"{base}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Call) and _name(node.func) in ("import_module", "__import__"):
        yield from (str(arg.value) for arg in node.args[:1] if isinstance(arg, ast.Constant))


def _name(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""


def _call_reason(node: ast.AST) -> str:
    """Also as a method: ``frame.eval`` and ``pandas.eval`` run text as well."""
    runs_text = isinstance(node, ast.Call) and _name(node.func) in ("eval", "exec")
    return "eval and exec run text as code" if runs_text else ""


def _import_reason(module: str, name: str) -> str:
    parts, target = module.split("."), name.split(".")
    if target[0] in PICKLES:
        return f"{target[0]} runs whatever the file says"
    if parts[0] != CORE:
        return _page_reason(parts, target)
    if target[0] in ("app", "pages") or target[0].startswith("streamlit"):
        return f"the core does not know {target[0]}"
    return _core_reason(parts[1], target[1]) if target[0] == CORE and len(target) > 1 else ""


def _page_reason(parts: list[str], target: list[str]) -> str:
    shared = parts[:2] == ["pages", "_ui"]
    if target[0] == "app" and parts != ["app"]:
        return "nothing imports app"
    if target[0] == "pages" and target[1:2] != ["_ui"] and parts[0] == "pages":
        return "pages/_ui does not know the pages" if shared else "a page does not import a page: share it in pages/_ui"
    return ""


def _core_reason(here: str, there: str) -> str:
    """Names that are no module (``from radharmony_core import __version__``) are not in the list, and are fine."""
    if here == there or here not in (*ORDER, "__init__") or there not in ORDER:
        return ""
    if here == "__init__":
        return "the core's own __init__ imports nothing from it, or every module would import all"
    if here == "demo" and there in DEMO_MUST_NOT:
        return f"what writes the demo must not import what reads it ({there})"
    return "" if ORDER.index(there) < ORDER.index(here) else f"{here} stands above {there} in the list"


def test_the_project_imports_one_way() -> None:
    assert (ROOT / CORE / "errors.py").exists(), "the checker looks at the wrong folder"
    assert violations(ROOT) == []


BAD = [
    ("pages/_ui/state.py", "import app", "nothing imports app", "the entry is not a library"),
    ("radharmony_core/search.py", "from pages import viewer", "does not know pages", "the core is usable without them"),
    ("pages/_ui/state.py", "from pages.viewer import main", "does not know the pages", "shared code is below the pages"),
    ("pages/_ui/film/part.py", "from ... import viewer", "does not know the pages", "relative, from a folder deeper"),
    ("pages/viewer.py", "from pages.review import x", "does not import a page", "it would run the other page"),
    ("pages/viewer.py", "from . import review", "does not import a page", "the same, relative"),
    ("radharmony_core/search.py", "import streamlit as st", "does not know streamlit", "usable from a notebook"),
    ("radharmony_core/qa/run.py", "def f():\n    from streamlit import text", "know streamlit", "inside a function"),
    ("radharmony_core/search.py", "import streamlit_extras", "does not know streamlit", "its add-ons neither"),
    ("radharmony_core/boxes.py", "from radharmony_core.schema import x", "boxes stands above schema", "down the list"),
    ("radharmony_core/boxes.py", "from radharmony_core import schema", "boxes stands above schema", "by name"),
    ("radharmony_core/boxes.py", "import radharmony_core.schema", "boxes stands above schema", "plain import"),
    ("radharmony_core/boxes.py", "from .schema import x", "boxes stands above schema", "relative"),
    ("radharmony_core/images/read.py", "from ..reports.split import x", "images stands above reports", "up two"),
    ("radharmony_core/images/__init__.py", "from .. import reports", "images stands above reports", "from a package"),
    ("radharmony_core/images/read.py", "def f():\n    import radharmony_core.cli", "images stands", "inside a function"),
    ("radharmony_core/boxes.py", "import_module('radharmony_core.cli')", "boxes stands above cli", "by text"),
    ("radharmony_core/cli.py", "from radharmony_core import __main__", "cli stands above __main__", "the very last"),
    ("radharmony_core/__init__.py", "from .errors import x", "own __init__", "importing one module must not import all"),
    *[
        ("radharmony_core/demo/ms_cxr.py", f"from radharmony_core import {name}", "must not import", "shared mistakes hide")
        for name in sorted(DEMO_MUST_NOT)
    ],
    ("radharmony_core/extra.py", "", "unknown module extra: add it to the list", "a new module needs a place"),
    ("radharmony_core/extra/__init__.py", "", "unknown module extra: add it to the list", "a new folder as well"),
    ("radharmony_core/cache.py", "import pickle", "runs whatever", "no pickle"),
    ("pages/_ui/state.py", "from pickle import loads", "runs whatever", "not by name either"),
    ("app.py", "eval('1')", "run text as code", "no eval in the entry"),
    ("radharmony_core/filters.py", "frame.eval('a > b')", "run text as code", "pandas has one too"),
    ("pages/viewer.py", "exec('x = 1')", "run text as code", "no exec in a page"),
]
GOOD = [
    ("app.py", "from pages._ui import state\nimport radharmony_core.cli", "the entry may use all"),
    ("app.py", "from pages import viewer", "and the pages"),
    ("pages/viewer.py", "from pages._ui import state\nfrom radharmony_core.catalog import x", "a page uses what is below"),
    ("pages/_ui/state.py", "from pages._ui.film import x\nfrom . import film", "its own folder"),
    ("pages/_ui/__init__.py", "from .state import x\nfrom radharmony_core import qa", "from the folder's own __init__"),
    ("radharmony_core/qa/run.py", "from radharmony_core.qa.checks import x\nfrom .checks import y", "its own folder"),
    ("radharmony_core/images/__init__.py", "from .read import x\nfrom ..errors import y", "upwards in the list"),
    ("radharmony_core/demo/write.py", "from radharmony_core.labels import x", "the demo may use the names of findings"),
    ("radharmony_core/boxes.py", "from radharmony_core import __version__", "a name that is no module"),
    ("radharmony_core/boxes.py", "import radharmony_core_tools, ast\nast.literal_eval('1')", "names that only look alike"),
    ("tests/test_x.py", "import pickle, streamlit", "tests are free"),
    ("radharmony_core/boxes.py", "", "an empty file"),
]


def _tree(root: Path, name: str, source: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")
    return root


@pytest.mark.parametrize(("name", "source", "message", "reason"), BAD)
def test_a_broken_rule_is_found(tmp_path: Path, name: str, source: str, message: str, reason: str) -> None:
    found = violations(_tree(tmp_path, name, source))
    assert len(found) == 1, reason
    assert message in found[0], reason
    assert found[0].startswith(name), "the message says where"


@pytest.mark.parametrize(("name", "source", "reason"), GOOD)
def test_what_is_allowed_passes(tmp_path: Path, name: str, source: str, reason: str) -> None:
    assert violations(_tree(tmp_path, name, source)) == [], reason


def test_all_violations_are_collected(tmp_path: Path) -> None:
    _tree(tmp_path, "app.py", "import pickle\nexec('x')\n")
    assert [line.split(": ")[0] for line in violations(_tree(tmp_path, "pages/viewer.py", "import app"))] == [
        "app.py:1",
        "app.py:2",
        "pages/viewer.py:1",
    ]
