"""Questions about configurations and motions of a robot: check the arguments, call the kernels, make the results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidQuery
from ..kernels import layout as shapes_at
from ..kernels.robot import layout as at
from ..kernels.statuses import FREE, OVERLAP
from ..motion import Translate, Turn
from ..queries.many import check_run
from ..queries.rows import answer_with_scratch
from ..results.links import LinkHits, TrajectoryHit
from ..threads import Progress, run_rows
from ..world.body import Body
from .configurations import check_path, configurations
from .model import Model, model_of
from .moving import Moving, check_moving, time_column, with_moving
from .polynomials import Polynomials
from .trajectory import TrajectoryLike, polynomials_of, require_dof, waypoint_polynomials

if TYPE_CHECKING:
    from .tree import LinkTree

Others = Mapping[Body, Translate | Turn] | None

FINE = 1e-4
"""Default accuracy, as a share of the robot's size."""
_SWAPPED = np.arange(at.ANSWER)  # columns of an answer with both bodies swapped
_SWAPPED[[at.ONE_BODY, at.OTHER_BODY]] = at.OTHER_BODY, at.ONE_BODY
_SWAPPED[at.FEATURES : at.POINT] = np.roll(_SWAPPED[at.FEATURES : at.POINT], 5)
_FINEST = 1e-12  # best possible accuracy, as a share of the robot's size


class Options(NamedTuple):
    """Checked options of a question about motions."""

    margin: float
    accuracy: float | None
    ignored: list[int]
    resting_hits: bool
    moving: Moving


def options(
    tree: LinkTree,
    margin: float,
    accuracy: float | None,
    ignore: Iterable[Body],
    resting: str,
    others: Others = None,
    base: checks.PoseLike | None = None,
) -> Options:
    """Check the options of a question about motions."""
    gap = checks.length(margin, "margin", InvalidQuery)
    resting_hits = checks.choice(resting, "resting", ("free", "hit")) == "hit"
    if accuracy is not None and checks.length(accuracy, "accuracy", InvalidQuery) == 0.0:
        raise InvalidQuery("accuracy is 0; motions of several joints are divided until they are proved: give a length above 0")
    return Options(gap, accuracy, tree.store.check_ignored(ignore), resting_hits, check_moving(tree, others, base))


def free(
    tree: LinkTree, value: ArrayLike, margin: float, ignore: Iterable[Body], threads: int | None, progress: Progress | None
) -> Any:
    """Answer `Robot.free`."""
    from ..kernels.robot import rows as kernels

    tree.check_present()
    gap = checks.length(margin, "margin", InvalidQuery)
    ignored = tree.store.check_ignored(ignore)
    check_run(threads, progress)
    given = configurations(tree.chain(), value, "q")
    model = model_of(tree)
    arguments = model.without(ignored)
    rows = given.reshape(-1, given.shape[-1])
    out = np.empty(len(rows), np.bool_)

    def work(first: int, last: int) -> None:
        def answer(done: int, scratch: NDArray[np.float64]) -> int:
            return kernels.free(*arguments.all, gap, rows, first + done, last, scratch, out) - first

        answer_with_scratch(answer, last - first)

    _run(work, len(rows), threads, progress)
    return out.reshape(given.shape[:-1]) if given.ndim > 1 else bool(out[0])


def edges(
    tree: LinkTree,
    starts: ArrayLike,
    goals: ArrayLike,
    margin: float,
    ignore: Iterable[Body],
    accuracy: float | None,
    others: Others,
    base: checks.PoseLike | None,
    threads: int | None,
    progress: Progress | None,
) -> Any:
    """Answer `Robot.edges`."""
    asked = options(tree, margin, accuracy, ignore, "free", others, base)
    answers, _, shape = _straight(tree, starts, goals, asked, threads, progress, first=False)
    found = answers[:, at.STATUS] == FREE
    return found.reshape(shape) if shape else bool(found[0])


