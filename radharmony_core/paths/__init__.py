"""Where a dataset's files are: at any usual depth, whatever their extension, never outside the root; and writing them whole."""

from radharmony_core.paths.files import existing, expanded, stamp, written_whole
from radharmony_core.paths.inside import leads_out, locate_all
from radharmony_core.paths.locate import IMAGE_SUFFIXES, locate, within
from radharmony_core.paths.partial import find_root
from radharmony_core.paths.trees import find_file, find_files, find_shards, find_tree, some_files

__all__ = [
    "IMAGE_SUFFIXES",
    "existing",
    "expanded",
    "find_file",
    "find_files",
    "find_root",
    "find_shards",
    "find_tree",
    "leads_out",
    "locate",
    "locate_all",
    "some_files",
    "stamp",
    "within",
    "written_whole",
]
