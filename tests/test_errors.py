"""Exceptions, and the two tables of docs/errors.md: what a call returns that finds nothing, and which exception is which."""

import copy
import math
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import sweepscope as ss
from sweepscope import errors

PAGE = Path(__file__).parents[1] / "docs/errors.md"
KINDS = [getattr(errors, name) for name in errors.__all__]


def rows(heading):
    """The cells of the table under a heading, row by row, without its head."""
    section = PAGE.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("row", rows("Exceptions"), ids=lambda row: row[0])
def test_each_exception_is_the_built_in_one_too(row):
    kind, builtin = (re.fullmatch(r"`(\w+)`", cell)[1] for cell in row[:2])
    assert getattr(errors, kind).__bases__ == (ss.SweepscopeError, eval(builtin))


def test_the_table_has_all_exceptions():
    assert {row[0].strip("`") for row in rows("Exceptions")} | {"SweepscopeError"} == set(errors.__all__)
    assert ss.SweepscopeError.__bases__ == (Exception,)


@pytest.mark.parametrize("kind", KINDS)
def test_messages_are_one_plain_line_and_survive_a_pickle(kind):
    error = kind("mesh 'a':\n\tno such\x00file " + "x" * 2000 + " fetch it")
    assert str(error).startswith("mesh 'a': no such\\x00file xxx")
    assert str(error).endswith("xxx fetch it")
    assert len(str(error)) < 800
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(other) is kind
        assert str(other) == str(error)
        assert other.args == error.args


def test_attributes_that_people_read():
    found = pickle.loads(pickle.dumps(errors.MissingPackage("viser", name="viser")))
    assert found.name == "viser"
    assert pickle.loads(pickle.dumps(errors.MissingFile("no"))).errno == 2


def test_what_people_catch(tmp_path):
    scene = ss.Scene()
    body = scene.add(ss.Box((1, 1, 1)), name="box")
    robot = ss.Robot(scene)
    robot.add("base")
    volume = ss.Volume(np.ones((2, 2, 2)))
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="a"><collision><geometry><mesh filename="no.stl"/></geometry></collision></link></robot>'
    )
    for call, builtin, kind in (
        (lambda: scene["nope"], KeyError, errors.NotFound),
        (lambda: scene[7], KeyError, errors.NotFound),
        (lambda: scene[None], TypeError, errors.InvalidType),
        (lambda: robot["nope"], KeyError, errors.NotFound),
        (lambda: robot.ignore("base", "nope"), KeyError, errors.NotFound),
        (lambda: ss.Scene().sweep(body, ss.Translate((1, 0, 0))), KeyError, errors.NotFound),
        (lambda: scene.sweep(3, ss.Translate((1, 0, 0))), TypeError, errors.InvalidType),
        (lambda: scene.sweep(body, [0, 0, 1]), TypeError, errors.InvalidType),
        (lambda: ss.Shape(), TypeError, errors.InvalidType),
        (lambda: ss.Joint(), TypeError, errors.InvalidType),
        (lambda: ss.Translate("up"), TypeError, errors.InvalidType),
        (lambda: ss.Translate((1, 2)), ValueError, errors.InvalidMotion),
        (lambda: volume[5, 0, 0], IndexError, errors.InvalidIndex),
        (lambda: ss.Volume(np.ones((2, 2, 2)), keep_alpha=False)[5, 0, 0], IndexError, errors.InvalidIndex),
        (lambda: ss.Mesh.load(tmp_path / "no.stl"), FileNotFoundError, errors.MissingFile),
        (lambda: ss.Scene.load(tmp_path / "no.npz"), FileNotFoundError, errors.MissingFile),
        (lambda: ss.Volume.load(tmp_path / "no.npy"), FileNotFoundError, errors.MissingFile),
        (lambda: ss.Robot.load(tmp_path / "no.urdf"), FileNotFoundError, errors.MissingFile),
        (lambda: ss.Robot.load(tmp_path / "r.urdf"), FileNotFoundError, errors.MissingFile),
        (lambda: ss.io.file_info(tmp_path / "no.stl"), FileNotFoundError, errors.MissingFile),
        (lambda: ss.Mesh.load(tmp_path), OSError, errors.InaccessibleFile),
        (lambda: scene.picture(tmp_path / "no" / "a.png"), FileNotFoundError, errors.MissingFile),
        (lambda: scene.save(tmp_path / "no" / "a.npz"), FileNotFoundError, errors.MissingFile),
    ):
        with pytest.raises(builtin) as caught:
            call()
        assert type(caught.value) is kind
        assert isinstance(caught.value, ss.SweepscopeError)


