"""Light or dark: as the program says, or as the visitor's system is set."""

# pyright: reportMissingImports=false

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from .serving import Server

_KEY = "sweepscope.dark"
_TIMEOUT = 10.0  # seconds that a browser has to answer

# viser has no call that reads a media query. It has calls that read the browser's storage, under keys with this prefix.
_ASK = f"""
try {{
  const dark = window.matchMedia("(prefers-color-scheme: dark)").matches;
  localStorage.setItem("viser-user:{_KEY}", dark ? "yes" : "no");
}} catch {{}}
"""


class Theme:
    """The colors of a page. dark: for all visitors; None: each visitor gets those of its system when the page loads.

    on_dark: called with a visitor that gets dark colors though others may not.
    """

    def __init__(self, server: Server, dark: bool | None, on_dark: Callable[[Any], None]) -> None:
        self._given = dark
        self._on_dark = on_dark
        self._dark: set[int] = set()
        _configure(server.gui, bool(dark))
        if dark is None:
            server.on_client_connect(self._on_visit)
            server.on_client_disconnect(lambda client: self._dark.discard(client.client_id))

    def dark_for(self, client: Any | None) -> bool:
        """Return whether a visitor has dark colors; None: what a page without a server has."""
        if self._given is not None:
            return self._given
        return client is not None and client.client_id in self._dark

    def _on_visit(self, client: Any) -> None:
        """Ask a new visitor's browser, and give it dark colors if its system has them."""
        from viser import _messages as messages

        # Not public in viser; it runs what its own plots need by the same message.
        client._websock_connection.queue_message(messages.RunJavascriptMessage(source=_ASK))  # noqa: SLF001
        with contextlib.suppress(RuntimeError, TimeoutError):  # it has left, or refuses to store anything: light colors
            if client.local_storage.get_item(_KEY, timeout=_TIMEOUT) == "yes":
                self._dark.add(client.client_id)
                _configure(client.gui, True)
                self._on_dark(client)


def _configure(gui: Any, dark: bool) -> None:
    gui.configure_theme(dark_mode=dark, show_logo=False, show_share_button=False, control_width="medium")
