"""Inputs that broke others: a clear error that names argument and index, raised before anything changes; or a right answer."""

import numpy as np
import pytest

import sweepscope as ss

TRIANGLE = ([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], [(0, 1, 2)])
NAN, INF = float("nan"), float("inf")


def _with(index, value):
    points = np.array(TRIANGLE[0])
    points[index] = value
    return points


@pytest.fixture
def scene():
    scene = ss.Scene()
    scene.add(ss.Box((10, 10, 1)), name="floor")
    scene.add(ss.Sphere(0.5), (0, 0, 3), name="ball")
    return scene


BAD_MESHES = {
    "NaN vertex": (_with((1, 2), NAN), TRIANGLE[1], r"vertices\[1, 2\] is nan"),
    "infinite vertex": (_with((2, 0), -INF), TRIANGLE[1], r"vertices\[2, 0\] is -inf"),
    "overflowing vertex": (_with((0, 1), 1e308), TRIANGLE[1], r"vertices\[0, 1\] is 1e\+308"),
    "two columns": (np.zeros((3, 2)), TRIANGLE[1], r"expected shape \(n, 3\), got \(3, 2\)"),
    "flat array": (np.zeros(9), TRIANGLE[1], r"got \(9,\)"),
    "ragged": ([(0, 0, 0), (1, 0)], TRIANGLE[1], "expected an array of shape"),
    "texts": ([("a", "b", "c")], TRIANGLE[1], "of numbers, got dtype"),
    "complex": (np.zeros((3, 3), complex), TRIANGLE[1], "of numbers, got dtype"),
    "booleans": (np.zeros((3, 3), bool), TRIANGLE[1], "of numbers, got dtype"),
    "None": (None, TRIANGLE[1], "of numbers, got dtype"),
    "face out of range": (TRIANGLE[0], [(0, 1, 2), (0, 1, 3)], r"face 1 uses vertex 3 of 3"),
    "negative face": (TRIANGLE[0], [(0, 1, -1)], r"face 0 uses vertex -1 of 3"),
    "quads": (TRIANGLE[0], [(0, 1, 2, 0)], "split polygons"),
    "float faces": (TRIANGLE[0], [(0.0, 1.0, 2.0)], "whole numbers"),
    "boolean faces": (TRIANGLE[0], [(False, True, True)], "of numbers, got dtype bool"),
    "ragged faces": (TRIANGLE[0], [(0, 1, 2), (0, 1)], "expected an array of shape"),
    "huge face index": (TRIANGLE[0], np.array([(0, 1, 2**40)]), "uses vertex 1099511627776"),
    "unsigned face index": (TRIANGLE[0], np.array([(0, 1, 2**64 - 1)], np.uint64), "uses vertex 18446744073709551615"),
}


@pytest.mark.parametrize("case", BAD_MESHES)
def test_bad_mesh(case):
    vertices, faces, message = BAD_MESHES[case]
    wrong_type = case in ("texts", "complex", "booleans", "None", "float faces", "boolean faces")
    with pytest.raises(ss.errors.InvalidType if wrong_type else ss.errors.InvalidGeometry, match=message):
        ss.Mesh(vertices, faces)


BAD_SOLIDS = {
    "negative radius": (lambda: ss.Sphere(-1.0), r"Sphere.radius is -1"),
    "NaN radius": (lambda: ss.Sphere(NAN), "Sphere.radius is nan"),
    "text radius": (lambda: ss.Sphere("big"), "expected a number"),
    "infinite capsule": (lambda: ss.Capsule.from_segment((0, 0, INF), (0, 0, 1), radius=1), r"Capsule.p0\[2\] is inf"),
    "short capsule end": (lambda: ss.Capsule.from_segment((0, 0, 1), (0, 0), radius=1), "Capsule.p1: expected three numbers"),
    "negative box": (lambda: ss.Box((1, -1, 1)), r"Box.size\[1\] is -1"),
    "scalar box": (lambda: ss.Box(3.0), "Box.size: expected three numbers"),  # type: ignore[arg-type]
    "NaN cloud": (lambda: ss.PointCloud([(0, 0, 0), (0, NAN, 0)]), r"PointCloud.points\[1, 1\] is nan"),
    "flat terrain": (lambda: ss.Mesh.terrain(np.zeros(4)), "heights: expected shape"),
    "two sections of a ball": (
        lambda: ss.Mesh.sphere(1.0, rows=5, sections=2),
        "sections is 2; accepted: a whole number from 3",
    ),
    "half a section": (lambda: ss.Mesh.sphere(1.0, sections=2.5), r"sections is 2\.5; accepted: a whole number from 3"),
}


@pytest.mark.parametrize("case", BAD_SOLIDS)
def test_bad_solid(case):
    make, message = BAD_SOLIDS[case]
    wrong_type = case in ("text radius", "scalar box", "half a section")
    with pytest.raises(ss.errors.InvalidType if wrong_type else ss.errors.InvalidGeometry, match=message):
        make()


SCALED = np.diag((2.0, 2.0, 2.0, 1.0))
SHEARED = np.eye(4) + np.diag((0.5, 0.0, 0.0), k=1)
BAD_POSES = {
    "NaN": (np.full((4, 4), NAN), r"pose\[0, 0\] is nan"),
    "infinite position": ((0, INF, 0), r"pose\[1, 3\] is inf"),
    "wrong shape": (np.eye(3), r"expected shape \(4, 4\), \(3, 4\) or \(3,\), got \(3, 3\)"),
    "quaternion": ((0, 0, 0, 1), r"got \(4,\)"),
    "text": ("here", "expected a 4x4 or 3x4 matrix"),
    "scaled": (SCALED, "not a rotation"),
    "sheared": (SHEARED, "not a rotation"),
    "singular": (np.diag((1.0, 1.0, 0.0, 1.0)), "not a rotation"),
    "mirrored": (np.diag((1.0, 1.0, -1.0, 1.0)), "mirrors"),
    "transposed position": (np.eye(4) + np.diag((0.0, 0, 0, 0)) + np.outer((0, 0, 0, 1.0), (1, 2, 3, 0)), "last row"),
}


