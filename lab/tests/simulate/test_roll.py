"""Rolling bodies: never into the ground, never in the air, never uphill, at rest only where they are held."""

import csv
import json
import math

import numpy as np
import pytest
import trimesh
from PIL import Image
from sweepscope_lab.cli import roll as cli
from sweepscope_lab.papers.rolling import LITERAL, VARIANTS
from sweepscope_lab.scenes.rolling import BODIES, ground_near, uneven_ground
from sweepscope_lab.simulate.clearance import Clearance
from sweepscope_lab.simulate.roll import SIDE, Roll, RollSettings, longest_run, run
from sweepscope_lab.simulate.support import held, margin

from sweepscope import Mesh, Rotate, Translate
from sweepscope.errors import InvalidGeometry, InvalidQuery, InvalidType, MissingFile

pytestmark = pytest.mark.slow

CELLS = 64
NEAR = 1e-6  # of the size: what counts as touching


def height_of(ground, places):
    """Height of a terrain at places (n, 2), from its grid: no code in common with the package's measures."""
    spacing = SIDE / CELLS
    z = ground.vertices[:, 2].reshape(CELLS + 1, CELLS + 1)
    at = np.asarray(places) / spacing + 0.5 * CELLS
    i, j = np.clip(np.floor(at).astype(int), 0, CELLS - 1).T
    u, v = at[:, 0] - i, at[:, 1] - j
    low = z[i, j] + u * (z[i + 1, j] - z[i, j]) + v * (z[i, j + 1] - z[i, j])
    high = z[i + 1, j + 1] + (1 - u) * (z[i, j + 1] - z[i + 1, j + 1]) + (1 - v) * (z[i + 1, j] - z[i + 1, j + 1])
    return np.where(u + v <= 1.0, low, high)


def samples_of(mesh, count=14):
    """Points all over a mesh's faces, corners and edges included, (n, 3)."""
    a, b = np.meshgrid(np.linspace(0.0, 1.0, count), np.linspace(0.0, 1.0, count))
    inside = a + b <= 1.0 + 1e-12
    shares = np.stack((1.0 - a - b, a, b), axis=2)[inside]
    return np.einsum("sk,mkx->msx", shares, mesh.vertices[mesh.faces]).reshape(-1, 3)


def gap_of(roll, pose, samples):
    places = samples @ pose[:3, :3].T + pose[:3, 3]
    return float((places[:, 2] - height_of(roll.ground.shape, places[:, :2])).min())


def above(points, center):
    """True if a center (2,) is within the hull of points (n, 2): seen from it, they leave no half turn free."""
    angles = np.sort(np.arctan2(*(points - center).T))
    return len(points) > 2 and np.diff(np.append(angles, angles[0] + 2.0 * math.pi)).max() < math.pi


@pytest.mark.parametrize("name", BODIES)
def test_bodies_are_closed_and_centered(name):
    mesh = BODIES[name]()
    solid = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    assert solid.is_watertight
    assert solid.volume > 0.1
    np.testing.assert_allclose(solid.center_mass, 0.0, atol=1e-12)
    assert 1.5 < np.linalg.norm(solid.extents) < 3.5


def test_convex_bodies_are_convex_and_others_are_not():
    for name, make in BODIES.items():
        mesh = make()
        a, b, c = (mesh.vertices[mesh.faces[:, corner]] for corner in range(3))
        normals = np.cross(b - a, c - a)
        above = ((mesh.vertices[None] - a[:, None]) * normals[:, None]).sum(axis=2).max()
        assert (above < 1e-12) == (name in ("cube", "long box", "dodecahedron")), name


def test_ground_faces_up_falls_as_asked_and_follows_its_seed():
    ground = uneven_ground(3, roughness=0.4, slope=0.5)
    corners = ground.vertices[ground.faces]
    assert (np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2] > 0.0).all()
    fall = np.polyfit(ground.vertices[:, 0], ground.vertices[:, 2], 1)[0]
    assert fall == pytest.approx(-0.5, abs=0.1)
    np.testing.assert_array_equal(ground.vertices, uneven_ground(3, roughness=0.4, slope=0.5).vertices)
    assert np.ptp(ground.vertices[:, 2] - uneven_ground(4, roughness=0.4, slope=0.5).vertices[:, 2]) > 0.5
    assert not uneven_ground(3, roughness=0.0).vertices[:, 2].any()


