"""Volume.fill: voxels whose centers lie inside a shape, against the definition, center by center."""

import math
from fractions import Fraction

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.shapes.voxel_index import index_of

RNG = np.random.default_rng(8)
SPACING, ORIGIN, GRID = (0.1, 0.125, 0.08), (-0.7, 0.3, 0.1), (18, 15, 70)


def solid_angle_winding(point, triangles):
    """How often a closed mesh goes round a point: the solid angles of its triangles, over 4 pi."""
    a, b, c = (triangles[:, k] - point for k in range(3))
    la, lb, lc = (np.linalg.norm(each, axis=1) for each in (a, b, c))
    above = np.einsum("ij,ij->i", a, np.cross(b, c))
    below = la * lb * lc + np.einsum("ij,ij->i", a, b) * lc + np.einsum("ij,ij->i", b, c) * la
    below += np.einsum("ij,ij->i", c, a) * lb
    return round(float(2 * np.arctan2(above, below).sum() / (4 * math.pi)))


def inside(shape, pose, point):
    """Whether a point lies inside a shape, by the definition of the shape, in exact arithmetic where that can be."""
    if isinstance(shape, ss.Mesh):
        return solid_angle_winding(point, (shape.vertices @ pose[:3, :3].T + pose[:3, 3])[shape.faces]) != 0
    moved = [Fraction(float(p)) - Fraction(float(t)) for p, t in zip(point, pose[:3, 3], strict=True)]
    local = [sum(Fraction(float(pose[k, axis])) * moved[k] for k in range(3)) for axis in range(3)]
    if isinstance(shape, ss.Box):
        return all(abs(each) <= Fraction(float(half)) for each, half in zip(local, shape.bounds[1], strict=True))
    if isinstance(shape, ss.Volume):
        step, corner = shape.spacing, shape.origin
        index = [math.floor((x - Fraction(o)) / Fraction(s)) for x, s, o in zip(local, step, corner, strict=True)]
        return all(0 <= i < n for i, n in zip(index, shape.resolution, strict=True)) and bool(shape.occupied[tuple(index)])
    ends = [[Fraction(float(x)) for x in end] for end in shape.vertices]
    along = [q - p for p, q in zip(ends[0], ends[-1], strict=True)]
    offset = [x - p for x, p in zip(local, ends[0], strict=True)]
    size = sum(d * d for d in along)
    t = min(max(sum(x * d for x, d in zip(offset, along, strict=True)) / size, 0), 1) if size else 0
    return sum((x - t * d) ** 2 for x, d in zip(offset, along, strict=True)) <= Fraction(shape.radius) ** 2


def notched():
    """A box with a cavity and a bump: not convex, three parts."""
    outer, hole, bump = ss.Mesh.box((0.9, 0.7, 1.4)), ss.Mesh.sphere(0.2, rows=6, sections=7), ss.Mesh.box((0.2, 0.2, 0.4))
    vertices = np.concatenate((outer.vertices, hole.vertices, bump.vertices + (0.4, 0.3, 0.6)))
    faces = np.concatenate(
        (outer.faces, hole.faces[:, ::-1] + len(outer.vertices), bump.faces + len(outer.vertices) + len(hole.vertices))
    )
    return ss.Mesh(vertices, faces)  # fmt: skip


BRUSHES = {
    "box": ss.Box((0.5, 0.9, 1.3)),
    "sphere": ss.Sphere(0.45),
    "capsule": ss.Capsule(0.2, 1.2),
    "leaning capsule": ss.Capsule.from_segment((0.1, 0.2, -0.3), (0.4, -0.3, 0.5), radius=0.17),
    "mesh": notched(),
    "volume": ss.Volume(RNG.random((4, 5, 6)) < 0.5, (0.21, 0.13, 0.3), origin=(-0.4, -0.3, -0.9)),
}


