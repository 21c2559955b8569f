"""Parts: which faces are connected. Sets are joined under the lower root, so part numbers follow the first face."""

import numpy as np

from .._jit import inline, kernel


@inline
def _root(parent, i):
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@kernel
def parts(corners, count):
    """Return the part of each face, shape (m,) int32, numbered from 0, and how many. corners index `count` places."""
    parent = np.arange(count)
    for i in range(len(corners)):
        a = _root(parent, corners[i, 0])
        for k in range(1, 3):
            b = _root(parent, corners[i, k])
            if a < b:
                parent[b] = a
            else:
                parent[a] = b
                a = b
    number = np.full(count, -1, np.int32)
    part = np.empty(len(corners), np.int32)
    n = 0
    for i in range(len(corners)):
        root = _root(parent, corners[i, 0])
        if number[root] < 0:
            number[root] = n
            n += 1
        part[i] = number[root]
    return part, n
