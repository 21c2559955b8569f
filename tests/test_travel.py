"""Copies and pickles: the same bits, independent of the original, and bodies that find their scene."""

import copy
import gc
import json
import pickle
import subprocess
import sys
import zipfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from sweepscope_lab.reference.travel_cases import build
from sweepscope_lab.verify.travel import RATE, SAVED, WAYS, bits_of, judge, tally_travel

import sweepscope as ss
from sweepscope.kernels import layout
from sweepscope.scene import store_of
from sweepscope.shapes.topology import topology_of

DOWN = ss.Translate((0, 0, -10))
DEEP = [way for way in WAYS if way != "copy"]


def shelf_scene():
    """A ball over a shelf and a floor of voxels; the ball is deformed, one body was removed."""
    scene = ss.Scene(tolerance=1e-9)
    scene.add(ss.Volume(np.ones((4, 4, 2), bool), 0.5), (-1, -1, -1), name="floor")
    gone = scene.add(ss.Sphere(1))
    scene.add(ss.Box((1, 1, 0.1)), (0, 0, 1), name="shelf", group="shelves")
    ball = scene.add(ss.Mesh.sphere(0.3), (0, 0, 3), name="ball", group="balls")
    scene.remove(gone)
    ball.vertices = 1.1 * ball.vertices
    return scene


@pytest.fixture
def scene():
    return shelf_scene()


def fall(scene):
    hit = scene.sweep(scene["ball"], DOWN)
    return None if hit is None else hit.obstacle.name


# scenes


@pytest.mark.slow
def test_copies_answer_as_the_original():
    """The short version of `sweepscope verify travel`."""
    # 1000661: a bounding radar asks whether parts of a cloud at its start are known.
    verdicts = [verdict for seed in (*range(10), 1000661) for verdict in judge(seed)]
    assert [(verdict.seed, verdict.way, verdict.wrong) for verdict in verdicts if verdict.wrong] == []
    rows = tally_travel(verdicts)
    assert {row.way for row in rows} == {*WAYS, SAVED}
    assert RATE[0] <= sum(row.hits for row in rows) / sum(row.sweeps for row in rows) <= RATE[1]


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_of_a_scene_is_independent(scene, way):
    """Adding to both and sweeping crashed once."""
    other = WAYS[way](scene)
    assert [body.name for body in other] == [body.name for body in scene]
    assert all(body.scene is other and body is not scene[body.id] for body in other)
    scene.remove(scene["shelf"])
    assert [each.add(ss.Sphere(0.1), (0, 0, 0.5), name="new").id for each in (scene, other)] == [4, 4]
    assert (fall(scene), fall(other)) == ("new", "shelf")
    scene.tolerance = None
    assert other.tolerance == 1e-9


@pytest.mark.parametrize("way", WAYS)
def test_volumes_of_a_copy_are_its_own_and_other_shapes_are_shared(scene, way):
    other = WAYS[way](scene)
    scene["floor"].shape[...] = False
    assert other["floor"].shape.count == 32
    if way in ("copy", "deepcopy"):
        assert other["shelf"].shape is scene["shelf"].shape


def test_two_bodies_of_one_volume_share_it_in_the_copy_too():
    scene = ss.Scene()
    volume = ss.Volume(np.ones((2, 2, 2)))
    scene.add(volume, name="a")
    scene.add(volume, (5, 0, 0), name="b")
    for way in WAYS.values():
        other = way(scene)
        assert other["a"].shape is other["b"].shape is not volume


@pytest.mark.parametrize("way", WAYS)
def test_rows_versions_and_filters_come_along(scene, way):
    scene.ignore(scene["ball"], scene["shelf"])
    scene.remove(scene.add(ss.Sphere(1), name="late"))
    other = WAYS[way](scene)
    mine, theirs = store_of(scene), store_of(other)
    for name in mine.names:
        for what in ("row", "key", "version", "deformed"):
            assert getattr(mine.names[name], what) == getattr(theirs.names[name], what)
    assert fall(other) == fall(scene) == "floor"
    # Rows that are free are used in the same order.
    added = [[entry_row(each, each.add(ss.Sphere(0.1))) for _ in range(3)] for each in (scene, other)]
    assert added[0] == added[1]


def entry_row(scene, body):
    return store_of(scene).entries[body.id].row


