"""Rows on the workers of an executor: the same bits, the scene once for each worker, clear errors."""

import os
import pickle
import signal
import threading
from collections import OrderedDict
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context

import numpy as np
import pytest
from test_sweep_many import assert_same, random_motions, random_pose, random_scene, volume_scene

import sweepscope as ss
from sweepscope.queries import remote
from sweepscope.queries.overlap_in_scene import overlap_in_scene
from sweepscope.queries.sweep_many import sweep_many
from sweepscope.scene import store_of
from sweepscope.world import identity

PLAIN = {"margin": 0.0, "resting": "free", "ignore": (), "threads": None, "progress": None, "out": None}


class Workers(Executor):
    """Workers that share no memory with the caller: tasks are pickled, each worker keeps its own scenes. They take turns."""

    def __init__(self, count):
        self.scenes = [OrderedDict() for _ in range(count)]
        self.sent = [0] * count
        """How often each worker got a scene."""
        self.tasks = 0
        self.largest = 0
        """Bytes of the largest task without a scene."""

    def submit(self, function, task, /):
        worker = self.tasks % len(self.scenes)
        self.tasks += 1
        sent = pickle.dumps(task)
        if task.scene is None:
            self.largest = max(self.largest, len(sent))
        else:
            self.sent[worker] += 1
        future = Future()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(remote, "_loans", {})
            patch.setattr(remote, "_scenes", self.scenes[worker])
            patch.setattr(remote, "_me", bytes([worker]))
            try:
                future.set_result(pickle.loads(pickle.dumps(function(pickle.loads(sent)))))
            except Exception as error:
                future.set_exception(error)
        return future


def all_cases(rng, scene, movers, count):
    motions = ss.Motions(random_motions(rng, count))
    poses = np.array([random_pose(rng) for _ in range(count)])
    own = np.array([movers[k % len(movers)] for k in range(count)])
    yield movers[0], motions, None
    yield movers, motions, poses
    yield own, motions, poses[:, :3, 3]
    yield own, motions[0], None
    yield tuple(movers), rng.normal(size=(count, 3)) * 3.0, poses[0]
    yield movers[0], motions[:4, None] if motions.shape[1:] else ss.Motions.translate(rng.normal(size=(4, 1, 3))), poses[:5]


def executors():
    return {"threads": ThreadPoolExecutor(3), "one thread": ThreadPoolExecutor(1), "apart": Workers(3)}


@pytest.mark.parametrize("name", executors())
def test_executors_and_chunks_change_no_bit(rng, name):
    scene, movers = random_scene(rng)
    hit = 0
    with executors()[name] as executor:
        for mover, motions, poses in all_cases(rng, scene, movers, 60):
            expected = scene.sweep_many(mover, motions, poses)
            hit += int((~expected.free).sum())
            for size in (1, 7, 10_000, None):
                found = sweep_many(store_of(scene), mover, motions, poses, **PLAIN, executor=executor, _size=size)
                assert found.shape == expected.shape
                assert found.table.tobytes() == expected.table.tobytes()
                assert found.names == expected.names
            if found.shape == (60,):
                for one, other in zip(found, expected, strict=True):
                    assert_same(one, other)
    assert hit > 60


@pytest.mark.parametrize("options", [{"margin": 0.1}, {"resting": "hit"}, {"ignore": 4}, {"threads": 2}])
def test_options_reach_the_workers(rng, options):
    scene, movers = random_scene(rng)
    if "ignore" in options:
        options = {"ignore": [scene[k] for k in range(options["ignore"])]}
    motions = rng.normal(size=(200, 3)) * 3.0
    expected = scene.sweep_many(movers, motions, **options).table.tobytes()
    assert scene.sweep_many(movers, motions, executor=Workers(2), **options).table.tobytes() == expected
    if "margin" in options or "ignore" in options:
        assert scene.sweep_many(movers, motions).table.tobytes() != expected


