"""Triangles out of the text of an STL file, word by word."""

import numpy as np

from .._jit import kernel, step
from .numbers import LONG, WRONG, is_space, number, skip_line, skip_word

FINE = 0
NOT_A_NUMBER = 1
UNEXPECTED = 2
CUT_OFF = 3

_SOLID = np.frombuffer(b"solid", np.uint8)
_FACET = np.frombuffer(b"facet", np.uint8)
_NORMAL = np.frombuffer(b"normal", np.uint8)
_OUTER = np.frombuffer(b"outer", np.uint8)
_LOOP = np.frombuffer(b"loop", np.uint8)
_VERTEX = np.frombuffer(b"vertex", np.uint8)
_ENDLOOP = np.frombuffer(b"endloop", np.uint8)
_ENDFACET = np.frombuffer(b"endfacet", np.uint8)
_ENDSOLID = np.frombuffer(b"endsolid", np.uint8)


@step
def _skip_spaces(text, i):
    while i < len(text) and is_space(text[i]):
        i += 1
    return i


@step
def _is(text, i, word):
    """Return whether a word begins at i, in letters of any size."""
    if i + len(word) > len(text):
        return False
    for k in range(len(word)):
        if (text[i + k] | 32) != word[k]:
            return False
    return i + len(word) == len(text) or is_space(text[i + len(word)])


@step
def _after(text, i, word):
    """Return where the word after this one begins; -1 if this one is not there."""
    return _skip_spaces(text, i + len(word)) if _is(text, i, word) else -1


@kernel
def count(text):
    """Return how many corners there are at most."""
    corners = 0
    i = _skip_spaces(text, 0)
    while i < len(text):
        corners += _is(text, i, _VERTEX)
        i = _skip_spaces(text, skip_word(text, i, len(text)))
    return corners


@step
def _corner(text, i, vertices, n, longs, listed):
    """Read three numbers. Return (fault, its place, longs)."""
    for k in range(3):
        value, state, after = number(text, i, len(text))
        if state == WRONG or not (after == len(text) or is_space(text[after])):
            return (CUT_OFF if i == len(text) else NOT_A_NUMBER), i, listed
        vertices[n, k] = value
        if state == LONG:
            longs[listed, 0] = 3 * n + k
            longs[listed, 1] = i
            listed += 1
        i = _skip_spaces(text, after)
    return FINE, i, listed


@step
def _facet(text, i, vertices, n, longs, listed):
    """Read a facet, from behind its first word on. Return (fault, its place, longs)."""
    at = _after(text, i, _NORMAL)
    if at < 0:
        return UNEXPECTED, i, listed
    i = at
    for _ in range(3):  # a normal is not used, and often is 0 or nan
        i = _skip_spaces(text, skip_word(text, i, len(text)))
    at = _after(text, i, _OUTER)
    if at < 0:
        return UNEXPECTED, i, listed
    i = at
    at = _after(text, i, _LOOP)
    if at < 0:
        return UNEXPECTED, i, listed
    i = at
    for k in range(3):
        at = _after(text, i, _VERTEX)
        if at < 0:
            return UNEXPECTED, i, listed
        fault, i, listed = _corner(text, at, vertices, n + k, longs, listed)
        if fault != FINE:
            return fault, i, listed
    at = _after(text, i, _ENDLOOP)
    if at < 0:
        return UNEXPECTED, i, listed
    i = at
    at = _after(text, i, _ENDFACET)
    if at < 0:
        return UNEXPECTED, i, listed
    return FINE, at, listed


@kernel
def read(text, vertices, longs):
    """Read all facets, one or more solids. vertices: room for as many corners as `count` gave.

    longs: (flat index into vertices, place) of numbers that were not read. Return (number of corners, number of longs, fault,
    its place).
    """
    n = 0
    listed = 0
    inside = False
    i = _skip_spaces(text, 0)
    while i < len(text):
        if not inside and _is(text, i, _SOLID):
            inside = True
            i = skip_line(text, i)
        elif inside and _is(text, i, _ENDSOLID):
            inside = False
            i = skip_line(text, i)
        elif inside and _is(text, i, _FACET):
            if n + 3 > len(vertices):
                return n, listed, CUT_OFF, i
            fault, i, listed = _facet(text, _after(text, i, _FACET), vertices, n, longs, listed)
            if fault != FINE:
                return n, listed, (CUT_OFF if i == len(text) else fault), i
            n += 3
        else:
            return n, listed, UNEXPECTED, i
        i = _skip_spaces(text, i)
    return n, listed, (CUT_OFF if inside else FINE), i
