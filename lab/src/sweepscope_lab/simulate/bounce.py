"""Balls that bounce in a room (Yamachi & Shindo 2002, Fig 8): a radar or the exact sweep predicts every contact.

Balls move one after the other. Each moves by its velocity while all others stand still, stops at contact, exchanges momentum
along the contact's normal and uses up its step. Every move is swept, so nothing tunnels at any speed. Only the velocity along
a normal is exchanged or mirrored, so energy is kept for any normal.

With "sweep" a ball moves exactly to contact. With "radar" pictures are samples, and margins cover their errors:

* What covers no pixel's center is not seen, and a surface varies inside a pixel: a ball may go too far by about a pixel. So
  the radar moves a shell, the ball grown by `_SHELL` pixels, among the true balls, and stops `_SKIN` pixels before contact,
  measured square to the surface. The shell may enter things by a fraction of a pixel; the ball inside does not touch them.
* A shell that is already inside another ball reads contact at 0. If the two approach, they bounce as usual.
* A reading's normal always points against the motion. Balls whose centers separate pass each other; a wall's normal is that of
  the seen face, which distinguishes its inside from its outside.
* A shell that reaches through a wall may see it from outside. The ball is then moved back, square to that wall.

A radar is a sample, not a proof. `Bounce` measures at every moment of every move that the margins hold.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Mesh, Scene, Translate, checks
from sweepscope.errors import InvalidQuery
from sweepscope.radar import Radar

BALLS = 50
INSTRUMENTS = ("radar", "sweep")
FEWEST_PIXELS = 10  # a shell is then a third larger than its ball
MOST_PIXELS = 1000

_RADIUS = 1.0
_ROOM = 16.0  # inner width: balls fill a twentieth of it
_SHELL = 1.5  # pixels: with 1, shells overlapped by half a pixel; without a shell, balls overlapped by 0.3
_SKIN = 0.5  # pixels
_AHEAD = 0.2  # radii that a radar looks beyond the step: in slanting motion the skin begins long before contact
_ROUNDS = 4  # rounds for balls that wait until another has moved
_MOST_CONTACTS = 64  # of one ball in one step; then it waits until the next step
_SPENT = 1e-12  # share of a step: less time left is rounding
_LEAST_SLANT = 1e-9  # a motion less steep than this is parallel to the surface
_CHORD = np.linspace(0.0, 1.0, 9)  # shares of the path through another ball at which overlap is measured

_Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class BounceSettings:
    """What is simulated. The same settings give the same run."""

    moving: int = BALLS
    """Number of balls that move; the others are fixed obstacles."""
    instrument: str = "radar"
    """What predicts contacts: "radar" or "sweep"."""
    pixels: int = 50
    """Columns and rows of a radar's pictures."""
    seed: int = 0
    """Seed of the positions and velocities at the start."""
    balls: int = BALLS
    """Number of balls, at most 50."""
    speed: float = 6.0
    """Root mean square speed at the start [radii per second]."""
    dt: float = 1.0 / 60.0
    """Length of a frame [s]."""

    def __post_init__(self) -> None:
        checks.choice(self.instrument, "instrument", INSTRUMENTS)
        whole(self.balls, "balls", 1, BALLS)
        whole(self.moving, "moving", 1, self.balls)
        whole(self.pixels, "pixels", FEWEST_PIXELS, MOST_PIXELS)
        whole(self.seed, "seed", 0, None)
        for value, name in ((self.speed, "speed"), (self.dt, "dt")):
            if checks.length(value, name, InvalidQuery) == 0.0:
                raise InvalidQuery(f"{name} is 0; nothing would move")


@dataclass(frozen=True, slots=True)
class BounceSummary:
    """What a run measured."""

    frames: int
    """Number of simulated frames."""
    walls: int
    """Contacts with walls."""
    hits: int
    """Contacts between balls."""
    energy_start: float
    """Kinetic energy before the first frame, each ball of mass 1."""
    energy_end: float
    """Kinetic energy after the last frame."""
    energy_drift: float
    """Largest change of energy at any frame, as a share of the start."""
    deepest: float
    """Deepest overlap of two balls at any moment, in radii: the least shift that separates them; 0 if none."""
    farthest_out: float
    """Farthest that a ball reached out of the room, in radii; 0 if none did."""
    way: float
    """Path length of all balls, as a share of speed times time."""
    least_way: float
    """The same of the ball with the least share."""
    probes_per_frame: float
    """Queries of radars, or of the sweep."""
    seconds_per_frame: float
    """Time of a frame, without measuring [s]."""