@pytest.mark.parametrize("name", executors())
def test_volumes(rng, name):
    scene, movers = volume_scene(rng)
    motions = rng.normal(size=(30, 3)) * 3.0
    poses = rng.uniform(-2.0, 2.0, (30, 3))
    with executors()[name] as executor:
        for mover in (movers[0], movers[1], movers, np.array(15 * movers)):
            for stands in (None, poses):
                expected = scene.sweep_many(mover, motions, stands)
                found = sweep_many(store_of(scene), mover, motions, stands, **PLAIN, executor=executor, _size=4)
                assert found.table.tobytes() == expected.table.tobytes()
        scene["grid"].shape[:] = False  # an edit reaches the workers
        expected = scene.sweep_many(movers[0], motions)
        assert scene.sweep_many(movers[0], motions, executor=executor).table.tobytes() == expected.table.tobytes()


def test_the_scene_travels_once_to_each_worker(rng):
    scene, movers = random_scene(rng)
    workers = Workers(3)
    motions = rng.normal(size=(400, 3))
    options = PLAIN | {"executor": workers, "_size": 10}

    def sent(mover):
        """How often a call of 40 chunks sent the scene to each worker."""
        before = np.array(workers.sent)
        found = sweep_many(store_of(scene), mover, motions, None, **options)
        assert found.table.tobytes() == scene.sweep_many(mover, motions).table.tobytes()
        return (workers.sent - before).tolist()

    # A worker that has the scene may take the chunk that was meant for another one.
    first = sent(movers[0])
    assert min(first) >= 1
    assert sum(first) <= 6
    assert sent(movers[0]) == sent(movers) == [0, 0, 0]
    workers.scenes[1].clear()  # a worker was started anew
    calls = [sent(movers[0])]
    while not calls[-1][1] and len(calls) < 20:  # others may have taken all chunks that were meant for it
        calls.append(sent(movers[0]))
    assert calls[-1][1] >= 1
    assert max(map(sum, calls)) <= 20  # of 40: who takes which chunk depends on the time that chunks take
    for change in (
        lambda: setattr(scene[0], "pose", (0, 0, 5)),
        lambda: scene.ignore(movers[0], scene[2]),
        lambda: scene.ignore_groups("mover", "a"),
        lambda: setattr(scene, "tolerance", 1e-6),
        lambda: setattr(scene[0], "vertices", 2.0 * scene[0].shape.vertices),
        lambda: scene.remove(scene[3]),
    ):
        change()
        assert min(sent(movers[0])) >= 1
        assert sent(movers[0]) == [0, 0, 0]


def test_a_worker_keeps_a_few_scenes(rng):
    workers = Workers(1)
    scenes = [random_scene(rng) for _ in range(6)]
    for scene, movers in scenes:
        scene.sweep_many(movers[0], np.ones((3, 3)), executor=workers)
    assert len(workers.scenes[0]) == remote._KEPT < 6
    scene, movers = scenes[-1]
    scene.sweep_many(movers[0], np.ones((3, 3)), executor=workers)
    assert workers.sent == [6]


def test_copies_of_workers_are_not_found_by_references(rng):
    scene, movers = random_scene(rng)
    workers = Workers(2)
    scene.sweep_many(movers[0], np.ones((300, 3)), executor=workers)
    copies = [store for scenes in workers.scenes for store in scenes.values()]
    assert copies
    assert not any(store in copies for store in identity._here.values())
    assert pickle.loads(pickle.dumps(movers[0])) is movers[0]


def test_threads_get_no_copy():
    class Kept(ss.Scene):
        def __reduce__(self):
            raise AssertionError("it was copied")

    scene = Kept()
    scene.add(ss.Sphere(1.0), (0, 0, -3))
    ball = scene.add(ss.Sphere(1.0))
    with ThreadPoolExecutor(2) as executor:
        hits = scene.sweep_many(ball, np.full((1000, 3), (0, 0, -2.0)), executor=executor)
    np.testing.assert_allclose(hits.travel, 1.0)
    assert not remote._loans


def test_chunks_carry_their_own_rows(rng):
    scene, _ = random_scene(rng)
    balls = [scene.add(ss.Sphere(0.1), rng.normal(size=3)) for _ in range(200)]
    sizes = []
    for count in (200, 4000):
        workers = Workers(2)
        own = np.array([balls[k % 200] for k in range(count)])
        poses = np.array([random_pose(rng) for _ in range(count)])
        motions = ss.Motions.rotate((0, 0, 1), rng.normal(size=count), about=rng.normal(size=(count, 3)))
        sweep_many(store_of(scene), own, motions, poses, **PLAIN, executor=workers, _size=50)
        sizes.append(workers.largest)
    assert abs(sizes[1] - sizes[0]) < 500
    assert sizes[0] < 50 * 8 * (14 + 16 + 2) + 3000