@pytest.mark.parametrize("name", BODIES)
def test_clearance_is_that_of_dense_samples(name):
    rng = np.random.default_rng(5)
    roll = Roll(RollSettings(body=name, roughness=0.6))
    samples = samples_of(roll.body.shape, 40)
    for _ in range(6):
        pose = np.eye(4)
        pose[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        pose[:3, :3] *= np.linalg.det(pose[:3, :3])
        pose[:2, 3] = rng.uniform(-10.0, 10.0, 2)
        pose[2, 3] = height_of(roll.ground.shape, pose[None, :2, 3])[0] + rng.uniform(0.0, 2.0)
        found, dense = roll.clearance.of(pose), gap_of(roll, pose, samples)
        assert found <= dense + 1e-12
        assert found == pytest.approx(dense, abs=0.03)


def test_clearance_sees_two_edges_that_cross():
    ridge = Mesh(
        ((-2.0, 0.0, 1.0), (2.0, 0.0, 1.0), (-2.0, -2.0, -3.0), (2.0, -2.0, -3.0), (-2.0, 2.0, -3.0), (2.0, 2.0, -3.0)),
        ((2, 3, 1), (2, 1, 0), (0, 1, 5), (0, 5, 4)),
    )
    pose = np.eye(4)
    c = math.sqrt(0.5)
    pose[:3, :3] = ((c, 0.0, c), (0.0, 1.0, 0.0), (-c, 0.0, c))  # a cube on its edge, which runs along y
    clearance = Clearance(Mesh.box((1.0, 1.0, 1.0)), ridge)
    for height in (1.0, 1.7, 1.71, 2.5):
        pose[2, 3] = height
        assert clearance.of(pose) == pytest.approx(height - c - 1.0, abs=1e-12)
    pose[0, 3] = 50.0
    assert clearance.of(pose) == math.inf


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", BODIES)
def test_rolls_over_the_ground_and_not_into_it(name, seed):
    roll = Roll(RollSettings(body=name, seed=seed, roughness=(0.3, 0.8)[seed - 1]))
    samples = samples_of(roll.body.shape)
    height = math.inf
    for _ in range(25):
        event = roll.step()
        if event.kind == "start":
            height = math.inf
            continue
        assert event.pose[2, 3] <= height + 1e-12 * roll.size
        height = event.pose[2, 3]
        assert gap_of(roll, event.pose, samples) > -NEAR * roll.size
        turn = event.pose[:3, :3]
        np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-14)
    summary = roll.summary()
    assert summary.turns >= 8
    assert summary.deepest < NEAR
    assert summary.highest < NEAR
    assert summary.rise == 0.0
    assert summary.stuck == 0
    assert summary.questions_per_step < 4.0


@pytest.mark.parametrize("name", BODIES)
def test_rests_only_where_it_is_held(name):
    rests = 0
    for seed in range(3):
        roll = Roll(RollSettings(body=name, seed=seed, slope=0.2, again=False))
        for _ in range(60):
            roll.step()
        if roll.state != "rest":
            continue
        rests += 1
        event = roll.events[-1]
        if not roll.summary().wedged:
            assert above(event.contacts[:, :2], event.pose[:2, 3])
        # Contacts are on the ground, and on the body.
        off = event.contacts[:, 2] - height_of(roll.ground.shape, event.contacts[:, :2])
        assert np.abs(off).max() < NEAR * roll.size
        solid = trimesh.Trimesh(roll.body.shape.vertices, roll.body.shape.faces, process=False)
        local = (event.contacts - event.pose[:3, 3]) @ event.pose[:3, :3]
        nearest = trimesh.triangles.closest_point(
            np.repeat(solid.triangles, len(local), axis=0), np.tile(local, (len(solid.faces), 1))
        ).reshape(len(solid.faces), len(local), 3)
        assert np.linalg.norm(nearest - local, axis=2).min(axis=0).max() < NEAR * roll.size
        # It does not go on when asked again.
        assert roll.step() is event
    assert rests


def test_a_cube_lands_flat_on_flat_ground():
    roll = Roll(RollSettings(roughness=0.0, slope=0.0, again=False))
    while not roll.ended:
        roll.step()
    assert roll.state == "rest"
    assert roll.body.pose[2, 3] == pytest.approx(0.5, abs=1e-6)
    assert np.abs(np.abs(roll.body.pose[2, :3]).max() - 1.0) < 1e-6