@pytest.mark.parametrize("case", BAD_POSES)
def test_bad_pose(scene, case):
    pose, message = BAD_POSES[case]
    error = ss.errors.InvalidType if case == "text" else ss.errors.InvalidPose
    with pytest.raises(error, match=message):
        scene.add(ss.Sphere(1.0), pose)
    assert len(scene) == 2
    before = scene["ball"].pose
    with pytest.raises(error, match=message):
        scene["ball"].pose = pose
    np.testing.assert_array_equal(scene["ball"].pose, before)


BAD_MOTIONS = {
    "NaN": ((0, NAN, 1), r"Translate.vector\[1\] is nan"),
    "infinite": ((INF, 0, 0), r"Translate.vector\[0\] is inf"),
    "overflow": ((1e308, 1e308, 0), r"Translate.vector\[0\] is 1e\+308"),
    "two numbers": ((1, 2), "expected three numbers"),
    "a number": (5.0, "expected three numbers"),
    "a matrix": (np.eye(3), "expected three numbers"),
    "text": ("abc", "expected three numbers"),
    "None": (None, "expected three numbers"),
}


BAD_TURNS = {
    "zero axis": (lambda: ss.Rotate((0, 0, 0), 1), ss.errors.InvalidMotion, "Rotate.axis is 0 0 0"),
    "zero axis of a screw": (lambda: ss.Screw((0, 0, 0), 1, slide=1), ss.errors.InvalidMotion, "Screw.axis is 0 0 0"),
    "NaN axis": (lambda: ss.Rotate((0, NAN, 1), 1), ss.errors.InvalidMotion, r"Rotate.axis\[1\] is nan"),
    "NaN angle": (lambda: ss.Rotate((0, 0, 1), NAN), ss.errors.InvalidMotion, "Rotate.angle is nan"),
    "infinite angle": (lambda: ss.Rotate((0, 0, 1), INF), ss.errors.InvalidMotion, "Rotate.angle is inf"),
    "angle as text": (lambda: ss.Rotate((0, 0, 1), "90"), ss.errors.InvalidType, "Rotate.angle: expected a number"),
    "angle True": (lambda: ss.Rotate((0, 0, 1), True), ss.errors.InvalidType, "Rotate.angle: expected a number"),
    "two axes": (lambda: ss.Rotate([(0, 0, 1), (1, 0, 0)], 1), ss.errors.InvalidMotion, "Rotate.axis: expected three numbers"),
    "NaN about": (lambda: ss.Rotate((0, 0, 1), 1, about=(NAN, 0, 0)), ss.errors.InvalidMotion, r"Rotate.about\[0\] is nan"),
    "NaN slide": (lambda: ss.Screw((0, 0, 1), 1, slide=NAN), ss.errors.InvalidMotion, "Screw.slide is nan"),
    "scaled pose": (lambda: ss.Screw.between(np.eye(4), SCALED), ss.errors.InvalidPose, "pose_1: its 3x3 part"),
    "sheared pose": (
        lambda: ss.Screw.between(np.eye(4) + np.eye(4, k=1) * 0.5, np.eye(4)), ss.errors.InvalidPose, "pose_0: its 3x3 part",
    ),
    "mirrored pose": (lambda: ss.Screw.between(np.eye(4), np.diag((1, 1, -1, 1))), ss.errors.InvalidPose, "pose_1: .*mirrors"),
    "NaN pose": (lambda: ss.Screw.between((0, NAN, 0), (0, 0, 0)), ss.errors.InvalidPose, "pose_0.* is nan"),
    "no pose": (lambda: ss.Screw.between(None, (0, 0, 0)), ss.errors.InvalidType, "pose_0: expected a 4x4 or 3x4 matrix"),
    "a body for a pose": (
        lambda: ss.Screw.between(ss.Scene().add(ss.Sphere(1)), (0, 0, 0)), ss.errors.InvalidType, "pose_0: .*; give its .pose",
    ),
    "a time past the end": (lambda: ss.Rotate((0, 0, 1), 1).at(1.5), ss.errors.InvalidQuery, "time is 1.5"),
    "a time before the start": (lambda: ss.Translate((0, 0, 1)).at(-0.1), ss.errors.InvalidQuery, "time is -0.1"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_TURNS)
def test_a_bad_turn_is_refused(case):
    make, error, message = BAD_TURNS[case]
    with pytest.raises(error, match=message):
        make()


def test_a_turn_by_nothing_asks_whether_things_overlap(scene):
    ball = scene["ball"]
    still = ss.Rotate((0, 0, 1), 0.0)
    assert scene.sweep(ball, still) is None
    inside = scene.add(ss.Sphere(0.1), ball.pose)
    assert scene.sweep(inside, still).overlapping
    assert scene.sweep(inside, ss.Screw((0, 0, 1), 0.0, slide=0.0)).overlapping
    hit = scene.sweep(ball, ss.Screw((0, 0, 2), 0.0, slide=-5.0), ignore=[inside])
    assert hit.travel == scene.sweep(ball, ss.Translate((0, 0, -5)), ignore=[inside]).travel


def test_a_huge_angle_is_a_full_turn(scene):
    ball = scene["ball"]
    far = scene.sweep(ball, ss.Rotate((0, 1, 0), 1e12, about=(-2, 0, 3)))
    assert far.travel == pytest.approx(scene.sweep(ball, ss.Rotate((0, 1, 0), 6.0, about=(-2, 0, 3))).travel, abs=1e-6)
    assert far.time == far.travel / 1e12


@pytest.mark.parametrize("case", BAD_MOTIONS)
def test_bad_motion(case):
    vector, message = BAD_MOTIONS[case]
    wrong_type = case in ("a number", "text", "None")
    with pytest.raises(ss.errors.InvalidType if wrong_type else ss.errors.InvalidMotion, match=message):
        ss.Translate(vector)


def test_messages_show_plain_values(scene):
    """Numpy's own scalars look like Python's, and no message says "numbers of numbers"."""
    name = np.str_("b")
    robot = ss.Robot(name="arm")
    robot.add(name)
    for wrong, message in (
        (lambda: scene[name], "no body 'b' in"),
        (lambda: scene.sweep([name], ss.Translate((0, 0, 1))), r"mover\[0\]: expected a Body of this scene, got 'b'"),
        (lambda: scene.ignore_groups(name, name), "no group 'b'"),
        (lambda: scene.sweep(scene["ball"], ss.Translate((0, 0, 1)), resting=name), "resting is 'b'"),
        (lambda: robot.add(name), "link 'b' exists already"),
        (lambda: robot.sweep({name: 1.0}), "no joint 'b'"),
        (lambda: ss.Box((np.float64(1.0), name)), r"got \(1\.0, 'b'\)"),
        (lambda: scene.add(ss.Sphere(1.0), ["a", "b", "c"]), "expected a 4x4 or 3x4 matrix, or three numbers, got dtype"),
        (lambda: ss.fan.Fan.flat("ab", (1, 0), half_angle=1, inner=1, outer=2), "Fan.center: expected two numbers, got dtype"),
    ):
        with pytest.raises(ss.SweepscopeError, match=message) as caught:
            wrong()
        assert "np." not in str(caught.value)


def test_bad_queries(scene):
    ball, motion = scene["ball"], ss.Translate((0, 0, -5))
    for options, error, message in (
        ({"margin": -1.0}, ss.errors.InvalidQuery, "margin is -1"),
        ({"margin": NAN}, ss.errors.InvalidQuery, "margin is nan"),
        ({"margin": "wide"}, ss.errors.InvalidType, "margin: expected a number"),
        ({"resting": "maybe"}, ss.errors.InvalidQuery, "resting is 'maybe'; accepted: 'free', 'hit'"),
        ({"resting": None}, ss.errors.InvalidType, "resting is None"),
        ({"ignore": [3]}, ss.errors.InvalidType, r"ignore\[0\]: expected a Body"),
        ({"ignore": "floor"}, ss.errors.InvalidType, "ignore: expected bodies, got 'floor'"),
        ({"ignore": 3}, ss.errors.InvalidType, "ignore: expected bodies"),
    ):
        with pytest.raises(error, match=message):
            scene.sweep(ball, motion, **options)
    with pytest.raises(ss.errors.InvalidType, match="expected a Translate"):
        scene.sweep(ball, (0, 0, -5))
    with pytest.raises(ss.errors.InvalidType, match="expected a Body"):
        scene.sweep("ball", motion)
    with pytest.raises(ss.errors.InvalidQuery, match="empty list"):
        scene.sweep([], motion)
    with pytest.raises(ss.errors.InvalidQuery, match="twice"):
        scene.sweep([ball, ball], motion)
    with pytest.raises(ss.errors.InvalidQuery, match="tolerance is -1"):
        ss.Scene(-1.0)


def test_bad_ways_out(scene):
    ball = scene["ball"]
    for options, error, message in (
        ({"margin": -1.0}, ss.errors.InvalidQuery, "margin is -1"),
        ({"margin": NAN}, ss.errors.InvalidQuery, "margin is nan"),
        ({"ignore": [3]}, ss.errors.InvalidType, r"ignore\[0\]: expected a Body"),
        ({"ignore": "floor"}, ss.errors.InvalidType, "ignore: expected bodies, got 'floor'"),
    ):
        with pytest.raises(error, match=message):
            scene.push_out(ball, **options)
    for mover, error, message in (
        ("ball", ss.errors.InvalidType, "mover: expected a Body of this scene, got 'ball'"),
        ([], ss.errors.InvalidQuery, "mover: expected a body or several, got an empty list"),
        ([ball, ball], ss.errors.InvalidQuery, "mover: the same body is given twice"),
        (ss.Scene().add(ss.Sphere(1.0)), ss.errors.NotFound, "is in another scene"),
    ):
        with pytest.raises(error, match=message):
            scene.push_out(mover)
    with pytest.raises(ss.errors.InvalidType, match="push_out is 1; accepted: True, False"):
        scene.slide(ball, (0, 0, 1), push_out=1)
    scene.tolerance = 1.0
    with pytest.raises(ss.errors.InvalidQuery, match="tolerance is 1, but the mover measures"):
        scene.push_out(ball)


IGNORING = {
    "sweep": lambda s, ignore: s.sweep(s["ball"], ss.Translate((0, 0, -5)), ignore=ignore),
    "slide": lambda s, ignore: s.slide(s["ball"], (0, 0, -5), ignore=ignore),
    "push_out": lambda s, ignore: s.push_out(s["ball"], ignore=ignore),
    "predict": lambda s, ignore: s.predict({s["ball"]: ss.Translate((0, 0, -5))}, 1.0, ignore=ignore),
    "look": lambda s, ignore: s.look(VIEW, ignore=ignore),
    "picture": lambda s, ignore: s.picture(size=(32, 24), ignore=ignore),
    "animate": lambda s, ignore: s.animate(s["ball"], ss.Translate((0, 0, -5)), "a.gif", ignore=ignore),
    "probe": lambda s, ignore: ss.radar.Radar(s, s["ball"]).probe(ss.Translate((0, 0, -5)), ignore=ignore),
    "robot": lambda s, ignore: _robot(s).sweep({}, ignore=ignore),
}


def _robot(scene):
    if not scene.robots:
        ss.Robot(scene, (0, 0, 20)).add("base", ss.Box((1, 1, 1)))
    return scene.robots["robot"]


@pytest.mark.parametrize("verb", IGNORING)
def test_ignore_takes_several_bodies(scene, verb):
    """One body alone is the same error everywhere."""
    ask = IGNORING[verb]
    message = r"^ignore: expected bodies, got <Body 0 'floor': .*>; put a single one into a list: \[\.\.\.\]$"
    with pytest.raises(ss.errors.InvalidType, match=message):
        ask(scene, scene["floor"])
    for given in ("floor", None, 3):
        with pytest.raises(ss.errors.InvalidType, match=rf"^ignore: expected bodies, got {given!r}$"):
            ask(scene, given)


MOVERS = {
    "sweep": lambda s, mover: s.sweep(mover, ss.Translate((0, 0, -5))),
    "slide": lambda s, mover: s.slide(mover, (0, 0, -5)),
    "push_out": lambda s, mover: s.push_out(mover),
    "animate": lambda s, mover: s.animate(mover, ss.Translate((0, 0, -5)), "a.gif"),
    "show": lambda s, mover: s.show(mover, ss.Translate((0, 0, -5)), browser=False),
}


@pytest.mark.parametrize("verb", MOVERS)
def test_movers_have_an_order(scene, verb):
    """A set, a mapping or a generator of bodies is not a mover; the message names what is."""
    ask, ball = MOVERS[verb], scene["ball"]
    accepted = "^mover: expected a Body of this scene, or a list or tuple of them, got "
    for given, shown in (
        ({ball}, "{<Body"),
        (frozenset((ball,)), "frozenset"),
        ({ball: 1}, "{<Body"),
        (iter((ball,)), "<tuple"),
    ):
        with pytest.raises(ss.errors.InvalidType, match=accepted + shown):
            ask(scene, given)
    with pytest.raises(
        ss.errors.InvalidType, match=r"^mover: expected a Body of this scene, got 'ball'; scene\['ball'\] is one$"
    ):
        ask(scene, "ball")


def test_bad_movers_of_a_page(scene):
    ball, down = scene["ball"], ss.Translate((0, 0, -5))
    for mover, error, message in (
        ("ball", ss.errors.InvalidType, r"^mover: expected a Body of this scene, got 'ball'; scene\['ball'\] is one$"),
        ("bal", ss.errors.InvalidType, "^mover: expected a Body of this scene, got 'bal'$"),
        (["ball"], ss.errors.InvalidType, r"^mover\[0\]: expected a Body of this scene, got 'ball'"),
        (3, ss.errors.InvalidType, "^mover: expected a Body of this scene, got 3"),
        (ball.shape, ss.errors.InvalidType, "^mover: expected a Body of this scene, got <Sphere"),
        ([ball, ball], ss.errors.InvalidQuery, "^mover: the same body is given twice"),
        ([], ss.errors.InvalidQuery, "^mover: expected a body or several, got an empty list"),
    ):
        with pytest.raises(error, match=message):
            scene.show(mover, down, browser=False)


def test_tolerance_must_be_small_beside_the_mover():
    scene = ss.Scene(tolerance=1.0)
    scene.add(ss.Sphere(0.05))
    box = scene.add(ss.Box((1, 1, 1)), (0, 0, 3))
    with pytest.raises(ss.errors.InvalidQuery, match=r"tolerance is 1, but the mover measures 1\.73"):
        scene.sweep(box, ss.Translate((0, 0, -5)))
    scene.tolerance = 1e-3
    assert scene.sweep(box, ss.Translate((0, 0, -5))) is not None
    with pytest.raises(ss.errors.InvalidQuery, match="tolerance is -1"):
        scene.tolerance = -1
    assert scene.tolerance == 1e-3
    with pytest.raises(AttributeError):
        scene.tolerence = 1.0  # type: ignore[attr-defined]


def test_bodies_of_other_scenes_and_removed_ones(scene):
    other = ss.Scene()
    stranger = other.add(ss.Sphere(1.0))
    motion = ss.Translate((0, 0, -5))
    with pytest.raises(ss.errors.NotFound, match="is in another scene"):
        scene.sweep(stranger, motion)
    with pytest.raises(ss.errors.NotFound, match=r"mover\[1\]: .* is in another scene"):
        scene.sweep([scene["ball"], stranger], motion)
    with pytest.raises(ss.errors.NotFound, match=r"ignore\[0\]: .* is in another scene"):
        scene.sweep(scene["ball"], motion, ignore=[stranger])
    with pytest.raises(ss.errors.NotFound, match="is in another scene"):
        scene.remove(stranger)
    gone = scene["ball"]
    scene.remove(gone)
    for use in (
        lambda: scene.sweep(gone, motion),
        lambda: scene.remove(gone),
        lambda: gone.scene,
        lambda: setattr(gone, "pose", (0, 0, 0)),
        lambda: setattr(gone, "shape", ss.Sphere(1)),
        lambda: setattr(gone, "vertices", np.zeros((1, 3))),
        lambda: gone.bounds,
    ):
        with pytest.raises(ss.errors.NotFound, match="removed"):
            use()
    with pytest.raises(ss.errors.NotFound, match="no body 'ball'"):
        scene["ball"]


def test_bad_vertices_leave_the_body_as_it_was():
    scene = ss.Scene()
    cloth = scene.add(ss.Mesh(*TRIANGLE))
    ball = scene.add(ss.Sphere(0.1), (0.2, 0.2, 1.0))
    motion = ss.Translate((0, 0, -2))
    before = scene.sweep(ball, motion)
    assert before is not None
    for value, message in (
        (_with((1, 1), NAN), r"vertices\[1, 1\] is nan"),
        (np.zeros((4, 3)), "has 3, got 4"),
        (np.zeros((3, 2)), r"expected shape \(n, 3\)"),
        ("abc", "of numbers, got dtype"),
    ):
        with pytest.raises(ss.errors.InvalidType if isinstance(value, str) else ss.errors.InvalidGeometry, match=message):
            cloth.vertices = value
        after = scene.sweep(ball, motion)
        assert after is not None
        assert after.time == before.time
    with pytest.raises(ss.errors.InvalidGeometry, match="is a Sphere; only a Mesh or a PointCloud can deform"):
        ball.vertices = np.zeros((1, 3))


def test_caller_may_reuse_its_arrays():
    vertices = np.array(TRIANGLE[0])
    mesh = ss.Mesh(vertices, TRIANGLE[1])
    scene = ss.Scene()
    cloth = scene.add(mesh)
    ball = scene.add(ss.Sphere(0.1), (0.2, 0.2, 1.0))
    vertices[:] = NAN
    assert scene.sweep(ball, ss.Translate((0, 0, -2))) is not None
    moved = np.array(TRIANGLE[0]) + np.array((0, 0, 0.5))
    cloth.vertices = moved
    moved[:] = 100.0
    hit = scene.sweep(ball, ss.Translate((0, 0, -2)))
    assert hit is not None
    assert hit.travel == pytest.approx(0.4, abs=1e-12)
    with pytest.raises(ValueError, match="read-only"):
        mesh.vertices[0] = 1.0


def test_drop_invalid_counts_what_it_leaves_out():
    points = np.array([*TRIANGLE[0], (NAN, 0, 0)])
    mesh = ss.Mesh(points, [(0, 1, 2), (1, 2, 3)], drop_invalid=True)
    assert (len(mesh.faces), mesh.dropped) == (1, 1)


def test_degenerate_triangles_are_harmless():
    points = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 0, 0), (5, 5, 5)]
    faces = [(0, 0, 0), (0, 1, 1), (1, 0, 1), (0, 0, 1), (0, 1, 2), (0, 1, 3), (0, 3, 3)]
    scene = ss.Scene()
    scene.add(ss.Mesh(points, faces))
    ball = scene.add(ss.Sphere(0.5), (1.5, 0, 3))
    hit = scene.sweep(ball, ss.Translate((0, 0, -5)))
    assert hit is not None
    assert hit.travel == pytest.approx(2.5, abs=1e-12)
    np.testing.assert_allclose(hit.normal, (0, 0, 1), atol=1e-9)
    ball.pose = (1.5, 0.51, 3.0)
    assert scene.sweep(ball, ss.Translate((0, 0, -5))) is None  # beside the sliver, not touching


