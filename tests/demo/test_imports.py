"""What writes the demo must not import what reads it, or a mistake in one would hide the same mistake in the other."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import radharmony_core.demo

FILES = sorted(Path(radharmony_core.demo.__file__).parent.rglob("*.py"))
ALLOWED = {"errors", "labels", "boxes", "demo"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_demo_imports_nothing_that_reads_datasets(path: Path) -> None:
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "absolute imports only"
            names.append(node.module or "")
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    parts = [name.split(".") for name in names if name.split(".")[0] == "radharmony_core"]
    assert all(len(part) > 1 and part[1] in ALLOWED for part in parts), parts
    outside = {name.split(".")[0] for name in names} & {"scipy", "cv2", "skimage", "pandas", "streamlit", "matplotlib"}
    assert not outside
