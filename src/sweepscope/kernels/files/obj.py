"""Vertices and polygons out of the text of an OBJ file, statement by statement."""

import numpy as np

from .._jit import inline, kernel, step
from .numbers import EXACT, LONG, NEWLINE, WRONG, is_space, number, skip_line, whole

FINE = 0
NOT_A_NUMBER = 1
NOT_A_VERTEX = 2
WEIGHTED = 3
NOT_AN_INDEX = 4
NO_SUCH_VERTEX = 5
TOO_FEW = 6

_OTHER = 0
_VERTEX = 1
_FACE = 2
_SKIPPED = 3
_COMMENT = 35
_SLASH = 47


@inline
def _skip_blanks(text, i):
    while i < len(text) and text[i] != NEWLINE and is_space(text[i]):
        i += 1
    return i


@inline
def _ends(text, i):
    """Return whether a statement has no more words."""
    return i >= len(text) or text[i] == NEWLINE or text[i] == _COMMENT


@step
def _statement(text, i):
    """Return (kind of the statement that begins at i, where its first value may begin)."""
    if _ends(text, i):
        return _SKIPPED, i
    a = text[i]
    b = text[i + 1] if i + 1 < len(text) else np.uint8(NEWLINE)
    c = text[i + 2] if i + 2 < len(text) else np.uint8(NEWLINE)
    if a == 118 and is_space(b):  # v
        return _VERTEX, i + 1
    if a == 102 and is_space(b):  # f
        return _FACE, i + 1
    if a == 102 and b == 111 and is_space(c):  # fo, as old files have it
        return _FACE, i + 2
    if a == 118 and (b == 116 or b == 110 or b == 112) and is_space(c):  # vt, vn, vp
        return _SKIPPED, i
    return _OTHER, i


@kernel
def count(text):
    """Return how many vertices, polygons, corners and other statements there are."""
    vertices = 0
    faces = 0
    corners = 0
    others = 0
    i = 0
    while i < len(text):
        i = _skip_blanks(text, i)
        kind, at = _statement(text, i)
        if kind == _VERTEX:
            vertices += 1
        elif kind == _OTHER:
            others += 1
        elif kind == _FACE:
            faces += 1
            at = _skip_blanks(text, at)
            while not _ends(text, at):
                corners += 1
                while not _ends(text, at) and not is_space(text[at]):
                    at += 1
                at = _skip_blanks(text, at)
        i = skip_line(text, i) + 1
    return vertices, faces, corners, others


@step
def _vertex(text, i, vertices, n, longs, listed):
    """Read a vertex: three numbers, a weight that must be 1, a color that is not kept. Return (fault, its place, longs)."""
    k = 0
    weight = 1.0
    i = _skip_blanks(text, i)
    while not _ends(text, i):
        value, state, after = number(text, i, len(text))
        if state == WRONG or not (_ends(text, after) or is_space(text[after])):
            return NOT_A_NUMBER, i, listed
        if k < 3:
            vertices[n, k] = value
            if state == LONG:
                longs[listed, 0] = 3 * n + k
                longs[listed, 1] = i
                listed += 1
        elif k == 3:
            weight = value if state == EXACT else 0.0
        k += 1
        i = _skip_blanks(text, after)
    if not (k == 3 or k == 4 or k == 6 or k == 7):
        return NOT_A_VERTEX, i, listed
    if (k == 4 or k == 7) and weight != 1.0:
        return WEIGHTED, i, listed
    return FINE, i, listed


@step
def _face(text, i, so_far, total, corners, k):
    """Read the corners of a polygon. Return (fault, its place, number of corners)."""
    begin = k
    i = _skip_blanks(text, i)
    while not _ends(text, i):
        index, good, after = whole(text, i, len(text))
        if not good or index == 0 or not (_ends(text, after) or is_space(text[after]) or text[after] == _SLASH):
            return NOT_AN_INDEX, i, 0
        while not _ends(text, after) and not is_space(text[after]):
            c = text[after]  # texture and normal: not used
            if not (c == _SLASH or c == 45 or (48 <= c <= 57)):
                return NOT_AN_INDEX, i, 0
            after += 1
        vertex = index - 1 if index > 0 else so_far + index
        if vertex < 0 or vertex >= total:
            return NO_SUCH_VERTEX, i, 0
        corners[k] = vertex
        k += 1
        i = _skip_blanks(text, after)
    if k - begin < 3:
        return TOO_FEW, i, 0
    return FINE, i, k - begin


@kernel
def read(text, vertices, counts, corners, others, longs):
    """Read all statements into arrays of the sizes that `count` gave.

    others: where statements other than v, vt, vn, vp, f begin; longs: (flat index into vertices, place) of numbers that
    were not read. Return (number of longs, fault, its place).
    """
    n = 0
    p = 0
    k = 0
    o = 0
    listed = 0
    fault = FINE
    i = 0
    while i < len(text):
        i = _skip_blanks(text, i)
        begin = i
        kind, at = _statement(text, i)
        if kind == _VERTEX:
            fault, i, listed = _vertex(text, at, vertices, n, longs, listed)
            n += 1
        elif kind == _FACE:
            fault, i, corner_count = _face(text, at, n, len(vertices), corners, k)
            counts[p] = corner_count
            k += corner_count
            p += 1
        elif kind == _OTHER:
            others[o] = begin
            o += 1
        if fault != FINE:
            return listed, fault, i
        i = skip_line(text, i) + 1
    return listed, FINE, i
