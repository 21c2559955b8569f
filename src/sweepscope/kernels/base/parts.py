"""Parts: which faces are connected. Sets are joined under the lower root, so part numbers follow the first face.

A face's corners are given as in blocks: labels[starts[block] + corners[face]], equal for vertices in the same place.
"""

from .._jit import inline, kernel
from .blocks import BLOCK


@inline
def _root(parent, i):
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@kernel
def parts(labels, starts, corners, parent, numbers, part):
    """Write the part of each face, shape (m,), numbered from 0; return how many.

    parent, numbers: room for one number a label.
    """
    for i in range(len(parent)):
        parent[i] = i
        numbers[i] = -1
    for i in range(len(corners)):
        s = starts[i // BLOCK]
        a = _root(parent, labels[s + corners[i, 0]])
        for c in range(1, 3):
            b = _root(parent, labels[s + corners[i, c]])
            if a < b:
                parent[b] = a
            elif b < a:
                parent[a] = b
                a = b
    n = 0
    for i in range(len(corners)):
        root = _root(parent, labels[starts[i // BLOCK] + corners[i, 0]])
        if numbers[root] < 0:
            numbers[root] = n
            n += 1
        part[i] = numbers[root]
    return n


@kernel
def by_part(part, begins, members):
    """Write where each part begins among the members, shape (p + 1,), and the faces part by part, in their order."""
    begins[:] = 0
    for i in range(len(part)):
        begins[part[i] + 1] += 1
    for p in range(1, len(begins)):
        begins[p] += begins[p - 1]
    for i in range(len(part)):
        members[begins[part[i]]] = i
        begins[part[i]] += 1
    # Each begin has moved to the next one.
    for p in range(len(begins) - 1, 0, -1):
        begins[p] = begins[p - 1]
    begins[0] = 0
