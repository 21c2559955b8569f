"""Starts viser's server, and decides which connections are accepted."""

# pyright: reportMissingImports=false

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .. import checks
from ..errors import InvalidQuery, MissingPackage

Server = Any
"""A viser.ViserServer. viser is an optional dependency, which is not installed where types are checked."""

LOCAL = "127.0.0.1"
PORT = 8080
_HERE = frozenset({"127.0.0.1", "localhost", "::1"})
_PAGE = "index.html"
_EVERYWHERE = frozenset({"0.0.0.0", "::", ""})


def start(host: str = LOCAL, port: int = PORT) -> Server:
    """Return a running server. If the port is taken, it has the next free one.

    Browsers may connect from its own page only: pages of other origins that are open in the same browser are refused.
    """
    try:
        import viser
    except ImportError:
        raise MissingPackage('the viewer needs viser: pip install "sweepscope[view]"', name="viser") from None
    _check(host, port)
    with _quiet(), _fenced():
        server = viser.ViserServer(host=host, port=port, verbose=False)
    _refuse_other_origins(server, host)
    _refuse_requests(server)
    server.gui.reset()
    return server


def stop(server: Server) -> None:
    """Stop a server."""
    with _quiet():
        server.stop()


def address(host: str, port: int) -> str:
    """Return the address of the page."""
    name = "localhost" if host in _EVERYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}"


def allowed(origin: str | None, asked: str | None, host: str) -> bool:
    """Return whether a connection is accepted. origin, asked: its headers Origin and Host; host: the server's own.

    Programs other than browsers send no origin. The origin must be the address that the page was loaded from, and that must be
    an address of this server: an attacker's name may point here too (DNS rebinding).
    """
    if origin is None:
        return True
    page = urlsplit(origin)
    if asked is None or page.netloc != asked:
        return False
    return host in _EVERYWHERE or page.hostname in (_HERE if host in _HERE else {host})


def _check(host: str, port: int) -> None:
    """Raise if a server cannot be bound to this host: viser would try port after port, without end."""
    checks.whole(port, "port", InvalidQuery, 1, 65535)
    try:
        family, kind, *_, where = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as tried:
            tried.bind(where)
    except (OSError, UnicodeError, TypeError) as error:
        raise InvalidQuery(f"host is {checks.shown(host)}; no address of this machine: {error}") from None


def _refuse_other_origins(server: Server, host: str) -> None:
    """Close connections from pages of other origins before anything is sent to them.

    viser has no option for this. The attributes used here are not public: without them nothing is served.
    """
    inner: Any = getattr(server, "_websock_server", None)
    live: Any = getattr(inner, "_live_connections", None)
    if live is None:
        stop(server)
        raise MissingPackage('this viser version has no origin check: pip install "viser>=1.1,<1.2"', name="viser")

    @inner.on_client_connect
    async def _(client: Any) -> None:
        connection = live[client.client_id]
        headers = connection.request.headers
        if not allowed(headers.get("Origin"), headers.get("Host"), host):
            await connection.close(1008, "other origins are refused")

    server._websock_server.disconnect_all_clients()  # noqa: SLF001  (clients that came before this check come again)


def _refuse_requests(server: Server) -> None:
    """Remove the handlers of messages that request a public address on the internet, or upload files."""
    from viser import _messages as messages

    inner: Any = server._websock_server  # noqa: SLF001  (viser has no option for this)
    for kind in ("ShareUrlRequest", "ShareUrlDisconnect", "FileTransferStartUpload", "FileTransferPart"):
        inner.unregister_handler(getattr(messages, kind))


class OnePage:
    """Replaces the folder that viser serves. Only the name of the page leads to a file.

    On Linux a folder would do. On Windows, `folder / "C:/secret"` is C:/secret, and viser does not check for that.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __truediv__(self, name: str) -> Path:
        """Return the page's path; for other names that of a folder, which viser does not serve."""
        return self._folder / _PAGE if name == _PAGE else self._folder


@contextlib.contextmanager
def _fenced() -> Iterator[None]:
    """Make servers that are created now serve their page only. viser has no option for this."""
    from viser import infra

    plain: Any = infra.WebsockServer

    class Fenced(plain):
        def __init__(self, *args: Any, http_server_root: Path, **options: Any) -> None:
            super().__init__(*args, http_server_root=OnePage(http_server_root), **options)

    infra.WebsockServer = Fenced
    try:
        yield
    finally:
        infra.WebsockServer = plain


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep viser from printing through rich: the command prints one line of its own."""
    import rich

    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before
