"""Laws of turns that need no oracle: rigid motion, scale, swap, splitting, whole turns, mirror, never late."""

import math

import numpy as np
import pytest
from sweepscope_lab.reference.turn_cases import SHAPES, obstacle_pose, random_pose

import sweepscope as ss

PAIRS = [(a, b) for a in SHAPES for b in SHAPES]
CASES = 12


def _question(rng, a, b):
    """Return a mover and an obstacle in its way: (shape, pose, shape, pose, axis, angle, about)."""
    first, second = SHAPES[a](rng), SHAPES[b](rng)
    start = random_pose(rng, rng.normal(size=3) * 2.0)
    axis, about = rng.normal(size=3), rng.normal(size=3) * 3.0
    axis /= np.linalg.norm(axis)
    angle = rng.uniform(0.1, 3.0) * rng.choice((-1.0, 1.0))
    place = obstacle_pose(rng, first, start, second, ss.Rotate(axis, angle, about=about))
    return first, start, second, place, axis, angle, about


def _sweep(first, start, second, place, motion, **options):
    scene = ss.Scene()
    body = scene.add(first, start)
    scene.add(second, place)
    return scene.sweep(body, motion, **options)


def _same(one, other, fast, scale=1.0):
    """Equal to what rounding and a grazing contact allow: compared by how far things are from each other, not when."""
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert one.overlapping == other.overlapping
        grazing = max(abs(float(one.normal @ fast(one.point))), 1e-4) if np.isfinite(one.normal).all() else 1.0
        assert abs(one.travel - other.travel * scale) <= 1e-8 / grazing


def _fast(axis, angle, about):
    """Return the velocity of a unit turn at a point, as a function."""
    return lambda point: math.copysign(1.0, angle) * np.cross(axis, point - about)


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_laws(a, b, rng):
    hits = 0
    for _ in range(CASES):
        first, start, second, place, axis, angle, about = _question(rng, a, b)
        motion = ss.Rotate(axis, angle, about=about)
        fast = _fast(axis, angle, about)
        hit = _sweep(first, start, second, place, motion)
        hits += hit is not None
        # Swap: the obstacle may turn the other way instead.
        _same(hit, _sweep(second, place, first, start, ss.Rotate(axis, -angle, about=about)), fast)
        # Rigid motion of everything.
        whole = random_pose(rng, rng.normal(size=3) * 10.0)
        turned = ss.Rotate(whole[:3, :3] @ axis, angle, about=whole[:3, :3] @ about + whole[:3, 3])
        moved = _sweep(first, whole @ start, second, whole @ place, turned)
        _same(hit, moved, fast)
        # The axis the other way, the angle too: the same turn.
        _same(hit, _sweep(first, start, second, place, ss.Rotate(-axis, -angle, about=about)), fast)
        # Any point of the axis will do, and a screw that does not slide.
        _same(hit, _sweep(first, start, second, place, ss.Rotate(axis, angle, about=about + 2.5 * axis)), fast)
        _same(hit, _sweep(first, start, second, place, ss.Screw(axis, angle, slide=0.0, about=about)), fast)
        if hit is None or hit.overlapping:
            continue
        assert 0.0 <= hit.travel <= abs(angle)
        assert hit.time == pytest.approx(hit.travel / abs(angle), rel=1e-12)
        np.testing.assert_allclose(np.linalg.norm(hit.normal), 1.0, atol=1e-12)
        assert hit.normal @ fast(hit.point) < 1e-6
    assert hits >= CASES // 4


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_splitting_and_never_late(a, b, rng):
    """Turning by a, then by b, is turning by a + b; and a turn that ends before its contact is free."""
    hits = 0
    for _ in range(CASES):
        first, start, second, place, axis, angle, about = _question(rng, a, b)
        hit = _sweep(first, start, second, place, ss.Rotate(axis, angle, about=about))
        if hit is None:
            # Nothing on the whole way, so nothing on any part of it.
            share = rng.uniform(0.1, 0.9)
            assert _sweep(first, start, second, place, ss.Rotate(axis, share * angle, about=about)) is None
            middle = ss.Rotate(axis, share * angle, about=about).at() @ start
            assert _sweep(first, middle, second, place, ss.Rotate(axis, (1.0 - share) * angle, about=about)) is None
            continue
        if hit.overlapping or hit.travel < 1e-5:
            continue
        hits += 1
        fast = _fast(axis, angle, about)
        before = math.copysign(hit.travel - min(1e-5, 0.5 * hit.travel), angle)
        assert _sweep(first, start, second, place, ss.Rotate(axis, before, about=about)) is None
        middle = ss.Rotate(axis, before * rng.uniform(0.2, 0.9), about=about)
        rest = _sweep(first, middle.at() @ start, second, place, ss.Rotate(axis, angle - middle.angle, about=about))
        assert rest is not None
        grazing = max(abs(float(hit.normal @ fast(hit.point))), 1e-4)
        assert rest.travel + middle.length == pytest.approx(hit.travel, abs=1e-8 / grazing)
        # A longer turn has the same first contact, also one of several turns.
        for longer in (1.5 * angle, angle + math.copysign(2.0 * math.pi, angle), math.copysign(4.0 * math.pi, angle)):
            _same(hit, _sweep(first, start, second, place, ss.Rotate(axis, longer, about=about)), fast)
        # Staying away is never later.
        wide = _sweep(first, start, second, place, ss.Rotate(axis, angle, about=about), margin=0.05)
        assert wide is not None
        assert wide.travel <= hit.travel + 1e-9
    assert hits >= CASES // 6


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_two_turns_are_as_free_as_one(a, b, rng):
    """After 360 degrees a turn only repeats itself."""
    hits = 0
    for _ in range(CASES):
        first, start, second, place, axis, angle, about = _question(rng, a, b)
        once = ss.Rotate(axis, math.copysign(2.0 * math.pi, angle), about=about)
        twice = ss.Rotate(axis, math.copysign(4.0 * math.pi, angle), about=about)
        one, two = (_sweep(first, start, second, place, motion) for motion in (once, twice))
        _same(one, two, _fast(axis, angle, about))
        # The other way round meets it too, unless it is free altogether.
        back = _sweep(first, start, second, place, ss.Rotate(axis, -once.angle, about=about))
        assert (back is None) == (one is None)
        hits += one is not None
    assert hits >= CASES // 6