def test_a_tilted_cube_turns_back_by_its_tilt():
    roll = Roll(RollSettings(roughness=0.0, slope=0.0, again=False))
    roll.body.pose = Rotate((0.0, 1.0, 0.0), math.radians(30.0), about=(0.0, 0.0, 0.0)).at()
    roll.body.pose = Translate((0.3, 0.2, 1.0)).at() @ roll.body.pose
    while not roll.ended:
        roll.step()
    turns = [event for event in roll.events if event.kind == "turn"]
    assert sum(event.amount for event in turns) == pytest.approx(math.radians(30.0), abs=1e-6)
    for event in turns:
        assert abs(event.axis[1]) == pytest.approx(1.0, abs=1e-6)
    assert roll.state == "rest"
    assert roll.body.pose[2, 3] == pytest.approx(0.5, abs=1e-6)


def test_a_cube_rests_on_40_degrees_and_rolls_down_50():
    for degrees, state in ((40.0, "rest"), (50.0, "left")):
        roll = Roll(RollSettings(roughness=0.0, slope=math.tan(math.radians(degrees)), again=False))
        for _ in range(150):
            roll.step()
        assert roll.state == state
        assert roll.summary().deepest < NEAR


def test_a_landing_is_seen_by_one_that_pivots_within_the_tolerance():
    """After 96 steps a corner on the axis is 2e-10 of the size above a plane: a sweep that excused it missed the landing."""
    summary = run(110, RollSettings(body="long box", seed=10, roughness=0.0, slope=0.6))
    assert summary.deepest < NEAR
    assert summary.stuck == 0


def test_the_same_settings_give_the_same_run():
    first, second, other = (Roll(RollSettings(body="L-shape", seed=seed)) for seed in (4, 4, 5))
    for roll in (first, second, other):
        for _ in range(12):
            roll.step()
    np.testing.assert_array_equal(first.body.pose, second.body.pose)
    assert [event.kind for event in first.events] == [event.kind for event in second.events]
    assert not np.array_equal(first.body.pose, other.body.pose)


def test_the_measure_sees_what_goes_wrong():
    roll = Roll(RollSettings(roughness=0.0, slope=0.0, again=False))
    while not roll.ended:
        roll.step()
    before = roll.body.pose
    roll.body.pose = Translate((0.0, 0.0, -0.25)).at() @ before
    roll._measure(before, roll._note("turn", np.array((0.0, 0.0, 1.0)), np.zeros(3), 1e-9))
    assert roll.summary().deepest == pytest.approx(0.25 / roll.size, rel=1e-6)
    before = roll.body.pose
    roll.body.pose = Translate((0.0, 0.0, 1.0)).at() @ before
    roll._measure(before, roll._note("turn", np.array((0.0, 0.0, 1.0)), np.zeros(3), 1e-9))
    assert roll.summary().highest == pytest.approx(0.75 / roll.size, rel=1e-6)
    assert roll.summary().rise == pytest.approx(1.0 / roll.size, rel=1e-6)


def test_with_two_radars_it_rolls_but_not_exactly():
    summary = run(40, RollSettings(body="dodecahedron", instrument="straight", pixels=50))
    assert summary.turns > 10
    assert 1e-4 < summary.deepest < 0.5
    assert summary.rise < 0.01


@pytest.mark.parametrize("name", BODIES)
def test_with_an_angular_radar_it_rolls_within_pixels(name):
    summary = run(30, RollSettings(body=name, seed=2, instrument="angular", pixels=100))
    assert summary.turns >= 8
    assert summary.stuck == 0
    assert summary.deepest < 0.02
    assert 1e-4 < summary.highest < 0.04
    assert summary.rise < 0.01
    assert summary.questions_per_step < 4.0


def test_with_ends_from_the_picture_it_turns_about_the_line_between_them():
    roll = Roll(RollSettings(instrument="straight", rule="row", limit=math.radians(1.0), ends="picture", seed=3))
    turned = 0
    for _ in range(30):
        known = roll.events[-1].contacts
        event = roll.step()
        if event.kind == "turn" and len(known) == 2 and len(roll.events) > 3:
            along = known[1] - known[0]
            line = abs(event.axis @ along) / np.linalg.norm(along)
            turned += line > 1.0 - 1e-9 and np.linalg.norm(np.cross(event.about - known[0], event.axis)) < 1e-9
    assert turned > 3


def test_literally_the_contacts_are_those_of_the_last_collision():
    turned = 0
    for seed in range(6):
        roll = Roll(RollSettings(body="dodecahedron", seed=seed, **LITERAL))
        for _ in range(10):
            known = len(roll.events[-1].contacts)
            event = roll.step()
            assert len(event.contacts) <= 2
            turned += event.kind == "turn" and known > 0
        assert roll.summary().rise < 0.01
    assert turned > 6