class Bounce:
    """Fifty balls of 128 triangles in a cube, some or all of them moving. `step` advances one frame.

    The scene holds the room and the balls, and for radars a shell around each moving ball, in the group "shells".
    Faults are measured, not raised: `summary` reports the deepest overlap at any moment of any move, not only between frames,
    and how far any ball reached out of the room.
    """

    def __init__(self, settings: BounceSettings | None = None) -> None:
        self.settings = settings or BounceSettings()
        count = self.settings.balls
        rng = np.random.default_rng(self.settings.seed)
        ball = Mesh.sphere(_RADIUS, rows=9, sections=8)
        box = Mesh.box((_ROOM, _ROOM, _ROOM), solid=False)
        self.scene = Scene()
        self.room = self.scene.add(box, name="room")
        self.balls = tuple(self.scene.add(ball, place, name=f"ball {k}") for k, place in enumerate(_places(count, rng)))
        speeds = rng.normal(size=(count, 3)) * (self.settings.speed / math.sqrt(3.0))
        speeds[self.settings.moving :] = 0.0
        self._velocities: list[_Vector] = [(x, y, z) for x, y, z in speeds.tolist()]
        self._index = {body.id: k for k, body in enumerate(self.balls)}
        self._places = np.array([body.pose[:3, 3] for body in self.balls])
        self._reach = _ROOM / 2.0 - ball.vertices.max(axis=0)
        self._faces = _planes(ball)
        self._inward = [_vector(-normal) for normal in _planes(box)[0]]
        self._skin = _SKIN * 2.0 * _RADIUS / self.settings.pixels
        self._radars: tuple[Radar, ...] = ()
        self._shells: tuple[Body, ...] = ()
        if self.settings.instrument == "radar":
            shell = Mesh.sphere(_RADIUS * (1.0 + 2.0 * _SHELL / self.settings.pixels), rows=9, sections=8)
            self._shells = tuple(
                self.scene.add(shell, place, name=f"shell {k}", group="shells")
                for k, place in enumerate(self._places[: self.settings.moving])
            )
            self.scene.ignore_groups("shells", "shells")
            self._radars = tuple(Radar(self.scene, each, pixels=self.settings.pixels) for each in self._shells)
        self._left = [0.0] * count  # time left in this step [s]
        self._made = np.zeros(count)  # path length made, and missed [length]
        self._missed = np.zeros(count)
        self._paths: list[tuple[int, NDArray[np.float64], NDArray[np.float64]]] = []
        self._frames = self._walls = self._hits = self._probes = 0
        self._start = self._end = self.energy
        self._drift = self._deepest = self._out = self._seconds = 0.0

    @property
    def places(self) -> NDArray[np.float64]:
        """Centers of the balls [length], shape (balls, 3), world; a copy."""
        return self._places.copy()

    @property
    def velocities(self) -> NDArray[np.float64]:
        """Velocities of the balls [length / s], shape (balls, 3); a copy."""
        return np.array(self._velocities)

    @property
    def energy(self) -> float:
        """Kinetic energy of all balls, each of mass 1."""
        return 0.5 * math.fsum(x * x for velocity in self._velocities for x in velocity)

    def step(self) -> None:
        """Advance by one frame."""
        begin = time.perf_counter()
        waiting = list(range(self.settings.moving))
        for k in waiting:
            self._left[k] = self.settings.dt
        for _ in range(_ROUNDS):
            waiting = [k for k in waiting if not self._advance(k)]
            if not waiting:
                break
        for k in waiting:
            self._missed[k] += self._left[k] * math.hypot(*self._velocities[k])
        self._seconds += time.perf_counter() - begin
        self._frames += 1
        self._measure()

    def summary(self) -> BounceSummary:
        """Return what was measured so far."""
        moving = self.settings.moving
        frames = max(self._frames, 1)
        made, missed = self._made[:moving], self._missed[:moving]
        return BounceSummary(
            frames=self._frames,
            walls=self._walls,
            hits=self._hits,
            energy_start=self._start,
            energy_end=self._end,
            energy_drift=self._drift,
            deepest=self._deepest / _RADIUS,
            farthest_out=self._out / _RADIUS,
            way=float(made.sum() / (made + missed).sum()) if self._frames else 1.0,
            least_way=float((made / (made + missed)).min()) if self._frames else 1.0,
            probes_per_frame=self._probes / frames,
            seconds_per_frame=self._seconds / frames,
        )

    def _advance(self, k: int) -> bool:
        """Move ball k for the time that it has left; False if it must wait until another ball has moved."""
        leaving: tuple[Body, ...] = ()
        for _ in range(_MOST_CONTACTS):
            velocity = self._velocities[k]
            speed = math.hypot(*velocity)
            distance = speed * self._left[k]
            if speed == 0.0 or self._left[k] <= _SPENT * self.settings.dt:
                return True
            contact = self._foresee(k, velocity, speed, distance, leaving)
            travel, met, normal = contact or (distance, None, velocity)
            if travel > 0.0:
                self._move(k, velocity, travel / speed)
                self._made[k] += travel
                self._left[k] -= travel / speed
            if met is None:
                return True
            if self._bounce(k, met, normal):
                leaving = ()
            elif met is not self.room:
                # If their centers separate, they do so until this ball's velocity changes.
                leaving += (met,)
            elif self._radars and not self._push_back(k, normal):
                return False
            if _dot(self._velocities[k], normal) < 0.0:
                # It still moves into the contact, because the other ball escapes: the other has to move first.
                return False
        return False

    def _foresee(
        self, k: int, velocity: _Vector, speed: float, distance: float, leaving: tuple[Body, ...]
    ) -> tuple[float, Body, _Vector] | None:
        """Return how far ball k can go, what it meets and the normal towards the ball; None if its path is free."""
        self._probes += 1
        if not self._radars:
            hit = self.scene.sweep(self.balls[k], Translate(_times(velocity, distance / speed)))
            return None if hit is None else (hit.travel, hit.obstacle, _vector(hit.normal))
        ahead = Translate(_times(velocity, (distance + _AHEAD * _RADIUS) / speed))
        reading = self._radars[k].probe(ahead, ignore=(self.balls[k], *leaving))
        met = reading.obstacle
        if met is None:
            return None
        if met is self.room:
            row, column = next(pixel for pixel in reading.pixels if reading.ids[pixel[0], pixel[1]] == met.id)
            normal = self._inward[reading.faces[row, column]]
            slant = abs(_dot(normal, velocity)) / speed
        else:
            normal = _vector(reading.normal)
            slant = -_dot(normal, velocity) / speed
        travel = reading.travel - self._skin / max(slant, _LEAST_SLANT)
        return None if travel >= distance else (max(travel, 0.0), met, normal)

    def _bounce(self, k: int, met: Body, normal: _Vector) -> bool:
        """Bounce ball k off the met body if they approach; return whether they do."""
        if met is self.room or self._index[met.id] >= self.settings.moving:
            struck = self._mirror(k, normal)
        else:
            struck = self._exchange(k, self._index[met.id], normal)
        if struck:
            self._walls += met is self.room
            self._hits += met is not self.room
        return struck

    def _mirror(self, k: int, normal: _Vector) -> bool:
        """Reflect ball k off a body that stands still, if it approaches."""
        velocity = self._velocities[k]
        along = _dot(velocity, normal) / _dot(normal, normal)
        if along < 0.0:
            self._velocities[k] = _plus(velocity, normal, -2.0 * along)
        return along < 0.0

    def _exchange(self, k: int, other: int, normal: _Vector) -> bool:
        """Swap the velocities of two balls along the normal, if they approach."""
        mine, theirs = self._velocities[k], self._velocities[other]
        along = (_dot(mine, normal) - _dot(theirs, normal)) / _dot(normal, normal)
        if along < 0.0:
            self._velocities[k] = _plus(mine, normal, -along)
            self._velocities[other] = _plus(theirs, normal, along)
        return along < 0.0

    def _push_back(self, k: int, inward: _Vector) -> bool:
        """Move ball k away from a wall by a skin; False if another ball blocks it. This motion cannot meet a second wall."""
        self._probes += 1
        motion = _times(inward, self._skin)
        if self._radars[k].probe(Translate(motion), ignore=(self.room, self.balls[k])):
            return False
        self._move(k, motion, 1.0)
        return True

    def _move(self, k: int, velocity: _Vector, seconds: float) -> None:
        vector = np.array(velocity) * seconds
        self._paths.append((k, vector, self._places.copy()))
        self._places[k] += vector
        self.balls[k].pose = self._places[k]
        if self._shells:
            self._shells[k].pose = self._places[k]

    def _measure(self) -> None:
        """Measure what the last frame did to energy, containment and distances."""
        self._end = self.energy
        self._drift = max(self._drift, abs(self._end / self._start - 1.0))
        if not self._paths:
            return
        movers = np.array([path[0] for path in self._paths])
        vectors = np.stack([path[1] for path in self._paths])[:, None]
        places = np.stack([path[2] for path in self._paths])
        self._paths.clear()
        starts = places[np.arange(len(movers)), movers][:, None]
        self._out = max(self._out, float((np.abs(starts + vectors) - self._reach).max()))
        apart = starts - places
        nearest = np.clip(-(apart * vectors).sum(axis=2) / (vectors * vectors).sum(axis=2), 0.0, 1.0)
        close = ((apart + nearest[..., None] * vectors) ** 2).sum(axis=2) < (2.0 * _RADIUS) ** 2
        close[np.arange(len(movers)), movers] = False
        if close.any():
            rows = np.nonzero(close)[0]
            self._deepest = max(self._deepest, _overlap(apart[close], vectors[rows, 0], *self._faces))