def sweep_many(
    tree: LinkTree,
    starts: ArrayLike,
    goals: ArrayLike,
    margin: float,
    resting: str,
    ignore: Iterable[Body],
    accuracy: float | None,
    others: Others,
    base: checks.PoseLike | None,
    threads: int | None,
    progress: Progress | None,
) -> LinkHits:
    """Answer `Robot.sweep_many`."""
    asked = options(tree, margin, accuracy, ignore, resting, others, base)
    answers, ends, shape = _straight(tree, starts, goals, asked, threads, progress, first=True)
    hit = answers[:, at.STATUS] != FREE
    model = model_of(tree)
    world = tree.store.world()
    ids = np.append(world.bodies[: world.rows, shapes_at.ID], -1)
    names, links = model.link_of_rows()
    bodies = answers[:, (at.ONE_BODY, at.OTHER_BODY)].astype(np.int64)
    time = np.where(hit, answers[:, at.TIME], 1.0)
    lead = {
        "time": time,
        "q": (1.0 - time[:, None]) * ends[0] + time[:, None] * ends[1],
        "mover": ids[bodies[:, 0]],
        "obstacle": ids[bodies[:, 1]],
        "link": links[bodies[:, 0]],
        "obstacle_link": links[bodies[:, 1]],
        "point": answers[:, at.POINT : at.POINT + 3],
        "normal": answers[:, at.NORMAL : at.NORMAL + 3],
        "bound": np.where(hit, answers[:, at.GAP], np.nan),
        "overlapping": answers[:, at.STATUS] == OVERLAP,
    }
    return LinkHits(**{name: np.array(each).reshape(shape + each.shape[1:]) for name, each in lead.items()}, links=names)


def follow(
    tree: LinkTree,
    trajectory: TrajectoryLike,
    margin: float,
    resting: str,
    ignore: Iterable[Body],
    accuracy: float | None,
    others: Others,
    base: checks.PoseLike | None,
) -> TrajectoryHit | None:
    """Answer `Robot.follow`."""
    tree.check_present()
    given = polynomials_of(trajectory, len(tree.chain().columns))
    check_path(tree.chain(), given, "trajectory")
    return _first_along(tree, given, options(tree, margin, accuracy, ignore, resting, others, base))


def path(
    tree: LinkTree,
    waypoints: ArrayLike,
    margin: float,
    resting: str,
    ignore: Iterable[Body],
    accuracy: float | None,
    others: Others,
    base: checks.PoseLike | None,
) -> TrajectoryHit | None:
    """Answer `Robot.path`."""
    tree.check_present()
    given = waypoint_polynomials(waypoints)
    require_dof(given.dof, len(tree.chain().columns), "waypoints")
    configurations(tree.chain(), np.concatenate((given.coefficients[:, 0], given.end[None])), "waypoints")
    return _first_along(tree, given, options(tree, margin, accuracy, ignore, resting, others, base))


def _first_along(tree: LinkTree, given: Polynomials, asked: Options) -> TrajectoryHit | None:
    """Return the first contact along a checked trajectory."""
    model = model_of(tree)
    steps = np.diff(given.breaks)
    powers = steps[:, None] ** np.arange(given.coefficients.shape[1])
    pieces, rows, columns = given.coefficients.shape
    coefficients = given.coefficients * powers[:, :, None]
    if asked.moving:
        coefficients = np.concatenate((coefficients, time_column(given.breaks, rows - 1)), axis=-1)
        columns += 1
    (answer,) = motions(model, coefficients.reshape(-1, columns), rows - 1, pieces, asked, first=True, whole=True)
    if answer[at.STATUS] == FREE:
        return None
    piece = min(int(answer[at.TIME]), pieces - 1)
    time = float(given.breaks[piece] + (answer[at.TIME] - piece) * steps[piece])
    mover, obstacle = tree.store.entry(int(answer[at.ONE_BODY])), tree.store.entry(int(answer[at.OTHER_BODY]))
    link, other = tree.link_of(mover), tree.link_of(obstacle)
    assert link is not None
    return TrajectoryHit(
        time,
        given.at(np.array(time)),
        link.name,
        None if other is None else other.name,
        mover.body,
        obstacle.body,
        answer[at.POINT : at.POINT + 3].copy(),
        answer[at.NORMAL : at.NORMAL + 3].copy(),
        bool(answer[at.STATUS] == OVERLAP),
        float(answer[at.GAP]),
    )


