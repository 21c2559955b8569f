"""The card: one OpenGL context without a window for the whole process, its programs and its pictures.

It is opened when the first picture is drawn, and used by one thread at a time. If it is lost, the drawing raises and the next
one opens another. A process that was forked after that cannot draw: drivers do not survive a fork.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from ..errors import GraphicsFailed, InvalidQuery, MissingPackage, SweepscopeError
from .shaders import BLANK_FRAGMENT, BLANK_VERTEX, sources
from .vertices import SceneVertices

if TYPE_CHECKING:
    from ..world.store import Store

_VERSION = 430
_EGL = "libEGL.so.1"  # of the system; it gives the functions of OpenGL too
_TOO_OLD = "eglCreateContext"  # what fails where the driver has no OpenGL of that version
_KEPT_PICTURES = 8  # sizes of pictures whose memory is kept


@dataclass(frozen=True, slots=True)
class Target:
    """A picture on the card, to draw into."""

    results: Any
    """Texture: four 32-bit numbers for each pixel, see `shaders.py`."""
    floors: Any
    """Texture: two 32-bit numbers for each pixel, the least depth that counts there as float64."""
    framebuffer: Any


class Card:
    """An OpenGL context with the programs that draw bodies. Use it within `card()`."""

    def __init__(self) -> None:
        try:
            import moderngl
        except ModuleNotFoundError:
            raise MissingPackage('backend "gl" needs moderngl: pip install "sweepscope[gl]"', name="moderngl") from None
        options: dict[str, Any] = {"backend": "egl", "require": _VERSION, "libgl": _EGL, "libegl": _EGL}
        try:
            self.context: Any = moderngl.create_standalone_context(**options)
        except Exception as reason:
            raise _not_opened(reason) from reason
        with self.context:
            self.renderer = str(self.context.info["GL_RENDERER"])
            self.largest = int(self.context.info["GL_MAX_TEXTURE_SIZE"])
            self.context.gc_mode = "context_gc"  # what is dropped on any thread is freed by the next that draws
            blank = self.context.program(vertex_shader=BLANK_VERTEX, fragment_shader=BLANK_FRAGMENT)
            self.blank = self.context.vertex_array(blank, [])
            self._programs: dict[bool, Any] = {}
            self._targets: OrderedDict[tuple[int, int], Target] = OrderedDict()
            self._scenes: WeakKeyDictionary[Store, SceneVertices] = WeakKeyDictionary()

    def program(self, *, bounding: bool) -> Any:
        """Return the program for pictures of one kind, compiled when it is first needed."""
        found = self._programs.get(bounding)
        if found is None:
            found = self._programs[bounding] = self.context.program(**sources(bounding=bounding))
        return found

    def vertices(self, store: Store) -> SceneVertices:
        """Return the vertices of a scene on the card, up to date."""
        found = self._scenes.get(store)
        if found is None:
            found = self._scenes[store] = SceneVertices(self.context)
        found.update(store)
        return found

    def target(self, pixels: tuple[int, int]) -> Target:
        """Return a picture of some size (columns, rows), not cleared."""
        found = self._targets.pop(pixels, None)
        if found is None:
            if max(pixels) > self.largest:
                raise InvalidQuery(f"pixels is {pixels}; {self.renderer} draws at most {self.largest} in a row or a column")
            results = self.context.texture(pixels, 4, dtype="u4")
            floors = self.context.texture(pixels, 2, dtype="u4")
            framebuffer = self.context.framebuffer([results], self.context.depth_renderbuffer(pixels))
            found = Target(results, floors, framebuffer)
            while len(self._targets) >= _KEPT_PICTURES:
                self._targets.popitem(last=False)
        self._targets[pixels] = found
        return found


_lock = threading.RLock()
_card: Card | None = None
_forked = False


@contextmanager
def card() -> Iterator[Card]:
    """Open the card if it is not, and give it to this thread. Errors of OpenGL become GraphicsFailed, and close it."""
    global _card
    if _forked:
        raise GraphicsFailed("this process was forked from one that uses OpenGL; start it by spawn or forkserver instead")
    with _lock:
        if _card is None:
            _card = Card()
        used = _card
        try:
            with used.context:
                used.context.gc()
                yield used
                error = used.context.error
            if error != "GL_NO_ERROR":
                raise GraphicsFailed(f"OpenGL reports {error} on {used.renderer}; the next call opens a new context")
        except SweepscopeError as reason:
            if isinstance(reason, GraphicsFailed):
                _card = None
            raise
        except Exception as reason:
            _card = None
            raise GraphicsFailed(f"the OpenGL context was lost ({reason}); the next call opens a new one") from reason


def renderer() -> str:
    """Return the name of what draws: a graphics card, or llvmpipe, which is Mesa's on the processor."""
    with card() as used:
        return used.renderer


def _not_opened(reason: Exception) -> SweepscopeError:
    """Return the error of a context that could not be opened."""
    if _TOO_OLD in str(reason):
        return GraphicsFailed(f'backend "gl" needs OpenGL {_VERSION / 100:.1f}, which the driver does not have ({reason})')
    return MissingPackage(
        'backend "gl" needs EGL and a driver: on Debian and Ubuntu "apt-get install libegl1 libgl1-mesa-dri", '
        f"or the driver of the graphics card ({reason})",
        name="libegl1",
    )


def _after_fork() -> None:
    """Note in a child process that its parent has used OpenGL."""
    global _forked, _lock
    _lock = threading.RLock()
    _forked = _forked or _card is not None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
