"""What holds for every test: tables that the app keeps go into a folder of the test's own, never beside the sources."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("RADHARMONY_CACHE", str(folder))
    return folder
