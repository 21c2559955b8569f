"""Narrow places: walls at right angles, grooves, exact fits, contact within the tolerance. Each was wrong once."""

import itertools

import numpy as np
import pytest

import sweepscope as ss

POINT = ss.PointCloud([(0, 0, 0)])
SHEET = ss.Mesh.terrain(np.zeros((2, 2)), 0.2)
NEEDLE = ss.Mesh([(0, 0, 0), (0.1, 0, 1), (-0.1, 0.1, 1), (0, -0.1, 1)], [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)])


def ask(mover, obstacle, vector, at=None, there=None, tolerance=None, **options):
    scene = ss.Scene(tolerance)
    body = scene.add(mover, at)
    scene.add(obstacle, there)
    return scene.sweep(body, ss.Translate(vector), **options)


@pytest.mark.parametrize("inwards", [True, False])
@pytest.mark.parametrize("thing", [POINT, SHEET], ids=["point", "sheet"])
def test_what_is_thin_is_stopped_by_the_walls_of_a_room(thing, inwards):
    """A point on the floor of an open room is neither above nor below it; the wall stands on that floor all the same."""
    box = ss.Mesh.box((4, 4, 4))
    room = ss.Mesh(box.vertices, box.faces[:, ::-1] if inwards else box.faces, solid=False)
    half = 0.0 if thing is POINT else 0.1
    for x, y in ((5, 0), (-5, 0), (0, 5), (0, -5)):
        hit = ask(thing, room, (x, y, 0), (0.3, 0.1, -2.0))
        assert hit is not None
        assert hit.travel == pytest.approx(2.0 - half - (0.3 * np.sign(x) + 0.1 * np.sign(y)), abs=1e-9)


def _groove(half_angle):
    t = 2.0 * np.tan(np.radians(half_angle))
    corners = [
        (-t, -2, 2),
        (-t, 2, 2),
        (0, -2, 0),
        (0, 2, 0),
        (t, -2, 2),
        (t, 2, 2),
        (-t, -2, -1),
        (-t, 2, -1),
        (t, -2, -1),
        (t, 2, -1),
    ]
    faces = [(0, 2, 3), (0, 3, 1), (2, 4, 5), (2, 5, 3), (6, 7, 9), (6, 9, 8), (0, 1, 7), (0, 7, 6)]
    faces += [(4, 8, 9), (4, 9, 5), (0, 6, 2), (6, 8, 2), (8, 4, 2), (1, 3, 7), (7, 3, 9), (9, 3, 5)]
    return ss.Mesh(corners, faces, solid=True), ss.Mesh(corners, faces[:4])


@pytest.mark.parametrize("half_angle", [10, 30, 40, 44, 45, 46, 60, 80])
@pytest.mark.parametrize("solid", [True, False])
@pytest.mark.parametrize("thing", [POINT, NEEDLE], ids=["point", "needle"])
def test_at_the_bottom_of_a_groove(thing, solid, half_angle):
    groove = _groove(half_angle)[0 if solid else 1]
    at = (0, 0.1, 0)
    pressed = ask(thing, groove, (0, 0, -0.5), at)
    assert pressed is not None
    assert pressed.time == 0.0
    if thing is NEEDLE and half_angle == 10:  # wider than the groove
        return
    for vector in ((0, 0, 1), (0, 0.5, 0), (0, 0, 0)):
        assert ask(thing, groove, vector, at) is None


def test_a_point_slides_down_a_slope_into_the_next():
    valley = ss.Mesh(
        [(-2, -2, 2), (-2, 2, 2), (0, -2, 0), (0, 2, 0), (2, -2, 2), (2, 2, 2)], [(0, 2, 3), (0, 3, 1), (2, 4, 5), (2, 5, 3)]
    )
    hit = ask(POINT, valley, (6, 0, -6), (-1.25, 0.6, 1.25))
    assert hit is not None
    assert hit.time == pytest.approx(1.25 / 6.0, abs=1e-9)


def test_a_degenerate_face_does_not_hide_the_inside():
    box = ss.Mesh.box((2, 2, 2))
    for extra in ([(8, 8, 8)], [(8, 9, 10)]):
        places = np.vstack((box.vertices, [(0.36, 0.375, 1)] * 3))
        hit = ask(ss.Box((0.1, 0.1, 0.1)), ss.Mesh(places, np.vstack((box.faces, extra))), (0.1, 0, 0))
        assert hit is not None
        assert hit.overlapping


def test_a_body_without_thickness_is_a_sheet():
    for thing in (POINT, SHEET, ss.Box((0.3, 0.3, 0))):
        for sheet in (ss.Box((4, 4, 0)), ss.Mesh.terrain(np.zeros((3, 3)), 2.0)):
            hit = ask(thing, sheet, (0, 0, -1), (0.2, 0.1, 0))
            assert hit is not None
            assert hit.time == 0.0


