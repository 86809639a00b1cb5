"""Nothing leaves the machine, not even when a page elsewhere knocks."""

from __future__ import annotations

import socket
from typing import Any, NoReturn

import pytest
from streamlit import net_util
from streamlit.web.server import server_util

from pages._ui.server import stay_offline


def test_a_foreign_origin_is_refused_without_asking_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("get_external_ip", "get_internal_ip"):
        monkeypatch.setattr(net_util, name, getattr(net_util, name))  # put back afterwards

    def no_socket(*_: Any, **__: Any) -> NoReturn:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", no_socket)
    with pytest.raises(AssertionError, match="a socket was opened"):
        server_util.is_url_from_allowed_origins("http://elsewhere.example")
    stay_offline()
    assert not server_util.is_url_from_allowed_origins("http://elsewhere.example")
    assert server_util.is_url_from_allowed_origins("http://127.0.0.1:8501")
