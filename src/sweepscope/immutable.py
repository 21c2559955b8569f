"""Frozen: the base of dataclasses whose fields are set once. Immutable: the base of objects that never change.

A copy of an Immutable is the object itself; pickle rebuilds it to the bit.
"""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from functools import cache
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

_Any = TypeVar("_Any")


class Frozen:
    """Base of frozen dataclasses with slots: assigning any attribute raises FrozenInstanceError.

    The methods of `dataclass` refer to the class as it was before it got its slots. For a name that is not a field, such as a
    property, they raise a TypeError about `super`. Python makes the class with slots last, and that one has them by then.
    """

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__setattr__" in cls.__dict__:
            _freeze(cls)


class Immutable(Frozen):
    """Base of shapes, motions, views, joints, and results that are only numbers.

    Its pickle holds all attributes but `_caches`. Read-only arrays stay read-only: kernels are compiled for one or the other.
    """

    __slots__ = ()

    _caches: ClassVar[tuple[str, ...]] = ()
    """Attributes that are computed again on demand: None after pickling."""

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        state = {name: value for name, value in _attributes(self).items() if name not in self._caches}
        fixed = [name for name, value in state.items() if isinstance(value, np.ndarray) and not value.flags.writeable]
        return _rebuilt, (type(self), state, fixed)


def _freeze(kind: Any) -> None:
    """Let a frozen dataclass refuse all assignments. A subclass without slots may have further attributes, but no fields."""
    fields = frozenset(kind.__dataclass_fields__)

    def refuse_set(self: Any, name: str, value: Any) -> None:
        if type(self) is kind or name in fields:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(kind, self).__setattr__(name, value)

    def refuse_delete(self: Any, name: str) -> None:
        if type(self) is kind or name in fields:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(kind, self).__delattr__(name)

    kind.__setattr__, kind.__delattr__ = refuse_set, refuse_delete


def fix_arrays(one: object) -> None:
    """Make all arrays of an object read-only."""
    for value in _attributes(one).values():
        if isinstance(value, np.ndarray):
            value.setflags(write=False)


def twin(one: _Any) -> _Any:
    """Return another object with the same attributes, for code that then changes some of them."""
    other = object.__new__(type(one))
    for name, value in _attributes(one).items():
        object.__setattr__(other, name, value)
    return other


def _attributes(one: Any) -> dict[str, Any]:
    """Return all attributes of an object that are set, with those that a subclass without slots adds."""
    state = {name: getattr(one, name) for name in _slots(type(one)) if hasattr(one, name)}
    return state | getattr(one, "__dict__", {})


@cache
def _slots(kind: type) -> tuple[str, ...]:
    """Return the names of all slots of a class and its bases."""
    names = [name for base in kind.__mro__ for name in base.__dict__.get("__slots__", ())]
    return tuple(name for name in names if name not in ("__weakref__", "__dict__"))


def _rebuilt(kind: type[Immutable], state: dict[str, Any], fixed: list[str]) -> Immutable:
    """Return a pickled object; fixed: names of its read-only arrays."""
    made = object.__new__(kind)
    for name in fixed:
        state[name].setflags(write=False)
    for name, value in (dict.fromkeys(kind._caches) | state).items():  # noqa: SLF001  (a constructor)
        object.__setattr__(made, name, value)
    return made