@pytest.mark.parametrize("depth", [0.1, 0.3, 0.5, 0.9])
@pytest.mark.parametrize(
    "thing",
    [ss.Box((1, 1, 1)), ss.Mesh.cylinder(0.5, 1.0), ss.Sphere(0.5), ss.Capsule.from_segment((0, 0, 0), (0, 0, 1), radius=0.5)],
)
def test_sunk_by_less_than_the_tolerance(thing, depth):
    floor = ss.Box((20, 20, 1))
    at, there = (0.1, 0.2, 0.5 - 1e-4 * depth), (0, 0, -0.5)
    for vector in ((1, 0.3, 0), (0, 0, 1), (0, 0, 0), (-2, 1, 0.1)):
        assert ask(thing, floor, vector, at, there, 1e-4) is None
    pressed = ask(thing, floor, (0, 0, -1), at, there, 1e-4)
    assert pressed is not None
    assert (pressed.time, pressed.overlapping) == (0.0, False)
    deep = ask(thing, floor, (1, 0, 0), (0.1, 0.2, 0.4998), there, 1e-4)
    assert deep is not None
    assert deep.overlapping


@pytest.mark.parametrize("vector", [(0, 0, 0), (1, 0, 0), (0, 0, 1), (0, 0, -1)])
def test_normal_at_the_start_points_to_the_mover(vector):
    for thing in (ss.Box((1, 1, 1)), ss.Sphere(0.5)):
        for height in (0.5, 0.4):
            hit = ask(thing, ss.Box((9, 9, 1)), vector, (0.1, 0.2, height), (0, 0, -0.5), resting="hit")
            assert hit is not None
            assert hit.overlapping == (height < 0.5)
            # Of faces that cross, the axis on which they overlap least need not be the bodies'.
            assert hit.normal[2] > (0.9 if hit.overlapping else 1.0 - 1e-9)


def test_order_of_faces_does_not_decide():
    faces = [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)]
    mover = [(-2, 3, -1), (1, 0, -2), (2, 2, -1), (2, 2, 2)]
    obstacle = [(1, 1, 0), (2, -2, -2), (2, 0, -2), (2, 0, 2)]
    vector = (1.338367382422885, 0.3117583371271477, 0.6235166742542954)
    for a, b in itertools.product(itertools.permutations(faces), repeat=2):
        assert ask(ss.Mesh(mover, a), ss.Mesh(obstacle, b), vector) is None


def _blocks(cells):
    """Return the closed surface of unit cubes: only faces that no two of them share."""
    cube = ss.Mesh.box((1, 1, 1))
    count = {}
    for cell in cells:
        for face in cube.vertices[cube.faces] + cell:
            key = tuple(sorted(map(tuple, face)))
            count.setdefault(key, []).append(face)
    kept = [faces[0] for faces in count.values() if len(faces) == 1]
    return ss.Mesh(np.reshape(kept, (-1, 3)), np.arange(3 * len(kept)).reshape(-1, 3))


def test_a_plug_in_its_hole():
    ring = _blocks([(x, y, 0) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)])
    for vector in ((0, 0, 1), (0, 0, -1), (0, 0, 0), (0, 0, 3)):
        assert ask(ss.Box((1, 1, 1)), ring, vector) is None
    assert ask(ss.Box((1, 1, 1)), ring, (0, 0, -5), (0, 0, 2.5)) is None
    for vector in ((1, 0, 0), (0, -1, 0), (0.1, 0, 1)):
        hit = ask(ss.Box((1, 1, 1)), ring, vector)
        assert hit is not None
        assert (hit.time, hit.overlapping) == (0.0, False)


def test_a_bracket_on_a_beam():
    bracket = _blocks([(0, 0, 0), (0, 0, 1), (0, 1, 1)])
    for vector in ((0, 0, 1), (1, 0, 0), (-1, 0, 0), (0, -1, 0), (0, 0, 0)):
        assert ask(bracket, ss.Box((3, 1, 1)), vector, None, (0, 1, 0)) is None
    for vector in ((0, 0, -1), (0, 1, 0)):
        hit = ask(bracket, ss.Box((3, 1, 1)), vector, None, (0, 1, 0))
        assert hit is not None
        assert hit.time == 0.0


def test_a_leaning_sheet_lifts_off():
    for face in ((0, 1, 2), (0, 2, 1)):
        sheet = ss.Mesh([(-0.5, 0, 0), (0.5, 0, 0), (0, 0.1, 1)], [face])
        for floor, there in ((ss.Box((20, 20, 1)), (0, 0, -0.5)), (ss.Mesh.terrain(np.zeros((9, 9)), 2.0), None)):
            assert ask(sheet, floor, (0, 0, 1), (0.8, -1.3, 0), there) is None
            assert ask(sheet, floor, (1, 0.2, 0), (0.8, -1.3, 0), there) is None
            pressed = ask(sheet, floor, (0, 0, -1), (0.8, -1.3, 0), there)
            assert pressed is not None
            assert pressed.time == 0.0