@pytest.mark.parametrize("a", ["mesh", "box", "capsule"])
def test_mirror(a, rng):
    """In a mirror a turn goes the other way about the mirrored axis."""
    hits = 0
    for _ in range(CASES):
        first, start, second, place, axis, angle, about = _question(rng, a, "mesh")
        points = [shape.vertices @ pose[:3, :3].T + pose[:3, 3] for shape, pose in ((first, start), (second, place))]
        flip = np.array((-1.0, 1.0, 1.0))

        def shapes(sign, first=first, second=second, points=points):
            if isinstance(first, ss.Capsule):
                mover = ss.Capsule.from_segment(*(points[0] * sign), radius=first.radius)
            else:
                mover = ss.Mesh(points[0] * sign, first.faces)
            return mover, None, ss.Mesh(points[1] * sign, second.faces), None

        hit = _sweep(*shapes(1.0), ss.Rotate(axis, angle, about=about))
        other = _sweep(*shapes(flip), ss.Rotate(axis * flip, -angle, about=about * flip))
        _same(hit, other, _fast(axis, angle, about))
        hits += hit is not None
    assert hits >= CASES // 6


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1e6])
def test_scale(scale, rng):
    """Angles do not depend on the unit of length."""
    hits = 0
    for _ in range(2 * CASES):
        first, start, second, place, axis, angle, about = _question(rng, "mesh", "mesh")

        def ask(k, first=first, start=start, second=second, place=place, motion=(axis, angle, about)):
            poses = [start.copy(), place.copy()]
            for pose in poses:
                pose[:3, 3] *= k
            return _sweep(
                ss.Mesh(k * first.vertices, first.faces), poses[0], ss.Mesh(k * second.vertices, second.faces), poses[1],
                ss.Rotate(motion[0], motion[1], about=k * motion[2]),
            )  # fmt: skip

        one, scaled = ask(1.0), ask(scale)
        _same(one, scaled, _fast(axis, angle, about))
        hits += one is not None
    assert hits >= CASES // 2
