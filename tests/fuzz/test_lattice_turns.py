"""Boxes on a lattice that turn, where everything touches everything, against fine steps and the separating axes of two boxes.

The first step at which two boxes overlap by more than rounding bounds the truth from above: a hit must not be later. A hit that is
earlier must be a touch: landing, grazing, or contact that was there from the start. That last one is reported at 0 in about one
case in forty where it could be excused (edge on parallel edge, see docs/design); it is counted, and must stay rare.
"""

import math

import numpy as np
import pytest

import sweepscope as ss

AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, -1, 0), (0, 1, 1), (1, 0, -1), (1, 1, 1), (1, 2, 3))
ANGLES = (0.3, math.pi / 2, 2.0, math.pi, 4.0, 2 * math.pi)
STEPS = 1500


def _separation(centers, turns, half, center, other_half):
    """Largest gap of turned boxes from a standing one over the 15 axes, shape (n,); negative: how deep they overlap."""
    count = len(centers)
    axes = [np.broadcast_to(axis, (count, 3)) for axis in np.eye(3)] + [turns[:, :, k] for k in range(3)]
    for i in range(3):
        for j in range(3):
            axis = np.cross(np.eye(3)[i], turns[:, :, j])
            size = np.linalg.norm(axis, axis=1)[:, None]
            axes.append(np.where(size > 1e-6, axis / np.maximum(size, 1e-300), np.eye(3)[0]))
    best = np.full(count, -np.inf)
    for axis in axes:
        reach = np.abs(axis) @ other_half + (np.abs(np.einsum("nk,nkj->nj", axis, turns)) * half).sum(axis=1)
        best = np.maximum(best, np.abs((axis * (centers - center)).sum(axis=1)) - reach)
    return best


def _gaps(motion, shares, half, center, others):
    matrices = np.array([motion.at(float(share)) for share in shares])
    centers = matrices[:, :3, :3] @ center + matrices[:, :3, 3]
    return np.min([_separation(centers, matrices[:, :3, :3], half, *other) for other in others], axis=0)


def _others(rng, half, center):
    found = []
    for _ in range(30):
        other_half = rng.integers(1, 5, 3) / 2
        other = rng.integers(-5, 5, 3) + other_half
        if rng.random() < 0.4:
            other[2] = -other_half[2]  # level with the mover's bottom
        if (np.abs(other - center) - other_half - half).max() >= 0:
            found.append((other, other_half))
        if len(found) == 3:
            break
    return found


@pytest.mark.slow
def test_boxes_turn_among_boxes(rng):
    counts = {"free": 0, "later": 0, "now": 0, "held": 0}
    for case in range(400):
        half = rng.integers(1, 4, 3) / 2
        center = half.copy()
        others = _others(rng, half, center)
        about = center + half * rng.integers(-1, 2, 3) if rng.random() < 0.8 else rng.integers(-3, 4, 3)
        motion = ss.Rotate(np.array(AXES[rng.integers(len(AXES))]) * rng.choice((-1, 1)), rng.choice(ANGLES), about=about)
        scene = ss.Scene()
        body = scene.add(ss.Mesh.box(2 * half), center)
        for other, other_half in others:
            scene.add(ss.Mesh.box(2 * other_half), other)
        hit = scene.sweep(body, motion)
        shares = np.linspace(0, 1, STEPS + 1)
        overlaps = np.nonzero(_gaps(motion, shares, half, center, others) < -1e-7)[0]
        limit = shares[overlaps[0]] if len(overlaps) else np.inf
        told = f"case {case}: {motion}, half {half}, others {others}"
        if hit is None:
            counts["free"] += 1
            assert limit == np.inf, told
            continue
        assert hit.time <= limit + 1e-9, told
        assert not hit.overlapping, told
        assert _gaps(motion, [hit.time], half, center, others)[0] < 1e-8, told
        if hit.time > 1e-9:
            counts["later"] += 1
        else:
            counts["now" if limit <= 2 / STEPS else "held"] += 1
    assert counts["free"] > 100, counts
    assert counts["later"] > 30, counts
    assert counts["now"] > 30, counts
    assert counts["held"] < 20, counts


@pytest.mark.slow
def test_normals_part_the_bodies_that_meet(rng):
    """Of two boxes that meet on their way: seen along the normal they do not overlap."""
    met = 0
    for case in range(1500):
        half, other_half = rng.integers(1, 4, 3) / 2, rng.integers(1, 5, 3) / 2
        other = rng.integers(-5, 5, 3) + other_half
        if (np.abs(other - half) - other_half - half).max() < 0:
            continue
        about = half + half * rng.integers(-1, 2, 3) if rng.random() < 0.8 else rng.integers(-3, 4, 3)
        motion = ss.Rotate(np.array(AXES[rng.integers(len(AXES))]) * rng.choice((-1, 1)), rng.choice(ANGLES), about=about)
        scene = ss.Scene()
        body = scene.add(ss.Mesh.box(2 * half), half)
        scene.add(ss.Mesh.box(2 * other_half), other)
        hit = scene.sweep(body, motion)
        if hit is None or hit.time < 1e-9:
            continue
        met += 1
        matrix = motion.at(hit.time)
        center = matrix[:3, :3] @ half + matrix[:3, 3]
        apart = hit.normal @ (center - other) - np.abs(hit.normal) @ other_half - np.abs(hit.normal @ matrix[:3, :3]) @ half
        assert apart > -1e-6, f"case {case}: {motion}, half {half}, other {other}, {other_half}: {hit.normal}"
    assert met > 80