def test_deformed_vertices_keep_their_last_bit(rng):
    """Far from their origin they are stored relative to a center."""
    scene = ss.Scene()
    body = scene.add(ss.PointCloud(rng.normal(size=(500, 3)) + (1e4, 0.3, 0)))
    body.vertices = rng.normal(size=(500, 3)) * (1, 1e-9, 1e-20) + (1e4, 0.3, 0)
    for way in WAYS.values():
        assert way(scene)[0].vertices.tobytes() == body.vertices.tobytes()
        assert stored(way(scene)) == stored(scene)


def stored(scene):
    """The bits of the first body's geometry as kernels see them."""
    row, geometry = store_of(scene).entries[0].shape_row, store_of(scene).arena.geometry
    first, count = geometry.shape_ints[row, (layout.VERTEX, layout.VERTICES)]
    return geometry.vertices[first : first + count].tobytes(), geometry.shape_reals[row].tobytes()


class Stage(ss.Scene):
    """A scene with a memory of its own."""


@pytest.mark.parametrize("way", WAYS)
def test_what_a_subclass_keeps_travels_too(way):
    stage = Stage()
    stage.star = stage.add(ss.Sphere(1), name="star")
    stage.marks = [1, 2]
    other = WAYS[way](stage)
    assert type(other) is Stage
    assert other.star is other["star"]
    assert other.marks == [1, 2]
    assert other.marks is not stage.marks


def test_an_empty_scene_travels():
    for way in WAYS.values():
        other = way(ss.Scene())
        assert len(other) == 0
        assert other.add(ss.Sphere(1)).id == 0


# bodies and results


@pytest.mark.parametrize("way", WAYS)
def test_a_body_travels_as_a_reference(scene, way):
    assert WAYS[way](scene["ball"]) is scene["ball"]
    hit = WAYS[way](scene.sweep(scene["ball"], DOWN))
    assert hit.mover is scene["ball"]
    assert hit.obstacle is scene["shelf"]


@pytest.mark.parametrize("way", DEEP)
def test_with_its_scene_a_hit_names_the_bodies_of_the_copy(scene, way):
    hit = scene.sweep(scene["ball"], DOWN)
    other, there, bodies = WAYS[way]((scene, hit, list(scene)))
    assert there.obstacle is other["shelf"] is not scene["shelf"]
    assert bodies == list(other)
    assert bits_of(there) == bits_of(hit)


def test_a_hit_is_small(scene):
    scene.add(ss.Mesh.sphere(0.1, rows=100, sections=100), (5, 5, 5))
    hit = scene.sweep(scene["ball"], DOWN)
    assert len(pickle.dumps(hit)) < 2000 < 100_000 < len(pickle.dumps(scene))


@pytest.mark.slow
def test_without_its_scene_a_body_still_has_a_name(scene):
    hit = scene.sweep(scene["ball"], DOWN)
    code = """if True:
        import pickle, sys
        import sweepscope as ss
        hit, both = pickle.load(sys.stdin.buffer)
        body = hit.obstacle
        assert (body.id, body.name, body.group, body.pose[2, 3]) == (2, "shelf", "shelves", 1.0)
        assert not body.pose.flags.writeable
        print(body)
        print(hit)
        for ask in (lambda: body.shape, lambda: body.scene, lambda: body.bounds, lambda: ss.Scene().remove(body)):
            try:
                ask()
            except ss.errors.NotFound as error:
                print(error)
        again = pickle.loads(pickle.dumps(hit))
        assert again.obstacle is not body and again.obstacle.name == "shelf"
        # With the scene behind it, the body is the scene's.
        late, scene = pickle.loads(both)
        assert late.obstacle is scene["shelf"] and late.obstacle.scene is scene
        assert pickle.loads(pickle.dumps(hit)).obstacle is scene["shelf"]
    """
    sent = pickle.dumps((hit, pickle.dumps((hit, scene))))
    done = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    lines = done.stdout.decode().splitlines()
    assert lines[0] == "<Body 2 'shelf': <Box: 8 vertices, 12 faces>, without its scene>"
    assert lines[1].startswith("<Hit: 'ball' meets 'shelf' after ")
    assert len(lines) == 6
    assert all("body 2 ('shelf') came without its scene" in line for line in lines[2:])


