"""Hands that find a target, go there, and close five fingers round it (after Radar, 2002, Figs 9-16).

The phases of each hand, frame by frame:

* *search*: turn about the vertical until a wide view shows the target's id, then face it;
* *approach*: size the view by the hand's mask, face the target again, then go straight ahead until first touch;
* *four*: bend the four fingers together until something touches;
* *fingers*: each of the five alone, joint by joint from the root outward, each to its contact, another link, or its limit.

A joint may be free again after what stopped it, or the stopped part, has moved. Then it is tried again, so that in the end no
joint can close. Hands are obstacles to each other. A soft target deforms from the first touch on; see `grasp_soft`. Times are
of the frame's queries and motions alone, without measuring.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sweepscope import Body, Robot, Scene, View, checks
from sweepscope.errors import InvalidQuery
from sweepscope.radar import RadarReading

from ..scenes.hand import HANDS, SIZE
from ..scenes.targets import TARGETS
from .bounce import whole
from .gc_pauses import without_gc_pauses
from .grasp_exact import SweepDriver
from .grasp_measure import Gaps, LinkGap
from .grasp_moves import Driver, Hand, Stop
from .grasp_radar import RULES, RadarDriver
from .grasp_search import AIMS, WIDE, face, look, place_hands, size_view, turn_further, warm_up
from .grasp_soft import Soft

METHODS = ("exact", "radar")
MOST_HANDS = 5
PHASES = ("search", "approach", "four", "fingers", "done")
CLOSING = PHASES[2:]
_PACE = 30.0  # length of an approach in a frame [length]
_FACINGS = 2  # turns towards the target in a wide view


@dataclass(frozen=True, slots=True)
class GraspSettings:
    """What is simulated. The same settings give the same run, except for its times."""

    target: str = "ball"
    """Name of the target, see `scenes.targets.TARGETS`."""
    hands: int = 1
    """Number of hands that grasp it, from all around, each an obstacle to the others."""
    method: str = "exact"
    """How motions are checked: "exact" sweeps or "radar" readings."""
    pixels: int = 50
    """Pixels of radars and views, along each side."""
    step: float = 3.0
    """Largest turn of a joint in a frame [degrees]."""
    frames: int = 600
    """Most frames."""
    seed: int = 0
    """Seed of the hands' start."""
    hand: str = "round"
    """Form of the hands, see `scenes.hand.HANDS`."""
    rule: str = "pixels"
    """How a radar's picture gives the angle of a joint: "pixels" is ours, "closest" the paper's; see `grasp_arm`."""

    def __post_init__(self) -> None:
        checks.choice(self.target, "target", tuple(TARGETS))
        checks.choice(self.method, "method", METHODS)
        checks.choice(self.hand, "hand", HANDS)
        checks.choice(self.rule, "rule", RULES)
        if self.rule != RULES[0] and self.method != "radar":
            raise InvalidQuery(f"rule is {self.rule!r}, but method is {self.method!r}; it is for method 'radar'")
        whole(self.hands, "hands", 1, MOST_HANDS)
        whole(self.pixels, "pixels", 8, 1024)
        whole(self.frames, "frames", 1, None)
        whole(self.seed, "seed", 0, None)
        if not 0.1 <= checks.number(self.step, "step", InvalidQuery) <= 20.0:
            raise InvalidQuery(f"step is {self.step}; accepted: 0.1 to 20 degrees")


@dataclass(frozen=True, slots=True)
class GraspRecord:
    """One frame."""

    frame: int
    phases: tuple[str, ...]
    """Phase of each hand at the start of the frame: "search", "approach", "four", "fingers" or "done"."""
    detections: int
    """Looks, radar readings and sweeps."""
    seconds: float
    """Time of these and of the motions [s]."""
    contacts: int
    """Pairs of bodies, one of them a link, that touch at its end."""
    penetration: float
    """Deepest overlap at its end, of links with the target, each other, or other hands [length]; 0 if none."""


