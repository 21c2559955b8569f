"""Vertices in the same place: files such as STL repeat them. Equal places get equal labels, numbered by first appearance.

A run of listed vertices is welded first, by a hash table that fits the cache: vertices come in block order, so most twins are
in one run. The rest goes to buckets by the high bits of its hash, each with a table of its own. Threads share runs, then
buckets; the labels do not depend on how. -0.0 equals 0.0.

Worst case: places made to have one hash. A table then gives up after MOST_PROBES steps an entry. A run leaves the rest to the
buckets, a bucket reports it, and is sorted instead.
"""

import numpy as np

from .._jit import inline, kernel
from ..tolerances import MOST_PROBES

RUN = 6144  # vertices that are welded at once: 64 blocks without a shared vertex
RUN_TABLE = 16384  # entries, more than twice as many
_MINUS_ZERO = np.uint64(1 << 63)
_NONE = np.uint64(0)


@inline
def _plain(word):
    return _NONE if word == _MINUS_ZERO else word


@inline
def hash_of(places, v):
    """Return a hash of vertex v; places (n, 3): floats as uint64."""
    mixed = _plain(places[v, 0]) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(29)) ^ _plain(places[v, 1])) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(32)) ^ _plain(places[v, 2])) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@inline
def _same(points, v, w):
    return v == w or (points[v, 0] == points[w, 0] and points[v, 1] == points[w, 1] and points[v, 2] == points[w, 2])


@kernel
def weld_runs(points, places, listed, q0, q1, shift, labels, firsts, hashes, counts, table):
    """Weld listed vertices q0 .. q1, run by run; return how many stay different.

    labels[q]: q0 + k for the k-th different vertex, which is firsts[q0 + k], with hashes[q0 + k]. counts: how many of them
    have each value of hash >> shift. table: room for RUN_TABLE entries.
    """
    d = q0
    for begin in range(q0, q1, RUN):
        end = min(q1, begin + RUN)
        table[:] = -1
        probes = MOST_PROBES * (end - begin)
        for q in range(begin, end):
            v = listed[q]
            mixed = hash_of(places, v)
            spot = np.int64(mixed) & (RUN_TABLE - 1)
            while (
                probes > 0 and table[spot] >= 0 and not (hashes[table[spot]] == mixed and _same(points, firsts[table[spot]], v))
            ):
                spot = (spot + 1) & (RUN_TABLE - 1)
                probes -= 1
            if probes > 0 and table[spot] >= 0:
                labels[q] = table[spot]
            else:
                if probes > 0:
                    table[spot] = d
                labels[q] = d
                firsts[d] = v
                hashes[d] = mixed
                counts[np.int64(mixed >> shift)] += 1
                d += 1
    return d - q0


@kernel
def fill_buckets(hashes, d0, d1, shift, slots, items, tags):
    """Put vertices d0 .. d1 into their buckets, with the low half of their hashes; spots: where the next goes."""
    for d in range(d0, d1):
        bucket = np.int64(hashes[d] >> shift)
        spot = slots[bucket]
        slots[bucket] = spot + 1
        items[spot] = d
        tags[spot] = np.uint32(hashes[d] & np.uint64(0xFFFFFFFF))


@kernel
def weld_bucket(points, firsts, items, tags, lo, hi, same, table):
    """Find equal vertices of the bucket items[lo:hi]: same[d] is the first in d's place. False if it takes too long.

    table: room for a power of two of entries, at least twice as many as vertices.
    """
    size = 16
    while size < 2 * (hi - lo):
        size *= 2
    table[:size] = -1
    probes = MOST_PROBES * (hi - lo)
    for q in range(lo, hi):
        d = items[q]
        spot = np.int64(tags[q]) & (size - 1)
        while table[spot] >= 0:
            other = table[spot]
            if tags[other] == tags[q] and _same(points, firsts[items[other]], firsts[d]):
                break
            spot = (spot + 1) & (size - 1)
            probes -= 1
            if probes < 0:
                return False
        if table[spot] < 0:
            table[spot] = q
        same[d] = items[table[spot]]
    return True


@kernel
def number(same, d0, d1, next_label):
    """Replace same[d0:d1] by labels from next_label on, equal where `same` is; return the next. Those before d0 are done."""
    for d in range(d0, d1):
        if same[d] == d:
            same[d] = next_label
            next_label += 1
        else:
            same[d] = same[same[d]]
    return next_label


@kernel
def relabel(labels, q0, q1, numbers):
    """Replace each label of q0 .. q1 by its number."""
    for q in range(q0, q1):
        labels[q] = numbers[labels[q]]
