"""Every registered dataset is whole: schema, settings, published counts, samples, demo, README row and tests. Adding one
without a part fails here, and says which."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

import radharmony_core.schema as schema
from pages._ui.datasets.names import HELP, TITLES
from radharmony_core.catalog import PUBLISHED, load_catalog
from radharmony_core.config import KINDS, load_config
from radharmony_core.dataset import DATASETS
from radharmony_core.demo import write_demo
from radharmony_core.harmonizer import HARMONIZERS
from radharmony_core.harmonizer.base import Harmonizer

ROOT = Path(__file__).resolve().parents[1]


def missing_parts(kind: str, root: Path, demo: Path) -> list[str]:
    """What ``kind`` lacks in the project at ``root``, given a demo's ``radharmony.toml``."""
    columns = getattr(schema, f"{kind.upper()}_COLUMNS", ())
    readme = (root / "README.md").read_text(encoding="utf-8")
    tests = [path.read_text(encoding="utf-8") for path in (root / "tests" / "harmonizer").rglob(f"test_{kind}.py")]
    parts = {
        "registry": kind in HARMONIZERS and HARMONIZERS[kind].kind == kind,
        "schema": [column.name for column in columns][:3] == ["patient_id", "study_id", "image_path"],
        "harmonizer's columns": kind in HARMONIZERS and HARMONIZERS[kind].columns == columns,
        "settings": "root" in KINDS.get(kind, ()),
        "title": kind in TITLES,
        "help for each setting": bool(KINDS.get(kind)) and set(HELP.get(kind, ())) == set(KINDS.get(kind, ())),
        "published counts": "images" in PUBLISHED.get(kind, ()),
        "samples": kind in DATASETS,
        "demo writer": kind in load_config(demo).datasets,
        "README row": re.search(rf"^\|[^|]+\| `\[{kind}\]` \|[^|]+\|$", readme, re.MULTILINE) is not None,
        "test file": any("\ndef test_" in text and "assert" in text for text in tests),
    }
    return [name for name, is_there in parts.items() if not is_there]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_demo(tmp_path_factory.mktemp("contract") / "demo", images=12, tables_only=True)


@pytest.mark.parametrize("kind", sorted(HARMONIZERS))
def test_a_registered_dataset_lacks_nothing(kind: str, demo: Path) -> None:
    assert missing_parts(kind, ROOT, demo) == []


def test_every_list_of_datasets_is_the_registry(demo: Path) -> None:
    lists: dict[str, Iterable[str]] = {"settings": KINDS, "titles": TITLES, "published": PUBLISHED, "samples": DATASETS}
    lists["demo"] = load_config(demo).datasets
    assert {name: set(kinds) for name, kinds in lists.items()} == {name: set(HARMONIZERS) for name in lists}


def test_a_dataset_without_its_parts_is_found(tmp_path: Path, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Half(Harmonizer):
        kind = "half"
        columns = ()

    monkeypatch.setitem(HARMONIZERS, "half", Half)
    (tmp_path / "README.md").write_text("| half | `half` | nothing |\n", encoding="utf-8")
    (tmp_path / "tests" / "harmonizer").mkdir(parents=True)
    (tmp_path / "tests" / "harmonizer" / "test_half.py").write_text("def test_nothing() -> None:\n    pass\n", encoding="utf-8")
    lacking = ["schema", "settings", "title", "help for each setting", "published counts", "samples", "demo writer"]
    assert missing_parts("half", tmp_path, demo) == [*lacking, "README row", "test file"]


@pytest.mark.parametrize("kind", sorted(HARMONIZERS))
def test_the_demo_of_each_dataset_is_read_without_an_error(kind: str, demo: Path) -> None:
    catalog = load_catalog(load_config(demo))
    status = catalog.status(kind)
    assert status is not None
    assert status.error is None
    assert status.counts["images"] > 0
    of_kind = catalog.issues[(catalog.issues["dataset"] == kind).to_numpy()]
    assert of_kind.loc[(of_kind["severity"] == "error").to_numpy(), "message"].tolist() == []
