"""Things on the apex of a fan, and motions that press, slide or part them.

The fan is a function of x and y, so the clearance of a thing is the least of its z less the fan's. It is found at its corners,
where its edges cross the fan's, seen from above, and at the fan's corners below its faces. After a small step the clearance
is either clearly negative (it presses), clearly positive (it parts), zero to rounding (it slides), or the case is skipped.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .tip_shapes import THINGS, Floats, TipFan, TipShape, any_rotation, random_fan, rotation_about

STEPS = (1e-3, 1e-5)
"""Small steps of a motion [length, radians]: the clearance must tell the same at each."""
CLEAR = 0.02
"""Clearance after a step that is no rounding and no second order [share of the step]."""
ROUNDING = 1e-13
_SLACK = 1e-12
_TRIES = 400
_MOTIONS = 16


@dataclass(frozen=True, slots=True)
class TipMotion:
    """Straight along a unit `direction`, or a turn about `direction` through `about`."""

    direction: Floats
    about: Floats | None

    def moved(self, vertices: Floats, step: float) -> Floats:
        """Return vertices after a step [length, radians]."""
        if self.about is None:
            return vertices + step * self.direction
        return (vertices - self.about) @ rotation_about(self.direction, step).T + self.about


@dataclass(frozen=True, slots=True)
class TipCase:
    """A thing on a fan, and how it moves."""

    kind: str
    fan: TipFan
    thing: TipShape
    motion: TipMotion
    truth: str
    """"presses", "parts", "slides", or "skipped"."""
    side: float
    """1 if the thing is above the fan, -1 if below."""
    swapped: bool
    """The fan moves instead, the other way."""
    rotation: Floats
    shift: Floats
    """Where all of it is."""
    baked: bool
    """That is in the vertices, not in the poses."""


def tip_case(seed: int) -> TipCase:
    """Return the case of a seed."""
    rng = np.random.default_rng((seed, 2))
    kind = list(THINGS)[seed % len(THINGS)]
    fan, thing, inside_of = _placed(kind, rng)
    side = -1.0 if inside_of and not fan.upwards else 1.0
    wanted = ("presses", "parts", "slides")[rng.choice(3, p=(0.5, 0.25, 0.25))]
    motion = _motion(fan, thing, rng)
    for _ in range(_MOTIONS):
        if how(fan, thing, motion, side) == wanted:
            break
        motion = _motion(fan, thing, rng)
    truth = how(fan, thing, motion, side)
    swapped = not inside_of and bool(rng.random() < 0.4)
    posed = rng.random() < 2.0 / 3.0
    rotation, shift = (any_rotation(rng), 3.0 * rng.normal(size=3)) if posed else (np.eye(3), np.zeros(3))
    return TipCase(kind, fan, thing, motion, truth, side, swapped, rotation, shift, bool(rng.random() < 0.5))


def how(fan: TipFan, thing: TipShape, motion: TipMotion, side: float = 1.0) -> str:
    """Return how the motion begins. side: 1 if the thing is above the fan, -1 if below."""
    found = set()
    near = TipFan(fan.name, 0.5 * fan.ring, None, True)
    for step in STEPS:
        moved = motion.moved(thing.vertices, step)
        low = _least(fan, thing, moved, side)
        if low < -CLEAR * step:
            found.add("presses" if _least(near, thing, moved, side) < -CLEAR * step else "skipped")
        else:
            found.add("parts" if low > CLEAR * step else "slides" if abs(low) <= ROUNDING else "skipped")
    return found.pop() if len(found) == 1 else "skipped"


def _least(fan: TipFan, thing: TipShape, vertices: Floats, side: float) -> float:
    return float((side * heights(fan, thing, vertices)).min(initial=np.inf))


def heights(fan: TipFan, thing: TipShape, vertices: Floats) -> Floats:
    """Return how high the thing, with these vertices, is above the fan, where that may be least or most."""
    triangles = _triangles(fan)
    found = [
        _above(vertices, triangles),
        -_above(np.concatenate((np.zeros((1, 3)), fan.ring)), vertices[thing.faces]) if thing.faces.shape[1] == 3 else [],
        _crossing(vertices[thing.edges], np.concatenate((triangles[:, :2], triangles[:, 1:]))),
    ]
    return np.concatenate(found)


def _triangles(fan: TipFan) -> Floats:
    """Return the upper triangles, shape (n, 3, 3)."""
    return np.stack((np.zeros_like(fan.ring), fan.ring, np.roll(fan.ring, -1, axis=0)), axis=1)


def _above(points: Floats, triangles: Floats) -> Floats:
    """Return the heights of points (n, 3) above triangles (m, 3, 3), where they are above or below one, seen from above."""
    a, u, v = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    flat = np.abs(area) > _SLACK
    a, u, v, area = a[flat], u[flat], v[flat], area[flat]
    arm = points[:, None] - a
    s = (arm[..., 0] * v[:, 1] - arm[..., 1] * v[:, 0]) / area
    t = (u[:, 0] * arm[..., 1] - u[:, 1] * arm[..., 0]) / area
    return (arm[..., 2] - s * u[:, 2] - t * v[:, 2])[(s >= -_SLACK) & (t >= -_SLACK) & (s + t <= 1.0 + _SLACK)]


def _crossing(edges: Floats, others: Floats) -> Floats:
    """Return the heights of edges (n, 2, 3) above others (m, 2, 3), where they cross, seen from above."""
    a, u = edges[:, None, 0], edges[:, None, 1] - edges[:, None, 0]
    b, v = others[None, :, 0], others[None, :, 1] - others[None, :, 0]
    area, arm = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0], b - a
    with np.errstate(all="ignore"):
        s = (arm[..., 0] * v[..., 1] - arm[..., 1] * v[..., 0]) / area
        t = (arm[..., 0] * u[..., 1] - arm[..., 1] * u[..., 0]) / area
        cross = (np.abs(area) > _SLACK) & (np.abs(s - 0.5) <= 0.5 + _SLACK) & (np.abs(t - 0.5) <= 0.5 + _SLACK)
        return (s * u[..., 2] - t * v[..., 2] - arm[..., 2])[cross]


def _placed(kind: str, rng: np.random.Generator) -> tuple[TipFan, TipShape, bool]:
    """Return a fan, a thing on its apex that does not overlap it, and whether the thing lies wholly in its surface."""
    for _ in range(_TRIES):
        fan = random_fan(rng)
        thing = THINGS[kind](rng).turned(_lean(fan, rng) @ rotation_about(np.array((0.0, 0.0, 1.0)), rng.uniform(0.0, 6.3)))
        apart = heights(fan, thing, thing.vertices)
        if apart.min() < -ROUNDING:
            continue
        if not thing.thin or apart.max() > ROUNDING:
            return fan, thing, False
        if all(len(_above(vertex[None], _triangles(fan))) for vertex in thing.vertices):  # beyond the rim it would have no side
            return fan, thing, fan.bottom is None
    raise AssertionError(f"no fan fits under a {kind}")


def _lean(fan: TipFan, rng: np.random.Generator) -> Floats:
    """Return a rotation (3, 3) that leaves things upright, lays them on a face or an edge of the fan, or leans them anyhow."""
    draw = rng.random()
    k = int(rng.integers(len(fan.ring)))
    edge = fan.ring[k] / np.linalg.norm(fan.ring[k])
    if draw < 0.4:
        return np.eye(3)
    if draw < 0.8:
        up = (
            np.cross(fan.ring[k], fan.ring[(k + 1) % len(fan.ring)]) if draw < 0.6 else np.cross(edge, (-edge[1], edge[0], 0.0))
        )
        up *= np.sign(up[2]) / np.linalg.norm(up)
        x = edge - (edge @ up) * up
        x /= np.linalg.norm(x)
        spin = rotation_about(np.array((0.0, 0.0, 1.0)), float(rng.choice((0.0, rng.uniform(0.0, 6.3)))))
        return np.column_stack((x, np.cross(up, x), up)) @ spin
    return rotation_about(np.array((*rng.normal(size=2), 0.0)), rng.uniform(0.0, 1.2))


def _motion(fan: TipFan, thing: TipShape, rng: np.random.Generator) -> TipMotion:
    """Return a straight motion, or a turn, most of the time about a line through the apex."""
    edges = thing.vertices[thing.edges]
    along = edges[rng.integers(len(edges))] if len(edges) else np.array(((0.0, 0.0, 0.0), (0.0, 0.0, 1.0)))
    choices = (
        rng.normal(size=3),
        np.array((*rng.normal(size=2), 0.0)),
        np.array((0.0, 0.0, rng.choice((-1.0, 1.0)))),
        rng.choice((-1.0, 1.0)) * fan.ring[rng.integers(len(fan.ring))],
        rng.choice((-1.0, 1.0)) * (along[1] - along[0]),
    )
    direction = choices[rng.integers(len(choices))]
    about = None
    if rng.random() < 0.5:
        about = np.zeros(3) if rng.random() < 0.6 else rng.uniform(-1.0, 1.0, 3)
    return TipMotion(direction / np.linalg.norm(direction), about)
