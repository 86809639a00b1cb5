"""Streamlit's server, kept from asking the outside who it is: ``python -m pages._ui.offline run app.py``.

When a request comes from a page of another origin, Streamlit looks up this machine's outside address to compare it, at a
service on the network. Here the answer is always no: the app is for this machine, and nothing leaves it.
"""

from __future__ import annotations

import sys

from streamlit import net_util

__all__ = ["stay_offline"]


def _no_address() -> None:
    return None


def stay_offline() -> None:
    """From here on this process asks nobody for its address. To call it twice does no harm."""
    net_util.get_external_ip = _no_address
    net_util.get_internal_ip = _no_address


if __name__ == "__main__":
    from streamlit.web.cli import main

    stay_offline()
    sys.exit(main())
