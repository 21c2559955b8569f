"""Light or dark: as the program says, or as the visitor's system is set."""

# pyright: reportMissingImports=false

from __future__ import annotations

import contextlib
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
    """The colors of a page. dark: for all visitors; None: each visitor gets those of its system, as they are when it loads."""

    def __init__(self, server: Server, dark: bool | None) -> None:
        self._given = dark
        self._dark: set[int] = set()
        _configure(server.gui, bool(dark))
        if dark is None:
            server.on_client_connect(self._on_visit)
            server.on_client_disconnect(lambda client: self._dark.discard(client.client_id))

    def dark_for(self, client: Any | None) -> bool:
        """Return whether this visitor sees dark colors; None: a reader without a server, who gets light ones."""
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


def _configure(gui: Any, dark: bool) -> None:
    gui.configure_theme(dark_mode=dark, show_logo=False, show_share_button=False, control_width="medium")