def _straight(
    tree: LinkTree,
    starts: ArrayLike,
    goals: ArrayLike,
    asked: Options,
    threads: int | None,
    progress: Progress | None,
    *,
    first: bool,
) -> tuple[NDArray[np.float64], tuple[NDArray[np.float64], NDArray[np.float64]], tuple[int, ...]]:
    """Return the answers of straight motions of the joints, the configurations at their ends, and the leading shape."""
    tree.check_present()
    check_run(threads, progress)
    one, other = (configurations(tree.chain(), each, what) for each, what in ((starts, "starts"), (goals, "goals")))
    try:
        shape = np.broadcast_shapes(one.shape, other.shape)
    except ValueError:
        raise InvalidQuery(
            f"starts and goals: got shapes {one.shape} and {other.shape}; accepted: equal leading shapes, or 1"
        ) from None
    model = model_of(tree)
    columns = shape[-1]
    coefficients = np.empty((*shape[:-1], 2, columns))
    coefficients[..., 0, :] = one
    np.subtract(other, one, out=coefficients[..., 1, :])
    if asked.moving:
        time = np.broadcast_to(((0.0,), (1.0,)), (*shape[:-1], 2, 1))
        coefficients = np.concatenate((coefficients, time), axis=-1)
    answers = motions(
        model,
        coefficients.reshape(-1, coefficients.shape[-1]),
        1,
        1,
        asked,
        first=first,
        whole=not first,
        threads=threads,
        progress=progress,
    )
    ends = [np.broadcast_to(each, shape).reshape(-1, columns) for each in (one, other)]
    return answers, (ends[0], ends[1]), shape[:-1]


def motions(
    model: Model,
    coefficients: NDArray[np.float64],
    degree: int,
    pieces: int,
    asked: Options,
    *,
    first: bool,
    whole: bool,
    threads: int | None = None,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Return the answers of motions, one after another in `coefficients`, columns as in `kernels.robot.layout`.

    See `kernels.robot.rows.follow` for the arguments.
    """
    from ..kernels.robot import rows as kernels

    arguments = model.without(asked.ignored)
    if asked.moving:
        arguments = with_moving(model, arguments, asked.moving)
    accuracy = max(FINE * model.size if asked.accuracy is None else float(asked.accuracy), _FINEST * model.size)
    count = len(coefficients) // (pieces * (degree + 1))
    answers = np.empty((count, at.ANSWER))

    def work(begin: int, end: int) -> None:
        def answer(done: int, scratch: NDArray[np.float64]) -> int:
            return (
                kernels.follow(
                    *arguments.all, asked.margin, accuracy, asked.resting_hits, first, whole, coefficients, degree, pieces,
                    begin + done, end, scratch, answers,
                )
                - begin
            )  # fmt: skip

        answer_with_scratch(answer, end - begin)

    _run(work, count, threads, progress)
    if asked.moving:
        _name_links(model, answers)
    return answers


def _name_links(model: Model, answers: NDArray[np.float64]) -> None:
    """Let the robot be what hits, where an obstacle moves into a link that stands still."""
    known = np.append(np.isin(np.arange(model.world.rows), model.rows), False)
    turned = ~known[answers[:, at.ONE_BODY].astype(np.int64)] & (answers[:, at.ONE_BODY] >= 0)
    answers[turned] = answers[turned][:, _SWAPPED]
    answers[turned, at.NORMAL : at.NORMAL + 3] *= -1.0


def _run(work: Any, count: int, threads: int | None, progress: Progress | None) -> None:
    """Call work(first, last) for runs of all rows; one row alone needs no threads."""
    if count > 1 or progress is not None:
        run_rows(work, count, threads, progress)
    elif count:
        work(0, 1)
