"""Identities: which scene is which, also in other processes.

Every scene has a random token, and the tokens of the scenes that it was copied or loaded from. A body is pickled as a
reference: the identity of its scene, its id and its own key. Unpickling looks for that scene: in the same pickle, then in this
process.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from .body import Body
    from .store import Store

MOST_TOKENS = 16
"""Of a scene: one that is copied over and over drops the oldest."""
TOKEN, KEY = 16, 8
"""Sizes of a token and of a body's key [bytes]."""

_here: WeakValueDictionary[bytes, Store] = WeakValueDictionary()


class SceneIdentity:
    """The tokens of a scene: its own, then those of the scenes that it was copied or loaded from, the nearest first.

    A pickle holds the identity of a scene once, so that its bodies find the scene that came with them.
    """

    __slots__ = ("arrived", "loaded", "tokens", "waiting")

    def __init__(self, tokens: tuple[bytes, ...]) -> None:
        self.tokens = tokens
        self.arrived: Store | None = None
        """The scene that came in the same pickle; None if there was none so far."""
        self.waiting: dict[bytes, Body] = {}
        """Bodies that came before it, by key."""
        self.loaded = False
        """True if the scene was loaded from a file."""

    @property
    def saved(self) -> tuple[bytes, ...]:
        """The tokens that a file gets. A loaded scene saves those of its file, so that the file stays the same."""
        return self.tokens[1:] if self.loaded else self.tokens[: MOST_TOKENS - 1]

    def __reduce__(self) -> tuple[Any, ...]:
        return SceneIdentity, (self.tokens,)


def new_identity(store: Store, source: SceneIdentity | None = None) -> SceneIdentity:
    """Return the identity of a new scene, and remember the scene; source: of the scene that it is a copy of."""
    identity = SceneIdentity((new_key(TOKEN), *(() if source is None else source.tokens))[:MOST_TOKENS])
    _here[identity.tokens[0]] = store
    return identity


def hide(store: Store) -> None:
    """Let no reference find a scene: a copy for internal use."""
    _here.pop(store.identity.tokens[0], None)


def new_key(size: int = KEY) -> bytes:
    """Return random bytes that no other body has, in no process: also after a fork."""
    return os.urandom(size)


def scenes_with(identity: SceneIdentity) -> list[Store]:
    """Return the scene of an identity, if it is in this process; else its relatives by copying or loading.

    The nearest relative is first; of equally near ones, the newest.
    """
    own = _here.get(identity.tokens[0])
    if own is not None:
        return [own]
    found = []
    for store in reversed(list(_here.values())):
        tokens = store.identity.tokens
        steps = min((k + tokens.index(token) for k, token in enumerate(identity.tokens) if token in tokens), default=-1)
        if steps >= 0:
            found.append((steps, store))
    return [store for _, store in sorted(found, key=lambda each: each[0])]
