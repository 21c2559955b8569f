"""Hands that feel their way (after Radar, 2002, Figs 9-16): find the target, go there, close five fingers round it.

Each hand, frame by frame:

* *search*: turn about the vertical until a wide view shows the target's id, then face it;
* *approach*: size the view by the hand's mask, face the target again, then go straight ahead until first touch;
* *four*: bend the four fingers together until something touches;
* *fingers*: each of the five alone, joint by joint from the root outward, each to its contact, another link, or its limit.

A joint may be free again once what stopped it, or the part that was stopped, has moved: it is then asked again, so that in the
end no joint can close. Hands are obstacles to each other. A target that deforms does so from the first touch on; see
`grasp_soft`. Times are of the frame's questions and motions alone, not of measuring.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidQuery
from ..robot import Robot
from ..scene import Body, Scene
from ..scenes.hand import SIZE
from ..scenes.targets import TARGETS
from .bounce import whole
from .grasp_course import AIMS, WIDE, face, look, place_hands, sized_view, turn_on, warm
from .grasp_exact import Exact
from .grasp_measure import Gap, Gaps
from .grasp_moves import Course, Mover, Stop
from .grasp_radar import Radars
from .grasp_soft import Soft
from .steady import steady

METHODS = ("exact", "radar")
MOST_HANDS = 5
PHASES = ("search", "approach", "four", "fingers", "done")
CLOSING = PHASES[2:]
_PACE = 30.0  # of an approach, in a frame [length]
_FACINGS = 2  # turns towards the target in a wide view


@dataclass(frozen=True, slots=True)
class Settings:
    """What is simulated. The same settings give the same run, but for its times."""

    target: str = "ball"
    """Name of what is grasped, see `scenes.targets.TARGETS`."""
    hands: int = 1
    """How many grasp it at once, from all around, each an obstacle to the others."""
    method: str = "exact"
    """How motions are asked for: "exact" sweeps or "radar" readings."""
    pixels: int = 50
    """Of radars and views, along each side."""
    step: float = 3.0
    """Most that a joint turns in a frame [degrees]."""
    frames: int = 600
    """Most frames."""
    seed: int = 0
    """Of where hands start."""

    def __post_init__(self) -> None:
        checks.choice(self.target, "target", tuple(TARGETS))
        checks.choice(self.method, "method", METHODS)
        whole(self.hands, "hands", 1, MOST_HANDS)
        whole(self.pixels, "pixels", 8, 1024)
        whole(self.frames, "frames", 1, None)
        whole(self.seed, "seed", 0, None)
        if not 0.1 <= checks.number(self.step, "step", InvalidQuery) <= 20.0:
            raise InvalidQuery(f"step is {self.step}; accepted: 0.1 to 20 degrees")


@dataclass(frozen=True, slots=True)
class Record:
    """One frame."""

    frame: int
    phases: tuple[str, ...]
    """Of each hand, as the frame begins: "search", "approach", "four", "fingers" or "done"."""
    detections: int
    """Looks, radar readings and sweeps."""
    seconds: float
    """Time of these and of the motions [s]."""
    contacts: int
    """Pairs of bodies, one of them a link, that touch at its end."""
    penetration: float
    """Deepest overlap at its end, of links with the target, each other, or other hands [length]; 0 if there is none."""


@dataclass(frozen=True, slots=True, eq=False)
class Contact:
    """Where a link touches something at the end."""

    hand: int
    link: str
    body: str
    """Name; of a link of a hand "hand 2/index 3"."""
    point: NDArray[np.float64]
    """On that body [length], shape (3,), world."""
    normal: NDArray[np.float64]
    """Unit, from that body towards the link, shape (3,), world."""
    separation: float
    """Of the two surfaces [length], measured apart from all sweeps; below 0 they overlap."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What a run came to."""

    contacts: tuple[Contact, ...]
    joints: tuple[dict[str, float], ...]
    """Of each hand, all joints' values [radians]."""
    ends: tuple[dict[str, str], ...]
    """Of each hand, why each joint stopped: "contact" (with the target), "link" (its own or another hand's), "limit"."""
    held: tuple[bool, ...]
    """Of each hand, whether it touches the target with two links or more."""
    finished: bool
    """True if all hands came to rest before the frames ran out."""
    max_penetration: float
    """Deepest overlap at the end of any frame [length]."""
    frames: tuple[Record, ...]
    hand_size: float
    """Across a hand [length]."""