@pytest.mark.parametrize("name", BRUSHES)
def test_centers_inside_a_shape(name):
    """At random poses, half of them at a corner of the grid. No center lies on a surface there."""
    covered, clipped = 0, 0
    brush = BRUSHES[name]
    rng = np.random.default_rng(list(BRUSHES).index(name))
    far = np.linalg.norm(np.abs(brush.bounds).max(axis=0))
    for k in range(4):
        volume = ss.Volume(np.zeros(GRID, np.float32), SPACING, origin=ORIGIN, keep_alpha=k != 3)
        middle = np.array(ORIGIN) + 0.5 * np.array(GRID) * SPACING
        where = rng.normal(size=3) * 0.1 + (middle if k % 2 else ORIGIN)
        pose = ss.Pose.from_axis_angle(where, rng.normal(size=3), angle=rng.uniform(0, 6))
        count = volume.fill(brush, pose, value=0.5)
        centers = volume.center_of(np.moveaxis(np.indices(GRID), 0, -1))
        reach = np.linalg.norm(centers - where, axis=-1) < far
        expected = np.zeros(GRID, bool)
        for index in np.argwhere(reach):
            expected[tuple(index)] = inside(brush, pose, centers[tuple(index)])
        np.testing.assert_array_equal(volume.occupied, expected)
        assert count == expected.sum()
        covered += count
        edge = expected[0].any() or expected[-1].any() or expected[:, 0].any() or expected[:, -1].any()
        clipped += bool(edge or expected[:, :, 0].any() or expected[:, :, -1].any())
    assert covered > 200
    assert clipped >= 2


@pytest.mark.parametrize("name", ["box", "sphere", "mesh"])
def test_the_index_is_that_of_a_new_volume(name):
    """After fills and clears of every kind, all that kernels use is as if it had been made anew."""
    alpha = RNG.random(GRID).astype(np.float32)
    volume = ss.Volume(alpha, SPACING, origin=ORIGIN, threshold=0.5)
    bits = ss.Volume(alpha, SPACING, origin=ORIGIN, threshold=0.5, keep_alpha=False)
    for value in (0.0, 1.0, 0.25, 0.75):
        pose = ss.Pose.from_axis_angle((0.2, 1.2, 2.0), RNG.normal(size=3), angle=1.0)
        before, version = volume.alpha.copy(), volume.version
        occupied = volume.occupied
        count = volume.fill(BRUSHES[name], pose, value=value)
        assert count == (volume.alpha != before).sum() > 0
        assert set(np.unique(volume.alpha[volume.alpha != before])) == {np.float32(value)}
        assert bits.fill(BRUSHES[name], pose, value=value) == (volume.occupied != occupied).sum()
        assert volume.version == version + bool((volume.occupied != occupied).any())
        fresh = ss.Volume(volume.alpha, SPACING, origin=ORIGIN, threshold=0.5)
        for a, b, c in zip(index_of(volume), index_of(fresh), index_of(bits), strict=True):
            np.testing.assert_array_equal(a, b)
            np.testing.assert_array_equal(c, b)
        assert volume.fill(BRUSHES[name], pose, value=value) == 0


def test_what_is_on_the_surface():
    """Rounding does not decide: a ball of three voxels is symmetric, and a box is half open, as in `from_mesh`."""
    volume = ss.Volume(np.zeros((9, 9, 9), bool), 0.1)
    assert volume.fill(ss.Sphere(0.3), (0.45, 0.45, 0.45), value=True) == 123
    for axis in range(3):
        np.testing.assert_array_equal(volume.occupied, np.flip(volume.occupied, axis))
    other = ss.Volume(np.zeros((9, 9, 9), bool), 0.1)
    assert other.fill(ss.Box((0.2, 0.2, 0.2)), (0.45, 0.45, 0.45), value=True) == 8
    np.testing.assert_array_equal(other.extent, [(3, 3, 3), (5, 5, 5)])
    mesh = ss.Mesh.sphere(0.33)
    same = ss.Volume.from_mesh(mesh, 0.1, origin=(-0.45, -0.45, -0.45), resolution=(9, 9, 9))
    filled = ss.Volume(np.zeros((9, 9, 9), bool), 0.1, origin=(-0.45, -0.45, -0.45))
    filled.fill(mesh, value=True)
    np.testing.assert_array_equal(filled.occupied, same.occupied)


