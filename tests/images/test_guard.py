"""pydicom in many threads and processes: each film gets its own notices, and nothing of the process stays changed."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydicom import config
from pydicom.filereader import read_partial

from radharmony_core.errors import ImageError
from radharmony_core.images import read_image
from radharmony_core.images.dicom.guard import guarded
from tests.images.make import EXPLICIT, dicom

RAMP = (np.arange(20).reshape(4, 5) * 200).astype(np.uint16)
NO_WINDOW = "No window of the file is used: its full value range, 0 to 3800, is shown."


def test_a_warning_of_pydicom_is_a_notice_of_its_own_film_in_every_thread(tmp_path: Path) -> None:
    odd = dicom(tmp_path / "odd.dcm", RAMP, uid=EXPLICIT, explicit=False)
    plain = dicom(tmp_path / "plain.dcm", RAMP)
    before = (list(warnings.filters), warnings.showwarning)
    with ThreadPoolExecutor(8) as pool:
        films = list(pool.map(read_image, [odd, plain] * 40))
    assert {tuple(film.notices) for film in films[1::2]} == {(NO_WINDOW,)}
    assert {len(film.notices) for film in films[::2]} == {2}
    assert all("should be in explicit VR is in implicit VR" in film.notices[0] for film in films[::2])
    assert (list(warnings.filters), warnings.showwarning) == before


def test_a_warning_of_another_thread_goes_where_it_would_have_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = dicom(tmp_path / "a.dcm", RAMP)

    def meanwhile(*args: Any, **more: Any) -> Any:
        other = threading.Thread(target=warnings.warn, args=("of another thread",))
        other.start()
        other.join()
        return read_partial(*args, **more)

    monkeypatch.setattr("radharmony_core.images.dicom.part10.read_partial", meanwhile)
    with pytest.warns(UserWarning, match="of another thread"):
        assert read_image(path).notices == [NO_WINDOW]


def test_a_recorder_that_is_put_back_after_its_time_records_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = dicom(tmp_path / "a.dcm", RAMP)
    recorders: list[Any] = []

    def meanwhile(*args: Any, **more: Any) -> Any:
        recorders.append(warnings.showwarning)
        return read_partial(*args, **more)

    monkeypatch.setattr("radharmony_core.images.dicom.part10.read_partial", meanwhile)
    assert read_image(path).notices == [NO_WINDOW]
    with pytest.warns(UserWarning, match="much later"):
        recorders[0]("much later", UserWarning, __file__, 1)


def test_an_exception_names_the_file_and_an_error_of_the_disk_stays_one() -> None:
    before = (warnings.showwarning, config.settings.reading_validation_mode)
    for error, kind, words in (
        (KeyError("x"), ImageError, "film.dcm is cut or damaged.*'x'"),
        (RecursionError(), ImageError, "film.dcm is cut or damaged.*RecursionError"),
        (OSError("no tag here"), ImageError, "film.dcm is cut or damaged.*no tag here"),
        (ImageError("worded already"), ImageError, "^worded already$"),
        (OSError(5, "Input/output error"), OSError, "Input/output error"),
    ):
        with pytest.raises(kind, match=words), guarded("film.dcm", []):
            raise error
    assert (warnings.showwarning, config.settings.reading_validation_mode) == before


FORKING = """
import os, signal, sys, threading
from radharmony_core.images import read_image
def read_on():
    while True:
        read_image(sys.argv[1])
for _ in range(2):
    threading.Thread(target=read_on, daemon=True).start()
for _ in range(30):
    child = os.fork()
    if not child:
        signal.alarm(20)
        read_image(sys.argv[1])
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        os._exit(1)
os._exit(0)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked on this system")
def test_a_process_forked_while_threads_read_can_read(tmp_path: Path) -> None:
    path = dicom(tmp_path / "a.dcm", RAMP)
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", FORKING, str(path)], cwd=root, timeout=60, check=False)
    assert done.returncode == 0
