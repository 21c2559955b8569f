"""`sweepscope bench many` and `memory`, at sizes of a few rows, without peers."""

import numpy as np
import pytest
from sweepscope_lab.bench import many, memory
from sweepscope_lab.bench.rows import best_of_rounds, check_rows, check_travels, directions

import sweepscope as ss
from sweepscope import SweepscopeError


def test_rows_that_differ_from_single_calls_are_refused():
    scene = ss.Scene()
    scene.add(ss.Box((10, 10, 0.2)))
    ball = scene.add(ss.Sphere(0.5), (0, 0, 3))
    vectors = np.array([(0, 0, -5), (0, 0, 5), (1, 0, -4)], float)
    hits = many.translations_checked(scene, ball, vectors)
    assert hits.free.tolist() == [False, True, False]
    with pytest.raises(SweepscopeError, match="row 2 of many sweeps"):
        check_rows(hits, [1, 2], lambda row: scene.sweep(ball, ss.Translate((1 + 1e-15) * vectors[row])))
    with pytest.raises(SweepscopeError, match="row 1 of many sweeps"):
        check_rows(hits, [1], lambda _: scene.sweep(ball, ss.Translate(vectors[0])))


def test_travels_are_compared_as_float32():
    ours = np.array([1.0, np.inf, 2.0])
    assert check_travels(ours, np.array([1.0 + 1e-6, np.inf, 2.0]), 10.0).startswith("2 of 3 hit")
    with pytest.raises(SweepscopeError, match="differ by 1"):
        check_travels(ours, np.array([1.01, np.inf, 2.0]), 10.0)
    with pytest.raises(SweepscopeError, match="in 1 cases"):
        check_travels(ours, np.array([1.0, 3.0, 2.0]), 10.0)


def test_works_run_in_rounds():
    runs = []
    times = best_of_rounds({"a": lambda: runs.append("a"), "b": lambda: runs.append("b")}, 2)
    assert runs == ["a", "b", "a", "b", "a", "b"]
    assert set(times) == {"a", "b"}
    assert all(0.0 <= taken < np.inf for taken in times.values())


def test_directions_have_one_length():
    np.testing.assert_allclose(np.linalg.norm(directions(20, 3.0), axis=1), 3.0)


def test_turns_on_several_threads():
    rows = many.turn_rows(None, 1, count=40, detail=(7, 6))
    assert [row.work.split(", ")[-1] for row in rows[:2]] == ["one thread", "two threads"]
    assert "of 40 hit" in rows[0].note
    assert "x one thread" in rows[1].note


def test_starts_of_turns_are_rigid():
    poses = many.turn_starts(50)
    np.testing.assert_allclose(
        poses[:, :3, :3] @ poses[:, :3, :3].transpose(0, 2, 1), np.tile(np.eye(3), (50, 1, 1)), atol=1e-15
    )


def test_a_gripper_among_points():
    assert len(many.gripper().faces) == 1008
    rows = many.grip_rows(None, 1, count=60, size=3000)
    assert [row.work.split("radius ")[1] for row in rows] == ["0, two threads", "0.005, two threads"]
    overlapping = [int(row.note.split("; ")[1].split()[0]) for row in rows]
    assert 0 < overlapping[0] <= overlapping[1] < 60


def test_a_frame():
    row = many.frame_row(None, ss.Sphere(0.5), "balls", 1, side=4)
    assert row.work.startswith("a frame: 64 balls")
    assert not row.note.startswith("0 of")


def test_few_places_are_among_many():
    few, all_places = many.grid_places(4, 2.0, 0.4), many.grid_places(8, 2.0, 0.4)
    assert {tuple(place) for place in few} <= {tuple(place) for place in all_places}
    apart = np.linalg.norm(few[:, None] - few, axis=2)[np.triu_indices(64, 1)]
    assert apart.min() >= 1.2 - 1e-12


def test_few_and_many_bodies():
    rows = many.crowd_rows(1, sides=(10, 12), count=50)
    assert [row.bar for row in rows] == ["", "2 x the time", "", "2 x the time", "", ""]
    assert "among 1,728" in rows[1].work
    assert 15 <= int(rows[0].note.split()[0]) <= 25


def test_memory_maps(tmp_path):
    taken, grown = memory.peak_of(tmp_path, 300)
    assert taken > 0.0
    assert grown < 1 << 28
    assert len(np.load(tmp_path / "hits 300.npy", mmap_mode="r")) == 300
    (row,) = memory.rows_of([200])
    assert row.work == "200 sweeps into a memory map"
    assert "anonymous memory" in row.note
