"""Two changing volumes at an integer offset, voxel by voxel on alpha, with and without voxel lines, as the paper has them.

Hirai, Yamamoto & Takai (1999), section 4, and their earlier method, which is the paper's baseline. For each volume they store
how many voxels are occupied in each plane of the three axes, and the box of the planes that have any. The new method also
stores the lowest and the highest occupied voxel of every line along z. Holes in a line are not recorded, on purpose: an edit
stays cheap.

A volume is flat alpha (nx * ny * nz,); counts int64 (nx + ny + nz + 6,): planes across x, y, z, lowest index of the box and one
past its highest, 0..0 if empty; spans int16 (nx * ny, 2): zmin and zmax of each line, nz and -1 if it has none. The two methods
share every loop except that over lines. Nothing is rounded: integers, and alpha > threshold. Planes across all three axes, and
the stop at the first voxel that both occupy, are inferred: the paper speaks of planes and of a test only.
"""

import numpy as np

from ._jit import inline, kernel, step

# ---- the index


@step
def _find_box(counts, shape):
    """Compute the box from the counts of the planes."""
    first, box = 0, shape[0] + shape[1] + shape[2]
    for axis in range(3):
        low, high = 0, shape[axis]
        while high > 0 and counts[first + high - 1] == 0:
            high -= 1
        while low < high and counts[first + low] == 0:
            low += 1
        counts[box + axis] = low
        counts[box + 3 + axis] = high
        first += shape[axis]


@kernel
def index(alpha, shape, threshold, counts, spans):
    """Compute counts and spans from alpha."""
    nx, ny, nz = shape
    counts[:] = 0
    for x in range(nx):
        for y in range(ny):
            line = x * ny + y
            low, high, total = nz, -1, 0
            for z in range(nz):
                if alpha[line * nz + z] > threshold:
                    low = min(low, z)
                    high = z
                    total += 1
                    counts[nx + ny + z] += 1
            counts[x] += total
            counts[nx + y] += total
            spans[line, 0] = low
            spans[line, 1] = high
    _find_box(counts, shape)


@kernel
def changes(old, new, shape, threshold, entered, left):
    """List voxels that became occupied, and that became empty, in C order into int32 (m, 3), as many as there is room for.

    Return how many there are of both, and the box of the voxels whose alpha differs at all: lowest index, one past the highest;
    zeros if there is none.
    """
    nx, ny, nz = shape
    low_x, low_y, low_z, high_x, high_y, high_z = nx, ny, nz, 0, 0, 0
    ins, outs = 0, 0
    for x in range(nx):
        for y in range(ny):
            at = (x * ny + y) * nz
            first, last = nz, -1
            for z in range(nz):
                if old[at + z] != new[at + z]:
                    first = min(first, z)
                    last = z
            if last < 0:
                continue
            low_x, low_y, low_z = min(low_x, x), min(low_y, y), min(low_z, first)
            high_x, high_y, high_z = max(high_x, x + 1), max(high_y, y + 1), max(high_z, last + 1)
            for z in range(first, last + 1):
                was, now = old[at + z] > threshold, new[at + z] > threshold
                if now and not was:
                    if ins < len(entered):
                        entered[ins, 0], entered[ins, 1], entered[ins, 2] = x, y, z
                    ins += 1
                elif was and not now:
                    if outs < len(left):
                        left[outs, 0], left[outs, 1], left[outs, 2] = x, y, z
                    outs += 1
    if high_x == 0:
        return 0, 0, (0, 0, 0, 0, 0, 0)
    return ins, outs, (low_x, low_y, low_z, high_x, high_y, high_z)


# Indices are unsigned in the loops that are timed: Numba then needs no wrap-around of negative ones.


@inline
def _place(changed, k):
    return np.uint64(changed[k, 0]), np.uint64(changed[k, 1]), np.uint64(changed[k, 2])


@inline
def _tally(counts, shape, x, y, z, by):
    """Count a voxel in its three planes."""
    counts[x] += by
    counts[np.uint64(shape[0]) + y] += by
    counts[np.uint64(shape[0] + shape[1]) + z] += by


@step
def _keep_planes(changed, entered, shape, counts):
    """Update the counts of the planes by the changed voxels, then the box."""
    for k in range(entered):
        x, y, z = _place(changed, k)
        _tally(counts, shape, x, y, z, 1)
    for k in range(entered, len(changed)):
        x, y, z = _place(changed, k)
        _tally(counts, shape, x, y, z, -1)
    _find_box(counts, shape)