def test_another_body_with_the_same_id_is_not_taken_for_it(scene):
    other = copy.copy(scene)
    mine, theirs = (each.add(ss.Sphere(0.1), name="same") for each in (scene, other))
    assert mine.id == theirs.id
    sent = pickle.dumps(theirs)
    assert pickle.loads(sent) is theirs
    del theirs, other
    gc.collect()
    alone = pickle.loads(sent)
    assert alone is not mine
    with pytest.raises(ss.errors.NotFound, match="came without its scene"):
        scene.sweep(alone, DOWN)


def test_a_removed_body_travels_too(scene):
    hit = scene.sweep(scene["ball"], DOWN)
    scene.remove(scene["shelf"])
    there = pickle.loads(pickle.dumps(hit))
    assert there.obstacle.name == "shelf"
    assert there.mover is scene["ball"]
    with pytest.raises(ss.errors.NotFound):
        there.obstacle.scene  # noqa: B018


def test_an_overlap_travels_without_its_volumes():
    a, b = (ss.Volume(np.ones((64, 64, 64), np.float32), 0.1) for _ in range(2))
    b[1:] = 0.0
    found = ss.overlap(a, b, (6.2, 6.2, 6.2))
    assert len(pickle.dumps(found)) < 2000
    for way in WAYS.values():
        assert bits_of(way(found)) == bits_of(found)
    kept, unread = copy.copy(ss.overlap(a, b)), ss.overlap(a, b)
    a[...] = 0.0
    assert kept.count == 64 * 64
    late = pickle.loads(pickle.dumps(unread))
    assert late
    with pytest.raises(ss.errors.InvalidQuery, match="volume a has changed"):
        late.voxels  # noqa: B018


def test_a_reading_confirms_in_the_scene_that_is_here(scene):
    reading = ss.radar.Radar(scene, scene["ball"], pixels=20).probe(DOWN)
    there = pickle.loads(pickle.dumps(reading))
    assert bits_of(there) == bits_of(reading)
    assert bits_of(there.confirm()) == bits_of(reading.confirm())


# shapes, motions, views


