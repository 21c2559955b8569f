"""A pose that is given: taken as it is, as the nearest rotation, or refused; one rule for Python and for kernels."""

import numpy as np
import pytest
from scenery import pose_of, rotation

import sweepscope as ss
from sweepscope import checks
from sweepscope.kernels.base.formulas import measured_from
from sweepscope.kernels.tolerances import EXACT_ROTATION, RIGID


@pytest.fixture
def body():
    return ss.Scene().add(ss.Box((1, 2, 3)), (1, 2, 3))


def _by_svd(turn):
    u, _, v = np.linalg.svd(turn)
    return u @ v


def test_a_rounded_rotation_becomes_the_nearest(rng, body):
    rounded = 0
    for _ in range(300):
        given = pose_of(rotation(rng), rng.normal(size=3))
        given[:3, :3] += 10.0 ** rng.uniform(-16, -4) * rng.uniform(-1, 1, (3, 3))
        off = np.abs(given[:3, :3] @ given[:3, :3].T - np.eye(3)).max()
        body.pose = given
        np.testing.assert_array_equal(body.pose, checks.pose(given))  # the kernel's bits are Python's
        if off < 0.5 * EXACT_ROTATION:
            np.testing.assert_array_equal(body.pose, given)
        elif off > 2.0 * EXACT_ROTATION:
            rounded += 1
            np.testing.assert_allclose(body.pose[:3, :3], _by_svd(given[:3, :3]), rtol=0, atol=1e-14)
            np.testing.assert_allclose(body.pose[:3, :3] @ body.pose[:3, :3].T, np.eye(3), rtol=0, atol=1e-15)
            np.testing.assert_array_equal(body.pose[:3, 3], given[:3, 3])
            body.pose = body.pose  # from now on it is exact
            np.testing.assert_array_equal(body.pose, checks.pose(given))
    assert rounded > 150


def test_the_same_is_refused_as_by_the_check(rng, body):
    refused = 0
    for _ in range(300):
        given = pose_of(rotation(rng), rng.normal(size=3))
        kind = rng.integers(5)
        if kind == 0:
            given[rng.integers(4), rng.integers(4)] = rng.choice((np.nan, np.inf, -np.inf, 1e51))
        elif kind == 1:
            given[:3, :3] *= 1.0 + rng.choice((-1, 1)) * RIGID * rng.choice((0.3, 0.6, 3.0))
        elif kind == 2:
            given[3] += rng.choice((1e-10, 1e-8)) * rng.choice((-1, 1), 4)
        elif kind == 3:
            given[:3, :3] *= -1.0
        before = body.pose
        expected = message = None
        try:
            expected = checks.pose(given)
        except ss.errors.InvalidPose as error:
            message = str(error)
        if message is None:
            body.pose = given
            np.testing.assert_array_equal(body.pose, expected)
        else:
            refused += 1
            with pytest.raises(ss.errors.InvalidPose) as raised:
                body.pose = given
            assert str(raised.value) == message
            assert body.pose is before
    assert 100 < refused < 250


def test_every_form_of_one_pose(rng, body):
    turned = pose_of(rotation(rng), rng.normal(size=3))
    fixed = turned.copy()
    fixed.setflags(write=False)
    for given in (turned, fixed, turned.tolist(), np.asfortranarray(turned), turned[::1, ::1]):
        body.pose = (0, 0, 0)
        body.pose = given
        np.testing.assert_array_equal(body.pose, turned)
        assert not body.pose.flags.writeable
        assert body.pose is not given
    for given in (
        (1, 2, 3),
        [1.0, 2, 3],
        (np.float32(1), 2, 3),
        np.array((1.0, 2.0, 3.0)),
        np.array((1, 2, 3)),
        np.float32((1, 2, 3)),
    ):
        body.pose = turned
        body.pose = given
        np.testing.assert_array_equal(body.pose, pose_of(np.eye(3), (1, 2, 3)))
    for given in ((1, 2), (1, 2, "3"), (1, 2, None), (1, 2, np.nan), (1, 2, 10**60), None, "here", body):
        typed = given in (None, "here", body) or given[2:] in (("3",), (None,))
        with pytest.raises(ss.errors.InvalidType if typed else ss.errors.InvalidPose):
            body.pose = given
        np.testing.assert_array_equal(body.pose, pose_of(np.eye(3), (1, 2, 3)))


def test_vertices_are_measured_from_a_near_point(rng):
    near = far = 0
    for _ in range(200):
        size = 10.0 ** rng.uniform(-6, 6)
        middle = rng.normal(size=3) * size * 10.0 ** rng.uniform(-2, 8)
        low, high = middle - size * rng.uniform(0.2, 1, 3), middle + size * rng.uniform(0.2, 1, 3)
        origin = np.array(measured_from(tuple(low.tolist()), tuple(high.tolist())))
        if (origin == 0.0).all():
            near += 1
            assert np.abs(middle).max() < 20.0 * size
        else:
            far += 1
            assert np.abs(origin - 0.5 * (low + high)).max() <= 2.0**-23 * np.abs(middle).max()
            assert np.float32(origin).astype(np.float64).tolist() == origin.tolist()  # few bits
    assert near > 20
    assert far > 50
    assert measured_from((np.inf,) * 3, (-np.inf,) * 3) == (0.0, 0.0, 0.0)


def test_a_box_follows_its_body_and_its_vertices(rng):
    mesh = ss.Mesh.sphere(0.5, rows=6, sections=7)
    scene = ss.Scene()
    body = scene.add(mesh)
    for _ in range(50):
        body.pose = pose_of(rotation(rng), rng.normal(size=3) * 10.0 ** rng.uniform(-1, 5))
        body.vertices = mesh.vertices * rng.uniform(0.5, 2.0, 3) + rng.normal(size=3) * rng.choice((0.0, 100.0))
        world = body.vertices @ body.pose[:3, :3].T + body.pose[:3, 3]
        slack = 1e-12 * (1.0 + np.abs(world).max())
        assert (body.bounds[0] <= world.min(axis=0) + slack).all()
        assert (body.bounds[1] >= world.max(axis=0) - slack).all()
        local = np.ptp(body.vertices, axis=0)
        assert (np.ptp(body.bounds, axis=0) <= np.linalg.norm(local) * 1.0001 + slack).all()
