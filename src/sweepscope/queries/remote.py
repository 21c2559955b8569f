"""Rows on the workers of an executor: chunks of rows go out, answers come back in order, the scene goes to each worker once.

A task holds the key of its scene, not the scene. A worker that does not have it says so, and its chunk is submitted again with
the scene. Meanwhile other chunks for workers without it are held back, so that the scene is sent about once for each worker.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .. import checks
from ..errors import ExecutorFailed, InvalidQuery, InvalidType, SweepscopeError
from ..kernels._cache import SOURCES
from ..threads import CORES, Progress
from ..world.body import entry_of
from ..world.identity import hide

if TYPE_CHECKING:
    from ..world.store import Store

_KEPT = 4  # scenes that a worker keeps
_SECONDS = 0.5  # that a chunk takes, about
_FIRST, _MOST = 256, 1 << 16  # rows of the first chunks; of any
_LARGEST = 1 << 23  # bytes of a chunk, about: Dask warns of 10 MB
_AHEAD = 16  # chunks that may be done before an earlier one; more if more are at work
_WIDEST = 4096  # chunks that are at work
_BEAT = 0.2  # seconds after which Ctrl-C is seen at the latest, on every system

Answer = Callable[..., Any]
"""A function of a module, called with the store and the arguments of a chunk."""


class _Loan:
    """The scene of a call, for workers that are threads of this process: they need no copy."""

    __slots__ = ("free", "store", "token", "users")

    def __init__(self, store: Store) -> None:
        self.store = store
        self.token = os.urandom(16)
        self.users = 0
        self.free = threading.Condition(_lock)
        with _lock:
            _loans[self.token] = self

    def end(self) -> None:
        """Return when no worker uses it any more: the caller may change the scene then."""
        with self.free:
            del _loans[self.token]
            while self.users:
                self.free.wait(_BEAT)


def _start() -> None:
    """Begin without scenes: in a new process, and in a forked one, which has no threads that would release locks."""
    global _lock, _serial, _loans, _scenes, _me
    _lock, _serial = threading.Lock(), threading.Lock()
    _loans, _scenes = {}, OrderedDict()
    _me = os.urandom(16)


_lock: threading.Lock
_serial: threading.Lock  # one chunk of a scene with volumes at a time: their surfaces are made meanwhile
_loans: dict[bytes, _Loan]
_scenes: OrderedDict[bytes, Store]  # by key, the last used at the end
_me: bytes  # identifies this process
_start()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start)


@dataclass(frozen=True, slots=True)
class _Task:
    """What is sent to a worker."""

    loan: bytes
    """Token of the loan, if the worker is a thread."""
    key: bytes
    """Of the scene."""
    payload: bytes
    """A function and the arguments of a chunk, pickled."""
    scene: bytes | None
    """The scene, pickled, if the worker may not have it."""
    number: int
    """Differs for each task of a call."""
    sources: str = SOURCES

    def __dask_tokenize__(self) -> tuple[bytes, int]:
        return self.loan, self.number  # without it, Dask would hash all bytes


def _work(task: _Task) -> tuple[bytes, float, Any]:
    """Answer a chunk, in a worker. Return the worker, the seconds it took, and the answer; -1 seconds: the scene is needed."""
    with _lock:
        loan = _loans.get(task.loan)
        if loan is not None:
            loan.users += 1
    try:
        store = loan.store if loan is not None else _scene(task)
        if store is None:
            return _me, -1.0, None
        answer, given = pickle.loads(task.payload)
        if store.surfaces:
            with _serial:
                return _timed(answer, store, given)
        return _timed(answer, store, given)
    finally:
        if loan is not None:
            with _lock:
                loan.users -= 1
                loan.free.notify_all()


def _timed(answer: Answer, store: Store, given: tuple[Any, ...]) -> tuple[bytes, float, Any]:
    start = time.perf_counter()
    result = answer(store, *given)
    return _me, time.perf_counter() - start, result


def _scene(task: _Task) -> Store | None:
    """Return the scene of a task, unpickled if it is not here yet; None if it did not come along."""
    if task.sources != SOURCES:
        raise ExecutorFailed("executor: a worker has another version of sweepscope; results could differ")
    with _lock:
        store = _scenes.get(task.key)
        if store is None and task.scene is not None:
            store = _scenes[task.key] = entry_of(pickle.loads(task.scene).bodies[0]).home()
            hide(store)  # bodies that the user sends to this worker do not mean this copy
            while len(_scenes) > _KEPT:
                _scenes.popitem(last=False)
        if store is not None:
            _scenes.move_to_end(task.key)
        return store


@dataclass(slots=True, eq=False)
class _Chunk:
    """Rows that are at work."""

    first: int
    last: int
    payload: bytes
    sent: float = 0.0
    """When it was submitted [s]."""
    with_scene: bool = False


@dataclass(slots=True)
class _Run:
    """A call on an executor."""

    executor: Executor
    store: Store
    token: bytes
    """Of the loan."""
    key: bytes
    """Of the scene."""
    count: int
    """Of rows."""
    state: bytes | None = None
    """The scene, pickled when a worker needs it."""
    working: dict[Future[Any], _Chunk] = field(default_factory=dict)
    held: list[_Chunk] = field(default_factory=list)
    """Chunks that came back from workers without the scene, while it is on its way."""
    missing: set[bytes] = field(default_factory=set)
    """Workers without the scene."""
    tasks: int = 0
    written: int = 0
    """Rows that are done, from the first on."""

    def submit(self, chunk: _Chunk, with_scene: bool = False) -> None:
        """Give a chunk to the executor."""
        chunk.sent, chunk.with_scene = time.perf_counter(), with_scene
        if with_scene and self.state is None:
            self.state = pickle.dumps(self.store.scene, pickle.HIGHEST_PROTOCOL)
        task = _Task(self.token, self.key, chunk.payload, self.state if with_scene else None, self.tasks)
        try:
            future = self.executor.submit(_work, task)
        except Exception as error:
            if not self.tasks:
                raise InvalidQuery(f"executor: is closed or broken, it takes no work: {_named(error)}") from error
            raise self.failed(chunk, error) from error
        self.tasks += 1
        self.working[future] = chunk

    def send_scene(self, chunk: _Chunk, worker: bytes) -> None:
        """Submit a chunk again, whose worker does not have the scene: with it, if it is not on its way to all such workers."""
        self.missing.add(worker)
        if sum(each.with_scene for each in self.working.values()) < len(self.missing):
            self.submit(chunk, with_scene=True)
        else:
            self.held.append(chunk)

    def scene_came(self, worker: bytes) -> None:
        """Submit chunks again that waited for the scene: a worker has it now."""
        self.missing.discard(worker)
        held, self.held = self.held, []
        for chunk in held:
            self.submit(chunk)

    def failed(self, chunk: _Chunk, error: BaseException) -> SweepscopeError:
        """Return the exception for a chunk that the executor did not answer."""
        if isinstance(error, SweepscopeError):
            return error
        done = f"the first {self.written} of {self.count} rows are done" if self.written else "no rows are done"
        return ExecutorFailed(f"executor: failed at rows {chunk.first} to {chunk.last - 1}: {_named(error)}; {done}")

    def stop(self) -> None:
        """Cancel what has not begun."""
        for future in self.working:
            future.cancel()


def _named(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def check_executor(executor: Any) -> Executor | None:
    """Return an executor, or raise if it is not one."""
    if executor is None or isinstance(executor, Executor):
        return executor
    hint = "; client.get_executor() is one" if hasattr(executor, "get_executor") else ""
    raise InvalidType(f"executor: expected a concurrent.futures.Executor, got {checks.shown(executor)}{hint}")


def _key(store: Store) -> bytes:
    """Return what identifies a scene in its present state, also among scenes of other processes."""
    state = store.identity.tokens[0], store.revision, store.volume_versions(), store.filters.packed(), store.tolerance
    return hashlib.blake2b(_me + pickle.dumps(state), digest_size=16).digest()


def answer_on(
    executor: Executor,
    store: Store,
    answer: Answer,
    pack: Callable[[int, int], tuple[Any, ...]],
    write: Callable[[int, int, Any], None],
    count: int,
    progress: Progress | None,
    size: int | None = None,
) -> None:
    """Answer rows 0 .. count - 1 on the workers of an executor.

    pack(first, last) returns the arguments of `answer` for some rows, to be pickled; write(first, last, result) gets what
    `answer` returned, in order of rows. size: rows of a chunk, by default so many that it takes about half a second.
    """
    if not count:
        return
    loan = _Loan(store)
    try:
        run = _Run(executor, store, loan.token, _key(store), count)
        try:
            _answer_all(run, answer, pack, write, progress, size)
        except BaseException:
            run.stop()
            raise
    finally:
        loan.end()


def _answer_all(
    run: _Run,
    answer: Answer,
    pack: Callable[[int, int], tuple[Any, ...]],
    write: Callable[[int, int, Any], None],
    progress: Progress | None,
    size: int | None,
) -> None:
    """Keep the workers busy until all rows are written."""
    begun, rows, most, width = 0, size or _FIRST, _MOST, 2 * CORES
    done: dict[int, tuple[int, Any]] = {}  # by first row: the last, and the answer
    while run.written < run.count:
        while begun < run.count and len(run.working) + len(run.held) < width and len(done) < max(_AHEAD, width):
            # The last chunks are smaller, so that all workers end together.
            last = min(run.count, begun + (size or min(rows, max(rows // 4, 1, (run.count - begun) // width))))
            payload = pickle.dumps((answer, pack(begun, last)), pickle.HIGHEST_PROTOCOL)
            most = max(1, min(_MOST, (last - begun) * _LARGEST // len(payload)))
            run.submit(_Chunk(begun, last, payload))
            begun = last
        for future in wait(run.working, _BEAT, FIRST_COMPLETED).done:
            chunk = run.working.pop(future)
            try:
                worker, seconds, result = future.result()
            except Exception as error:
                raise run.failed(chunk, error) from error
            if seconds < 0.0:
                run.send_scene(chunk, worker)
                continue
            if chunk.with_scene:
                run.scene_came(worker)
            done[chunk.first] = chunk.last, result
            if size is None:
                wanted = int((chunk.last - chunk.first) * _SECONDS / max(seconds, 1e-6))
                rows = max(1, min(max(wanted, rows // 2), 8 * rows, most))
            # Executors do not tell how many workers they have. A chunk that did not wait long shows that there are more.
            if time.perf_counter() - chunk.sent < 2.0 * seconds:
                width = min(width + 1, _WIDEST)
        while run.written in done:
            first = run.written
            last, result = done.pop(first)
            write(first, last, result)
            run.written = last
            if progress is not None:
                progress(last, run.count)
