"""A body rolls over uneven ground (Yamachi & Shindo, about 2003), by its own weight and without inertia.

It stands on its contacts, which do not slip. If its center of mass is not above them, it turns about the nearest edge or corner
of its support, as gravity pulls, until it meets the ground again. Old contacts, new contacts and the center of mass give the
next axis. Without contact it drops straight down. It rests where its center of mass is above its contacts.

* Every motion is one query of the exact sweep, of an angular radar, or of straight radars such as the paper's two.
* Contacts are met, not searched for: a motion that is stopped at once has found another contact of the present pose.
* A motion ends a hair before contact (foresee.py). So a body never quite touches; its pivot neither presses nor rubs.
* A turn ends at the latest where the center of mass is lowest. So it never rises, and no turn goes on for ever.
* At its lowest, with nothing under it, the body drops if its contacts allow it, and otherwise rests.
* The ground ends. A body nearer to the end than its own radius has left, and does not move any more.

Another method (clearance.py) measures the result, between steps and during turns.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Rotate, Scene, Translate, checks
from sweepscope.errors import InvalidQuery

from ..scenes.rolling import BODIES, STEEPEST, uneven_ground
from .bounce import FEWEST_PIXELS, MOST_PIXELS, whole
from .clearance import Clearance
from .foresight import SMALL, AngularForesight, GroundContact, StraightForesight, SweepForesight
from .straight_radars import FEWEST_RADARS, MOST_RADARS, PLACEMENTS, RULES
from .support import held, margin

INSTRUMENTS = ("sweep", "angular", "straight")
"""What predicts contacts: the exact sweep; one radar on circles about the axis; straight radars around it, by default two."""
BEHIND = ("skip", "hit")
"""What straight radars make of ground behind the body's leading surface: nothing, or a collision as in the paper."""
OLD_CONTACTS = ("keep", "forget")
"""What becomes of contacts that did not move when another is found."""
DROPS = ("sampled", "published")
"""Method of the radar that reads drops: the library's, or the first paper's."""
ENDS = ("support", "picture")
"""What gives the next axis: the support of all contacts; or, as the paper states, both ends from the collision's picture."""
SIDE = 40.0
"""Width of the ground [length]; bodies are about 2 across."""

_DOWN = np.array((0.0, 0.0, -1.0))
_BALANCED = 1e-6  # share of the size: a body nearer to the rim of its support is on the rim, and tips
_LOWEST = 1e-6  # radians: a body nearer to its lowest position is there
_MOST_TRIES = 100  # of one step
_MEASURED_SHARES = (0.25, 0.5, 0.75, 0.95)  # shares of a motion at which it is measured, besides its end
_NOWHERE = np.full(3, np.nan)

_Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RollSettings:
    """What is simulated. The same settings give the same run."""

    body: str = "cube"
    """Name of the body, see `scenes.rolling.BODIES`."""
    instrument: str = "sweep"
    """What predicts contacts, one of INSTRUMENTS."""
    pixels: int = 100
    """Columns and rows of a radar's pictures."""
    seed: int = 0
    """Seed of the ground, and of where the body is dropped."""
    roughness: float = 0.3
    """Roughness of the ground: 0 is flat, 1 is about as steep as 45 degrees."""
    slope: float = 0.6
    """Mean fall of the ground towards +x; 1 is 45 degrees."""
    again: bool = True
    """Whether a body that rests or has left is dropped again somewhere else."""
    rule: str = "arm"
    """Formula of a pixel's angle, for straight radars: see `straight_radars.RULES`."""
    limit: float | None = None
    """Detection limit of straight radars [radians]; None: a turn ends at the angle that they read."""
    ends: str = "support"
    """What gives the next axis, one of ENDS; "picture" is for straight radars with a limit."""
    radars: int = 2
    """How many straight radars."""
    placement: str = "around"
    """Where they are: see `straight_radars.PLACEMENTS`."""
    turn_back: bool = False
    """Whether straight radars test after each step for overlap, and turn back by it; needs a limit."""
    behind: str = "skip"
    """Ground behind the leading surface, one of BEHIND, for straight radars."""
    rim: float | None = None
    """Straight radars test nothing nearer to the axis [sizes]; None: 0.08, or 0.02 with a limit. The paper has none: 0."""
    old_contacts: str = "keep"
    """One of OLD_CONTACTS, for straight radars."""
    drops: str = "sampled"
    """One of DROPS, for straight radars."""

    def __post_init__(self) -> None:
        checks.choice(self.body, "body", tuple(BODIES))
        checks.choice(self.instrument, "instrument", INSTRUMENTS)
        for name, accepted in _CHOICES.items():
            checks.choice(getattr(self, name), name, accepted)
        checks.flag(self.again, "again")
        checks.flag(self.turn_back, "turn_back")
        whole(self.radars, "radars", FEWEST_RADARS, MOST_RADARS)
        if self.limit is not None and not 0.0 < checks.length(self.limit, "limit", InvalidQuery) <= SMALL:
            given, most = math.degrees(self.limit), math.degrees(SMALL)
            raise InvalidQuery(
                f"limit is {given:.4g} degrees; accepted: above 0, at most {most:.3g}, the step of straight radars"
            )
        if self.rim is not None:
            checks.length(self.rim, "rim", InvalidQuery)
        if self.instrument != "straight":
            for name, default in _OF_STRAIGHT.items():
                given = getattr(self, name)
                if given != default:
                    raise InvalidQuery(
                        f"{name} is {checks.shown(given)} with instrument {self.instrument!r}; accepted: with 'straight' only"
                    )
        for name, other in (("ends", "support"), ("turn_back", False)):
            if getattr(self, name) != other and self.limit is None:
                raise InvalidQuery(f"{name} is {getattr(self, name)!r} without a limit; accepted: with a limit only")
        if self.turn_back and self.behind == "hit":
            raise InvalidQuery("behind is 'hit' with turn_back; accepted: 'skip', a body that turns back reads overlaps")
        whole(self.pixels, "pixels", FEWEST_PIXELS, MOST_PIXELS)
        whole(self.seed, "seed", 0, None)
        for value, name in ((self.roughness, "roughness"), (self.slope, "slope")):
            if checks.length(value, name, InvalidQuery) > STEEPEST:
                raise InvalidQuery(f"{name} is {value}; accepted: 0 to {STEEPEST:g}")


_CHOICES = {
    "rule": RULES,
    "ends": ENDS,
    "placement": PLACEMENTS,
    "behind": BEHIND,
    "old_contacts": OLD_CONTACTS,
    "drops": DROPS,
}
_OF_STRAIGHT = {
    "limit": None,
    "ends": "support",
    "radars": 2,
    "placement": "around",
    "turn_back": False,
    "behind": "skip",
    "rim": None,
    "old_contacts": "keep",
    "drops": "sampled",
}


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """One step of a run: what happened, and where the body is afterwards."""

    kind: str
    """start, turn, drop, rest, left or stuck."""
    pose: _Array
    """Pose afterwards, shape (4, 4), local to world; its last column is the center of mass."""
    axis: _Array
    """Unit direction of a turn's axis, right-handed, shape (3,), world; NaN otherwise."""
    about: _Array
    """A point on it [length], shape (3,), world; NaN otherwise."""
    amount: float
    """[radians] of a turn, [length] of a drop, 0 otherwise."""
    contacts: _Array
    """Contact points afterwards [length], shape (n, 3), world."""


@dataclass(frozen=True, slots=True)
class RollSummary:
    """What a run measured. Lengths are shares of the body's size, its bounding box's diagonal."""

    steps: int
    turns: int
    drops: int
    rests: int
    """Number of rests."""
    wedged: int
    """Rests without the center of mass above the contacts: the body is held between them."""
    left: int
    """Number of times that it left the ground."""
    stuck: int
    """Number of times that no motion was found although nothing held it: a fault."""
    deepest: float
    """Deepest point ever below the ground, measured vertically; 0 if never."""
    highest: float
    """Widest gap below it, measured vertically, while it was in contact; 0 if none."""
    rise: float
    """Largest rise of its center of mass in a motion; 0 if never."""
    way: float
    """Horizontal path length of the center of mass, in sizes."""
    questions_per_step: float
    """Queries of the sweep, or of pairs of radars."""
    seconds_per_step: float
    """Time of a step, without measuring [s]."""


