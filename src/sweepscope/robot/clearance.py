"""How near a robot is to anything: check the arguments, call the kernels, make the results."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidQuery
from ..kernels import layout as columns
from ..kernels.statuses import OVERLAP
from ..queries.distance import pair_of
from ..queries.many import check_run
from ..queries.rows import answer_with_scratch
from ..results.clearance import Clearances
from ..results.near import PairDistance
from ..threads import Progress, run_rows
from .configurations import configurations
from .model import Model, model_of

if TYPE_CHECKING:
    from ..world.body import Body
    from .tree import LinkTree

_USUAL_PAIRS = 64  # room for so many is made at first


def clearance(
    tree: LinkTree,
    value: ArrayLike | None,
    *,
    limit: float,
    ignore: Iterable[Body],
    threads: int | None,
    progress: Progress | None,
) -> Clearances:
    """Answer `Robot.clearance`."""
    from ..kernels.robot import clearance as kernels

    tree.check_present()
    far = _limit(limit)
    ignored = tree.store.check_ignored(ignore)
    check_run(threads, progress)
    model = model_of(tree)
    given = _configurations(tree, model, value)
    arguments = model.without(ignored)
    rows = given.reshape(-1, given.shape[-1])
    answers = np.empty((len(rows), columns.NEAR_ANSWER))
    jacobians = np.empty(rows.shape)

    def work(first: int, last: int) -> None:
        def answer(done: int, scratch: NDArray[np.float64]) -> int:
            return kernels.least(*arguments.all, far, rows, first + done, last, scratch, answers, jacobians) - first

        answer_with_scratch(answer, last - first)

    if len(rows) > 1:
        run_rows(work, len(rows), threads, progress)
    elif len(rows):
        work(0, 1)
    return _clearances(tree, model, answers, jacobians, given.shape[:-1])


def near_pairs(tree: LinkTree, value: ArrayLike | None, *, limit: float, ignore: Iterable[Body]) -> list[PairDistance]:
    """Answer `Robot.near_pairs`."""
    from ..kernels.robot import clearance as kernels

    tree.check_present()
    far = _limit(limit)
    ignored = tree.store.check_ignored(ignore)
    model = model_of(tree)
    given = _configurations(tree, model, value)
    if given.ndim != 1:
        raise InvalidQuery(f"q: got shape {given.shape}; accepted: one configuration, shape ({given.shape[-1]},)")
    arguments = model.without(ignored)
    rows = given.reshape(1, -1)
    room = _USUAL_PAIRS
    while True:
        answers = np.empty((room, columns.NEAR_ANSWER))
        count = -1

        def answer(_: int, scratch: NDArray[np.float64]) -> int:
            nonlocal count
            count = kernels.within(*arguments.all, far, rows, scratch, answers)  # noqa: B023  (called at once)
            return int(count >= 0)

        answer_with_scratch(answer, 1)
        if count <= room:
            break
        room = count
    answers = answers[:count]
    order = np.lexsort([answers[:, column] for column in (columns.NEAR_OTHER, columns.NEAR_ONE, columns.NEAR_GAP)])
    store = tree.store
    return [pair_of(store, store.world(), row) for row in answers[order]]


def _limit(limit: Any) -> float:
    """Return a checked distance [length], which may be infinite."""
    if isinstance(limit, (float, np.floating)):
        if limit == math.inf:
            return math.inf
        if not limit >= 0.0:
            raise InvalidQuery(f"limit is {limit}; accepted: 0 or more, also infinity")
    return checks.length(limit, "limit", InvalidQuery)


def _configurations(tree: LinkTree, model: Model, value: ArrayLike | None) -> NDArray[np.float64]:
    """Return checked configurations, shape (..., dof); without any, where the robot is."""
    if value is None:
        value = np.array([tree.values[name] for name in model.chain.columns])
    return configurations(model.chain, value, "q")


def _clearances(
    tree: LinkTree, model: Model, answers: NDArray[np.float64], jacobians: NDArray[np.float64], shape: tuple[int, ...]
) -> Clearances:
    """Return answers as a result of some leading shape."""
    bodies = tree.store.world().bodies
    # The last number is that of no body, row -1.
    links = np.full(len(bodies) + 1, -1, np.int64)
    links[model.rows] = np.repeat(np.arange(len(tree.links)), [len(tree.pieces[link]) for link in tree.links.values()])
    ids = np.append(bodies[:, columns.ID], -1)
    status = answers[:, columns.NEAR_STATUS]
    one, other = np.where(status >= 0, answers[:, (columns.NEAR_ONE, columns.NEAR_OTHER)].T, -1.0).astype(np.int64)
    return Clearances(
        distance=answers[:, columns.NEAR_GAP].reshape(shape),
        mover=ids[one].reshape(shape),
        obstacle=ids[other].reshape(shape),
        link=links[one].reshape(shape),
        obstacle_link=links[other].reshape(shape),
        point=_points(answers, columns.NEAR_POINT, shape),
        obstacle_point=_points(answers, columns.NEAR_OTHER_POINT, shape),
        normal=_points(answers, columns.NEAR_NORMAL, shape),
        jacobian=jacobians.reshape(*shape, jacobians.shape[1]),
        overlapping=(status == OVERLAP).reshape(shape),
        links=tuple(tree.links),
        names={
            int(bodies[row, columns.ID]): tree.store.entry(row).name for row in {*one.tolist(), *other.tolist()} if row >= 0
        },
    )


def _points(answers: NDArray[np.float64], column: int, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return three columns of answers, shape (..., 3)."""
    return np.ascontiguousarray(answers[:, column : column + 3]).reshape(*shape, 3)
