"""Three made-up reports, as a tree and as a zip."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

ONE, TWO, THREE = "p10/p10000001/s50000001.txt", "p10/p10000001/s50000002.txt", "p11/p11000003/s50000003.txt"
TEXTS = {ONE: b"FINAL REPORT\r\n mild edema\n ", TWO: "l’œdème".encode("cp1252"), THREE: b""}
READ = ["FINAL REPORT\r\n mild edema\n ", "l’œdème", ""]


def write_tree(root: Path, texts: dict[str, bytes] = TEXTS) -> Path:
    for relative, text in texts.items():
        (root / relative).parent.mkdir(parents=True, exist_ok=True)
        (root / relative).write_bytes(text)
    return root


def write_zip(path: Path, texts: Sequence[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with pytest.MonkeyPatch.context() as patch, zipfile.ZipFile(path, "w", method) as archive:
        patch.setattr("warnings.warn", lambda *_args, **_kwargs: None)  # that a name is there twice is what is tested
        for name, text in texts:
            archive.writestr(name, text)
    return path


def zip_of(path: Path, prefix: str = "files/", texts: dict[str, bytes] = TEXTS) -> Path:
    return write_zip(path, [(prefix + relative, text) for relative, text in texts.items()])