@dataclass(frozen=True, slots=True, eq=False)
class GraspContact:
    """Where a link touches something at the end."""

    hand: int
    link: str
    body: str
    """Name of what it touches; for a link of a hand "hand 2/index 3"."""
    point: NDArray[np.float64]
    """On that body [length], shape (3,), world."""
    normal: NDArray[np.float64]
    """Unit vector from that body towards the link, shape (3,), world."""
    separation: float
    """Distance of the two surfaces [length], measured without sweeps; below 0 they overlap."""


@dataclass(frozen=True, slots=True, eq=False)
class GraspOutcome:
    """Result of a run."""

    contacts: tuple[GraspContact, ...]
    joints: tuple[dict[str, float], ...]
    """Joint values of each hand [radians]."""
    ends: tuple[dict[str, str], ...]
    """Why each joint of each hand stopped: "contact" (with the target), "link" (of any hand), "limit"."""
    held: tuple[bool, ...]
    """Whether each hand touches the target with two links or more."""
    finished: bool
    """True if all hands came to rest before the last frame."""
    max_penetration: float
    """Deepest overlap at the end of any frame [length]."""
    frames: tuple[GraspRecord, ...]
    hand_size: float
    """Width of a hand [length]."""


class Grasp:
    """Hands round a target. `step` advances one frame and returns its record; `records` holds all."""

    def __init__(self, settings: GraspSettings | None = None) -> None:
        self.settings = settings or GraspSettings()
        self.scene = Scene()
        made = TARGETS[self.settings.target]()
        self.target: tuple[Body, ...] = tuple(self.scene.add(shape, pose, name=name) for name, shape, pose in made.parts)
        self.hands: tuple[Robot, ...] = place_hands(self.scene, self.settings.hands, self.settings.seed, self.settings.hand)
        self.records: list[GraspRecord] = []
        self._hand_states = [Hand(k, robot, AIMS[self.settings.hands]) for k, robot in enumerate(self.hands)]
        self._owner = {
            body.id: (k, link.name)
            for k, robot in enumerate(self.hands)
            for link in robot.links.values()
            for body in link.bodies
        }
        self._gaps = Gaps(self.hands, self.target)
        self._soft = None if made.changes is None else Soft(made.changes, self.target)
        step = math.radians(self.settings.step)
        if self.settings.method == "exact":
            self._driver: Driver = SweepDriver(step, _PACE, self.target)
        else:
            self._driver = RadarDriver(step, _PACE, self.target, self._hand_states, self.settings.pixels, self.settings.rule)
        self._rested = False
        warm_up(self.scene, self.target, self._hand_states, self.settings.pixels)

    @property
    def phases(self) -> tuple[str, ...]:
        """Phase of each hand: "search", "approach", "four", "fingers" or "done"."""
        return tuple(hand.phase for hand in self._hand_states)

    @property
    def stops(self) -> tuple[Stop, ...]:
        """Radar method only: every joint that stopped, with the answer of an exact sweep from the same start."""
        return tuple(self._driver.stops)

    @property
    def readings(self) -> tuple[RadarReading, ...]:
        """Radar method only: what the hands' radars read in the last frame, before its moves."""
        return tuple(self._driver.readings)

    @property
    def ended(self) -> bool:
        """Whether all hands rest, or no frame is left."""
        return self._rested or len(self.records) == self.settings.frames

    def step(self) -> GraspRecord:
        """Advance by one frame."""
        if self.ended:
            raise InvalidQuery(f"the grasp is over, after {len(self.records)} frames")
        phases = self.phases
        self._driver.queries, self._driver.measuring_seconds, self._driver.readings = 0, 0.0, []
        begin = time.perf_counter()
        self._advance()
        seconds = time.perf_counter() - begin - self._driver.measuring_seconds
        gaps = self._gaps.near(self._driver.reach)
        record = GraspRecord(
            frame=len(self.records),
            phases=phases,
            detections=self._driver.queries,
            seconds=seconds,
            contacts=len(gaps),
            penetration=max([0.0, *(-gap.separation for gap in gaps)]),
        )
        self.records.append(record)
        return record

    def outcome(self) -> GraspOutcome:
        """Return the result so far."""
        gaps = self._gaps.near(self._driver.reach)
        contacts = [contact for gap in gaps for contact in self._contacts_of(gap)]
        mine = {body.name for body in self.target}
        links = [{c.link for c in contacts if c.hand == k and c.body in mine} for k in range(len(self.hands))]
        return GraspOutcome(
            contacts=tuple(contacts),
            joints=tuple(robot.positions for robot in self.hands),
            ends=tuple(
                {finger.joints[k]: end.why for finger in hand.fingers for k, end in sorted(finger.ends.items())}
                for hand in self._hand_states
            ),
            held=tuple(len(each) > 1 for each in links),
            finished=self._rested,
            max_penetration=max((record.penetration for record in self.records), default=0.0),
            frames=tuple(self.records),
            hand_size=SIZE,
        )

    def _advance(self) -> None:
        """Move every hand by one frame."""
        begun = [(hand, hand.phase) for hand in self._hand_states]
        if self._soft is not None and any(phase in CLOSING for _, phase in begun):
            self._soft.step(self._hand_states, self._driver)
        for hand, phase in begun:
            if phase == "search":
                self._search(hand)
            elif phase == "approach" and hand.radar is None:
                self._aim(hand)
                begun[hand.number] = hand, "aim"
        finished = self._driver.go(
            [hand for hand, phase in begun if phase == "approach"],
            [hand for hand, phase in begun if phase == "four"],
            [finger for hand, phase in begun if phase == "fingers" for finger in hand.fingers if finger.at < 3],
        )
        for hand in finished:
            hand.phase = "four" if hand.phase == "approach" else "fingers"
        for hand in self._hand_states:
            if hand.phase in ("fingers", "done"):
                for finger in hand.fingers:
                    self._driver.wake(finger)
                hand.phase = "done" if hand.resting else "fingers"
        changing = self._soft is not None and not self._soft.rests
        self._rested = not changing and all(hand.phase == "done" for hand in self._hand_states)

    def _search(self, hand: Hand) -> None:
        place = look(hand, self.target, self.settings.pixels, WIDE)
        self._driver.queries += 2
        if place is None:
            turn_further(hand)
            return
        face(hand, place)
        hand.facing += 1
        if hand.facing == _FACINGS:
            hand.phase = "approach"

    def _aim(self, hand: Hand) -> None:
        """Size the view and face the target in it; in the wide view if the target is further away than the radar looks."""
        reading = size_view(hand, self.settings.pixels)
        view = reading.view
        assert isinstance(view, View)
        near = bool((reading.ids >= 0).any())
        place = look(hand, self.target, self.settings.pixels, (view.width, view.height, WIDE[2]) if near else WIDE)
        self._driver.queries += 4
        if place is not None:
            face(hand, place)

    def _contacts_of(self, gap: LinkGap) -> list[GraspContact]:
        """Return a gap as a contact of the link; between two links it is a contact of both."""
        hand, link = self._owner[gap.link.id]
        if gap.body.id not in self._owner:
            return [GraspContact(hand, link, gap.body.name, gap.point, gap.normal, gap.separation)]
        other_hand, other = self._owner[gap.body.id]
        there = gap.point + gap.separation * gap.normal
        return [
            GraspContact(hand, link, f"{self.hands[other_hand].name}/{other}", gap.point, gap.normal, gap.separation),
            GraspContact(other_hand, other, f"{self.hands[hand].name}/{link}", there, -gap.normal, gap.separation),
        ]


def run(settings: GraspSettings | None = None) -> GraspOutcome:
    """Simulate a whole grasp and return its result."""
    grasp = Grasp(settings)
    with without_gc_pauses():
        while not grasp.ended:
            grasp.step()
    return grasp.outcome()