def double(store, first, last):
    return [2 * k for k in range(first, last)]


class Late(Executor):
    """The first task is done when nothing else can go on."""

    def __init__(self, patch):
        self.first = None
        self.begun = 0
        patch.setattr(remote, "wait", self.wait)

    def submit(self, function, /, *given):
        self.begun += 1
        future = Future()
        self.first = self.first or (future, function, given)
        if future is not self.first[0]:
            future.set_result(function(*given))
        return future

    def wait(self, futures, *_):
        done = {each for each in futures if each.done()}
        if not done:
            future, function, given = self.first
            future.set_result(function(*given))
            done = {future}
        return type("Done", (), {"done": done})


def test_rows_are_written_in_order_and_few_wait(rng, monkeypatch):
    scene, _ = random_scene(rng)
    executor = Late(monkeypatch)
    written, calls, most = [], [], []

    def write(first, last, result):
        most.append(executor.begun)
        assert first == len(written)
        written.extend(result)

    remote.answer_on(
        executor, store_of(scene), double, lambda *rows: rows, write, 10_000, lambda *given: calls.append(given), 10
    )
    assert written == [2 * k for k in range(10_000)]
    assert calls == [(k, 10_000) for k in range(10, 10_001, 10)]
    assert executor.begun == 1000
    assert most[0] <= 2 * remote._AHEAD + 4 * os.cpu_count()


def test_no_rows(rng):
    scene, movers = random_scene(rng)
    executor = ThreadPoolExecutor(1)
    assert scene.sweep_many(movers[0], np.empty((0, 3)), executor=executor).shape == (0,)


def test_bad_executors(rng):
    scene, movers = random_scene(rng)
    motions, out = np.ones((20, 3)), np.zeros(20, ss.Hits.dtype)

    class Client:
        def get_executor(self):
            return None

    for wrong in (2, "dask", ThreadPoolExecutor, object()):
        with pytest.raises(ss.errors.InvalidType, match=r"executor: expected a concurrent\.futures\.Executor, got"):
            scene.sweep_many(movers[0], motions, executor=wrong, out=out)
    with pytest.raises(ss.errors.InvalidType, match=r"client\.get_executor\(\) is one"):
        scene.sweep_many(movers[0], motions, executor=Client(), out=out)
    closed = ThreadPoolExecutor(1)
    closed.shutdown()
    with pytest.raises(ss.errors.InvalidQuery, match=r"executor: is closed or broken, it takes no work: .* after shutdown"):
        scene.sweep_many(movers[0], motions, executor=closed, out=out)
    with pytest.raises(ss.errors.InvalidQuery, match="executor: is closed or broken"):
        scene.overlap_many(movers[0], motions, executor=closed)
    with pytest.raises(ss.errors.InvalidType, match="executor: expected"):
        scene.overlap_many(movers[0], motions, executor="dask")
    assert not out.view(np.uint8).any()
    assert not remote._loans


def assert_prefix(error, out, expected):
    """The message tells how many rows are done; the others were not touched."""
    done = int(str(error).split("the first ")[1].split()[0])
    assert 0 < done < len(out)
    assert out[:done].tobytes() == expected[:done].tobytes()
    assert not out[done:].view(np.uint8).any()


def test_an_executor_that_is_closed_meanwhile(rng):
    scene, movers = random_scene(rng)
    motions, out = rng.normal(size=(1000, 3)), np.zeros(1000, ss.Hits.dtype)
    executor = ThreadPoolExecutor(2)
    with pytest.raises(
        ss.errors.ExecutorFailed, match=r"executor: failed at rows .* the first \d+ of 1000 rows are done"
    ) as failed:
        sweep_many(
            store_of(scene), movers[0], motions, None,
            **PLAIN | {"out": out, "progress": lambda *_: executor.shutdown(wait=False)}, executor=executor, _size=10,
        )  # fmt: skip
    assert isinstance(failed.value, RuntimeError)
    assert_prefix(failed.value, out, scene.sweep_many(movers[0], motions).table)