IMMUTABLE = [
    ss.Box((1, 2, 3)),
    ss.Sphere(1),
    ss.Capsule.from_segment((0, 0, 0), (1, 0, 0), radius=0.5),
    ss.PointCloud(np.eye(3), 0.1),
    ss.Mesh.sphere(1),
    ss.fan.Fan((0, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=1.0, inner=1.0, outer=2.0, half_thickness=0.5),
    ss.Translate((1, 2, 3)),
    ss.Rotate((0, 0, 1), -1.0, about=(1, 0, 0)),
    ss.Screw((0, 1, 1), 1.0, slide=2.0),
    ss.View((0, 0, 0), (1, 1, 0), width=1, height=2, depth=3),
    ss.fan.Swing(ss.Box((1, 1, 1)), (2, 0, 0), axis=(0, 0, 1), angle=1.0),
    ss.Joint.revolute("elbow", limits=(-1, 1), mimic=("other", 2.0, 0.5)),
]


def arrays_of(one):
    """All arrays that a user sees, and those that kernels take."""
    names = ("vertices", "faces", "bounds", "frame", "pose", "at", "_orbit", "_numbers")
    return {name: getattr(one, name) for name in names if isinstance(getattr(one, name, None), np.ndarray)}


@pytest.mark.parametrize("one", IMMUTABLE, ids=lambda one: type(one).__name__)
def test_what_never_changes_is_its_own_copy_and_pickles_exactly(one):
    assert copy.copy(one) is one
    assert copy.deepcopy([one])[0] is one
    for protocol in range(2, 6):
        other = pickle.loads(pickle.dumps(one, protocol))
        assert repr(other) == repr(one)
        assert bits_of(arrays_of(other)) == bits_of(arrays_of(one))


def test_a_pickled_shape_holds_its_topology_once_it_is_known():
    ball = ss.Mesh.sphere(1, rows=60, sections=60)
    small = len(pickle.dumps(ball))
    assert ball.closed
    assert ball.bounds is ball.bounds
    sent = pickle.dumps(ball)
    assert small < len(sent) < 1.7 * small
    mine, theirs = topology_of(ball), topology_of(pickle.loads(sent))
    assert bits_of(theirs.packed()) == bits_of(mine.packed())
    assert theirs.known_parts is not None
    fresh = topology_of(pickle.loads(pickle.dumps(ss.Mesh(ball.vertices, ball.faces))))
    assert fresh.closed
    assert bits_of(fresh.packed()) == bits_of(mine.packed())


def test_arrays_of_a_pickle_may_lie_outside_of_it():
    """Protocol 5: buffers that are read-only stay so; a volume can still be edited."""
    things = [ss.Mesh.sphere(1), ss.Volume(np.ones((3, 3, 70), np.float32)), ss.Volume(np.ones((3, 3, 3), bool))]
    buffers = []
    sent = pickle.dumps(things, 5, buffer_callback=buffers.append)
    mesh, *volumes = pickle.loads(sent, buffers=[bytes(each.raw()) for each in buffers])
    assert not mesh.vertices.flags.writeable
    for volume in volumes:
        volume[0, 0, 0] = 0.0
        assert volume.count == volume.alpha.size - 1


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize(("dtype", "threshold"), [(bool, 0.0), (bool, 2.0), (np.float32, 0.5), (np.uint8, 3.0)])
def test_volumes(rng, keep, dtype, threshold):
    alpha = (5 * rng.random((9, 10, 70)) * (rng.random((9, 10, 70)) < 0.5)).astype(dtype)
    volume = ss.Volume(alpha, (1, 2, 3), origin=(4, 5, 6), threshold=threshold, inclusive=threshold == 3.0, keep_alpha=keep)
    volume[2:4, :, 5] = True
    for way in WAYS.values():
        other = way(volume)
        same = ("occupied", "resolution", "spacing", "origin", "threshold", "inclusive", "version", "planes", "lines", "extent")
        for what in same:
            assert bits_of(getattr(other, what)) == bits_of(getattr(volume, what)), what
        if keep:
            assert bits_of(other.alpha) == bits_of(volume.alpha)
        other[...] = 0
        assert other.count == 0
        assert volume.count > 0 or threshold == 2.0


def test_a_boolean_volume_is_pickled_as_bits():
    assert len(pickle.dumps(ss.Volume(np.ones((64, 64, 64), bool)))) < 64**3 / 7


# robots and radars


def test_a_robot_and_its_scene_stay_together():
    robot = build(1).robot
    for way in DEEP:
        scene, other, link = WAYS[way]((robot.scene, robot, robot.links["link 1"]))
        assert other.scene is scene
        assert other.links["link 1"] is link
        assert all(body in scene for body in other.bodies)


def test_the_bodies_of_a_robot_are_plain_bodies_in_a_copy_of_the_scene_alone():
    robot = build(1).robot
    scene = copy.copy(robot.scene)
    scene["arm/base"].pose = (1, 2, 3)
    assert robot.pose[0, 3] != 1.0


def test_links_of_a_removed_robot_are_not_copied():
    robot = build(1).robot
    link = robot.links["base"]
    robot.remove()
    with pytest.raises(ss.errors.InvalidRobot, match="link 'base' was removed with its robot 'arm'"):
        copy.deepcopy(link)


def test_radars_travel_with_their_masks(scene):
    radar = ss.radar.Radar(scene, scene["ball"], pixels=16)
    first = radar.probe(DOWN)
    again = radar.probe(DOWN)
    assert (first.drawings, again.drawings) == (2, 1)
    for way in DEEP:
        other = WAYS[way](radar)
        assert other.scene is not scene
        assert bits_of(other.probe(DOWN)) == bits_of(again)
    mine = copy.copy(radar)
    assert mine.scene is scene
    mine.pixels = 8
    assert radar.pixels == (16, 16)
    many = ss.radar.RadarSet(scene, [scene["ball"], scene["shelf"]], pixels=16)
    few = copy.copy(many)
    few.pixels = 4
    assert [each.pixels for each in many.radars] == [(16, 16)] * 2


@pytest.mark.parametrize("motion", [DOWN, ss.Rotate((1, 0, 0), 2.0)], ids=["straight", "turning"])
def test_a_probe_travels_before_it_is_drawn(scene, motion):
    radar = ss.radar.Radar(scene, scene["ball"], pixels=16)
    probe = radar.prepare(motion)
    others = [WAYS[way](probe) for way in DEEP]
    probe.draw()
    reading = probe.read()
    for other in others:
        other.draw()
        assert bits_of(other.read()) == bits_of(reading)
    with pytest.raises(ss.errors.InvalidQuery, match="prepare another"):
        copy.copy(probe)


# processes


def drop_in_worker(scene, name):
    """Sent whole: a hit, a body and a reading of the worker's scene, and a body that only the worker has."""
    ball = scene[name]
    late = scene.add(ss.Sphere(0.1), (9, 9, 9))
    return scene.sweep(ball, DOWN), ball, ss.radar.Radar(scene, ball, pixels=8).probe(DOWN), late


HELD = []


def load_and_hold(path):
    """Run at the start of a worker: load the scene, and add a body that nobody else has."""
    HELD.append(ss.Scene.load(path))
    HELD[0].add(ss.Box((0.1, 0.1, 0.1)), (9, 9, 9), name="late")


def drop_there(ball):
    """Drop a ball that is sent: it names that of the scene here. Return the hit, and bodies."""
    (here,) = HELD
    assert ball is here["ball"]
    return here.sweep(ball, DOWN), here["late"], here["shelf"]


@pytest.mark.slow
@pytest.mark.parametrize("loaded", [True, False])
def test_hits_of_a_worker_that_loaded_a_file_name_the_bodies_of_this_process(tmp_path, loaded):
    """Here is the scene that was saved, or another load of the file; both may have changed since."""
    path = tmp_path / "a.npz"
    here = shelf_scene()
    here.save(path)
    if loaded:
        here = ss.Scene.load(path)
        gc.collect()
    spawn = get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn, initializer=load_and_hold, initargs=(path,)) as workers:
        hit, late, shelf = workers.submit(drop_there, here["ball"]).result()
        assert hit.mover is here["ball"]
        assert hit.obstacle is shelf is here["shelf"]
        assert bits_of(hit) == bits_of(here.sweep(here["ball"], DOWN))
        with pytest.raises(ss.errors.NotFound, match="came without its scene"):
            late.scene  # noqa: B018
        # The same id, but another body: added here, and there, after the file was written.
        here.add(ss.Sphere(0.1), (5, 5, 5), name="late")
        here["ball"].pose = (0, 0, 4)
        here.remove(here["shelf"])
        hit, late, shelf = workers.submit(drop_there, here["ball"]).result()
        assert hit.mover is here["ball"]
        assert (late.id, late.name) == (here["late"].id, "late")
        assert late is not here["late"]
        assert hit.obstacle is shelf
        assert "without its scene" in repr(shelf)


