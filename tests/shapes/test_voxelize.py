"""Volumes of meshes: which centers are inside."""

import math
import re
from itertools import combinations, permutations, product

import numpy as np
import pytest
import trimesh

from sweepscope import Box, Capsule, Mesh, PointCloud, Rotate, Sphere, Volume
from sweepscope.errors import InvalidGeometry, InvalidType
from sweepscope.fan import Fan
from sweepscope.shapes.voxel_index import index_of

HEXAHEDRON = Box((1, 1, 1)).faces


def centers(volume):
    """Return the centers of all voxels, shape (nx, ny, nz, 3)."""
    places = np.stack(np.indices(volume.resolution), axis=-1) + 0.5
    return volume.origin + places * volume.spacing


def turned(rng):
    axis = rng.normal(size=3)
    return Rotate(axis / np.linalg.norm(axis), rng.uniform(-3, 3)).at()[:3, :3]


def torus(major, minor, rows=24, columns=16):
    u, v = np.meshgrid(2 * np.pi * np.arange(rows) / rows, 2 * np.pi * np.arange(columns) / columns, indexing="ij")
    ring = major + minor * np.cos(v)
    vertices = np.stack((ring * np.cos(u), ring * np.sin(u), minor * np.sin(v)), axis=-1).reshape(-1, 3)
    i, j = (part.ravel() for part in np.indices((rows, columns)))
    a, b = i * columns + j, (i + 1) % rows * columns + j
    c, d = (i + 1) % rows * columns + (j + 1) % columns, i * columns + (j + 1) % columns
    return vertices, np.concatenate((np.stack((a, b, c), 1), np.stack((a, c, d), 1)))


def winding(vertices, faces, points):
    """Return how often a mesh winds round each point (Van Oosterom & Strackee 1983)."""
    corners = vertices[faces][None] - points[:, None, None]
    a, b, c = np.moveaxis(corners, 2, 0)
    la, lb, lc = (np.linalg.norm(side, axis=-1) for side in (a, b, c))
    over = np.einsum("ijk,ijk->ij", a, np.cross(b, c))
    under = la * lb * lc + (a * b).sum(-1) * lc + (b * c).sum(-1) * la + (c * a).sum(-1) * lb
    return np.arctan2(over, under).sum(axis=1) / (2 * np.pi)


@pytest.mark.parametrize("size", [(1.0, 1.0, 1.0), (1.1, 0.7, 0.3), (0.6, 6.5, 13.0), (0.04, 0.01, 0.3)])
def test_a_box_on_its_own_grid_is_full(size):
    """Widths that are whole but for rounding get no voxel more; less than half a voxel is still a grid."""
    volume = Volume.from_mesh(Box(size), 0.1)
    assert volume.resolution == tuple(max(1, round(width / 0.1)) for width in size)
    assert volume.count == math.prod(volume.resolution)
    np.testing.assert_allclose(np.add(volume.origin, 0.05 * np.array(volume.resolution)), 0.0, atol=1e-12)
    assert volume.alpha.dtype == np.bool_
    assert volume.threshold == 0.0


def test_centers_on_the_surface():
    """Low sides are in, high sides out, whatever the box's place: 0.35 / 0.1 is not quite 3.5."""
    for shift in np.linspace(-5, 5, 101).round(1):
        mesh = Mesh(Box((1, 1, 1)).vertices + shift, HEXAHEDRON)
        volume = Volume.from_mesh(mesh, 0.1, origin=(shift - 0.65, shift - 0.55, shift - 0.75), resolution=(14, 12, 15))
        expected = np.zeros((14, 12, 15), bool)
        expected[1:11, 0:10, 2:12] = True
        np.testing.assert_array_equal(volume.occupied, expected)