def test_a_volume_fills_itself_and_others_bit_by_bit():
    volume = ss.Volume(RNG.random((6, 6, 6)) < 0.4, 0.5)
    before = volume.occupied
    volume.fill(volume, (0.5, 0, 0), value=True)
    expected = before.copy()
    expected[1:] |= before[:-1]
    np.testing.assert_array_equal(volume.occupied, expected)
    assert volume.fill(ss.Volume(np.zeros((2, 2, 2))), value=False) == 0
    assert volume.fill(volume, value=False) == expected.sum()
    assert volume.empty


@pytest.mark.parametrize("brush", [ss.Sphere(1.0), ss.Box((1, 1, 1)), ss.Volume(np.ones((2, 2, 2)))])
def test_beyond_the_grid(brush):
    volume = ss.Volume(np.zeros((4, 4, 4)))
    for where in ((1e3, 0, 0), (0, -1e49, 0), (1e49, 1e49, 1e49)):
        assert volume.fill(brush, where, value=1.0) == 0
    assert volume.empty
    assert volume.version == 0
    assert ss.Volume(np.zeros((0, 4, 4))).fill(brush, value=1.0) == 0


def test_a_scene_sees_the_fill():
    """Carve a tunnel: what was hit before is free."""
    scene = ss.Scene()
    block = ss.Volume(np.ones((20, 20, 20), bool), 0.1)
    scene.add(block, (0, 0, 0), name="block")
    ball = scene.add(ss.Sphere(0.2), (1, 1, 5), name="ball")
    down = ss.Translate((0, 0, -9))
    assert scene.sweep(ball, down).travel == pytest.approx(2.8)
    removed = block.fill(ss.Capsule.from_segment((1, 1, -1), (1, 1, 3), radius=0.4), value=False)
    assert removed == 8000 - block.count > 0
    assert scene.sweep(ball, down) is None


@pytest.mark.parametrize(
    ("brush", "options", "message"),
    [
        (ss.Mesh.terrain(np.zeros((3, 3))), {}, "shape: is open, so it has no inside: 8 edges do not join two faces"),
        (ss.Mesh.box((1, 1, 1), solid=False), {}, r"shape: is a surface \(solid=False\)"),
        (ss.Mesh(np.zeros((0, 3)), np.zeros((0, 3), int)), {}, "shape: has no triangles"),
        (ss.PointCloud([(0, 0, 0)], 0.1), {}, "shape: a PointCloud does not fill voxels; accepted: a Box, Sphere, Capsule"),
        ("ball", {}, "shape: expected a Mesh"),
        (ss.Sphere(1), {"value": math.nan}, "value is nan"),
        (ss.Sphere(1), {"value": [1, 2]}, r"value: expected one number, got an array of shape \(2,\)"),
        (ss.Sphere(1), {"value": 300}, "value is 300, which does not fit a volume of uint8"),
        (ss.Sphere(1), {"value": "x"}, "value: expected numbers or booleans"),
        (ss.Sphere(1), {"pose": (0, 0)}, "pose: expected shape"),
        (ss.Box((1e17, 1, 1)), {}, "the mesh reaches 5e\\+16 voxels away"),
    ],
)
def test_errors_change_nothing(brush, options, message):
    volume = ss.Volume(np.zeros((4, 4, 4), np.uint8), origin=(-2, -2, -2))
    with pytest.raises(ss.errors.SweepscopeError, match=message):
        volume.fill(brush, **({"value": 1} | options))
    assert volume.empty
    with pytest.raises(TypeError, match="value"):
        volume.fill(ss.Sphere(1))