def test_two_loads_of_a_file_are_relatives_and_independent(scene, tmp_path):
    scene.save(tmp_path / "a.npz")
    one, two = (ss.Scene.load(tmp_path / "a.npz") for _ in range(2))
    for each in (scene, one, two):
        assert pickle.loads(pickle.dumps(each["ball"])) is each["ball"]
    sent = pickle.dumps(one["ball"])
    one["ball"].pose = (0, 0, 9)
    assert two["ball"].pose[2, 3] == 3.0
    del one, each
    gc.collect()
    assert pickle.loads(sent) is scene["ball"], "the scene that was saved is nearer than another load of its file"
    scene.remove(scene["ball"])
    assert pickle.loads(sent) is two["ball"], "the nearest that has the body"


def test_a_file_without_an_identity_is_new_in_every_load(scene, tmp_path):
    """Files that other programs write have none."""
    scene.save(tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as file:
        said = json.loads(file["scene.json"])
        arrays = {f"{name}.npy": file[name] for name in file.files if name != "scene.json"}
    del said["identity"]
    with zipfile.ZipFile(tmp_path / "b.npz", "w") as box:
        box.writestr("scene.json", json.dumps(said))
        for name, array in arrays.items():
            with box.open(name, "w") as member:
                np.save(member, array)
    one, two = (ss.Scene.load(tmp_path / "b.npz") for _ in range(2))
    sent = pickle.dumps(one["ball"])
    del one
    gc.collect()
    assert pickle.loads(sent) is not two["ball"]
    two.save(tmp_path / "c.npz")
    three = ss.Scene.load(tmp_path / "c.npz")
    assert store_of(three).identity.tokens[1:] == store_of(two).identity.tokens


@pytest.mark.slow
def test_hits_of_a_worker_process_name_the_bodies_of_this_one(scene):
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as workers:
        for _ in range(2):  # the second time the worker still holds the first scene
            hit, ball, reading, late = workers.submit(drop_in_worker, scene, "ball").result()
            assert hit.mover is ball is scene["ball"]
            assert hit.obstacle is scene["shelf"]
            assert bits_of(hit) == bits_of(scene.sweep(ball, DOWN))
            assert bits_of(reading.confirm()) == bits_of(hit)
            with pytest.raises(ss.errors.NotFound, match="came without its scene"):
                late.scene  # noqa: B018