@step
def _keep_lines(alpha, changed, entered, shape, threshold, counts, spans):
    """Update the counts of the planes and the ends of the lines by the changed voxels, then the box.

    alpha is already the new one. A line that lost an end is searched from there to its other end. The other end may itself be
    gone and not processed yet: either something is found before it, or the line is empty. Voxels that entered beyond have
    moved the ends before.
    """
    ny, nz = np.uint64(shape[1]), np.uint64(shape[2])
    for k in range(entered):
        x, y, z = _place(changed, k)
        _tally(counts, shape, x, y, z, 1)
        line, at = x * ny + y, np.int64(z)
        spans[line, 0] = min(np.int64(spans[line, 0]), at)
        spans[line, 1] = max(np.int64(spans[line, 1]), at)
    for k in range(entered, len(changed)):
        x, y, z = _place(changed, k)
        _tally(counts, shape, x, y, z, -1)
        line, at = x * ny + y, np.int64(z)
        # Usually the next voxel is occupied, or the line keeps its ends. This form has few branches to predict.
        low, high = np.int64(spans[line, 0]) + (at == spans[line, 0]), np.int64(spans[line, 1]) - (at == spans[line, 1])
        first = line * nz
        while low <= high and not alpha[first + np.uint64(low)] > threshold:
            low += 1
        while low <= high and not alpha[first + np.uint64(high)] > threshold:
            high -= 1
        spans[line, 0] = low if low <= high else shape[2]
        spans[line, 1] = high if low <= high else -1
    _find_box(counts, shape)


@kernel
def keep_planes(changed_a, entered_a, shape_a, counts_a, changed_b, entered_b, shape_b, counts_b):
    """Update box and planes of two volumes.

    changed: int32 (m, 3), voxels whose occupancy changed; the first `entered` of them are now occupied.
    """
    _keep_planes(changed_a, entered_a, shape_a, counts_a)
    _keep_planes(changed_b, entered_b, shape_b, counts_b)


@kernel
def keep_lines(
    alpha_a, changed_a, entered_a, shape_a, counts_a, spans_a,
    alpha_b, changed_b, entered_b, shape_b, counts_b, spans_b, threshold,
):  # fmt: skip
    """Update box, planes and lines of two volumes; as `keep_planes`."""
    _keep_lines(alpha_a, changed_a, entered_a, shape_a, threshold, counts_a, spans_a)
    _keep_lines(alpha_b, changed_b, entered_b, shape_b, threshold, counts_b, spans_b)


# ---- the test


@inline
def _both(counts_a, shape_a, counts_b, shape_b, offset, axis):
    """Return where the boxes overlap on an axis: lowest plane of a, one past the highest."""
    a, b = shape_a[0] + shape_a[1] + shape_a[2] + axis, shape_b[0] + shape_b[1] + shape_b[2] + axis
    return max(counts_a[a], counts_b[b] + offset[axis]), min(counts_a[a + 3], counts_b[b + 3] + offset[axis])


@step
def _list_planes(counts_a, counts_b, low, high, shift, live):
    """List the planes low..high of a that have occupied voxels in both; b's are `shift` further. Return how many."""
    n = 0
    for k in range(low, high):
        if counts_a[k] > 0 and counts_b[k + shift] > 0:
            live[n] = k
            n += 1
    return n


@step
def _list_runs(counts_a, counts_b, low, high, shift, live):
    """List the same as runs, first and one past the last of each. Return how many runs."""
    n, open_run = 0, False
    for k in range(low, high):
        if (counts_a[k] > 0 and counts_b[k + shift] > 0) != open_run:
            live[n] = k
            n += 1
            open_run = not open_run
    if open_run:
        live[n] = high
        n += 1
    return n // 2


