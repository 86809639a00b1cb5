"""Where PyTorch is not installed: arrays, and no word about it. In a process of its own, which cannot import it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.dataset.make import dataset, row

ROOT = Path(__file__).resolve().parents[2]
WITHOUT = "import sys; sys.modules.update({'torch': None, 'monai': None})\n"  # the import system's way to say: not installed
PROGRAM = """
import numpy as np
from radharmony_core.dataset import MSCXRDataset, collate
ds = MSCXRDataset(sys.argv[1], sys.argv[2], output_cls=True, output_bbox=True, output_mask=True, cache_dir=sys.argv[3])
for _ in range(2):
    batch = collate(list(ds.get_datasets()))
    for name in ("img", "cls", "mask"):
        assert type(batch[name]) is np.ndarray and batch[name].dtype == np.float32, name
    assert batch["img"].shape == (2, 1, 224, 224)
assert ds.get_datasets()[0]["bbox_labels"] == ["Edema"]
print("arrays")
"""


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", program, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)


def test_samples_are_arrays(tmp_path: Path) -> None:
    files, table = dataset(tmp_path, row(1), row(2))
    done = run(WITHOUT + PROGRAM, str(files), str(table), str(tmp_path / "cache"))
    assert (done.stdout.strip(), done.stderr) == ("arrays", "")


@pytest.mark.parametrize("dtype", ["np.float32", "'float32'"])
def test_arrays_do_not_load_pytorch(tmp_path: Path, dtype: str) -> None:
    program = f"""
import sys, numpy as np
from radharmony_core.dataset import MSCXRDataset
assert MSCXRDataset(sys.argv[1], sys.argv[2], cache_dir=None, dtype={dtype}).get_datasets()[0]["img"].max() == 1
print([name for name in ("torch", "monai") if name in sys.modules])
"""
    files, table = dataset(tmp_path)
    done = run(program, str(files), str(table))
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