@pytest.mark.parametrize(
    "shape", [ss.Mesh([], []), ss.Mesh(TRIANGLE[0], []), ss.PointCloud([]), ss.Mesh(np.zeros((0, 3)), np.zeros((0, 3), int))]
)
def test_empty_shapes_never_hit(scene, shape):
    assert shape.empty
    nothing = scene.add(shape, (0, 0, 1))
    assert np.isnan(nothing.bounds).all()
    hit = scene.sweep(scene["ball"], ss.Translate((0, 0, -5)))
    assert hit is not None
    assert hit.obstacle.name == "floor"
    assert scene.sweep(nothing, ss.Translate((0, 0, -5))) is None
    together = scene.sweep([nothing, scene["ball"]], ss.Translate((0, 0, -5)))
    assert together is not None
    assert together.mover.name == "ball"


def test_no_motion_asks_for_overlap(scene):
    ball = scene["ball"]
    assert scene.sweep(ball, ss.Translate((0, 0, 0))) is None
    ball.pose = (0, 0, 0.9)
    hit = scene.sweep(ball, ss.Translate((0, 0, 0)))
    assert hit is not None
    assert (hit.time, hit.travel, hit.overlapping) == (0.0, 0.0, True)


@pytest.mark.parametrize("size", [6.9e-42, 5e-324, 1e-300])
def test_subnormal_motion(scene, size):
    ball = scene["ball"]
    assert scene.sweep(ball, ss.Translate((0, 0, -size))) is None
    ball.pose = (0, 0, 1.0)
    assert scene.sweep(ball, ss.Translate((0, 0, size))) is None