def test_by_shape_and_turned_back_it_sinks_less_than_in_the_papers_steps():
    deep = {}
    for by in ("two radars, in steps", "two radars by shape, turned back"):
        deep[by] = [
            run(12, RollSettings(body="dodecahedron", seed=seed, roughness=0.3, slope=0.6, **VARIANTS[by])).deepest
            for seed in range(4)
        ]
    assert np.mean(deep["two radars by shape, turned back"]) < 0.5 * np.mean(deep["two radars, in steps"])
    assert max(deep["two radars by shape, turned back"]) < 0.02


def test_support():
    square = np.array(((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)))
    assert margin(square, np.array((0.5, 1.0))) == pytest.approx(0.5)
    assert margin(square, np.array((-0.5, 1.0))) < 0.0
    assert margin(square[:2], np.array((1.0, 0.0))) == -math.inf
    assert margin(np.array(((0.0, 0.0), (1.0, 1.0), (2.0, 2.0))), np.array((1.5, 1.0))) < 0.0
    up = np.array(((0.0, 0.0, 1.0),))
    point = np.array(((0.0, 0.0, 0.0),))
    assert held(point, up, np.array((0.0, 0.0, 1.0)), 1.0)
    assert not held(point, up, np.array((0.2, 0.0, 1.0)), 1.0)
    assert not held(point, -up, np.array((0.0, 0.0, 1.0)), 1.0)
    assert not held(point[:0], up[:0], np.zeros(3), 1.0)
    # Between two walls that lean in: held though nothing is right below.
    walls = np.array(((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)))
    normals = np.array(((1.0, 0.0, 1.0), (-1.0, 0.0, 1.0))) / math.sqrt(2.0)
    assert held(walls, normals, np.array((0.3, 0.0, -0.5)), 1.0)
    assert not held(walls, np.array(((0.0, 0.0, -1.0), (0.0, 0.0, -1.0))), np.array((0.3, 0.0, -0.5)), 1.0)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"body": "ball"}, "body is 'ball'; accepted: 'cube', 'long box'"),
        ({"instrument": "eye"}, "accepted: 'sweep', 'angular', 'straight'"),
        ({"rule": "published"}, "accepted: 'row', 'arm', 'subtended'"),
        ({"limit": 0.0, "instrument": "straight"}, "limit is 0 degrees; accepted: above 0, at most 5.73"),
        ({"limit": 0.2, "instrument": "straight"}, "limit is 11.46 degrees; accepted: above 0, at most 5.73"),
        ({"ends": "left"}, "accepted: 'support', 'picture'"),
        ({"ends": "picture"}, "ends is 'picture' with instrument 'sweep'; accepted: with 'straight' only"),
        ({"limit": 0.05}, "limit is 0.05 with instrument 'sweep'; accepted: with 'straight' only"),
        ({"radars": 3, "instrument": "angular"}, "radars is 3 with instrument 'angular'; accepted: with 'straight' only"),
        ({"rim": 0.0}, "rim is 0.0 with instrument 'sweep'; accepted: with 'straight' only"),
        ({"rim": -1.0, "instrument": "straight"}, "rim is -1"),
        ({"radars": 1, "instrument": "straight"}, "radars is 1; accepted: a whole number from 2 to 24"),
        ({"placement": "inside"}, "accepted: 'around', 'shape'"),
        ({"behind": "overlap"}, "accepted: 'skip', 'hit'"),
        ({"old_contacts": "lose"}, "accepted: 'keep', 'forget'"),
        ({"drops": "bounding"}, "accepted: 'sampled', 'published'"),
        ({"ends": "picture", "instrument": "straight"}, "ends is 'picture' without a limit; accepted: with a limit only"),
        ({"turn_back": True, "instrument": "straight"}, "turn_back is True without a limit; accepted: with a limit only"),
        (
            {"turn_back": True, "instrument": "straight", "limit": 0.01, "behind": "hit"},
            "behind is 'hit' with turn_back; accepted: 'skip'",
        ),
        ({"pixels": 0}, "pixels is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"roughness": -0.1}, "roughness is -0.1"),
        ({"roughness": 3.0}, "accepted: 0 to 2"),
        ({"slope": math.nan}, "slope is nan"),
        ({"again": 1}, "again is 1"),
    ],
)
def test_wrong_settings_are_named(wrong, says):
    with pytest.raises(InvalidType if "again" in wrong else InvalidQuery, match=says):
        RollSettings(**wrong)


