"""``python -m radharmony_core ...``"""

import io
import sys


def _start() -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a path in letters that this terminal has not is no reason to fail
    try:
        from radharmony_core.cli import main  # takes a moment, in which Ctrl-C may come as well
    except KeyboardInterrupt:
        return 130
    return main()


sys.exit(_start())