@pytest.mark.parametrize("length", [1e9, 5e13, 1e20, 1e40])
def test_huge_motion(scene, length):
    """How far it would go on behind what it hits makes no difference."""
    ball = scene["ball"]
    hit = scene.sweep(ball, ss.Translate((0, 0, -length)))
    assert hit is not None
    assert hit.travel == pytest.approx(2.0, abs=1e-9)
    assert hit.travel <= 2.0
    ball.pose = (0, 0, 0.7)
    hit = scene.sweep(ball, ss.Translate((length, 0, 0)))
    assert hit is not None
    assert hit.overlapping
    ball.pose = (0, 0, 1.0)
    assert scene.sweep(ball, ss.Translate((length, 0, 0))) is None


@pytest.mark.parametrize("at", [1e6, 1e8])
def test_millimeters_far_from_the_origin(at):
    for pose, offset in (((at, -at, at), 0.0), (None, at)):
        scene = ss.Scene()
        shift = np.array((offset, -offset, offset))
        box = ss.Mesh.box((0.25, 0.25, 0.25))
        scene.add(ss.Mesh(box.vertices + shift, box.faces), pose)
        mover = scene.add(ss.Mesh(box.vertices + shift + np.array((0.5, 0, 0)), box.faces), pose)
        hit = scene.sweep(mover, ss.Translate((-1, 0, 0)))
        assert hit is not None
        assert hit.travel == pytest.approx(0.25, abs=1e-12)
        assert hit.travel <= 0.25


