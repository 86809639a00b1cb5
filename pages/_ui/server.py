"""Streamlit's server as this app needs it: ``python -m pages._ui.server run app.py``.

When a request comes from a page of another origin, Streamlit looks up this machine's outside address to compare it, at a
service on the network. Here the answer is always no: the app is for this machine, and nothing leaves it.

And where a folder is called ``pages``, Streamlit runs a file in it as an app of its own when the first link after a start names
it, without page set-up and navigation. Here ``app.py`` comes first, whatever the link.
"""

from __future__ import annotations

import sys

from streamlit import net_util
from streamlit.runtime.pages_manager import PagesManager

__all__ = ["begin_with_the_entry", "stay_offline"]


def _no_address() -> None:
    return None


def stay_offline() -> None:
    """From here on this process asks nobody for its address. To call it twice does no harm."""
    net_util.get_external_ip = _no_address
    net_util.get_internal_ip = _no_address


def begin_with_the_entry() -> None:
    """From here on a link to a page runs the entry file, which then shows the page."""
    PagesManager.uses_pages_directory = False


if __name__ == "__main__":
    from streamlit.web.cli import main

    stay_offline()
    begin_with_the_entry()
    sys.exit(main())
