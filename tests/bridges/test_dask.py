"""Rows on a Dask cluster: the same array as here, also if a worker is killed meanwhile."""

import contextlib
import os
import signal

import numpy as np
import pytest

import sweepscope as ss

pytestmark = [pytest.mark.bridges, pytest.mark.slow]

ROWS = 200_000


@contextlib.contextmanager
def cluster(**options):
    """A client of a cluster of this machine."""
    from dask.distributed import Client, LocalCluster

    with LocalCluster(**options, dashboard_address=":0", silence_logs=50) as cluster, Client(cluster) as client:
        yield client


@pytest.fixture
def question(rng):
    """A scene of some balls, one of them, its motions and poses, and the answer."""
    scene = ss.Scene()
    shape = ss.Mesh.sphere(0.25, rows=5, sections=8)
    for place in rng.uniform(-5, 5, (20, 3)):
        scene.add(shape, place)
    ball = scene.add(shape)
    motions, poses = 4.0 * rng.normal(size=(ROWS, 3)), rng.uniform(-5, 5, (ROWS, 3))
    expected = scene.sweep_many(ball, motions, poses)
    assert 0.02 < (~expected.free).mean() < 0.98
    return scene, ball, motions, poses, expected


def pids(client):
    return sorted(client.run(os.getpid).values())


def test_a_killed_worker_changes_no_bit(question, tmp_path):
    scene, ball, motions, poses, expected = question
    with cluster(n_workers=2, threads_per_worker=1, processes=True) as client:
        executor = client.get_executor()
        assert scene.sweep_many(ball, motions, poses, executor=executor).table.tobytes() == expected.table.tobytes()

        before, calls = pids(client), []

        def kill(done, total):
            if not calls:
                os.kill(before[0], signal.SIGKILL)
            calls.append((done, total))

        out = np.lib.format.open_memmap(tmp_path / "hits.npy", "w+", ss.Hits.dtype, (ROWS,))
        hits = scene.sweep_many(ball, motions, poses, executor=executor, progress=kill, out=out)
        assert hits.table.tobytes() == expected.table.tobytes()
        assert 0 < calls[0][0] < ROWS / 2
        assert calls == sorted(calls)
        assert calls[-1] == (ROWS, ROWS)

        places = poses[:500].reshape(50, 10, 3)
        overlaps = scene.overlap_many(ball, places, executor=executor)
        assert overlaps.any()
        assert (overlaps == scene.overlap_many(ball, places)).all()
        client.wait_for_workers(2)
        assert before[0] not in pids(client)


def test_threads_and_what_is_refused(question):
    scene, ball, motions, poses, expected = question
    out = np.zeros(ROWS, ss.Hits.dtype)
    with cluster(n_workers=1, threads_per_worker=2, processes=False) as client:
        with pytest.raises(ss.errors.InvalidType, match=r"executor: .* got <Client.*client\.get_executor\(\) is one"):
            scene.sweep_many(ball, motions, poses, executor=client, out=out)
        closed = client.get_executor()
        closed.shutdown()
        with pytest.raises(ss.errors.InvalidQuery, match="executor: is closed or broken"):
            scene.sweep_many(ball, motions, poses, executor=closed, out=out)
        executor = client.get_executor()
        hits = scene.sweep_many(ball, motions, poses, executor=executor)
        assert hits.table.tobytes() == expected.table.tobytes()
    with pytest.raises(ss.SweepscopeError, match="executor: "):
        scene.sweep_many(ball, motions, poses, executor=executor, out=out)
    assert not out.view(np.uint8).any()