class Grasp:
    """Hands round a target. `step` goes on by one frame and tells what happened; `records` holds all that did."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.scene = Scene()
        made = TARGETS[self.settings.target]()
        self.target: tuple[Body, ...] = tuple(self.scene.add(shape, pose, name=name) for name, shape, pose in made.parts)
        self.hands: tuple[Robot, ...] = place_hands(self.scene, self.settings.hands, self.settings.seed)
        self.records: list[Record] = []
        self._courses = [Course(k, robot, AIMS[self.settings.hands]) for k, robot in enumerate(self.hands)]
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
            self._mover: Mover = Exact(step, _PACE, self.target)
        else:
            self._mover = Radars(step, _PACE, self.target, self._courses, self.settings.pixels)
        self._rested = False
        warm(self.scene, self.target, self._courses, self.settings.pixels)

    @property
    def phases(self) -> tuple[str, ...]:
        """Of each hand: "search", "approach", "four", "fingers" or "done"."""
        return tuple(course.phase for course in self._courses)

    @property
    def stops(self) -> tuple[Stop, ...]:
        """Of the radar method: every joint that stopped, beside what an exact sweep from the same start says."""
        return tuple(self._mover.stops)

    @property
    def ended(self) -> bool:
        """Whether all hands have come to rest, or the frames are used up."""
        return self._rested or len(self.records) == self.settings.frames

    def step(self) -> Record:
        """Go on by one frame."""
        if self.ended:
            raise InvalidQuery(f"the grasp is over, after {len(self.records)} frames")
        phases = self.phases
        self._mover.asked, self._mover.aside = 0, 0.0
        begin = time.perf_counter()
        self._go_on()
        seconds = time.perf_counter() - begin - self._mover.aside
        gaps = self._gaps.near(self._mover.reach)
        record = Record(
            frame=len(self.records),
            phases=phases,
            detections=self._mover.asked,
            seconds=seconds,
            contacts=len(gaps),
            penetration=max([0.0, *(-gap.separation for gap in gaps)]),
        )
        self.records.append(record)
        return record

    def outcome(self) -> Outcome:
        """Return what the run has come to so far."""
        gaps = self._gaps.near(self._mover.reach)
        contacts = [contact for gap in gaps for contact in self._worded(gap)]
        mine = {body.name for body in self.target}
        links = [{c.link for c in contacts if c.hand == k and c.body in mine} for k in range(len(self.hands))]
        return Outcome(
            contacts=tuple(contacts),
            joints=tuple(robot.values for robot in self.hands),
            ends=tuple(
                {finger.joints[k]: end.why for finger in course.fingers for k, end in sorted(finger.ends.items())}
                for course in self._courses
            ),
            held=tuple(len(each) > 1 for each in links),
            finished=self._rested,
            max_penetration=max((record.penetration for record in self.records), default=0.0),
            frames=tuple(self.records),
            hand_size=SIZE,
        )

    def _go_on(self) -> None:
        """Let every hand do what it does in one frame."""
        begun = [(course, course.phase) for course in self._courses]
        if self._soft is not None and any(phase in CLOSING for _, phase in begun):
            self._soft.step(self._courses, self._mover)
        for course, phase in begun:
            if phase == "search":
                self._search(course)
            elif phase == "approach" and course.radar is None:
                self._aim(course)
                begun[course.number] = course, "aim"
        through = self._mover.go(
            [course for course, phase in begun if phase == "approach"],
            [course for course, phase in begun if phase == "four"],
            [finger for course, phase in begun if phase == "fingers" for finger in course.fingers if finger.at < 3],
        )
        for course in through:
            course.phase = "four" if course.phase == "approach" else "fingers"
        for course in self._courses:
            if course.phase in ("fingers", "done"):
                for finger in course.fingers:
                    self._mover.wake(finger)
                course.phase = "done" if course.resting else "fingers"
        changing = self._soft is not None and not self._soft.rests
        self._rested = not changing and all(course.phase == "done" for course in self._courses)

    def _search(self, course: Course) -> None:
        place = look(course, self.target, self.settings.pixels, WIDE)
        self._mover.asked += 2
        if place is None:
            turn_on(course)
            return
        face(course, place)
        course.facing += 1
        if course.facing == _FACINGS:
            course.phase = "approach"

    def _aim(self, course: Course) -> None:
        """Size the view and face what it shows."""
        place = look(course, self.target, self.settings.pixels, sized_view(course, self.settings.pixels))
        self._mover.asked += 4
        if place is not None:
            face(course, place)

    def _worded(self, gap: Gap) -> list[Contact]:
        """Return a gap as contact of the link; one between two links is a contact of both."""
        hand, link = self._owner[gap.link.id]
        if gap.body.id not in self._owner:
            return [Contact(hand, link, gap.body.name, gap.point, gap.normal, gap.separation)]
        other_hand, other = self._owner[gap.body.id]
        there = gap.point + gap.separation * gap.normal
        return [
            Contact(hand, link, f"{self.hands[other_hand].name}/{other}", gap.point, gap.normal, gap.separation),
            Contact(other_hand, other, f"{self.hands[hand].name}/{link}", there, -gap.normal, gap.separation),
        ]


def run(settings: Settings | None = None) -> Outcome:
    """Simulate a whole grasp and return what it came to."""
    grasp = Grasp(settings)
    with steady():
        while not grasp.ended:
            grasp.step()
    return grasp.outcome()
