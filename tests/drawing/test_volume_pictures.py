"""Transparent pictures of volumes: rays against a slow reference, laws of opacity, and what is refused."""

import numpy as np
import pytest
from sweepscope_lab.reference.haze import seen_along

import sweepscope as ss
from sweepscope.drawing.camera import camera_along
from sweepscope.drawing.paint import LIGHT
from sweepscope.drawing.volumes import _SHADES, Haze, haze_of, rays_through
from sweepscope.errors import InvalidGeometry, InvalidQuery, InvalidType

BLUE, ORANGE = np.array((0.2, 0.5, 0.8)), np.array((0.9, 0.6, 0.2))
CLOSE = 2e-4
"""Twice the light at which a ray ends."""


def turned(rng):
    """Return a random pose near the origin."""
    axis = rng.normal(size=3)
    pose = ss.Rotate(axis, float(rng.uniform(0.0, 3.0))).at()
    pose[:3, 3] = rng.normal(size=3)
    return pose


def random_haze(rng, straight):
    shape = tuple(rng.integers(1, 7, 3))
    alpha = rng.random(shape) * (rng.random(shape) < 0.6)
    alpha[rng.random(shape) < 0.1] = 1.0
    spacing = rng.uniform(0.2, 0.9, 3) if rng.random() < 0.5 else np.full(3, 0.5)
    pose = np.eye(4) if straight else turned(rng)
    pose[:3, 3] = 0.5 * rng.integers(-4, 1, 3) if straight else pose[:3, 3]
    return Haze(alpha.astype(np.float32), spacing, pose, rng.random(3))


def starts_of(camera):
    """Return where the four rays of each pixel begin, at depth `near`, shape (2 rows, 2 columns, 3)."""
    columns, rows = camera.size
    right = (np.arange(2 * columns) + 0.5) * 0.5 * camera.pixel - 0.5 * camera.width
    up = 0.5 * camera.height - (np.arange(2 * rows) + 0.5) * 0.5 * camera.pixel
    flat = right[None, :, None] * camera.frame[0] + up[:, None, None] * camera.frame[1]
    return camera.origin + camera.near * camera.frame[2] + flat


@pytest.mark.slow
def test_rays_see_what_the_reference_sees(rng):
    light = np.array(LIGHT)
    covers = []
    for case in range(40):
        straight = case % 4 == 0
        hazes = [random_haze(rng, straight) for _ in range(case % 3 + 1)]
        way = rng.normal(size=3) if case % 5 else np.eye(3)[case // 5 % 3] * rng.choice((1.0, -1.0))
        camera = camera_along(way, None, (6, 5))
        corners = np.concatenate(
            [haze.pose[:3, 3] + (np.array(haze.alpha.shape) * haze.spacing * c) @ haze.pose[:3, :3].T for haze in hazes
             for c in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1))]
        ).reshape(-1, 3)  # fmt: skip
        camera = camera.around(corners + rng.normal(size=3) * 1e-3)
        near = -50.0 if case % 2 else 0.0  # every other camera is among the hazes: nothing behind it is seen
        camera = type(camera)(camera.frame, camera.origin, camera.height, camera.size, near)
        found = rays_through(hazes, camera)
        lamp = light @ camera.frame
        lamp /= np.linalg.norm(lamp)
        for row, starts in enumerate(starts_of(camera)):
            for column, start in enumerate(starts):
                twin = seen_along(hazes, start, camera.frame[2], lamp, _SHADES)
                assert np.abs(found[row, column] - twin).max() < CLOSE, (case, row, column)
                covers.append(twin[3])
    covers = np.array(covers)
    assert 0.1 < (covers == 0.0).mean() < 0.8
    assert ((covers > 0.05) & (covers < 0.95)).mean() > 0.1


def along_z(hazes):
    """Return the four numbers of the ray through the middle, down."""
    camera = camera_along((0.0, 0.0, -1.0), (0.0, 1.0, 0.0), (16, 16))
    return rays_through(hazes, camera)[15, 15]


def block(alpha, n=4, spacing=1.0, color=BLUE, at=(0.0, 0.0, 0.0)):
    pose = np.eye(4)
    pose[:3, 3] = np.array(at) - 0.5 * n * spacing
    return Haze(np.full((n, n, n), alpha, np.float32), np.full(3, spacing), pose, color)


def test_cover_is_the_product_of_what_voxels_let_through():
    for n in (1, 4, 9):
        assert along_z([block(0.1, n)])[3] == pytest.approx(1.0 - 0.9**n, abs=1e-6)


def test_finer_voxels_that_let_as_much_through_look_the_same():
    coarse, fine = along_z([block(0.19, 4)]), along_z([block(0.1, 8, 0.5)])
    assert coarse[3] == pytest.approx(fine[3], abs=1e-6)