def test_rounded_rotation_is_taken_as_one(rng):
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    pose = np.eye(4)
    pose[:3, :3] = turn.astype(np.float32)
    scene = ss.Scene()
    body = scene.add(ss.Box((1, 1, 1)), pose)
    kept = body.pose[:3, :3]
    np.testing.assert_allclose(kept @ kept.T, np.eye(3), atol=1e-14)
    np.testing.assert_allclose(kept, turn, atol=1e-6)


def test_single_triangle_and_sliver_ghosts():
    scene = ss.Scene()
    scene.add(ss.Mesh([(0, 0, 0), (10, 0, 0), (10, 1e-7, 0)], [(0, 1, 2)]))
    ball = scene.add(ss.Sphere(0.1), (5.0, 0.2, 1.0))
    assert scene.sweep(ball, ss.Translate((0, 0, -2))) is None
    ball.pose = (5.0, 0.05, 1.0)
    hit = scene.sweep(ball, ss.Translate((0, 0, -2)))
    assert hit is not None
    assert hit.travel == pytest.approx(1.0 - np.sqrt(0.1**2 - 0.05**2), abs=1e-7)


VIEW = ss.View((0, 0, 5), (0, 0, -1), width=2, height=2, depth=10)

BAD_VIEWS = {
    "zero width": (((0, 0, 0), (0, 0, 1), 0, 1, 1), {}, r"View.width is 0"),
    "zero height": (((0, 0, 0), (0, 0, 1), 1, 0.0, 1), {}, r"View.height is 0"),
    "zero depth": (((0, 0, 0), (0, 0, 1), 1, 1, 0), {}, r"View.depth is 0"),
    "negative width": (((0, 0, 0), (0, 0, 1), -1, 1, 1), {}, r"View.width is -1"),
    "NaN depth": (((0, 0, 0), (0, 0, 1), 1, 1, NAN), {}, r"View.depth is nan"),
    "text height": (((0, 0, 0), (0, 0, 1), 1, "tall", 1), {}, r"View.height: expected a number"),
    "zero direction": (((0, 0, 0), (0, 0, 0), 1, 1, 1), {}, r"View.toward is 0 0 0"),
    "infinite direction": (((0, 0, 0), (0, INF, 0), 1, 1, 1), {}, r"View.toward\[1\] is inf"),
    "short eye": (((0, 0), (0, 0, 1), 1, 1, 1), {}, r"View.eye: expected three numbers"),
    "up along the view": (((0, 0, 0), (0, 0, 1), 1, 1, 1), {"up": (0, 0, -2)}, r"View.up is \(0, 0, -2\), along the view"),
    "zero up": (((0, 0, 0), (0, 0, 1), 1, 1, 1), {"up": (0, 0, 0)}, r"View.up is 0 0 0"),
}


