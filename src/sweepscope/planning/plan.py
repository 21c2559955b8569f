"""plan: a free path of a robot from one configuration to another, found by a planner of OMPL and proven."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidQuery, NotFound
from ..immutable import Frozen
from ..renderers import PageOptions, Pictured, PictureOptions
from ..robot.playback import PathPlayback
from ..robot.robot import Robot
from .ompl_validity import Bounds, bounds_of, ompl_modules, space_information
from .shortcut import length_of, shortcut
from .validator import Validator

if TYPE_CHECKING:
    from os import PathLike

    from ..results import TrajectoryHit
    from ..viewer.page import Page
    from ..world.body import Body

_MOST_SEED = 2**32 - 2
_FINER = 0.01
_FRAMES = 181  # of a recording in the viewer
Status = Literal["solved", "start is not free", "goal is not free", "no path found"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PlanResult(Frozen, Pictured):
    """Result of `plan`: a path, or why there is none. It is false if there is no path.

    Its `picture` shows the robot at the start, and ghosts of it on the way and at the goal.
    """

    _drawn_as = "plan"

    robot: Robot
    """The robot."""
    solved: bool
    """Whether a path was found."""
    certified: bool
    """Whether the path is proven free by `Robot.path`: no contact anywhere. False if there is no path."""
    status: Status
    """"solved", or why there is no path."""
    path: NDArray[np.float64]
    """Waypoints from start to goal, shape (n, dof), in the order of `joints`, [radians] or [length]; n is 0 without a path."""
    joints: tuple[str, ...]
    """Names of the joints that were planned for."""
    configurations: NDArray[np.float64]
    """The waypoints as configurations of the whole robot, shape (n, dof of the robot), for `Robot.path` and others."""
    planner: str
    """Name of the planner."""
    seconds: float
    """Time of the search [s]."""
    simplify_seconds: float
    """Time for making the path shorter [s]."""
    states: int
    """Configurations that the search checked."""
    motions: int
    """Motions that the search checked; those for making the path shorter are not counted."""
    hit: TrajectoryHit | None
    """What the start or the goal touches if it is not free, or the first contact of a path that is not certified; else None."""

    def __bool__(self) -> bool:
        return self.solved

    @property
    def length(self) -> float:
        """Length of the path in joint space: root of the sum of squared changes, summed; NaN without a path."""
        return length_of(self.path) if self.solved else float("nan")

    def animate(
        self,
        path: str | PathLike[str],
        *,
        frames: int = 96,
        seconds: float = 6.0,
        size: tuple[int, int] = (480, 360),
        **options: Unpack[PictureOptions],
    ) -> None:
        """Write an animated GIF of the robot on its path. Arguments: as in `Scene.animate`."""
        if not self.solved:
            raise InvalidQuery(f"there is no path to animate: {self.status}")
        self.robot.animate(self.configurations, path, frames=frames, seconds=seconds, size=size, **options)

    def show(self, **options: Unpack[PageOptions]) -> Page:
        """Show the robot on its path on a page in the browser, with buttons to play it; return the page at once.

        options: docs/viewer.md.
        """
        if not self.solved:
            raise InvalidQuery(f"there is no path to show: {self.status}")
        page = self.robot.show(**options)
        playback = PathPlayback(self.robot, self.configurations)
        times = np.linspace(0.0, 1.0, _FRAMES).tolist()
        page.play([dict(zip(playback.movers, playback.poses(time), strict=True)) for time in times])
        return page

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data, which `json.dumps` takes; length is None without a path."""
        return {
            "solved": self.solved,
            "certified": self.certified,
            "status": self.status,
            "joints": list(self.joints),
            "path": self.path.tolist(),
            "length": self.length if self.solved else None,
            "planner": self.planner,
            "seconds": self.seconds,
            "simplify_seconds": self.simplify_seconds,
            "states": self.states,
            "motions": self.motions,
            "hit": None if self.hit is None else self.hit.as_dict(),
        }

    def __repr__(self) -> str:
        if not self.solved:
            return f"<PlanResult: {self.status}>"
        proof = "certified" if self.certified else "not certified"
        return f"<PlanResult: {checks.amount(len(self.path), 'waypoint')}, length {self.length:.4g}, {proof}>"


