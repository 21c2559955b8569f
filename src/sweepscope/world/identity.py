"""Marks: which scene is which, also in other processes.

Every scene has a random token, and knows the tokens of the scenes that it was copied from. A body is pickled as a reference:
the mark of its scene, its id and its own key. Unpickling looks for that scene: in the same pickle, then in this process.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from .body import Body
    from .store import Store

_MOST = 16  # tokens: a scene that is copied over and over forgets the oldest

_here: WeakValueDictionary[bytes, Store] = WeakValueDictionary()


class SceneIdentity:
    """The tokens of a scene: its own, then those of the scenes that it was copied from, the nearest first.

    A pickle holds the mark of a scene once, so that its bodies find the scene that came with them.
    """

    __slots__ = ("arrived", "tokens", "waiting")

    def __init__(self, tokens: tuple[bytes, ...]) -> None:
        self.tokens = tokens
        self.arrived: Store | None = None
        """The scene that came in the same pickle; None if there was none so far."""
        self.waiting: dict[bytes, Body] = {}
        """Bodies that came before it, by key."""

    def __reduce__(self) -> tuple[Any, ...]:
        return SceneIdentity, (self.tokens,)


def new_identity(store: Store, source: SceneIdentity | None = None) -> SceneIdentity:
    """Return the mark of a new scene, and remember the scene; source: of the scene that it is a copy of."""
    identity = SceneIdentity((new_key(16), *(() if source is None else source.tokens))[:_MOST])
    _here[identity.tokens[0]] = store
    return identity


def new_key(size: int = 8) -> bytes:
    """Return random bytes that no other body has, in no process: also after a fork."""
    return os.urandom(size)


def scene_with(identity: SceneIdentity) -> Store | None:
    """Return the scene of a mark in this process; if it is not here, its nearest relative by copying, the newest of several."""
    own = _here.get(identity.tokens[0])
    if own is not None:
        return own
    best, least = None, 2 * _MOST
    for store in list(_here.values()):
        tokens = store.identity.tokens
        steps = min((k + tokens.index(token) for k, token in enumerate(identity.tokens) if token in tokens), default=2 * _MOST)
        if steps <= least and steps < 2 * _MOST:
            best, least = store, steps
    return best