@pytest.mark.parametrize("case", BAD_VIEWS)
def test_bad_view(case):
    arguments, options, message = BAD_VIEWS[case]
    with pytest.raises(ss.errors.InvalidType if case == "text height" else ss.errors.InvalidQuery, match=message):
        ss.View(*arguments[:2], **dict(zip(("width", "height", "depth"), arguments[2:], strict=True)), **options)


BAD_PIXELS = [0, (0, 10), (10, 0), (-1, 5), (5,), (5, 5, 5), (1 << 20, 1 << 20)]
PIXELS_OF_A_WRONG_TYPE = [(5.0, 5), "many", True, (True, 5)]


@pytest.mark.parametrize("pixels", BAD_PIXELS + PIXELS_OF_A_WRONG_TYPE, ids=repr)
def test_bad_pixels(scene, pixels):
    error = ss.errors.InvalidQuery if any(pixels is each for each in BAD_PIXELS) else ss.errors.InvalidType
    with pytest.raises(error, match="pixels"):
        scene.look(VIEW, pixels)
    with pytest.raises(error, match="pixels"):
        ss.radar.Radar(scene, scene["ball"], pixels=pixels)
    radar = ss.radar.Radar(scene, scene["ball"], pixels=20)
    with pytest.raises(error, match="pixels"):
        radar.pixels = pixels
    assert radar.pixels == (20, 20)


BAD_LOOKS = {
    "no view": (lambda s: s.look((0, 0, 0)), ss.errors.InvalidType, "view: expected a View"),
    "ignore one": (lambda s: s.look(VIEW, ignore=s["ball"]), ss.errors.InvalidType, "ignore: expected bodies"),
    "ignore a name": (lambda s: s.look(VIEW, ignore=["ball"]), ss.errors.InvalidType, r"ignore\[0\]"),
    "ignore another's": (
        lambda s: s.look(VIEW, ignore=[ss.Scene().add(ss.Sphere(1))]),
        ss.errors.NotFound,
        "another scene",
    ),
    "search for nobody": (lambda s: s.search(s["cat"], VIEW), ss.errors.NotFound, "no body 'cat'"),
    "search for another's": (
        lambda s: s.search(ss.Scene().add(ss.Sphere(1)), VIEW),
        ss.errors.NotFound,
        "another scene",
    ),
    "search without a view": (lambda s: s.search(s["ball"], None), ss.errors.InvalidType, "view: expected a View"),
    "search about nothing": (
        lambda s: s.search(s["ball"], VIEW, axis=(0, 0, 0)),
        ss.errors.InvalidQuery,
        "axis is 0 0 0",
    ),
    "search without turning": (lambda s: s.search(s["ball"], VIEW, step=0.0), ss.errors.InvalidQuery, "step is 0"),
    "search by NaN": (lambda s: s.search(s["ball"], VIEW, step=NAN), ss.errors.InvalidQuery, "step is nan"),
    "radar without a scene": (lambda s: ss.radar.Radar(None, s["ball"]), ss.errors.InvalidType, "scene: expected a Scene"),
    "radar of a name": (lambda s: ss.radar.Radar(s, "ball"), ss.errors.InvalidType, "mover: expected a Body"),
    "radar of nothing": (lambda s: ss.radar.Radar(s, []), ss.errors.InvalidQuery, "empty list"),
    "radar of a twin": (lambda s: ss.radar.Radar(s, [s["ball"], s["ball"]]), ss.errors.InvalidQuery, "given twice"),
    "radar of another's": (lambda s: ss.radar.Radar(s, ss.Scene().add(ss.Sphere(1))), ss.errors.NotFound, "another scene"),
    "zero max_size": (lambda s: ss.radar.Radar(s, s["ball"], max_size=0), ss.errors.InvalidQuery, "max_size is 0"),
    "probe a vector": (
        lambda s: ss.radar.Radar(s, s["ball"]).probe((0, 0, 1)),
        ss.errors.InvalidType,
        "expected a Translate or a Rotate",
    ),
    "probe nowhere": (
        lambda s: ss.radar.Radar(s, s["ball"]).probe(ss.Translate((0, 0, 0))),
        ss.errors.InvalidMotion,
        "length zero",
    ),
    "probe ignoring one": (
        lambda s: ss.radar.Radar(s, s["ball"]).probe(ss.Translate((0, 0, 1)), ignore=s["floor"]),
        ss.errors.InvalidType,
        "ignore: expected bodies",
    ),
    "set of one": (lambda s: ss.radar.RadarSet(s, s["ball"]), ss.errors.InvalidType, "movers: expected bodies"),
    "set with a name": (lambda s: ss.radar.RadarSet(s, ["ball"]), ss.errors.InvalidType, "expected a Body"),
    "one motion for two": (
        lambda s: ss.radar.RadarSet(s, list(s)).probe([ss.Translate((0, 0, 1))]),
        ss.errors.InvalidQuery,
        "expected 2, one for each mover, got 1",
    ),
    "one motion": (
        lambda s: ss.radar.RadarSet(s, list(s)).probe(ss.Translate((0, 0, 1))),
        ss.errors.InvalidType,
        "motions: expected one",
    ),
    "a bad motion in a set": (
        lambda s: ss.radar.RadarSet(s, list(s)).probe([ss.Translate((0, 0, 1)), "down"]),
        ss.errors.InvalidType,
        r"motions\[1\]: expected a Translate",
    ),
}


