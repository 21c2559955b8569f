"""A heap of pairs of groups, the smallest key first."""

from .._jit import inline

HEAP = 4  # columns


@inline
def push(heap, n, key, pair, na, nb):
    """Add a pair of groups to a heap of n rows: its key, the pair of bodies, the node of each side."""
    i = n
    while i > 0:
        up = (i - 1) >> 1
        if heap[up, 0] <= key:
            break
        for c in range(HEAP):
            heap[i, c] = heap[up, c]
        i = up
    heap[i, 0] = key
    heap[i, 1] = pair
    heap[i, 2] = na
    heap[i, 3] = nb


@inline
def pop(heap, n):
    """Remove the top of a heap; n rows remain."""
    i = 0
    key = heap[n, 0]
    while True:
        c = 2 * i + 1
        if c >= n:
            break
        if c + 1 < n and heap[c + 1, 0] < heap[c, 0]:
            c += 1
        if heap[c, 0] >= key:
            break
        for k in range(HEAP):
            heap[i, k] = heap[c, k]
        i = c
    for k in range(HEAP):
        heap[i, k] = heap[n, k]