def run(frames: int, settings: BounceSettings | None = None) -> BounceSummary:
    """Simulate some frames and return what was measured."""
    whole(frames, "frames", 1, None)
    bounce = Bounce(settings)
    for _ in range(frames):
        bounce.step()
    return bounce.summary()


def whole(value: int, name: str, least: int, most: int | None) -> None:
    """Raise unless value is a whole number from `least` to `most`; None is no limit."""
    good = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not good or value < least or (most is not None and value > most):
        span = f"from {least}" if most is None else f"from {least} to {most}"
        raise InvalidQuery(f"{name} is {checks.shown(value)}; accepted: a whole number {span}")


def _places(count: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return centers on a grid, each shifted at random, in random order: apart from each other and from the walls."""
    cell = _ROOM / 4.0
    grid = (np.indices((4, 4, 4)).reshape(3, -1).T - 1.5) * cell
    shaken = grid + rng.uniform(-0.4, 0.4, grid.shape) * (cell - 2.0 * _RADIUS)
    return rng.permutation(shaken)[:count]


def _planes(ball: Mesh) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return outward normals, shape (m, 3), and distances from the center, shape (m,), of the ball's faces."""
    a, b, c = (ball.vertices[ball.faces[:, corner]] for corner in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    return normals, (normals * a).sum(axis=1)


def _overlap(
    apart: NDArray[np.float64], vectors: NDArray[np.float64], normals: NDArray[np.float64], distances: NDArray[np.float64]
) -> float:
    """Return the deepest overlap of equal balls whose centers are `apart` and move by `vectors`, both of shape (k, 3).

    The ball is convex and symmetric about its center, so two of them overlap where the difference of their centers is inside a
    ball of twice the size: a line against its planes.
    """
    gaps = apart @ normals.T - 2.0 * distances
    rates = vectors @ normals.T
    with np.errstate(divide="ignore", invalid="ignore"):
        crossings = -gaps / rates
    enter = np.where(rates < 0.0, crossings, 0.0).max(axis=1).clip(0.0, 1.0)
    leave = np.where(rates > 0.0, crossings, 1.0).min(axis=1).clip(0.0, 1.0)
    times = enter[:, None] + (leave - enter)[:, None] * _CHORD
    depths = -(gaps[:, None] + times[..., None] * rates[:, None]).max(axis=2)
    return float(depths.max())


def _vector(array: NDArray[np.float64]) -> _Vector:
    x, y, z = array.tolist()
    return x, y, z


def _dot(a: _Vector, b: _Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _times(a: _Vector, share: float) -> _Vector:
    return a[0] * share, a[1] * share, a[2] * share


def _plus(a: _Vector, b: _Vector, share: float) -> _Vector:
    return a[0] + share * b[0], a[1] + share * b[1], a[2] + share * b[2]
