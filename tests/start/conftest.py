"""A folder with requirements, as `run.py` stands in."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "requirements.txt").write_text("numpy==1\n", encoding="utf-8")
    (tmp_path / "requirements-dev.txt").write_text("-r requirements.txt\nruff==1\n", encoding="utf-8")
    return tmp_path
