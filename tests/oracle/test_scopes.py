"""Pictures against exact ray casts: every pixel, also those whose rays run through edges and corners."""

import numpy as np
import pytest
from sweepscope_lab.reference import rays
from sweepscope_lab.scenes import bumpy_ball

import sweepscope as ss

SIDE = 256
PITCH = 8  # pixels to a unit


def _lattice_soup(rng, count):
    """Triangles with whole corners: slivers, steep ones, ones that are seen edge-on, and fans that share edges."""
    corners = rng.integers(0, 33, (count, 3, 3))
    corners[: count // 6, :, 2] = rng.integers(0, 33, (count // 6, 1))  # level
    corners[count // 6 : count // 4, 1, :2] = corners[count // 6 : count // 4, 0, :2]  # seen edge-on
    corners[count // 4 : count // 2, 0] = corners[0, 0]  # a fan about one corner
    corners[count // 4 + 1 : count // 2, 1] = corners[count // 4 : count // 2 - 1, 2]
    return corners


@pytest.mark.parametrize("seed", range(16))
def test_lattice_depths_are_exact(seed):
    """16 x 65,536 rays; one in 64 runs through lattice points, so through corners, and many along edges."""
    rng = np.random.default_rng(seed)
    corners = _lattice_soup(rng, 60)
    scene = ss.Scene()
    body = scene.add(ss.Mesh(corners.reshape(-1, 3).astype(float), np.arange(180).reshape(60, 3)))
    half = 0.5 / PITCH
    width = SIDE / PITCH
    # Row 0 is at the largest y, looking along +z with y up: columns then run towards -x.
    view = ss.View((16.0 + half, 16.0 - half, -1.0), (0, 0, 1), width=width, height=width, depth=40.0, up=(0, 1, 0))
    seen = scene.look(view, SIDE)
    row, column = np.indices((SIDE, SIDE))
    places = view.at(column, row, 0.0, seen.depth.shape).reshape(-1, 3) * PITCH
    x, y = np.round(places[:, 0]).astype(np.int64), np.round(places[:, 1]).astype(np.int64)
    assert np.array_equal(places[:, 0], x)
    assert np.array_equal(places[:, 1], y)
    through_corners = np.isin(x * 1000 + y, (corners[..., 0] * 1000 + corners[..., 1]).ravel() * PITCH)
    assert through_corners.sum() > 50
    top, low = rays.first_on_lattice(corners * PITCH, x, y)
    hit = low > 0
    assert 0.3 < hit.mean() < 0.95
    assert np.array_equal(seen.ids.ravel() == body.id, hit)
    exact = np.where(hit, top / np.where(hit, low, 1) / PITCH + 1.0, view.depth)
    assert np.abs(seen.depth.ravel() - exact).max() <= 1e-12 * view.depth
    assert np.array_equal(seen.depth.ravel()[~hit], np.full((~hit).sum(), view.depth))


def _turned(rng, place):
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    pose = np.eye(4)
    pose[:3, :3] = turn * np.sign(np.linalg.det(turn))
    pose[:3, 3] = place
    return pose


def _view(rng, far_away):
    toward = rng.normal(size=3)
    toward /= np.linalg.norm(toward)
    eye = far_away + rng.normal(size=3) * 0.2 - 3.0 * toward
    return ss.View(eye, toward, width=3.0, height=2.5, depth=6.0)


def _origins(view, shape):
    row, column = np.indices(shape)
    across = (np.arange(shape[1], dtype=np.longdouble) + 0.5) / shape[1] - 0.5
    down = (np.arange(shape[0], dtype=np.longdouble) + 0.5) / shape[0] - 0.5
    frame = view.frame.astype(np.longdouble)
    places = across[column][..., None] * view.width * frame[0] + down[row][..., None] * view.height * frame[1]
    return (places + np.array(view.eye, np.longdouble)).reshape(-1, 3)


def _world(body):
    pose = body.pose.astype(np.longdouble)
    return body.vertices.astype(np.longdouble) @ pose[:3, :3].T + pose[:3, 3]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_turned_meshes(seed):
    """Any pose, any view: equal to long double casts to 1e-12 of the view; at most rays within rounding of an outline differ."""
    rng = np.random.default_rng(seed)
    away = np.zeros(3) if seed % 2 == 0 else rng.normal(size=3) * 100.0
    scene = ss.Scene()
    meshes = [bumpy_ball(9, 8, 0.7, seed=seed), ss.Mesh.box((0.9, 0.5, 1.3)), ss.Mesh.cylinder(0.4, 1.2, sections=9)]
    bodies = [scene.add(mesh, _turned(rng, away + rng.normal(size=3) * 0.8)) for mesh in meshes]
    view = _view(rng, away)
    seen = scene.look(view, (130, 110))
    origins = _origins(view, seen.depth.shape)
    firsts = []
    grazing = np.zeros(len(origins), bool)
    for body in bodies:
        depths, margins = rays.crossings(_world(body)[body.shape.faces], origins, view.frame[2])
        firsts.append(rays.first(depths, 0.0, view.depth))
        grazing |= (margins < 1e-12 * (1.0 + np.abs(away).max())).any(axis=1)
    exact = np.minimum(np.min(firsts, axis=0), view.depth).astype(float)
    who = np.where(exact < view.depth, [bodies[k].id for k in np.argmin(firsts, axis=0)], -1)
    assert grazing.mean() < 1e-3
    sure = ~grazing
    assert (who[sure] >= 0).mean() > 0.15
    assert np.array_equal(seen.ids.ravel()[sure], who[sure])
    assert np.abs(seen.depth.ravel() - exact)[sure].max() <= 1e-12 * (view.depth + np.abs(away).max())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_round_shapes_are_drawn_as_they_are(seed):
    rng = np.random.default_rng(100 + seed)
    scene = ss.Scene()
    round_ones = []
    for _ in range(4):
        pose = _turned(rng, rng.normal(size=3) * 0.9)
        round_ones.append((scene.add(ss.Sphere(rng.uniform(0.1, 0.7)), pose), np.zeros((1, 3))))
        ends = rng.normal(size=(2, 3)) * 0.6
        round_ones.append(
            (scene.add(ss.Capsule.from_segment(*ends, radius=rng.uniform(0.05, 0.4)), _turned(rng, rng.normal(size=3))), ends)
        )
        cloud = rng.normal(size=(5, 3)) * 0.5
        round_ones.append((scene.add(ss.PointCloud(cloud, 0.1), _turned(rng, rng.normal(size=3))), cloud))
    view = _view(rng, np.zeros(3))
    seen = scene.look(view, (97, 83))
    origins = _origins(view, seen.depth.shape)
    found = []
    for body, _ in round_ones:
        places = _world(body)
        if isinstance(body.shape, ss.Capsule):
            spans = [rays.rod(places[0], places[1], body.shape.radius, origins, view.frame[2])]
        else:
            spans = [rays.ball(place, body.shape.radius, origins, view.frame[2]) for place in places]
        found.append(np.concatenate(spans, axis=1))
    exact = rays.first(np.concatenate(found, axis=1), 0.0, view.depth)
    hit = np.isfinite(exact)
    assert 0.2 < hit.mean() < 1.0
    # A ray that grazes a rim within rounding may be taken for a miss or a hit.
    differs = (seen.ids.ravel() >= 0) != hit
    assert differs.sum() <= 1
    both = hit & ~differs
    assert np.abs(seen.depth.ravel()[both] - exact[both].astype(float)).max() <= 1e-12 * view.depth