def test_names_and_ids_are_in_a_scene():
    scene = ss.Scene()
    body = scene.add(ss.Sphere(1), name="floor")
    assert "floor" in scene
    assert body.id in scene
    assert np.int64(body.id) in scene
    assert body in scene
    assert "wall" not in scene
    assert 7 not in scene
    assert ss.Scene().add(ss.Sphere(1), name="floor") not in scene
    scene.remove(body)
    assert "floor" not in scene
    assert body.id not in scene
    assert body not in scene
    for wrong in (None, True, 0.0, (0,)):
        with pytest.raises(errors.InvalidType, match="expected the name or the id of a body, got"):
            _ = wrong in scene


# ---------------------------------------------------------------------------------------------------------- nothing found


@pytest.fixture
def things():
    """A ball far above a floor, seen from far away; a robot of one link that can turn; a fan, a swing, two volumes."""
    scene = ss.Scene()
    scene.add(ss.Box((10, 10, 1)), name="floor")
    ball = scene.add(ss.Sphere(0.5), (0, 0, 9), name="ball")
    robot = ss.Robot(scene, (50, 0, 0))
    robot.add("base", ss.Box((1, 1, 1)))
    robot.add("arm", ss.Box((1, 1, 1)), parent="base", joint=ss.Joint.revolute("turn", origin=(0, 0, 5)))
    return {
        "scene": scene,
        "ball": ball,
        "robot": robot,
        "manager": ss.bridges.CollisionManager(scene),
        "radar": ss.radar.Radar(scene, ball, pixels=8),
        "view": ss.View((100, 0, 0), (0, 0, 1), width=1, height=1, depth=1),
        "fan": ss.fan.Fan((0, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=1, inner=1, outer=2, half_thickness=1),
        "swing": ss.fan.Swing(ss.Box((1, 1, 1)), (2, 0, 0), axis=(0, 0, 1), angle=1.0),
        "a": ss.Volume(np.ones((2, 2, 2))),
        "b": ss.Volume(np.ones((2, 2, 2)), origin=(9, 9, 9)),
        "up": ss.Translate((0, 0, 1)),
    }


def nothing_hit(scene, robot, manager, ball, up, **_):
    return scene.sweep(ball, up), robot.sweep("turn", to=1.0), manager.sweep("ball", up)


def nothing_left(scene, ball, **_):
    stuck = ss.Scene()
    stuck.add(ss.Mesh.box((4, 4, 4), solid=True))
    inside = stuck.add(ss.Box((1, 1, 1)))
    assert stuck.push_out(inside)  # something to leave: true
    return (scene.push_out(ball),)


def nothing_near(scene, robot, ball, up, **_):
    return (
        scene.predict({ball: up}, 1),
        scene.overlaps(limit=1),
        scene.nearest(ball, limit=1),
        robot.overlaps(),
        robot.near_pairs(limit=1),
    )


def lonely():
    """A robot of one link."""
    robot = ss.Robot()
    robot.add("base", ss.Box((1, 1, 1)))
    return robot


NOTHING = {
    "`scene.sweep(...)`, `robot.sweep(...)`, `manager.sweep(...)`": nothing_hit,
    "`robot.path(...)`, `robot.follow(...)`": lambda robot, **_: [
        robot.path([[0.0], [1.0]]),
        robot.follow(ss.Trajectory.from_waypoints([[0.0], [1.0]], [0.0, 2.0])),
    ],
    "`reading.confirm()`": lambda radar, up, **_: [radar.probe(up).confirm()],
    "`scene.sweep_many(...)`": lambda scene, ball, up, **_: [
        scene.sweep_many(ball, [up]),
        scene.sweep_many(ball, np.empty((0, 3))),
    ],
    "`robot.sweep_many(...)`": lambda robot, **_: [
        robot.sweep_many([0.0], [[1.0], [2.0]]),
        robot.sweep_many([0.0], [1.0]),
        robot.sweep_many(np.empty((0, 1)), [1.0]),
    ],
    "`scene.search(...)`": lambda scene, ball, view, **_: [scene.search(ball, view, step=1.0)],
    "`scene.push_out(...)`": nothing_left,
    "`scene.depth(...)`, `scene.depth_along(...)`": lambda scene, ball, up, **_: [
        scene.depth(ball, scene["floor"]),
        scene.depth_along(ball, scene["floor"], up.vector),
    ],
    "`scene.signed_distance(...)`, `scene.surface_distance(...)`": lambda **_: [
        ss.Scene().signed_distance((0, 0, 0)),
        ss.Scene().surface_distance(np.zeros((2, 3))),
    ],
    "`scene.predict(...)`, `scene.overlaps(...)`, `scene.nearest(...)`, `robot.overlaps()`, `robot.near_pairs(...)`": nothing_near,
    "`scene.distance_many(...)`": lambda scene, ball, **_: [
        scene.distance_many(ball, [(0, 0, 99)], limit=1),
        scene.distance_many(ball, (0, 0, 99), limit=1),
        scene.distance_many(ball, np.empty((0, 3))),
    ],
    "`robot.clearance(...)`": lambda robot, **_: [
        robot.clearance(limit=1),
        robot.clearance([[0.0], [1.0]], limit=1),
        robot.clearance(np.empty((0, 1))),
    ],
    "`scene.contacts(...)`": lambda scene, ball, **_: [scene.contacts(ball), scene.contacts(ball, scene["floor"], margin=1)],
    "`scene.look(...)`": lambda scene, view, **_: [scene.look(view, 4)],
    "`radar.probe(...)`": lambda radar, up, **_: [radar.probe(up)],
    "`read_images(...)`": lambda **_: [
        ss.radar.read_images(np.full((2, 2), 3.0), np.full((2, 2), 2.0), depth=3, distance=1, pixel_size=1, method=method)
        for method in ("sampled", "bounding")
    ],
    "`overlap(...)` of other shapes than two volumes": lambda a, **_: [ss.overlap(a, ss.Sphere(1), (9, 9, 9))],
    "`overlap(...)` of two volumes": lambda a, b, **_: [ss.overlap(a, b)],
    "`scene.look_many(...)`": lambda scene, view, **_: [scene.look_many([view], 4), scene.look_many([])],
    "`scene.cast(...)`": lambda scene, **_: [scene.cast((0, 0, 99), (0, 0, 1))],
    "`scene.cast_all(...)`": lambda scene, **_: [scene.cast_all((0, 0, 99), (0, 0, 1))],
    "`radar.probe_many(...)`": lambda radar, up, **_: [radar.probe_many([up]), radar.probe_many([])],
    "`scene.overlap_many(...)`, `overlap_many(...)`": lambda scene, ball, a, b, **_: [
        scene.overlap_many(ball, (0, 0, 99)),
        ss.overlap_many(a, b, [(0, 0, 0)]),
    ],
    "`scene.slide(...).hits`": lambda scene, ball, **_: [scene.slide(ball, (1, 0, 0)).hits],
    "`robot.suggest_ignores()`": lambda **_: [lonely().suggest_ignores(samples=10)],
    "`robot.link_of(body)`": lambda robot, ball, **_: [robot.link_of(ball)],
    "`fan.contains(...)`, `fan.hits_spheres(...)` and the like": lambda fan, **_: [
        fan.contains((9, 9, 9)),
        fan.hits_spheres((9, 9, 9), 1.0),
    ],
    "`swing.times(...)`, `swing.sphere_times(...)`, `swing.capsule_times(...)`": lambda swing, **_: [
        swing.times((9, 9, 9)),
        swing.sphere_times((9, 9, 9), 1.0),
        swing.capsule_times((9, 9, 9), (9, 9, 10), 1.0),
    ],
    "`manager.in_collision_internal()` and the like": lambda manager, **_: [
        manager.in_collision_internal(),
        manager.in_collision_single(ss.Sphere(1), (0, 0, 99)),
    ],
    '`"name" in scene`, `3 in scene`, `body in scene`': lambda scene, **_: [
        "name" in scene,
        99 in scene,
        ss.Scene().add(ss.Sphere(1)) in scene,
    ],
}


@pytest.mark.parametrize("row", rows("Nothing found"), ids=lambda row: row[0])
def test_nothing_found(things, row):
    call, answer = row
    for found in NOTHING[call](**things):
        if answer.startswith("NaN"):
            assert math.isnan(found)
            continue
        assert not found
        name = re.search(r"a false `(\w+)`", answer)
        if name:
            assert isinstance(found, getattr(ss.results, name[1]))
        else:
            assert found == eval(re.match(r"`([^`]+)`", answer)[1])


def test_every_row_is_checked():
    assert [row[0] for row in rows("Nothing found")] == list(NOTHING)


def test_fields_of_empty_results(things):
    scene, view, radar, up = (things[name] for name in ("scene", "view", "radar", "up"))
    look = scene.look(view, 4)
    assert look.bodies == ()
    assert (look.ids == -1).all()
    assert (look.faces == -1).all()
    assert (look.depth == view.depth).all()
    reading = radar.probe(up)
    assert (reading.hit, reading.obstacles, reading.obstacle) == (False, (), None)
    assert (reading.travel, reading.time) == (up.length, 1.0)
    apart = ss.overlap(things["a"], things["b"])
    assert (apart.count, apart.voxels.shape) == (0, (0, 3))
    assert np.isnan(apart.center).all()
    assert np.isnan(apart.normal).all()
    assert scene.push_out(things["ball"]).motion.length == 0.0
