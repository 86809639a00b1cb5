"""``radharmony.toml``: which datasets there are, and where."""

from radharmony_core.config.edit import remove_dataset, settings_as_typed, write_dataset
from radharmony_core.config.read import (
    CONFIG_NAME,
    CONFIG_VARIABLE,
    KINDS,
    Config,
    find_config,
    load_config,
    settings_in_full,
)

__all__ = [
    "CONFIG_NAME",
    "CONFIG_VARIABLE",
    "KINDS",
    "Config",
    "find_config",
    "load_config",
    "remove_dataset",
    "settings_as_typed",
    "settings_in_full",
    "write_dataset",
]