class Roll:
    """A body that rolls over the ground. `step` makes one motion; `events` holds all."""

    def __init__(self, settings: RollSettings | None = None) -> None:
        self.settings = settings or RollSettings()
        mesh = BODIES[self.settings.body]()
        ground = uneven_ground(self.settings.seed, roughness=self.settings.roughness, slope=self.settings.slope, side=SIDE)
        self.scene = Scene()
        self.ground = self.scene.add(ground, name="ground")
        self.body = self.scene.add(mesh, name=self.settings.body)
        self.size = float(np.linalg.norm(mesh.bounds[1] - mesh.bounds[0]))
        self.clearance = Clearance(mesh, ground)
        self.events: list[Event] = []
        self.contacts: list[GroundContact] = []
        self._reach = float(np.linalg.norm(mesh.vertices, axis=1).max())
        self._balanced = _BALANCED * self.size
        self._foresight = self._instrument()
        self._rng = np.random.default_rng((self.settings.seed, 1))
        self._counts: dict[str, int] = dict.fromkeys(("start", "turn", "drop", "rest", "left", "stuck", "wedged"), 0)
        self._deepest = self._highest = self._rise = self._path_length = self._seconds = 0.0
        self._start()

    @property
    def state(self) -> str:
        """The last event's kind."""
        return self.events[-1].kind

    @property
    def ended(self) -> bool:
        """True if the body rests, has left the ground, or is stuck."""
        return self.state in ("rest", "left", "stuck")

    def step(self) -> Event:
        """Make one motion, or find that there is none; after an end, drop the body again if the settings say so."""
        begin = time.perf_counter()
        before = self.body.pose
        if not self.ended:
            event = self._roll()
        elif self.settings.again:
            event = self._start()
        else:
            return self.events[-1]
        self._seconds += time.perf_counter() - begin
        self._measure(before, event)
        return event

    def summary(self) -> RollSummary:
        """Return what was measured so far."""
        steps = len(self.events) - 1
        return RollSummary(
            steps=steps,
            turns=self._counts["turn"],
            drops=self._counts["drop"],
            rests=self._counts["rest"],
            wedged=self._counts["wedged"],
            left=self._counts["left"],
            stuck=self._counts["stuck"],
            deepest=self._deepest / self.size,
            highest=self._highest / self.size,
            rise=self._rise / self.size,
            way=self._path_length / self.size,
            questions_per_step=self._foresight.questions / max(steps, 1),
            seconds_per_step=self._seconds / max(steps, 1),
        )

    def _instrument(self) -> SweepForesight | AngularForesight | StraightForesight:
        """Return what predicts contacts."""
        asked = self.settings
        if asked.instrument == "sweep":
            return SweepForesight(self.scene, self.body, self.size)
        if asked.instrument == "angular":
            return AngularForesight(self.scene, self.body, self.size, asked.pixels)
        return StraightForesight(
            self.scene,
            self.body,
            self.size,
            asked.pixels,
            count=asked.radars,
            placement=asked.placement,
            rule=asked.rule,
            behind=asked.behind,
            rim=asked.rim,
            limit=asked.limit,
            turn_back=asked.turn_back,
            ends=asked.ends == "picture",
            drops="published" if asked.drops == "published" else "sampled",
        )

    def _start(self) -> Event:
        """Put the body above the ground with a random rotation, on the upper third of a slope."""
        turn, stretch = np.linalg.qr(self._rng.normal(size=(3, 3)))
        turn *= np.sign(np.diag(stretch))
        pose = np.eye(4)
        pose[:3, :3] = turn if np.linalg.det(turn) > 0.0 else -turn
        across = 0.5 * SIDE - 2.0 * self.size
        low = np.array((-1.0, -0.6)) * across
        high = np.array((-0.4 if self.settings.slope > 0.0 else 1.0, 0.6)) * across
        pose[:2, 3] = self._rng.uniform(low, high)
        heights = self.ground.shape.vertices
        near = np.abs(heights[:, :2] - pose[:2, 3]).max(axis=1) < 2.0 * self.size
        pose[2, 3] = heights[near, 2].max() + 1.1 * self._reach
        self.body.pose = pose
        self.contacts = []
        return self._note("start")

    def _roll(self) -> Event:
        """Find the motion that gravity causes, and make it."""
        if np.abs(self._center[:2]).max() > 0.5 * SIDE - self._reach:
            return self._note("left")
        tried: set[tuple[float, ...]] = set()
        for _ in range(_MOST_TRIES):
            points = self._points()
            if margin(points[:, :2], self._center[:2]) > self._balanced:
                return self._note("rest")
            motion = next((each for each in self._turns(points) if _key(each) not in tried), None)
            if motion is None:
                # Nothing to tip over, or nothing that tips: is it held, or is there nothing below it?
                motion = Translate(_DOWN * (np.ptp(self.ground.shape.vertices[:, 2]) + 4.0 * self.size))
                if _key(motion) in tried:
                    break
            tried.add(_key(motion))
            travel, met = self._foresight.ask(motion)
            if travel * self._lever(motion) > self._foresight.keep:
                return self._move(motion, travel, met)
            # Another contact of the same pose, or a better known one: the support has changed, and its axes, too.
            self._meet(met)
        normals = np.array([contact.normal for contact in self.contacts])
        if not held(self._points(), normals, self._center, self.size):
            return self._note("stuck")
        self._counts["wedged"] += self._overhang() > self._balanced
        return self._note("rest")

    @property
    def _center(self) -> _Array:
        return self.body.pose[:3, 3]

    def _points(self) -> _Array:
        """Return the body's contact points where they are now, shape (n, 3)."""
        local = np.array([contact.local for contact in self.contacts]).reshape(-1, 3)
        return local @ self.body.pose[:3, :3].T + self._center

    def _overhang(self) -> float:
        """Return the horizontal distance of the center of mass from the hull of its contacts [length]."""
        points, center = self._points()[:, :2], self._center[:2]
        if margin(points, center) >= 0.0:
            return 0.0
        gaps = [np.linalg.norm(points - center, axis=1).min()]
        for a in points:
            along = points - a
            share = np.clip((along @ (center - a)) / np.maximum((along * along).sum(axis=1), np.finfo(float).tiny), 0.0, 1.0)
            gaps.append(np.linalg.norm(a + share[:, None] * along - center, axis=1).min())
        return float(min(gaps))

    def _turns(self, points: _Array) -> list[Rotate]:
        """Return the turns that lower the center of mass, the one about the nearest corner or edge first.

        Seen from above, an edge counts if the center is beside it; beyond its end, the end's corner is nearer.
        """
        found: list[tuple[bool, bool, float, Rotate]] = []
        for near, beyond, about, axis in self._axes(points):
            arm = self._center - about
            flat, pull = arm - axis * (axis @ arm), _DOWN - axis * (axis @ _DOWN)
            lowest = math.atan2(axis @ np.cross(flat, pull), flat @ pull)
            if lowest < -math.pi + _LOWEST:
                lowest += 2.0 * math.pi  # upside down; rounding chose the sign
            if lowest > _LOWEST:
                lifts = np.array([c.normal @ np.cross(axis, p - about) for c, p in zip(self.contacts, points, strict=True)])
                found.append((bool((lifts < -self._balanced).any()), beyond, near, Rotate(axis, lowest, about=about)))
        found.sort(key=lambda each: each[:3])
        return [each[3] for each in found]

    def _axes(self, points: _Array) -> Iterator[tuple[float, bool, _Array, _Array]]:
        """Yield axes about which gravity turns: distance, whether beyond an edge's end, point, direction."""
        between_ends = self.settings.ends == "picture" and len(points) == 2
        for k, point in enumerate(points):
            arm = self._center - point
            if not between_ends:
                yield from self._corner_axes(point, arm)
            for other in points[:k]:
                along = other - point
                along /= np.linalg.norm(along)
                level = math.hypot(along[0], along[1])
                if level < _BALANCED:
                    continue
                aside = float(_DOWN @ np.cross(along, arm)) / level
                share = (arm[:2] @ along[:2]) / level**2
                beyond = not 0.0 < share < np.linalg.norm(other - point)
                for sign in (1.0, -1.0):
                    if sign * aside > -self._balanced:
                        yield abs(aside), beyond, point, sign * along

    def _corner_axes(self, point: _Array, arm: _Array) -> Iterator[tuple[float, bool, _Array, _Array]]:
        """Yield axes through one contact, as `_axes` does; arm: from it to the center of mass."""
        near = math.hypot(arm[0], arm[1])
        if near > self._balanced:
            yield near, False, point, np.array((-arm[1], arm[0], 0.0)) / near
        elif arm[2] > 0.0:
            # Balanced on a point: it may fall in any direction.
            for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0)):
                yield near, False, point, np.array(axis)

    def _lever(self, motion: Rotate | Translate) -> float:
        """Return the largest displacement of the body for each radian or length of a motion."""
        if isinstance(motion, Translate):
            return 1.0
        arm = self._center - motion.about
        return float(np.linalg.norm(np.cross(motion.axis, arm))) + self._reach

    def _move(self, motion: Rotate | Translate, travel: float, met: tuple[GroundContact, ...]) -> Event:
        """Make a motion up to `travel`; keep the contacts that did not move, and add the new ones."""
        moved = motion.at(min(travel / motion.length, 1.0)) @ self.body.pose
        u, _, v = np.linalg.svd(moved[:3, :3])
        moved[:3, :3] = u @ v
        self.body.pose = moved
        gaps = self._points() - np.array([c.point for c in self.contacts]).reshape(-1, 3)
        near = np.linalg.norm(gaps, axis=1) <= self._foresight.keep
        self.contacts = [c for c, kept in zip(self.contacts, near, strict=True) if kept]
        self._meet(met)
        if isinstance(motion, Translate):
            # It falls without end: beside the ground, or through a place that a radar did not see.
            return self._note("drop" if met else "left", amount=travel)
        return self._note("turn", np.array(motion.axis), np.array(motion.about), travel)

    def _meet(self, met: tuple[GroundContact, ...]) -> None:
        """Add contacts. One replaces a known one at the same place: edges that cross slide along each other.

        Two are both ends of the next axis, and all others are forgotten. One is added, or with `old_contacts="forget"` alone.
        """
        same = 5.0 * self._foresight.keep
        if len(met) == 2 and np.linalg.norm(met[0].local - met[1].local) > same:
            self.contacts = list(met)
            return
        if met and self.settings.old_contacts == "forget":
            self.contacts = []
        for contact in met[:1]:
            self.contacts = [known for known in self.contacts if np.linalg.norm(contact.local - known.local) > same]
            self.contacts.append(contact)

    def _note(self, kind: str, axis: _Array = _NOWHERE, about: _Array = _NOWHERE, amount: float = 0.0) -> Event:
        event = Event(kind, self.body.pose, axis, about, amount, self._points())
        self.events.append(event)
        self._counts[kind] += 1
        return event

    def _measure(self, before: _Array, event: Event) -> None:
        """Measure depth, gap and rise of the last motion."""
        if event.kind == "start":
            return
        moved = event.pose[:3, 3] - before[:3, 3]
        self._rise = max(self._rise, float(moved[2]))
        self._path_length += math.hypot(moved[0], moved[1])
        poses = [event.pose]
        if event.kind == "turn":
            motion = Rotate(event.axis, event.amount, about=event.about)
            poses += [motion.at(share) @ before for share in _MEASURED_SHARES]
        gaps = [self.clearance.of(pose) for pose in poses]
        self._deepest = max(self._deepest, -min(gaps))
        if event.kind in ("turn", "drop", "rest"):
            self._highest = max(self._highest, gaps[0])


def longest_run(events: Sequence[Event]) -> list[Event]:
    """Return the events between two starts where the body went farthest, without the first pose, which is in the air."""
    starts = [k for k, event in enumerate(events) if event.kind == "start"] + [len(events)]
    runs = [list(events[a + 1 : b]) or list(events[a:b]) for a, b in itertools.pairwise(starts)]
    return max(runs, key=lambda run: float(np.linalg.norm(run[-1].pose[:2, 3] - run[0].pose[:2, 3])))


def _key(motion: Rotate | Translate) -> tuple[float, ...]:
    """Return a key that distinguishes motions."""
    return (0.0,) if isinstance(motion, Translate) else (*motion.axis, *motion.about)


def run(steps: int, settings: RollSettings | None = None) -> RollSummary:
    """Simulate some steps, at least one, and return what was measured."""
    whole(steps, "steps", 1, None)
    roll = Roll(settings)
    for _ in range(steps):
        roll.step()
        if roll.ended and not roll.settings.again:
            break
    return roll.summary()