def test_hazes_in_each_other_do_not_depend_on_their_order():
    first, second = block(0.1, 4), block(0.3, 6, 0.7, ORANGE, (0.2, 0.1, 0.4))
    one, other = along_z([first, second]), along_z([second, first])
    assert np.allclose(one, other, atol=1e-12)
    assert one[3] > along_z([first])[3] > 0.0


def test_what_is_opaque_hides_what_is_behind():
    front, behind = block(1.0, 2, color=ORANGE, at=(0.0, 0.0, 5.0)), block(0.5, 4)
    assert np.array_equal(along_z([front, behind]), along_z([front]))
    assert along_z([behind, front])[3] == 1.0


def test_scale_changes_nothing():
    small = Haze(block(0.2).alpha, np.full(3, 1e-20), block(0.2).pose, BLUE)
    small.pose[:3, 3] = -2e-20
    camera = camera_along((0.3, 0.4, -1.0), None, (16, 16))
    views = []
    for haze, size in ((block(0.2), 1.0), (small, 1e-20)):
        seen = camera.around(size * np.array(((-4.0, -4.0, -4.0), (4.0, 4.0, 4.0))))
        views.append(rays_through([haze], seen))
    assert np.allclose(*views, atol=1e-9)
    assert views[0][..., 3].max() > 0.5


def test_occupied_voxels_alone_are_drawn_and_whole_numbers_are_shares_of_their_largest():
    alpha = np.zeros((3, 3, 3), np.uint8)
    alpha[1, 1, 1], alpha[0, 0, 0] = 51, 10
    haze = haze_of(ss.Volume(alpha, threshold=20), BLUE)
    assert haze.alpha.shape == (1, 1, 1)
    assert haze.alpha[0, 0, 0] == pytest.approx(0.2)
    assert haze.pose[:3, 3].tolist() == [1.0, 1.0, 1.0]
    assert haze_of(ss.Volume(alpha), BLUE, None, 51.0).alpha[1, 1, 1] == 1.0
    assert haze_of(ss.Volume(alpha > 0), BLUE).alpha[0, 0, 0] == 1.0


@pytest.mark.slow
def test_pictures_are_saved_and_differ_by_what_is_asked_for(tmp_path):
    x = np.linalg.norm(np.indices((16, 16, 16)) - 7.5, axis=0)
    ball = ss.Volume(np.clip(1.0 - x / 8.0, 0.0, 1.0) * 0.3)
    solid, thin = ball.picture(size=(64, 48)), ball.picture(tmp_path / "thin.png", size=(64, 48), transparent=True)
    assert (tmp_path / "thin.png").read_bytes()[:4] == b"\x89PNG"
    assert thin.pixels.shape == (48, 64, 3)
    middle = [
        picture.pixels[24, 32].astype(int)
        for picture in (solid, thin, ball.picture(size=(64, 48), transparent=True, opaque_at=0.3))
    ]
    paper = thin.pixels[0, 0].astype(int)
    away = [np.abs(color - paper).sum() for color in middle]
    assert away[1] < away[2]  # alpha 0.3 hides all in the last
    assert away[0] > 100
    red = ball.picture(size=(64, 48), transparent=True, color="#ff0000").pixels[24, 32]
    assert red[0] > red[1] + 50
    dark = ball.picture(size=(64, 48), transparent=True, dark=True)
    assert dark.pixels[0, 0].mean() < 100
    empty = ss.Volume(np.zeros((3, 3, 3))).picture(size=(32, 32), transparent=True)
    assert np.ptp(empty.pixels[5], axis=0).max() == 0  # paper alone
    assert ball._repr_png_()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"opaque_at": 0.5}, InvalidQuery, r"opaque_at is 0.5; accepted with transparent=True"),
        ({"transparent": True, "opaque_at": 0.0}, InvalidQuery, r"opaque_at is 0.0; it must be positive and finite"),
        ({"transparent": True, "opaque_at": "1"}, InvalidType, r"opaque_at: expected a number"),
        ({"transparent": 1}, InvalidType, r"transparent is 1; accepted: True, False"),
        ({"transparent": True, "color": "blue"}, InvalidQuery, r"color is 'blue'; accepted: '#rrggbb'"),
        ({"transparent": True, "size": (4, 4)}, InvalidQuery, r"size is \(4, 4\)"),
        ({"path": "volume.jpg"}, InvalidQuery, r"accepted: a name that ends in .png"),
    ],
)
def test_wrong_options_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        ss.Volume(np.ones((2, 2, 2))).picture(**options)


def test_bits_have_no_opacities():
    volume = ss.Volume(np.ones((2, 2, 2)), keep_alpha=False)
    with pytest.raises(InvalidGeometry, match=r"alpha: was not stored \(keep_alpha=False\)"):
        volume.picture(transparent=True)