@pytest.mark.parametrize("case", BAD_LOOKS)
def test_bad_look(scene, case):
    ask, error, message = BAD_LOOKS[case]
    with pytest.raises(error, match=message):
        ask(scene)


def test_radar_of_a_body_that_is_gone(scene):
    ball = scene["ball"]
    radar = ss.radar.Radar(scene, ball)
    scene.remove(ball)
    with pytest.raises(ss.errors.NotFound, match="was removed"):
        radar.probe(ss.Translate((0, 0, -1)))


def test_radar_of_an_empty_body(scene):
    nothing = scene.add(ss.PointCloud(np.zeros((0, 3))))
    with pytest.raises(ss.errors.InvalidQuery, match="has no faces"):
        ss.radar.Radar(scene, nothing).probe(ss.Translate((0, 0, -1)))


def test_radar_of_a_body_without_an_outline(scene):
    """A point, or a plate seen edge-on, covers no pixel: no guess, unless the radar bounds."""
    for shape in (ss.Sphere(0.0), ss.Mesh([(0, 0, 0), (1, 0, 0), (0, 0, 1)], [(0, 1, 2)])):
        body = scene.add(shape, (0.01, 0.02, 4))
        motion = ss.Translate((0, 0, -5))
        with pytest.raises(ss.errors.InvalidQuery, match="covers no pixel's center"):
            ss.radar.Radar(scene, body).probe(motion)
        bound = ss.radar.Radar(scene, body, method="bounding").probe(motion)
        assert bound.hit
        assert bound.travel <= scene.sweep(body, motion).travel + 1e-9
        scene.remove(body)


def test_arrays_of_the_caller_stay_writable_and_apart():
    """Nothing freezes or keeps what a caller gave."""
    vertices, faces, points, pose = np.array(TRIANGLE[0]), np.array(TRIANGLE[1], np.int32), np.zeros((4, 3)), np.eye(4)
    alpha, pixels = np.ones((2, 2, 2)), np.zeros((4, 4, 3), np.uint8)
    scene = ss.Scene()
    body = scene.add(ss.Mesh(vertices, faces), pose)
    scene.add(ss.PointCloud(points))
    scene.add(ss.Volume(alpha))
    ss.Joint.revolute("j", origin=pose)
    picture = ss.drawing.Picture(pixels)
    body.vertices = vertices
    body.pose = pose
    shape = body.shape
    for given in (vertices, faces, points, pose, alpha, pixels):
        given[...] = 1
    np.testing.assert_array_equal(shape.vertices, TRIANGLE[0])
    np.testing.assert_array_equal(body.vertices, TRIANGLE[0])
    np.testing.assert_array_equal(body.pose, np.eye(4))
    assert not picture.pixels.any()


def test_one_thing_is_not_named_in_the_plural(scene):
    """Texts of one number, vertex, link, joint, body."""
    robot = ss.Robot()
    robot.add("base", ss.Box((1, 1, 1)))
    robot.add("arm", parent="base", joint=ss.Joint.revolute("hinge", axis=(0, 0, 1)))
    assert repr(robot) == "<Robot 'robot': 2 links, 1 actuated joint>"
    assert repr(robot.links["base"]) == "<Link 'base': 1 body>"
    assert repr(robot.scene) == "<Scene: 1 body>"
    assert repr(ss.Scene()) == "<Scene: 0 bodies>"
    assert repr(ss.radar.RadarSet(scene, [scene["ball"]], pixels=8)) == "<RadarSet: 1 radar, 8 x 8 pixels>"
    assert repr(ss.Sphere(0.5)) == "<Sphere: 1 vertex, 1 face, radius 0.5>"
    with pytest.raises(ss.SweepscopeError, match=r"q: got 2 numbers; accepted: one configuration, 1 number for 'hinge'$"):
        robot.q = (0.0, 1.0)
    with pytest.raises(ss.SweepscopeError, match="poses: got 2 for 1 body; give one for each"):
        scene.add_many([ss.Sphere(1)], [(0, 0, 0), (1, 0, 0)])