def test_balls():
    mesh = Mesh.sphere(1.0, rows=60, sections=60)
    corners = mesh.vertices[mesh.faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    surely = (np.abs((normal * corners[:, 0]).sum(axis=1)) / np.linalg.norm(normal, axis=1)).min()
    volume = Volume.from_mesh(mesh, (0.05, 0.04, 0.013))
    far = np.linalg.norm(centers(volume), axis=3)
    assert surely > 0.997
    assert volume.occupied[far <= surely].all()
    assert not volume.occupied[far >= 1.0].any()
    # Nothing hides in the shell where a polyhedron is not a ball.
    assert ((far > surely) & (far < 1.0)).sum() < 0.01 * far.size


def test_the_volume_of_a_ball_converges():
    mesh = Mesh.sphere(1.0, rows=60, sections=60)
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    truth = abs(float((a * np.cross(b, c)).sum())) / 6.0
    errors = []
    for n in (8, 32, 128):
        volume = Volume.from_mesh(mesh, 2.0 / n, keep_alpha=False)
        errors.append(abs(volume.count * (2.0 / n) ** 3 / truth - 1.0))
    assert errors[0] < 0.1
    assert errors[2] < 1e-3


@pytest.mark.slow
def test_tori(rng):
    """Lines that meet a mesh up to four times, tilted so that nothing is in line."""
    vertices, faces = torus(1.0, 0.4)
    for _ in range(4):
        placed = vertices @ turned(rng).T
        volume = Volume.from_mesh(Mesh(placed, faces), 0.17)
        inside = np.abs(winding(placed, faces, centers(volume).reshape(-1, 3))).reshape(volume.resolution) > 0.5
        np.testing.assert_array_equal(volume.occupied, inside)
        assert 0.1 < inside.mean() < 0.9


def test_hollow_things_stay_hollow():
    ball, hole = Mesh.sphere(1.0, rows=60, sections=60), Mesh.sphere(0.5, rows=60, sections=60)
    both = Mesh(
        np.concatenate((ball.vertices, hole.vertices)), np.concatenate((ball.faces, hole.faces[:, ::-1] + len(ball.vertices)))
    )
    shell = Volume.from_mesh(both, 0.05)
    full, void = (Volume.from_mesh(mesh, 0.05, origin=shell.origin, resolution=shell.resolution) for mesh in (ball, hole))
    np.testing.assert_array_equal(shell.occupied, full.occupied & ~void.occupied)
    # Both look out: the inner one adds nothing, as for sweeps.
    faces = np.concatenate((ball.faces, hole.faces + len(ball.vertices)))
    twice = Volume.from_mesh(Mesh(both.vertices, faces), 0.05)
    np.testing.assert_array_equal(twice.occupied, full.occupied)
    # One triangle turned round: no telling which way it looks, so parity decides.
    faces[0] = faces[0, ::-1]
    np.testing.assert_array_equal(Volume.from_mesh(Mesh(both.vertices, faces), 0.05).occupied, shell.occupied)


def test_parts_that_overlap_are_filled():
    box = Mesh.box((1, 1, 1))
    two = Mesh(np.concatenate((box.vertices, box.vertices + (0, 0, 0.5))), np.concatenate((box.faces, box.faces + 8)))
    volume = Volume.from_mesh(two, 0.1)
    assert volume.count == 1500 == volume.alpha.size


@pytest.mark.parametrize("spacing", [1e6, 1e9, 1e12])
def test_a_mesh_much_smaller_than_a_voxel(spacing):
    assert Volume.from_mesh(Box((1, 1, 1)), spacing).count == 1


def test_float32_sizes_need_no_voxel_more():
    box = Mesh.box((0.3, 0.3, 0.3))
    rounded = Mesh(box.vertices.astype(np.float32), box.faces)
    assert Volume.from_mesh(rounded, 0.1).count == Volume.from_mesh(box, 0.1).count == 27


def test_random_rotations_of_a_box(rng):
    tested = 0
    for _ in range(300):
        size, turn, shift = rng.uniform(0.05, 1.0, 3), turned(rng), rng.uniform(-1.0, 1.0, 3)
        mesh = Mesh(Box(size).vertices @ turn.T + shift, HEXAHEDRON)
        volume = Volume.from_mesh(mesh, rng.uniform(0.03, 0.3, 3))
        depth = (0.5 * size - np.abs((centers(volume) - shift) @ turn)).min(axis=3)
        sure = np.abs(depth) > 1e-9
        np.testing.assert_array_equal(volume.occupied[sure], depth[sure] > 0.0)
        tested += int(sure.sum())
    assert tested > 100_000


def test_quarter_turns_on_the_lattice():
    """Corners, edges and faces of the box all lie on lines of centers."""
    for turn in permutations(np.eye(3)):
        mesh = Mesh(Box((4, 4, 4)).vertices @ np.array(turn), HEXAHEDRON)
        volume = Volume.from_mesh(mesh, 1.0, origin=(-3.5, -3.5, -3.5), resolution=(7, 7, 7))
        assert volume.count == 64
        np.testing.assert_array_equal(volume.extent, [(1, 1, 1), (5, 5, 5)])


def sides_of(corners, points):
    """Return 1, 0, -1 for points strictly inside, on, outside a tetrahedron of whole numbers: exact."""
    verdict = np.ones(len(points), np.int64)
    for face in combinations(range(4), 3):
        a, b, c = corners[list(face)]
        (other,) = corners[[k for k in range(4) if k not in face]]
        normal = np.cross(b - a, c - a)
        way = np.sign(normal @ (other - a))
        verdict = np.minimum(verdict, np.sign((points - a) @ normal) * way)
    return verdict


@pytest.mark.slow
def test_tetrahedra_on_the_lattice(rng):
    """Corners on lines of centers, edges along and across them: exact on both sides, and by parity never a stray line."""
    grid = np.stack(np.indices((9, 9, 9)), axis=-1).reshape(-1, 3)
    faces = np.array(list(combinations(range(4), 3)))
    inside = on = 0
    for _ in range(500):
        corners = rng.integers(0, 9, (4, 3))
        if np.linalg.det((corners[1:] - corners[0]).astype(float)) == 0.0:
            continue
        volume = Volume.from_mesh(Mesh(corners, faces), 1.0, origin=(-0.5, -0.5, -0.5), resolution=(9, 9, 9))
        verdict = sides_of(corners, grid).reshape(9, 9, 9)
        assert volume.occupied[verdict > 0].all()
        assert not volume.occupied[verdict < 0].any()
        inside += int((verdict > 0).sum())
        on += int((verdict == 0).sum())
    assert inside > 2000
    assert on > 2000


@pytest.mark.slow
@pytest.mark.parametrize("whole", [True, False])
def test_solids_that_share_faces_share_no_voxel(rng, whole):
    """Cut a box into twelve tetrahedra round a point: every voxel of the box is in exactly one of them."""
    for _ in range(40):
        turn = np.eye(3) if whole else turned(rng)
        vertices = Box((8, 8, 8)).vertices @ turn.T
        middle = rng.integers(-3, 4, 3) if whole else rng.uniform(-2, 2, 3)
        grid = {"spacing": 1.0, "origin": (-8.5, -8.5, -8.5), "resolution": (17, 17, 17)}
        box = Volume.from_mesh(Mesh(vertices, HEXAHEDRON), **grid).occupied
        times = np.zeros((17, 17, 17), int)
        for face in HEXAHEDRON:
            part = Mesh(np.concatenate((vertices[rng.permutation(face)], [middle])), list(combinations(range(4), 3)))
            if np.linalg.matrix_rank(part.vertices[1:] - part.vertices[0]) == 3:
                times += Volume.from_mesh(part, **grid).occupied
        np.testing.assert_array_equal(times, box)


@pytest.mark.parametrize("nz", [1, 2, 63, 64, 65, 128, 200])
def test_words_and_their_ends(nz):
    """A tower of two boxes with a gap, cut off by the grid's top and bottom too."""
    low, high = (
        Mesh(Box((2, 2, 50)).vertices + (0, 0, 20), HEXAHEDRON),
        Mesh(Box((2, 2, 100)).vertices + (0, 0, 130), HEXAHEDRON),
    )
    tower = Mesh(np.concatenate((low.vertices, high.vertices)), np.concatenate((HEXAHEDRON, HEXAHEDRON + 8)))
    volume = Volume.from_mesh(tower, 1.0, origin=(-2, -2, 0), resolution=(4, 4, nz))
    expected = np.zeros((4, 4, 200), bool)
    expected[1:3, 1:3, :45] = True
    expected[1:3, 1:3, 80:180] = True
    np.testing.assert_array_equal(volume.occupied, expected[:, :, :nz])
    np.testing.assert_array_equal(volume.occupied, Volume(expected[:, :, :nz]).occupied)
    fresh = Volume(expected[:, :, :nz], 1.0, origin=(-2, -2, 0))
    np.testing.assert_array_equal(index_of(volume).bits, index_of(fresh).bits)
    np.testing.assert_array_equal(volume.lines, fresh.lines)
    assert volume.count == fresh.count


def test_a_grid_of_ones_own_is_a_part_of_any_other(rng):
    mesh = Mesh(torus(3.0, 1.2)[0] @ turned(rng).T, torus(3.0, 1.2)[1])
    whole = Volume.from_mesh(mesh, 0.25, origin=(-6, -6, -6), resolution=(48, 48, 48)).occupied
    for _ in range(20):
        low = rng.integers(0, 40, 3)
        size = tuple(int(n) for n in rng.integers(0, 9, 3))
        part = Volume.from_mesh(mesh, 0.25, origin=-6 + 0.25 * low, resolution=size, keep_alpha=False)
        i, j, k = (slice(a, a + n) for a, n in zip(low, size, strict=True))
        np.testing.assert_array_equal(part.occupied, whole[i, j, k])
    assert whole.any()
    for far in ((100, 0, 0), (0, -100, 0), (0, 0, 100), (0, 0, -100), (1e12, 1e12, 1e12)):
        assert Volume.from_mesh(mesh, 0.25, origin=far, resolution=(5, 5, 70)).empty


def test_default_grids():
    mesh = Mesh(Box((2, 2, 2)).vertices + (10, 20, 30), HEXAHEDRON)
    volume = Volume.from_mesh(mesh, (0.5, 0.3, 3.0))
    assert volume.resolution == (4, 7, 1)
    np.testing.assert_allclose(np.add(volume.origin, 0.5 * np.multiply(volume.resolution, volume.spacing)), (10, 20, 30))
    assert Volume.from_mesh(mesh, 0.5, origin=(9, 19, 29)).resolution == (4, 4, 4)
    assert Volume.from_mesh(mesh, 0.5, origin=(8, 19, 29.1)).resolution == (6, 4, 4)
    assert Volume.from_mesh(mesh, 0.5, origin=(8, 19, 50)).resolution == (6, 4, 1)
    assert Volume.from_mesh(mesh, 0.5, resolution=(6, 6, 6)).origin == (8.5, 18.5, 28.5)
    assert Volume.from_mesh(mesh, 0.5, resolution=(6, 6, 6)).count == 64


def test_meshes_of_all_kinds():
    ball = trimesh.creation.icosphere(subdivisions=3, radius=1.0)
    volume = Volume.from_mesh(ball, 0.1)
    soup = Mesh(ball.vertices[ball.faces].reshape(-1, 3), np.arange(3 * len(ball.faces)).reshape(-1, 3))
    flipped = Mesh(ball.vertices, ball.faces[:, ::-1])
    surface = Mesh(ball.vertices, ball.faces, solid=False)
    needles = Mesh(ball.vertices, np.concatenate((ball.faces, [(0, 1, 1), (5, 5, 5), (2, 7, 2)])))
    for mesh in (Mesh.from_object(ball), soup, flipped, needles):
        np.testing.assert_array_equal(Volume.from_mesh(mesh, 0.1).occupied, volume.occupied)
    with pytest.raises(InvalidGeometry, match=r"surface \(solid=False\)"):
        Volume.from_mesh(surface, 0.1)
    bare = Volume.from_mesh(ball, 0.1, keep_alpha=False)
    np.testing.assert_array_equal(bare.occupied, volume.occupied)
    volume[:] = False
    assert volume.empty


def test_mirrored_axes_agree(rng):
    """What is inside does not depend on which axis the lines run along."""
    vertices, faces = torus(1.0, 0.4)
    vertices = vertices @ turned(rng).T
    grid = {"spacing": 0.11, "origin": (-1.54, -1.54, -1.54), "resolution": (28, 28, 28)}
    truth = Volume.from_mesh(Mesh(vertices, faces), **grid).occupied
    for order, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
        other = Volume.from_mesh(Mesh(vertices[:, order] * signs, faces), **grid).occupied
        other = other[tuple(slice(None, None, sign) for sign in signs)]
        np.testing.assert_array_equal(np.transpose(other, np.argsort(order)), truth)


BALL = Mesh.sphere(1.0)
OPEN = Mesh(BALL.vertices, BALL.faces[1:])


@pytest.mark.parametrize(
    ("mesh", "arguments", "message"),
    [
        (OPEN, {"spacing": 0.1}, "mesh: is open, so it has no inside: 3 edges do not join two faces, one from "),
        (Mesh.terrain(np.zeros((3, 3))), {"spacing": 0.1}, "8 edges do not join two faces"),
        (Mesh(BALL.vertices, [(0, 1, 1), (2, 2, 2)]), {"spacing": 0.1}, "all its faces are points or segments"),
        (Mesh(BALL.vertices, []), {"spacing": 0.1}, "mesh: has no triangles"),
        (Sphere(1.0), {"spacing": 0.1}, "a Sphere has no triangles to fill; accepted: a Mesh (Mesh.sphere,"),
        (Capsule.from_segment((0, 0, 0), (0, 0, 1), radius=1.0), {"spacing": 0.1}, "a Capsule has no triangles to fill"),
        (PointCloud([(0, 0, 0)]), {"spacing": 0.1}, "a PointCloud has no triangles to fill"),
        (Fan((0, 0, 0), (0, 0, 1), mid=(1, 0, 0), half_angle=1.0, inner=0.0, outer=1.0, half_thickness=1.0), {"spacing": 0.1}, "a Fan has no triangles to fill"),
        (Volume(np.ones((2, 2, 2))), {"spacing": 0.1}, "a Volume has no triangles to fill"),
        ("ball.stl", {"spacing": 0.1}, "or a mesh or cloud of trimesh, Open3D or PyVista, got 'ball.stl'"),
        (None, {"spacing": 0.1}, "got None"),
        (BALL, {"spacing": 0.0}, "spacing is 0"),
        (BALL, {"spacing": (0.1, -0.1, 0.1)}, "spacing[1] is -0.1"),
        (BALL, {"spacing": math.nan}, "spacing is nan"),
        (BALL, {"spacing": "fine"}, "spacing: expected a number, got 'fine'"),
        (BALL, {"spacing": 1e-3}, "1993 x 1997 x 2000 are 7.96e+09 voxels; a volume has at most 2,147,483,647: use a larger spacing"),
        (BALL, {"spacing": 1e-40}, "voxels; a volume has at most"),
        (BALL, {"spacing": 1e-320}, "it must be finite and greater than 0; accepted: 1e-40 to 1e+50"),
        (BALL, {"spacing": 1e-30, "origin": (-1, -1, -1), "resolution": (8, 8, 8)}, "voxels away from the grid's corner"),
        (BALL, {"spacing": 0.1, "origin": (-1e300, 0, 0)}, "origin[0] is -1e+300"),
        (BALL, {"spacing": 0.1, "origin": (-1e40, 0, 0)}, "voxels; a volume has at most"),
        (BALL, {"spacing": 0.1, "origin": (0, 0)}, "origin: expected three numbers"),
        (BALL, {"spacing": 0.1, "resolution": (2, 2)}, "resolution: expected three whole numbers, got (2, 2)"),
        (BALL, {"spacing": 0.1, "resolution": 8}, "resolution: expected three whole numbers, got 8"),
        (BALL, {"spacing": 0.1, "resolution": (2.5, 2, 2)}, "resolution: expected three whole numbers, got (2.5, 2, 2)"),
        (BALL, {"spacing": 0.1, "resolution": (2, -2, 2)}, "resolution[1] is -2"),
        (BALL, {"spacing": 0.1, "resolution": (10**6, 10**6, 10**6)}, "1000000 x 1000000 x 1000000 are 1e+18 voxels"),
    ],
)  # fmt: skip
def test_bad_input(mesh, arguments, message):
    wrong_type = ("to fill", "got 'ball.stl'", "got None", "got 'fine'", "(Mesh.sphere,", "got (2.5, 2, 2)")
    with pytest.raises(InvalidType if message.endswith(wrong_type) else InvalidGeometry, match=re.escape(message)):
        Volume.from_mesh(mesh, **arguments)


def test_bad_flag():
    with pytest.raises(InvalidType, match="keep_alpha is 'no'"):
        Volume.from_mesh(BALL, 0.1, keep_alpha="no")
