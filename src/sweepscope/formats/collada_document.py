"""The elements of a COLLADA file: references between them, their numbers, and messages that say where a fault is."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry
from . import numbers
from .xml import Element

_REFERRED = frozenset(("float_array", "geometry", "node", "source", "visual_scene"))
_WHOLE = re.compile(r"\s*\+?(\d{1,18})\s*", re.ASCII)


class Document:
    """A file's tree of elements."""

    def __init__(self, file: Path, root: Element) -> None:
        self.file = file
        self.root = root
        self._known: dict[tuple[str, str], list[Element]] = {}
        for element in root.iter():
            name = element.get("id")
            if name and element.tag in _REFERRED:
                self._known.setdefault((element.tag, name), []).append(element)

    def fault(self, element: Element, text: str) -> InvalidGeometry:
        """Return an error that names the file, the line and the element."""
        name = element.get("id")
        shown = f"<{element.tag}>" if name is None else f"<{element.tag} id={checks.shown(name)}>"
        return InvalidGeometry(f"{self.file}: line {element.line}: {shown}: {text}")

    def target(self, element: Element, attribute: str, tag: str, near: Element | None = None) -> Element:
        """Return the element that an attribute names by "#ID"; among the children of `near` first, if there is such a child."""
        name = self.attribute(element, attribute)
        if not name.startswith("#"):
            raise self.fault(element, f"{attribute} is {checks.shown(name)}; accepted: #ID of a <{tag}> in the same file")
        found = [] if near is None else [child for child in near.findall(tag) if child.get("id") == name[1:]]
        found = found or self._known.get((tag, name[1:]), [])
        if not found:
            raise self.fault(element, f"{attribute} is {checks.shown(name)}, but no <{tag}> has this id")
        if len(found) > 1:
            lines = ", ".join(str(each.line) for each in found[:3])
            raise self.fault(element, f"{attribute} is {checks.shown(name)}, the id of {len(found)} <{tag}>, on lines {lines}")
        return found[0]

    def only(self, element: Element, tag: str) -> Element | None:
        """Return the child with this tag; None if there is none."""
        found = element.findall(tag)
        if len(found) > 1:
            raise self.fault(element, f"has {len(found)} <{tag}>; accepted: one")
        return found[0] if found else None

    def attribute(self, element: Element, name: str) -> str:
        """Return an attribute that must be there."""
        value = element.get(name)
        if value is None:
            raise self.fault(element, f"has no {name}, which the COLLADA standard requires")
        return value

    def whole(self, element: Element, name: str, otherwise: int | None = None) -> int:
        """Return an attribute that is a whole number from 0; without `otherwise` it must be there."""
        if otherwise is not None and element.get(name) is None:
            return otherwise
        text = self.attribute(element, name)
        found = _WHOLE.fullmatch(text)
        if found is None:
            raise self.fault(element, f"{name} is {checks.shown(text)}; accepted: whole numbers from 0")
        return int(found.group(1))

    def check_count(self, element: Element, held: int, what: str) -> None:
        """Raise if an element holds another number of things than its `count` says."""
        if self.whole(element, "count", held) != held:
            raise self.fault(element, f"its count is {element.get('count')}, but it holds {held} {what}")

    def floats(self, element: Element) -> NDArray[np.float64]:
        """Return the numbers of an element."""
        try:
            return numbers.floats((element.text or "").encode())
        except (ValueError, OverflowError) as error:
            raise self.fault(element, f"expected numbers with white space between: {error}") from None

    def wholes(self, element: Element) -> NDArray[np.int64]:
        """Return the whole numbers of an element."""
        try:
            return numbers.wholes((element.text or "").encode())
        except (ValueError, OverflowError) as error:
            raise self.fault(element, f"expected whole numbers with white space between: {error}") from None

    def some(self, element: Element, count: int) -> NDArray[np.float64]:
        """Return the numbers of an element that has this many, all of them finite."""
        values = self.floats(element)
        if len(values) != count:
            raise self.fault(element, f"holds {checks.amount(len(values), 'number')}; accepted: {count}")
        # "not <=" is also true of NaN.
        if not np.abs(values).max() <= checks.LARGEST:
            raise self.fault(element, f"numbers must be finite and at most {checks.LARGEST:g} in size")
        return values
