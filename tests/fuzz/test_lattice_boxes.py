"""Boxes on a lattice, where everything touches everything, against intervals in whole numbers.

For two solid boxes the rule is short. Along each axis the gap closes, opens or stays. If along some axis they touch at the start
and do not approach, they may slide (free). Otherwise they are in contact while no axis has a gap. If that is for a moment only
they graze, edge by edge: that may be called contact or not.
"""

from fractions import Fraction

import numpy as np
import pytest

import sweepscope as ss

GRAZE = (Fraction(-1), False)


def _expected(low, high, other_low, other_high, vector):
    """Return (time, overlapping), None if free, or GRAZE."""
    enter, leave = Fraction(0), Fraction(1000)
    inside = True
    for a0, a1, b0, b1, v in zip(low, high, other_low, other_high, vector, strict=True):
        below, above = int(b0 - a1), int(a0 - b1)  # gap if the mover is below, above
        inside = inside and below < 0 and above < 0
        if (below == 0 and v <= 0) or (above == 0 and v >= 0):
            return None
        if v == 0:
            if below > 0 or above > 0:
                return None
            continue
        first, last = (below, -above) if v > 0 else (above, -below)
        enter = max(enter, Fraction(first, abs(int(v))))
        leave = min(leave, Fraction(last, abs(int(v))))
    if enter > leave or enter > 1:
        return None
    return GRAZE if enter == leave else (enter, inside)


def _boxes(rng, spread):
    low = rng.integers(-spread, spread + 1, 3)
    return low, low + rng.integers(1, 4, 3)


def _vector(rng, low, other_low):
    """Half of the time towards the other, so that hits are not rare."""
    if rng.random() < 0.5:
        return (other_low - low) * rng.integers(1, 3) * (rng.random(3) < 0.8)
    return rng.integers(-4, 5, 3) * (rng.random(3) < 0.6)


@pytest.mark.parametrize("make", [ss.Box, ss.Mesh.box], ids=["Box", "Mesh"])
@pytest.mark.parametrize("batch", range(6))
def test_two_boxes(batch, make, rng):
    kinds = {"free": 0, "later": 0, "now": 0, "overlap": 0}
    for case in range(250):
        low, high = _boxes(rng, 3)
        other_low, other_high = _boxes(rng, 2)
        vector = _vector(rng, low, other_low)
        scene = ss.Scene()
        body = scene.add(make(high - low), 0.5 * (low + high))
        scene.add(make(other_high - other_low), 0.5 * (other_low + other_high))
        hit = scene.sweep(body, ss.Translate(vector))
        expected = _expected(low, high, other_low, other_high, vector)
        if expected == GRAZE:
            continue
        told = f"case {case}: {low} {high} by {vector} at {other_low} {other_high}: expected {expected}, got {hit}"
        if expected is None:
            assert hit is None, told
            kinds["free"] += 1
            continue
        assert hit is not None, told
        time, overlapping = expected
        assert hit.overlapping == overlapping, told
        assert hit.time <= time, told
        assert hit.time == pytest.approx(float(time), abs=1e-9), told
        kinds["overlap" if overlapping else "now" if time == 0 else "later"] += 1
    assert min(kinds.values()) >= 5, kinds


def test_a_box_among_many(rng):
    """The earliest of all pairs; walls of boxes that share faces, so that most contacts are seams."""
    hits = 0
    for case in range(100):
        scene = ss.Scene()
        others = []
        for x in range(-3, 4):
            for y in range(-3, 4):
                if rng.random() < 0.6:
                    place = np.array((x, y, int(rng.integers(-1, 1))))
                    scene.add(ss.Box((1, 1, 1)), place + 0.5)
                    others.append((place, place + 1))
        low = np.array((*rng.integers(-3, 4, 2), int(rng.integers(1, 4))))
        high = low + rng.integers(1, 3, 3)
        body = scene.add(ss.Box(high - low), 0.5 * (low + high))
        vector = np.array((*(rng.integers(-3, 4, 2) * (rng.random(2) < 0.7)), int(rng.integers(-4, 1))))
        hit = scene.sweep(body, ss.Translate(vector))
        answers = [_expected(low, high, *other, vector) for other in others]
        if GRAZE in answers:
            continue
        times = [answer[0] for answer in answers if answer is not None]
        if not times:
            assert hit is None, f"case {case}: {hit}"
            continue
        hits += 1
        assert hit is not None, f"case {case}: expected {min(times)}"
        assert hit.time == pytest.approx(float(min(times)), abs=1e-9)
        assert hit.time <= min(times)
    assert hits >= 20


def test_turned_and_shifted_boxes_give_the_same(rng):
    """The same questions, everything turned and moved, so that touching is only touching within rounding."""
    for case in range(120):
        low, high = _boxes(rng, 2)
        other_low, other_high = _boxes(rng, 2)
        vector = _vector(rng, low, other_low)
        expected = _expected(low, high, other_low, other_high, vector)
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        turn *= np.linalg.det(turn)
        shift = rng.normal(size=3) * 10.0
        scene = ss.Scene()

        def place(lower, upper, turn=turn, shift=shift):
            pose = np.eye(4)
            pose[:3, :3] = turn
            pose[:3, 3] = turn @ (0.5 * (lower + upper)) + shift
            return pose

        body = scene.add(ss.Mesh.box(high - low), place(low, high))
        scene.add(ss.Mesh.box(other_high - other_low), place(other_low, other_high))
        hit = scene.sweep(body, ss.Translate(turn @ vector))
        if expected == GRAZE:
            continue
        if expected is None:
            assert hit is None, f"case {case}: {low} {high} by {vector} at {other_low} {other_high}: free, got {hit}"
            continue
        assert hit is not None, f"case {case}: {low} {high} by {vector} at {other_low} {other_high}: expected {expected}"
        assert hit.time == pytest.approx(float(expected[0]), abs=1e-9)
        assert hit.overlapping == expected[1]