@step
def _live(counts_a, shape_a, counts_b, shape_b, offset, live):
    """List what box and planes leave: planes across x and y, runs of planes across z. Return how many of each.

    live: int64 (3, n), n at least one more than the planes of an axis; rows x, y, z.
    """
    low, high = _both(counts_a, shape_a, counts_b, shape_b, offset, 0)
    xs = _list_planes(counts_a[: shape_a[0]], counts_b[: shape_b[0]], low, high, -offset[0], live[0])
    if xs == 0:
        return 0, 0, 0
    a, b = shape_a[0], shape_b[0]
    low, high = _both(counts_a, shape_a, counts_b, shape_b, offset, 1)
    ys = _list_planes(counts_a[a : a + shape_a[1]], counts_b[b : b + shape_b[1]], low, high, -offset[1], live[1])
    a, b = a + shape_a[1], b + shape_b[1]
    low, high = _both(counts_a, shape_a, counts_b, shape_b, offset, 2)
    runs = _list_runs(counts_a[a : a + shape_a[2]], counts_b[b : b + shape_b[2]], low, high, -offset[2], live[2])
    return xs, ys, runs


@inline
def _shares(a, p, b, q, count, threshold):
    """True if one of `count` voxels from a's p and b's q on is occupied in both; stops at the first."""
    p, q = np.uint64(p), np.uint64(q)
    k = np.uint64(0)
    while k < np.uint64(count) and not (a[p + k] > threshold and b[q + k] > threshold):
        k += np.uint64(1)
    return k < np.uint64(count)


@inline
def _reach(spans_a, s, spans_b, t, rise):
    """Return where line s of a and line t of b can share a voxel: lowest, one past the highest.

    The voxels of b lie `rise` higher.
    """
    low = max(np.int64(spans_a[s, 0]), spans_b[t, 0] + rise)
    return low, min(np.int64(spans_a[s, 1]), spans_b[t, 1] + rise) + 1


@kernel
def meet_planes(a, shape_a, counts_a, b, shape_b, counts_b, offset, threshold, live):
    """True if the two share a voxel, by box and planes. offset: where b's voxel (0, 0, 0) is among a's."""
    xs, ys, runs = _live(counts_a, shape_a, counts_b, shape_b, offset, live)
    for i in range(xs):
        x = live[0, i]
        for j in range(ys):
            y = live[1, j]
            p = (x * shape_a[1] + y) * shape_a[2]
            q = ((x - offset[0]) * shape_b[1] + y - offset[1]) * shape_b[2] - offset[2]
            for r in range(runs):
                low, high = live[2, 2 * r], live[2, 2 * r + 1]
                if _shares(a, p + low, b, q + low, high - low, threshold):
                    return True
    return False


@kernel
def meet_lines(a, shape_a, counts_a, spans_a, b, shape_b, counts_b, spans_b, offset, threshold, live):
    """True if the two share a voxel, by box, planes and lines."""
    xs, ys, runs = _live(counts_a, shape_a, counts_b, shape_b, offset, live)
    for i in range(xs):
        row_a, row_b = live[0, i] * shape_a[1], (live[0, i] - offset[0]) * shape_b[1] - offset[1]
        for j in range(ys):
            s, t = row_a + live[1, j], row_b + live[1, j]
            bottom, top = _reach(spans_a, np.uint64(s), spans_b, np.uint64(t), offset[2])
            if bottom >= top:
                continue
            p, q = s * shape_a[2], t * shape_b[2] - offset[2]
            for r in range(runs):
                low, high = max(bottom, live[2, 2 * r]), min(top, live[2, 2 * r + 1])
                if low < high and _shares(a, p + low, b, q + low, high - low, threshold):
                    return True
    return False


@kernel
def removed(shape_a, counts_a, spans_a, shape_b, counts_b, spans_b, offset, live):
    """Return how many voxels of a the box removes, then the planes, then the lines, and how many are left to be tested."""
    every, boxed = 1, 1
    for axis in range(3):
        low, high = _both(counts_a, shape_a, counts_b, shape_b, offset, axis)
        every *= shape_a[axis]
        boxed *= max(0, high - low)
    xs, ys, runs = _live(counts_a, shape_a, counts_b, shape_b, offset, live)
    planed, left = 0, 0
    for r in range(runs):
        planed += xs * ys * (live[2, 2 * r + 1] - live[2, 2 * r])
    for i in range(xs):
        for j in range(ys):
            s = live[0, i] * shape_a[1] + live[1, j]
            t = (live[0, i] - offset[0]) * shape_b[1] + live[1, j] - offset[1]
            bottom, top = _reach(spans_a, s, spans_b, t, offset[2])
            for r in range(runs):
                left += max(0, min(top, live[2, 2 * r + 1]) - max(bottom, live[2, 2 * r]))
    return every - boxed, boxed - planed, planed - left, left
