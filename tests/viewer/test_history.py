"""Undo and redo, without a browser."""

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.viewer import history as module
from sweepscope.viewer.history import Change, History
from sweepscope.viewer.volume_panel import VoxelChange, carve


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def changed(history, values, key, after):
    """Set a value, and record it."""
    history.add(Change(f"set {key}", key, lambda value: values.__setitem__(key, value), values[key], after))
    values[key] = after


def test_undo_and_redo(clock):
    history, values = History(clock), {"a": 0, "b": 0}
    assert history.undo() is history.redo() is None
    changed(history, values, "a", 1)
    changed(history, values, "b", 2)
    assert history.undo() == "set b"
    assert values == {"a": 1, "b": 0}
    assert history.undo() == "set a"
    assert values == {"a": 0, "b": 0}
    assert history.undo() is None
    assert history.redo() == "set a"
    assert values == {"a": 1, "b": 0}
    changed(history, values, "b", 5)  # a new change ends the redo
    assert history.redo() is None
    assert history.undo() == "set b"
    assert values == {"a": 1, "b": 0}


def test_changes_that_follow_each_other_are_undone_together(clock):
    history, values = History(clock), {"a": 0, "b": 0}
    for k in range(1, 5):
        changed(history, values, "a", k)
        clock.now += 0.5
    clock.now += 1.0
    changed(history, values, "a", 9)  # later: a change of its own
    changed(history, values, "b", 1)
    changed(history, values, "a", 10)  # something else came between
    assert [history.undo() and dict(values) for _ in range(4)] == [
        {"a": 9, "b": 1},
        {"a": 9, "b": 0},
        {"a": 4, "b": 0},
        {"a": 0, "b": 0},
    ]
    assert history.undo() is None


def test_a_change_after_an_undo_is_not_merged(clock):
    history, values = History(clock), {"a": 0, "b": 0}
    changed(history, values, "a", 1)
    changed(history, values, "b", 1)
    history.undo()
    changed(history, values, "a", 2)
    history.undo()
    assert values == {"a": 1, "b": 0}


def test_the_oldest_changes_are_dropped(clock, monkeypatch):
    history, values = History(clock), {"a": 0, "b": 0}
    for k in range(1, 300):
        changed(history, values, "ab"[k % 2], k)
    steps = 0
    while history.undo():
        steps += 1
    assert steps == 100
    monkeypatch.setattr(module, "_MOST_BYTES", 10)
    for k in range(5):
        change = Change("large", None, lambda _: None, k, k + 1)
        change.size = 6
        history.add(change)
    assert history.undo() == "large"
    assert history.undo() is None


@pytest.mark.parametrize("kind", [bool, np.uint8, np.float32])
def test_voxels_come_back(kind, rng, clock):
    alpha = (255 * rng.random((9, 8, 7))).astype(kind) if kind is np.uint8 else rng.random((9, 8, 7)).astype(kind)
    volume = ss.Volume(alpha, threshold=0 if kind is bool else 0.5)
    history, whole = History(clock), (slice(None),) * 3
    start, states = volume[whole], []
    for k in range(6):  # strokes that overlap; 0 to 2 are one gesture, so are 3 to 5
        clock.now += 5.0 if k == 3 else 0.0
        edit = carve(volume, np.array((4.0 + 0.5 * k, 4.0, 3.5)), 2.0, add=bool(k % 2))
        history.add(VoxelChange("brush", 1, volume, edit))
        states.append(volume[whole])
    assert not np.array_equal(states[2], states[5])
    assert history.undo() == "brush"
    assert np.array_equal(volume[whole], states[2])
    history.undo()
    assert np.array_equal(volume[whole], start)
    assert history.undo() is None
    history.redo()
    assert np.array_equal(volume[whole], states[2])
    history.redo()
    assert np.array_equal(volume[whole], states[5])