def test_a_worker_of_another_version(rng, monkeypatch):
    scene, movers = random_scene(rng)
    workers = Workers(1)
    submit = workers.submit
    monkeypatch.setattr(workers, "submit", lambda work, task: submit(work, replace(task, sources="other")))
    with pytest.raises(ss.errors.ExecutorFailed, match="a worker has another version of sweepscope"):
        scene.sweep_many(movers[0], np.ones((3, 3)), executor=workers)


def test_an_error_in_a_worker(rng, monkeypatch):
    scene, movers = random_scene(rng)
    monkeypatch.setattr(remote, "_timed", lambda *_: 1 // 0)
    with pytest.raises(ss.errors.ExecutorFailed, match=r"rows 0 to 2: ZeroDivisionError: .*; no rows are done") as failed:
        scene.sweep_many(movers[0], np.ones((3, 3)), executor=Workers(1))
    assert isinstance(failed.value.__cause__, ZeroDivisionError)


def hold(store, first, last):
    _begun.set()
    assert _go.wait(20)


_begun, _go = threading.Event(), threading.Event()


def test_ctrl_c_cancels_what_has_not_begun(rng, monkeypatch):
    scene, _ = random_scene(rng)
    executor = ThreadPoolExecutor(1)
    futures, submit = [], executor.submit
    monkeypatch.setattr(executor, "submit", lambda *given: futures.append(submit(*given)) or futures[-1])

    def wait(*_):
        assert _begun.wait(20)
        threading.Timer(0.05, _go.set).start()
        raise KeyboardInterrupt

    monkeypatch.setattr(remote, "wait", wait)
    with pytest.raises(KeyboardInterrupt):
        remote.answer_on(executor, store_of(scene), hold, lambda *rows: rows, print, 100, None, 1)
    assert _go.is_set()  # it waits for the thread that uses the scene
    assert len(futures) > 2
    assert all(future.cancelled() for future in futures[1:])
    assert not futures[0].cancelled()
    assert not remote._loans
    executor.shutdown()


@pytest.mark.parametrize("name", executors())
def test_overlap_many(rng, name):
    with executors()[name] as executor:
        for scene, movers in (random_scene(rng), volume_scene(rng)):
            poses = np.array([random_pose(rng) for _ in range(60)]).reshape(6, 10, 4, 4)
            for mover in (movers[0], movers):
                expected = scene.overlap_many(mover, poses)
                assert expected.any()
                assert not expected.all()
                assert (scene.overlap_many(mover, poses, executor=executor) == expected).all()
                options = {"ignore": [scene[1]], "threads": 2, "progress": None, "out": np.zeros((6, 10), bool)}
                found = overlap_in_scene(store_of(scene), mover, poses, **options, executor=executor, _size=7)
                assert found is options["out"]
                assert (found == scene.overlap_many(mover, poses, ignore=[scene[1]])).all()


@pytest.mark.slow
def test_processes(rng):
    scene, movers = random_scene(rng)
    motions, poses = random_motions(rng, 2000), rng.normal(size=(2000, 3))
    expected = scene.sweep_many(movers[0], motions, poses).table
    out = np.zeros(2000, ss.Hits.dtype)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        found = scene.sweep_many(movers[0], motions, poses, executor=executor, out=out)
        assert out.tobytes() == expected.tobytes()
        assert_same(found[int(np.flatnonzero(~found.free)[0])], scene.sweep_many(movers[0], motions, poses)[~found.free][0])
        out[:] = 0

        def kill(done, total):
            for process in executor._processes.values():
                os.kill(process.pid, signal.SIGKILL)

        with pytest.raises(
            ss.errors.ExecutorFailed, match=r"BrokenProcessPool: .* the first \d+ of 2000 rows are done"
        ) as failed:
            sweep_many(
                store_of(scene), movers[0], motions, poses,
                **PLAIN | {"out": out, "progress": kill}, executor=executor, _size=50,
            )  # fmt: skip
        assert_prefix(failed.value, out, expected)
        with pytest.raises(ss.errors.InvalidQuery, match="executor: is closed or broken"):
            scene.sweep_many(movers[0], motions, poses, executor=executor)