@pytest.mark.parametrize("steps", [0, -1, 1.5, True, None])
def test_wrong_steps_are_named(steps):
    with pytest.raises(InvalidQuery, match="steps is"):
        run(steps)


def test_wrong_ground_is_named():
    with pytest.raises(InvalidGeometry, match="slope is 5"):
        uneven_ground(slope=5.0)
    with pytest.raises(InvalidGeometry, match="side is 0"):
        uneven_ground(side=0.0)


def test_command_prints_and_writes(tmp_path, capsys):
    settings = RollSettings(body="star")
    assert cli.run_roll(8, settings, tmp_path / "roll.csv", tmp_path / "roll.png", False) == 0
    shown = capsys.readouterr().out
    assert "deepest below the ground" in shown
    with (tmp_path / "roll.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 9
    assert [row["kind"] for row in rows[:3]] == ["start", "drop", "turn"]
    roll = Roll(settings)
    for _ in range(8):
        roll.step()
    pose = [float(rows[-1][f"r{i}{j}"]) for i in range(3) for j in range(3)]
    np.testing.assert_array_equal(pose, roll.body.pose[:3, :3].ravel())
    assert float(rows[2]["axis_x"]) == roll.events[2].axis[0]
    assert (tmp_path / "roll.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert cli.run_roll(3, settings, None, None, True) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["settings"]["body"] == "star"
    assert answer["summary"]["steps"] == 3


def test_a_film_shows_the_whole_of_the_longest_run(tmp_path):
    settings = RollSettings(body="cube", seed=3)
    assert cli.run_roll(10, settings, None, None, True, tmp_path / "roll.gif") == 0
    with Image.open(tmp_path / "roll.gif") as film:
        assert 20 < film.n_frames < 100
        seen, axes = [], 0
        for k in range(film.n_frames):
            film.seek(k)
            red, green, blue = np.moveaxis(np.asarray(film.convert("RGB"), int), 2, 0)
            body = (blue - red > 60) & (blue > 80)
            seen.append(body.sum())
            assert not np.concatenate((body[0], body[-1], body[:, 0], body[:, -1])).any()
            axes += ((red - green > 90) & (red > 150)).sum() > 10
    assert min(seen) > 0.3 * max(seen)
    assert axes > 0.5 * len(seen)


def test_the_longest_run_is_between_two_starts():
    roll = Roll(RollSettings(body="star", seed=1))
    for _ in range(60):
        roll.step()
    run_of = longest_run(roll.events)
    assert "start" not in {event.kind for event in run_of}
    assert sum(event.kind == "start" for event in roll.events) > 2
    far = np.linalg.norm(run_of[-1].pose[:2, 3] - run_of[0].pose[:2, 3])
    assert far > 0.0
    assert longest_run(roll.events[:1]) == roll.events[:1]


def test_ground_near_places_is_of_whole_squares():
    ground = uneven_ground(2)
    near = ground_near(ground, np.array(((0.0, 0.0, 9.0), (5.0, 2.0, -9.0))), 2.0)
    middle = ground.vertices[ground.faces[near]].mean(axis=1)[:, :2]
    assert 0 < near.sum() < 0.1 * len(near)
    assert near.sum() % 2 == 0
    assert (middle.min(axis=0) > (-2.5, -2.5)).all()
    assert (middle.max(axis=0) < (7.5, 4.5)).all()
    assert (middle.max(axis=0) > (6.5, 3.5)).all()


def test_command_soaks_every_body(capsys, monkeypatch):
    monkeypatch.setattr(cli, "GROUNDS", 1)
    assert cli.run_soak(3, RollSettings(), True) == 0
    answer = json.loads(capsys.readouterr().out)
    assert set(answer) == set(BODIES)
    assert all(row["steps"] == 3 and row["deepest"] < NEAR for row in answer.values())


def test_command_refuses_bad_files(tmp_path):
    with pytest.raises(MissingFile, match="no folder"):
        cli.run_roll(3, RollSettings(), tmp_path / "none" / "a.csv", None, False)
    with pytest.raises(InvalidQuery, match="--picture is"):
        cli.run_roll(3, RollSettings(), None, tmp_path / "a.jpg", False)
    with pytest.raises(InvalidQuery, match="steps is 0"):
        cli.run_roll(0, RollSettings(), None, None, False)