MANY = np.zeros((4, 3))
BAD_MANY = {
    "N against M": (lambda s: (s["ball"], MANY, MANY[:3]), {}, r"motions \(4,\), poses \(3,\); each axis", "query"),
    "movers against motions": (lambda s: (np.array([s["ball"]] * 3), MANY), {}, r"mover \(3,\), motions \(4,\)", "query"),
    "NaN vector": (lambda s: (s["ball"], np.where(np.arange(4)[:, None] == 2, NAN, MANY)), {}, r"motions\[2, 0\] is nan", "motion"),
    "NaN pose": (lambda s: (s["ball"], MANY, [(0, 0, 0), (0, INF, 0)] * 2), {}, r"poses\[1\]\[1, 3\] is inf", "pose"),
    "skew pose": (lambda s: (s["ball"], MANY, np.diag((1, 2, 1, 1))), {}, "poses: its 3x3 part is not a rotation", "pose"),
    "quaternion": (lambda s: (s["ball"], MANY, np.zeros((4, 7))), {}, r"poses: expected poses of shape .* got \(4, 7\)", "pose"),
    "pose of a body": (lambda s: (s["ball"], MANY, s["ball"]), {}, "poses: expected poses", "type"),
    "no motions": (lambda s: (s["ball"], None), {}, "motions: expected Motions", "type"),
    "motions of a text": (lambda s: (s["ball"], "down"), {}, "motions: expected Motions", "type"),
    "flat motions": (lambda s: (s["ball"], np.zeros(4)), {}, r"motions: expected shape \(\.\.\., 3\), got \(4,\)", "motion"),
    "a pose among motions": (
        lambda s: (s["ball"], [ss.Translate((0, 0, 1)), np.eye(4)]), {}, r"motions\[1\]: expected a Translate", "type",
    ),
    "another scene": (lambda s: (ss.Scene().add(ss.Sphere(1)), MANY), {}, "is in another scene", "missing"),
    "another scene's in a row": (
        lambda s: (np.array([s["ball"], ss.Scene().add(ss.Sphere(1))]), MANY[0]), {}, r"mover\[1\]: .* is in another scene",
        "missing",
    ),
    "numbers as movers": (lambda s: (np.array([1, 2]), MANY[:2]), {}, "mover: expected .* got dtype int64", "type"),
    "None in a row": (lambda s: (np.array([s["ball"], None]), MANY[0]), {}, r"mover\[1\]: expected a Body", "type"),
    "a name": (lambda s: ("ball", MANY), {}, r"mover: expected a Body .* scene\['ball'\]", "type"),
    "the same mover twice": (lambda s: ([s["ball"], s["ball"]], MANY), {}, "given twice", "query"),
    "no threads": (lambda s: (s["ball"], MANY), {"threads": 0}, "threads is 0; accepted: a whole number from 1", "query"),
    "half a thread": (lambda s: (s["ball"], MANY), {"threads": 0.5}, "threads is 0.5; accepted", "type"),
    "true threads": (lambda s: (s["ball"], MANY), {"threads": True}, "threads is True", "type"),
    "progress as a flag": (lambda s: (s["ball"], MANY), {"progress": True}, "progress: expected a function", "type"),
    "executor as a number": (lambda s: (s["ball"], MANY), {"executor": 8}, "executor: expected a concurrent.futures.Ex", "type"),
    "margin": (lambda s: (s["ball"], MANY), {"margin": -1.0}, "margin is -1", "query"),
    "resting": (lambda s: (s["ball"], MANY), {"resting": "maybe"}, "resting is 'maybe'", "query"),
    "ignored body": (lambda s: (s["ball"], MANY), {"ignore": [ss.Scene().add(ss.Sphere(1))]}, r"ignore\[0\]: .* scene", "missing"),
    "out of floats": (lambda s: (s["ball"], MANY), {"out": np.zeros(4)}, "out: .* got dtype float64", "type"),
    "out as a list": (lambda s: (s["ball"], MANY), {"out": []}, r"out: .* got \[\]", "type"),
    "out too short": (
        lambda s: (s["ball"], MANY), {"out": np.zeros(3, ss.Hits.dtype)}, r"out: expected shape \(4,\), got \(3,\)", "query",
    ),
    "out of every other": (lambda s: (s["ball"], MANY), {"out": np.zeros(8, ss.Hits.dtype)[::2]}, "not C-contiguous", "query"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_MANY)
def test_bad_many_sweeps(scene, case):
    make, options, message, kind = BAD_MANY[case]
    kinds = {
        "query": ss.errors.InvalidQuery,
        "motion": ss.errors.InvalidMotion,
        "pose": ss.errors.InvalidPose,
        "type": ss.errors.InvalidType,
        "missing": ss.errors.NotFound,
    }
    with pytest.raises(kinds[kind], match=message):
        scene.sweep_many(*make(scene), **options)


def test_many_sweeps_with_bad_arguments_write_nothing(scene, tmp_path):
    out = np.zeros(70_000, ss.Hits.dtype)
    motions = np.zeros((70_000, 3))
    motions[-1, 2] = NAN
    with pytest.raises(ss.errors.InvalidMotion, match=r"motions\[69999, 2\] is nan"):
        scene.sweep_many(scene["ball"], motions, out=out)
    poses = np.zeros((70_000, 3))
    poses[-1, 0] = INF
    with pytest.raises(ss.errors.InvalidPose, match=r"poses\[69999\]"):
        scene.sweep_many(scene["ball"], (0, 0, -1), poses, out=out)
    out.setflags(write=False)
    with pytest.raises(ss.errors.InvalidQuery, match="read-only"):
        scene.sweep_many(scene["ball"], motions[:-1], out=out[:-1])
    assert not out.view(np.uint8).any()
    scene.tolerance = 0.1
    with pytest.raises(ss.errors.InvalidQuery, match="the mover measures"):
        scene.sweep_many(np.array([scene["floor"], scene["ball"]]), (0, 0, -1))


def test_a_removed_body_does_not_sweep(scene):
    ball = scene["ball"]
    scene.remove(ball)
    for mover in (ball, [ball], np.array([ball])):
        with pytest.raises(ss.errors.NotFound, match="was removed"):
            scene.sweep_many(mover, MANY)