def plan(
    robot: Robot,
    start: Mapping[str, float] | ArrayLike,
    goal: Mapping[str, float] | ArrayLike,
    *,
    joints: Sequence[str] | None = None,
    planner: str = "RRTConnect",
    seconds: float = 5.0,
    seed: int | None = None,
    simplify: bool = True,
    bounds: Bounds | None = None,
    margin: float = 0.0,
    accuracy: float | None = None,
    ignore: Iterable[Body] = (),
) -> PlanResult:
    """Return a free path of the joints from start to goal. The robot does not change.

    start, goal: numbers in the order of `joints`, or {joint: position}, such as `robot.states["home"]`. joints, margin,
    accuracy, ignore: as in `Validator`. planner: a class of `ompl.geometric`, such as "RRTConnect", "BITstar" or "PRM".
    seconds: the most time for the search [s]; optimizing planners use all of it. seed: with the same one, planners that end at
    the first path find the same path. simplify: whether the path is then made shorter (`shortcut`). bounds: as in
    `space_information`; start and goal may lie outside the default ones of joints without limits.

    Every motion of the path is proven free, and `Robot.path` confirms the whole.
    """
    validator = Validator(robot, joints, margin=margin, accuracy=accuracy, ignore=ignore)
    ends = [validator.configuration(start, "start"), validator.configuration(goal, "goal")]
    limit = checks.number(seconds, "seconds", InvalidQuery)
    if not 0.0 < limit < np.inf:
        raise InvalidQuery(f"seconds is {limit}; accepted: above 0, finite")
    if seed is not None:
        checks.whole(seed, "seed", InvalidQuery, 0, _MOST_SEED)
    checks.flag(simplify, "simplify")
    ranges = _bounds_around(validator, bounds, ends)
    kind = _planner_class(checks.text(planner, "planner"))
    for name, each in zip(("start", "goal"), ends, strict=True):
        if not validator.validate(each):
            return _result(validator, f"{name} is not free", planner, hit=_first_contact(validator, each[None]))
    began = time.perf_counter()
    found, states, motions = _search(validator, ends, kind, limit, seed, ranges)
    spent = time.perf_counter() - began
    counted = {"seconds": spent, "states": states + 2, "motions": motions}
    if found is None:
        return _result(validator, "no path found", planner, **counted)
    began = time.perf_counter()
    path = shortcut(validator, found, seed=seed) if simplify else found
    hit = _first_contact(validator, path)
    if hit is not None and simplify:  # a part of a free motion may be nearer than the accuracy
        path, hit = found, _first_contact(validator, found)
    counted["simplify_seconds"] = time.perf_counter() - began
    return _result(validator, "solved", planner, path, hit, **counted)


def _result(
    validator: Validator,
    status: Any,
    planner: str,
    path: NDArray[np.float64] | None = None,
    hit: TrajectoryHit | None = None,
    *,
    seconds: float = 0.0,
    simplify_seconds: float = 0.0,
    states: int = 0,
    motions: int = 0,
) -> PlanResult:
    waypoints = np.zeros((0, len(validator.joints))) if path is None else np.array(path)
    configurations = checks.fixed(validator.configurations(waypoints))
    times = (seconds, simplify_seconds)
    solved = path is not None
    found = (solved, solved and hit is None, status, checks.fixed(waypoints), validator.joints, configurations)
    return PlanResult(validator.robot, *found, planner, *times, states, motions, hit)


def _first_contact(validator: Validator, path: NDArray[np.float64]) -> TrajectoryHit | None:
    """Return the first contact of a path. Where it only comes nearer than the accuracy, a finer one decides."""
    rows, ask = validator.configurations(path), validator.robot.path
    hit = ask(rows, margin=validator.margin, ignore=validator.ignore, accuracy=validator.accuracy)
    if hit is not None and hit.bound > 0.0:
        hit = ask(rows, margin=validator.margin, ignore=validator.ignore, accuracy=_FINER * hit.bound)
    return hit


def _bounds_around(
    validator: Validator, bounds: Bounds | None, ends: Sequence[NDArray[np.float64]]
) -> dict[str, tuple[float, float]]:
    """Return the bounds of all joints; default ones of joints without limits are extended so that both ends are inside."""
    given = bounds or {}
    ranges = {}
    for k, (name, (low, high)) in enumerate(zip(validator.joints, bounds_of(validator, bounds), strict=True)):
        values = [float(end[k]) for end in ends]
        if name in given:
            for what, value in zip(("start", "goal"), values, strict=True):
                if not low <= value <= high:
                    raise InvalidQuery(
                        f"{what}: position of joint {name!r} is {value:.9g}; accepted by bounds: {low:.9g} to {high:.9g}"
                    )
        ranges[name] = (min(low, *values), max(high, *values))
    return ranges


def _planner_class(name: str) -> Any:
    """Return a planner of OMPL by name."""
    base, geometric, _ = ompl_modules()
    known = {key: each for key, each in vars(geometric).items() if isinstance(each, type) and issubclass(each, base.Planner)}
    if name not in known:
        raise NotFound(f"planner is {name!r}; accepted: {', '.join(map(repr, sorted(known)))}")
    return known[name]


def _search(
    validator: Validator,
    ends: Sequence[NDArray[np.float64]],
    kind: Any,
    seconds: float,
    seed: int | None,
    bounds: Bounds,
) -> tuple[NDArray[np.float64] | None, int, int]:
    """Return a path from start to goal, or None, and the numbers of states and motions that were checked."""
    if validator.validate_motion(*ends):
        return np.stack(ends), 0, 1
    base, _, util = ompl_modules()
    with _quiet(util):
        if seed is not None:
            util.RNG.setSeed(seed + 1)  # of the generators that are made from here on; OMPL does not take 0
        si = space_information(validator, bounds=bounds)
        states = [si.allocState(), si.allocState()]
        for state, end in zip(states, ends, strict=True):
            for k, value in enumerate(end.tolist()):
                state[k] = value
        problem = base.ProblemDefinition(si)
        problem.setStartAndGoalStates(*states)
        search = kind(si)
        search.setProblemDefinition(problem)
        search.setup()
        search.solve(seconds)
        checked = (si.getStateValidityChecker().checked, 1 + si.getMotionValidator().checked)
        if not problem.hasExactSolution():
            return None, *checked
        axes = range(len(validator.joints))
        path = np.array([[state[k] for k in axes] for state in problem.getSolutionPath().getStates()])
    path[0], path[-1] = ends
    return path, *checked


@contextmanager
def _quiet(util: Any) -> Iterator[None]:
    """Let OMPL log nothing."""
    level = util.getLogLevel()
    util.setLogLevel(util.LogLevel.LOG_NONE)
    try:
        yield
    finally:
        util.setLogLevel(level)
