"""From the click on *Next* to the painted film, against a rerun of an empty page: same browser, same server code, in turn.

python -m benchmarks.next_film
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from benchmarks._timing import print_ratios
from tests.browser.running import QUIET, chromium, serving
from tests.support import annotation, write_table

FILMS, WIDTH, HEIGHT = 24, 2544, 3056
EMPTY = """
import streamlit as st
st.session_state.count = st.session_state.get("count", 0) + 1
st.button("Next", key="next")
st.text(f"run {st.session_state.count}")
"""
# Clicks, then looks at every frame until `ready` holds; the frame after that one has been painted.
MEASURE = """
([ready]) => new Promise(done => {
  const seen = new Function('return ' + ready)
  const before = seen()
  const start = performance.now()
  document.querySelector('.st-key-next button').click()
  const painted = () => done(performance.now() - start)
  const look = () => requestAnimationFrame(seen() === before ? look : painted)
  requestAnimationFrame(look)
})
"""
FILM_SEEN = (
    "[...document.querySelectorAll('*')].map(node => node.shadowRoot).filter(Boolean)"
    ".map(root => root.querySelector('.viewer')).filter(Boolean).map(viewer => viewer.dataset.painted).join()"
)
TEXT_SEEN = "document.querySelector('[data-testid=\"stText\"]').textContent"


def write_films(folder: Path) -> Path:
    """Films of MIMIC-CXR's usual size, smooth as a film is, with two boxes and a report each."""
    dice = np.random.default_rng(0)
    rows = []
    for number in range(FILMS):
        own: dict[str, object] = {"dicom_id": f"f{number}", "patient": f"1000{number:04d}", "study": f"5000{number:04d}"}
        path = folder / f"files/p10/p{own['patient']}/s{own['study']}/f{number}.jpg"
        path.parent.mkdir(parents=True)
        coarse = Image.fromarray(dice.integers(0, 255, (48, 40), dtype=np.uint8))
        grain = dice.normal(0, 3, (HEIGHT, WIDTH))
        film = np.asarray(coarse.resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC)) + grain
        Image.fromarray(film.clip(0, 255).astype(np.uint8)).save(path, quality=95)
        path.parent.with_suffix(".txt").write_text(" FINDINGS:  mild edema.\n" * 20)
        size: dict[str, object] = {"image_width": WIDTH, "image_height": HEIGHT, "w": 800, "h": 900}
        rows += [annotation(**own, **size), annotation(**own, **size | {"x": 1200, "category_name": "Pneumonia"})]
    write_table(folder / "ms.csv", rows)
    config = folder / "radharmony.toml"
    config.write_text('[ms_cxr]\ncsv_path = "ms.csv"\nmimic_base_dir = "files"\n')
    return config


def measured(page: Page, ready: str) -> float:
    took: float = page.evaluate(MEASURE, [ready])
    page.wait_for_timeout(250)
    return took


def main() -> int:
    program = chromium()
    if program is None:
        print("No Chromium: nothing measured.")
        return 1
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        config = write_films(folder)
        (folder / "empty").mkdir()
        (folder / "empty" / "app.py").write_text(EMPTY)
        with serving(config) as viewer, serving(None, folder / "empty") as empty:
            browser = playwright.chromium.launch(executable_path=program, args=QUIET)
            film, text = (browser.new_page(viewport={"width": 1440, "height": 900}) for _ in range(2))
            sent: list[int] = []
            film.on("websocket", lambda socket: socket.on("framereceived", lambda data: sent.append(len(data))))
            film.goto(viewer)
            film.wait_for_selector(".viewer[data-painted]")
            text.goto(empty)
            text.wait_for_selector(".st-key-next button")
            measured(text, TEXT_SEEN)
            sent.clear()
            times: dict[str, list[float]] = {"empty page, rerun": [], "next film": []}
            for _ in range(FILMS - 1):
                text.bring_to_front()
                times["empty page, rerun"].append(measured(text, TEXT_SEEN))
                film.bring_to_front()
                times["next film"].append(measured(film, FILM_SEEN))
            browser.close()
        kept = report({name: statistics.median(values) for name, values in times.items()})
        print(f"sent for a film: {sum(sent) / (FILMS - 1) / 1000:.0f} KB")
    return 0 if kept else 1


def report(times: dict[str, float]) -> bool:
    limits = {"next film": 2.5}
    return print_ratios(f"Click to painted, {WIDTH} x {HEIGHT} JPEG", times, "empty page, rerun", limits)


if __name__ == "__main__":
    sys.exit(main())
