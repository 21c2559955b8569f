"""Results of plans, made by hand: their text, data, pictures and animations."""

import json

import numpy as np
import pytest

import sweepscope as ss
from sweepscope import Joint
from sweepscope.planning import PlanResult, Validator

SIZE = (120, 90)


@pytest.fixture
def arm():
    scene = ss.Scene()
    scene.add(ss.Box((0.1, 0.1, 1)), pose=(0.3, 0.6, 0), name="post")
    arm = ss.Robot(scene, name="arm")
    arm.add("base", ss.Box((0.2, 0.2, 0.1)))
    arm.add("upper", ss.Box((0.6, 0.1, 0.1)), parent="base", joint=Joint.revolute("shoulder", (0, 0, 1), origin=(0.5, 0, 0)))
    arm.add("lower", ss.Box((0.4, 0.1, 0.1)), parent="upper", joint=Joint.revolute("elbow", (0, 0, 1), origin=(0.6, 0, 0)))
    return arm


def result_of(arm, path):
    waypoints = np.array(path, dtype=float).reshape(-1, 2)
    solved = len(waypoints) > 0
    status = "solved" if solved else "no path found"
    names = arm.actuated_joints
    return PlanResult(arm, solved, solved, status, waypoints, names, waypoints, "RRTConnect", 0.5, 0.1, 3, 2, None)


def test_a_path(arm):
    result = result_of(arm, [(0, 0), (0.3, 0.4), (0.3, 0.0)])
    assert result
    assert result.length == pytest.approx(0.9)
    assert repr(result) == "<PlanResult: 3 waypoints, length 0.9, certified>"
    data = json.loads(json.dumps(result.as_dict()))
    assert data["path"] == [[0, 0], [0.3, 0.4], [0.3, 0.0]]
    assert (data["solved"], data["joints"], data["planner"]) == (True, ["shoulder", "elbow"], "RRTConnect")


def test_no_path(arm, tmp_path):
    result = result_of(arm, [])
    assert not result
    assert repr(result) == "<PlanResult: no path found>"
    assert result.as_dict()["length"] is None
    assert np.isnan(result.length)
    for work in (result.picture, lambda: result.animate(tmp_path / "x.gif"), result.show):
        with pytest.raises(ss.SweepscopeError, match=r"there is no path to .*: no path found"):
            work()


def test_it_is_drawn(arm, tmp_path):
    result = result_of(arm, [(0, 0), (0.5, 0.4), (-0.8, 0.0)])
    picture = result.picture(tmp_path / "plan.png", size=SIZE)
    still = arm.picture(size=SIZE)
    assert (tmp_path / "plan.png").read_bytes()[:4] == b"\x89PNG"
    assert not np.array_equal(picture.pixels, still.pixels)
    assert arm.q.tolist() == [0, 0]


@pytest.mark.slow
def test_a_path_is_animated(arm, tmp_path):
    """Along all waypoints, from the first one on, wherever the robot is; a contact ends it."""
    from PIL import Image

    path = [(0, 0), (0.5, 0.4), (0.5, -0.4)]
    result_of(arm, path).animate(tmp_path / "free.gif", frames=4, size=SIZE)
    arm.q = (0.2, 0.2)
    arm.animate(path, tmp_path / "again.gif", frames=4, size=SIZE, stop_at_contact=False)
    arm.q = (0, 0)
    blocked = [(0, 0), (2.5, 0.0), (0, 0)]
    assert not Validator(arm).validate_path(blocked)
    arm.animate(blocked, tmp_path / "hit.gif", frames=4, size=SIZE)
    for name in ("free", "again", "hit"):
        with Image.open(tmp_path / f"{name}.gif") as film:
            assert film.n_frames >= 3
    with pytest.raises(ss.SweepscopeError):
        arm.animate([(0, 0, 0)], tmp_path / "bad.gif")


def test_it_is_played_on_a_page(arm, monkeypatch):
    """From start to goal, all bodies of the robot in every frame; the page itself is tested with the viewer."""
    from sweepscope import renderers

    class Page:
        def play(self, frames):
            self.frames = list(frames)

    monkeypatch.setitem(renderers._renderers, "page", lambda robot, **options: Page())
    path = [(0.1, 0.2), (0.5, 0.4), (0.3, -0.2)]
    page = result_of(arm, path).show()
    assert len(page.frames) > 60
    assert all(set(frame) == set(arm.bodies) for frame in page.frames)
    for frame, q in ((page.frames[0], path[0]), (page.frames[-1], path[-1])):
        arm.q = q
        assert all(np.allclose(frame[body], body.pose) for body in arm.bodies)
