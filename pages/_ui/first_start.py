"""The first start: the demo is made in the background, once for all windows, and each of them shows how far it is."""

from __future__ import annotations

from pathlib import Path

from pages._ui.jobs import Progress, shared_job, wait_for
from radharmony_core.config import CONFIG_NAME
from radharmony_core.demo import write_demo
from radharmony_core.errors import ConfigError

__all__ = ["demo_config"]


def demo_config(folder: Path) -> Path:
    """The demo's ``radharmony.toml`` in ``folder``, made first where it is not there. Raises RadHarmonyError."""
    path = folder / CONFIG_NAME
    if path.is_file():
        return path

    def make(progress: Progress) -> Path:
        try:
            return write_demo(folder, progress=progress)
        except OSError as error:
            raise ConfigError(
                f"The demo data cannot be written to {folder}: {error.strerror or error}. Make room or make the folder "
                f"writable, or name your own {CONFIG_NAME} in RADHARMONY_CONFIG."
            ) from error

    job = shared_job(("demo", folder), make)
    return wait_for(job, "RadHarmony prepares its demo, once: half a minute", "Demo data, made up:")
