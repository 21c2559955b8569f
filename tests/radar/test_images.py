"""Depth images as data: readings of images that no scene is behind."""

import copy
import dataclasses
import json
import math
import pickle

import numpy as np
import pytest

import sweepscope as ss
from sweepscope.radar import depths_from_buffer, read_images

DEPTH = 10.0
VIEW = {"depth": DEPTH, "distance": 4.0, "pixel_size": 0.5}


def empty(rows=6, columns=8):
    return np.full((rows, columns), DEPTH)


def example():
    """A mover whose front is 2 deep, and 3 deep at the left; a step ahead of its right half."""
    mask = empty()
    mask[1:5, 1:7] = DEPTH - 2.0
    mask[1:5, 1] = DEPTH - 3.0
    range_image = empty()
    range_image[2:4, 4:] = 5.0
    range_image[2:4, 6:] = 4.5
    ids = np.where(range_image < DEPTH, 7, -1)
    ids[2:4, 6:] = 3
    return range_image, mask, ids


def test_an_example_by_hand():
    range_image, mask, ids = example()
    reading = read_images(range_image, mask, ids=ids, mask_ids=np.where(mask < DEPTH, 2, -1), **VIEW)
    assert reading
    assert reading.travel == 2.5  # 4.5 - 2
    assert reading.time == 0.625
    assert reading.pixels.tolist() == [[2, 6], [3, 6]]
    assert reading.obstacles == (3,)
    assert reading.movers == (2,)
    # Column 6 of 8 is 2.5 pixels right of the middle, rows 2 and 3 of 6 are on both sides of it.
    assert reading.center == pytest.approx((1.25, 0.0, 4.5))
    assert np.isnan(reading.normal).all()  # one column of a body, between another one and the mover's edge
    assert reading.points == pytest.approx(np.array([(1.25, -0.25, 4.5), (1.25, 0.25, 4.5)]))
    assert reading.lookat[2].tolist() == pytest.approx([math.nan, 7.0, 8.0, 8.0, 3.0, 3.0, 2.5, math.nan], nan_ok=True)
    assert np.array_equal(reading.mask, mask)
    assert np.array_equal(reading.range, range_image)
    assert (reading.hidden, reading.resolution) == (0, 0.0)
    assert repr(reading) == "<ImageReading, 8 x 6 pixels: contact after 2.5 of 4>"
    assert json.loads(json.dumps(reading.as_dict()))["obstacles"] == [3]
    with pytest.raises(dataclasses.FrozenInstanceError):
        reading.travel = 1.0


def test_free_within_the_distance():
    range_image, mask, ids = example()
    reading = read_images(range_image, mask, ids=ids, **VIEW | {"distance": 2.4})
    assert not reading
    assert reading.travel == 2.4
    assert reading.time == 1.0
    assert reading.obstacles == ()
    assert len(reading.pixels) == 0
    assert np.isnan(reading.center).all()
    assert np.isnan(reading.normal).all()
    assert reading.as_dict()["time"] is None
    assert "free" in repr(reading)


def test_published_reads_all_pixels_that_the_motion_reaches_and_what_is_behind_the_front():
    range_image, mask, ids = example()
    reading = read_images(range_image, mask, ids=ids, method="published", **VIEW)
    assert reading.travel == 2.5
    assert reading.pixels.tolist() == [[i, j] for i in (2, 3) for j in (4, 5, 6)]
    assert reading.obstacles == (7, 3)
    range_image[4, 1] = 2.0  # beside the rear of the left column, whose front is at 3
    behind = read_images(range_image, mask, method="published", **VIEW)
    assert (behind.hit, behind.travel, behind.hidden) == (True, 0.0, 0)
    assert np.nanmin(behind.lookat) == -1.0


def test_without_anything_at_a_pixel_the_paper_collides_with_no_body():
    range_image, mask = empty(), empty()
    mask[2:4, 2:4] = 4.0
    range_image[0, 0] = 1.0
    reading = read_images(range_image, mask, ids=np.zeros((6, 8), int), method="published", **VIEW)
    assert (reading.hit, reading.travel, reading.obstacles) == (True, 4.0, ())
    assert np.isnan(reading.center).all()
    assert not read_images(range_image, mask, **VIEW)


def test_what_is_behind_the_leading_surface_is_hidden_for_samples_and_a_hit_for_bounds():
    range_image, mask, ids = example()
    range_image[2:4, 6] = 1.0
    sampled = read_images(range_image, mask, ids=ids, **VIEW)
    assert (sampled.hidden, sampled.travel) == (2, 3.0)
    assert sampled.obstacles == (7,)
    bounding = read_images(range_image, mask, ids=ids, method="bounding", **VIEW)
    assert (bounding.hidden, bounding.travel, bounding.obstacles) == (0, 0.0, (3,))


def test_the_error_of_depths_is_in_the_reading():
    range_image, mask, ids = example()
    off = range_image.copy()
    off[2, 4:6] -= 0.45
    off[3, 6:] += 0.02
    given = {"ids": ids, "depth_error": 0.05, **VIEW}
    sampled = read_images(off, mask, **given)
    assert sampled.resolution == 0.1
    assert sampled.travel == 2.5
    # Pixels that may be equally near are in contact; those at the edge of what may be are.
    assert sampled.pixels.tolist() == [[2, 4], [2, 5], [2, 6], [3, 6]]
    assert set(sampled.obstacles) == {3, 7}
    bounding = read_images(off, mask, method="bounding", **given)
    assert bounding.travel == pytest.approx(2.4)
    # A motion that ends just before the contact: the bound still hits.
    near = VIEW | {"distance": 2.45}
    assert not read_images(range_image, mask, depth_error=0.05, **near)
    assert read_images(range_image, mask, depth_error=0.05, method="bounding", **near)


def test_a_mover_in_the_range_and_buffers_of_shares_are_no_free_motion():
    """Nothing is visible ahead of any pixel of the mover: "sampled" raises, "bounding" and "published" read 0."""
    scene = ss.Scene()
    floor, ball = scene.add(ss.Box((20, 20, 0.2))), scene.add(ss.Sphere(0.8), pose=(0, 0, 4))
    view = ss.View((0, 0, 4.9), (0, 0, -1), width=1.7, height=1.7, depth=4.9)
    mask = scene.look(view.reversed(), pixels=41, ignore=[floor]).depth[:, ::-1]
    alone, both = (scene.look(view, pixels=41, ignore=ignored).depth for ignored in ([ball], []))
    given = {"depth": 4.9, "distance": 0.6, "pixel_size": 1.7 / 41}
    free = read_images(alone, mask, **given)
    assert not free
    assert free.covered == (mask < 4.9).sum() > 1000
    assert repr(free) == "<ImageReading, 41 x 41 pixels: free of 0.6>"
    for range_image, mask_image in ((both, mask), (alone / 4.9, mask / 4.9)):
        with pytest.raises(ss.errors.InvalidQuery, match=r"range_image: ends behind the .* at all \d+ pixels of the mover"):
            read_images(range_image, mask_image, **given)
        for method in ("bounding", "published"):
            assert read_images(range_image, mask_image, method=method, **given).travel == 0.0
    partly = np.where(np.arange(41)[:, None] < 20, both, alone)
    reading = read_images(partly, mask, **given)
    assert 0 < reading.hidden < reading.covered
    assert f"{reading.hidden} of {reading.covered} pixels of the mover nothing is visible" in repr(reading)


def test_the_discard_for_samples_is_none_for_bounds():
    """A notch and an obstacle ahead of its floor, in one cell: beside the other arm, so in front of the leading surface."""
    parts = ss.Mesh.box((0.4, 1, 1)), ss.Mesh.box((0.4, 1, 2))
    vertices = np.concatenate((parts[0].vertices + (-0.3, 0, -0.5), parts[1].vertices + (0.3, 0, -1)))
    scene = ss.Scene()
    mover = scene.add(ss.Mesh(vertices, np.concatenate((parts[0].faces, parts[1].faces + 8))))
    crate = scene.add(ss.Box((0.2, 0.2, 0.2)), pose=(-0.3, 0, -1.6))
    scene.add(ss.Box((0.2, 0.2, 0.2)), pose=(0.3, 0, 0.3))  # behind the mover
    view = ss.View((0, 0, 0), (0, 0, -1), width=1, height=1, depth=6)
    exact = scene.sweep(mover, ss.Translate((0, 0, -4)))
    assert (exact.obstacle, exact.travel) == (crate, pytest.approx(0.5))
    others = [body for body in scene if body is not mover]
    mask = scene.look(view.reversed(), pixels=1, bounding=True, ignore=others).depth[:, ::-1]
    range_image = scene.look(view, pixels=1, bounding=True, ignore=[mover]).depth
    given = {"depth": 6, "distance": 4, "pixel_size": 1, "method": "bounding"}
    assert read_images(range_image, mask, **given).travel <= exact.travel
    assert not read_images(np.where(range_image >= 6 - mask, range_image, 6.0), mask, **given)
    # What is behind the mover's rear in the whole cell may be left out, as the view does here.
    assert scene.sweep(mover, ss.Translate((0, 0, -4)), ignore=[crate]) is None
    rear = scene.look(view, pixels=1, bounding=True, ignore=others).depth
    assert (range_image >= rear).all()


def test_a_depth_that_is_behind_by_its_error_is_a_touch():
    range_image, mask = empty(), empty()
    mask[:, 2:5] = 8.0
    range_image[2, 3] = 1.95
    assert read_images(range_image, mask, **VIEW).hidden == 1
    reading = read_images(range_image, mask, depth_error=0.05, **VIEW)
    assert (reading.hidden, reading.hit, reading.travel) == (0, True, 0.0)


@pytest.mark.parametrize("kind", [np.float32, np.float16, np.float64])
def test_images_of_other_types(kind):
    depth = 0.7  # not a float32
    range_image, mask = np.full((4, 4), depth, kind), np.full((4, 4), depth, kind)
    mask[1:3, 1:3] = kind(0.5)
    range_image[:2, 1] = 0.25
    reading = read_images(range_image, mask, depth=depth, distance=0.3, pixel_size=(0.1, 0.2))
    assert reading.travel == pytest.approx(0.05, abs=1e-3)
    assert (reading.lead > -math.inf).sum() == 4
    assert (reading.range == depth).sum() == 14
    assert reading.range.dtype == np.float64


@pytest.mark.parametrize("kind", [np.float32, np.float16])
@pytest.mark.parametrize("depth", [0.7, 0.3, 0.1, 1.3, 4.9])
def test_images_that_were_stored_in_a_narrower_type(kind, depth):
    """The rounded depth is still what is nowhere, and a surface just before it is not."""
    range_image, mask = np.full((6, 8), depth), np.full((6, 8), depth)
    mask[1:5, 1:7] = 0.8 * depth
    range_image[2:5, 3:6] = 0.45 * depth
    range_image[0, 0] = 0.25 * depth  # beside the mover
    given = {"depth": depth, "distance": 0.4 * depth, "pixel_size": 0.5}
    ids, parts = (np.where(image < depth, 5, -1) for image in (range_image, mask))
    narrow = [image.astype(kind) for image in (range_image, mask)]
    known = read_images(*narrow, ids=ids, mask_ids=parts, **given)
    for wider in (np.float32, np.float64):
        reading = read_images(*(image.astype(wider) for image in narrow), ids=ids, mask_ids=parts, **given)
        assert reading.travel == known.travel == pytest.approx(0.25 * depth, rel=4.0 * float(np.finfo(kind).eps))
        assert np.array_equal(reading.pixels, known.pixels)
        assert len(reading.pixels) == 9
        assert reading.normal == pytest.approx((0, 0, -1), abs=1e-12)
        assert reading.covered == 24
    near = np.nextafter(kind(depth), kind(0.0))
    if near < depth:
        narrow[0][0, 7] = near
        seen = read_images(*(image.astype(np.float64) for image in narrow), **given)
        assert (seen.range < depth).sum() == 11


def test_depths_just_below_zero_are_rounding():
    range_image, mask = empty(), empty()
    mask[1:5, 1:7] = 8.0
    range_image[0, 0], range_image[0, 1] = -2e-18, -9e-6
    reading = read_images(range_image, mask, **VIEW)
    assert reading.range[0, :2].tolist() == [0.0, 0.0]
    range_image[0, 1] = -2e-5
    with pytest.raises(ss.errors.InvalidQuery, match=r"range_image\[0, 1\] is -2e-05; accepted: 0 or more"):
        read_images(range_image, mask, **VIEW)


def test_arrays_of_a_reading_cannot_be_written():
    range_image, mask, ids = example()
    reading = read_images(range_image, mask, ids=ids, **VIEW)
    for one in (reading, copy.deepcopy(reading), pickle.loads(pickle.dumps(reading))):
        for name in ("range", "lead", "pixels", "center", "normal"):
            with pytest.raises(ValueError, match="read-only"):
                getattr(one, name)[...] = 0
        assert one.as_dict() == reading.as_dict()


def test_whole_numbers_infinity_and_other_orders_of_memory():
    range_image, mask, ids = example()
    known = read_images(range_image, mask, ids=ids, **VIEW)
    doubled = {"depth": 20, "distance": 8, "pixel_size": np.array((1, 1))}
    small = read_images((2 * range_image).astype(np.uint16), (2 * mask).astype(np.int64), ids=ids.astype(np.uint8), **doubled)
    assert small.travel == 2.0 * known.travel
    assert np.array_equal(small.pixels, known.pixels)
    far = read_images(np.where(range_image == DEPTH, np.inf, range_image), np.asfortranarray(mask), ids=ids, **VIEW)
    turned = read_images(range_image[::-1, ::-1][::-1, ::-1], mask, ids=np.asfortranarray(ids), **VIEW)
    for other in (far, turned):
        assert other.travel == known.travel
        assert np.array_equal(other.pixels, known.pixels)
        assert other.obstacles == known.obstacles
        assert np.array_equal(other.center, known.center)
    range_image[:] = 0.0
    assert known.range.max() == DEPTH  # a copy


def test_a_mask_as_drawn_from_the_far_end_is_mirrored():
    """An L seen from its far end: without the swap of columns the other arm would be tested."""
    scene = ss.Scene()
    upright, arm = ss.Mesh.box((0.4, 0.4, 2.0)), ss.Mesh.box((1.6, 0.4, 0.4))
    vertices = np.concatenate((upright.vertices, arm.vertices + (0.6, 0, 0.8)))
    mover = scene.add(ss.Mesh(vertices, np.concatenate((upright.faces, arm.faces + 8))), (0, -3, 0))
    post = scene.add(ss.Mesh.box((0.3, 0.3, 0.3)), (1.2, 2, 0.8), name="ahead of the arm")
    beside = scene.add(ss.Mesh.box((0.3, 0.3, 0.3)), (1.2, 0, -0.5), name="below the arm")
    view = ss.View((0.6, -3.2, 0.0), (0, 1, 0), width=2.4, height=2.4, depth=6.4)
    assert view.frame[0] == pytest.approx((1, 0, 0))
    ahead = scene.look(view, pixels=48, ignore=[mover])
    back = scene.look(view.reversed(), pixels=48, ignore=[post, beside])
    given = {"depth": 6.4, "distance": 6.0, "pixel_size": 0.05, "ids": ahead.ids}
    reading = read_images(ahead.depth, back.depth[:, ::-1], **given)
    assert reading.obstacles == (post.id,)
    assert reading.travel == pytest.approx(scene.sweep(mover, ss.Translate((0, 6, 0))).travel, abs=1e-12)
    assert reading.travel == pytest.approx(4.65)
    # The world's place of the contact: in the middle of the part of the post's face that the arm meets.
    assert np.array(view.eye) + reading.center @ view.frame == pytest.approx((1.2, 1.85, 0.8), abs=0.026)
    assert reading.normal @ view.frame == pytest.approx((0, -1, 0), abs=1e-9)
    assert read_images(ahead.depth, back.depth, **given).obstacles == (beside.id,)


def test_a_view_reversed_is_the_same_box():
    view = ss.View((1, 2, 3), (1, 1, -2), width=3, height=2, depth=5, up=(0, 0, 1))
    back = view.reversed()
    assert all(np.abs(back.corners() - corner).max(axis=1).min() < 1e-9 for corner in view.corners())
    assert back.toward == pytest.approx(np.negative(view.toward))
    assert back.up == pytest.approx(view.up)
    assert back.frame[0] == pytest.approx(-view.frame[0])
    assert np.linalg.det(back.frame) == pytest.approx(1.0)
    again = back.reversed()
    assert again.eye == pytest.approx(view.eye)
    assert again.frame == pytest.approx(view.frame)
    place = view.at(2, 1, 1.5, (10, 8))
    assert back.at(7 - 2, 1, 5 - 1.5, (10, 8)) == pytest.approx(place)


@pytest.mark.parametrize("method", ["sampled", "bounding", "published"])
def test_a_radars_images_read_what_it_reads(method, rng):
    scene = ss.Scene()
    mover = scene.add(ss.Mesh.sphere(0.7), (0, 0, 4), name="ball")
    for place in ((0.3, 0.1, 1.0), (-0.4, 0.2, 0.6)):
        scene.add(ss.Sphere(0.4), place)
    scene.add(ss.Box((6, 6, 0.2)))
    hits = 0
    for _ in range(12):
        motion = ss.Translate(0.7 * rng.normal(size=3) + (0.0, 0.0, -3.7))
        radar = ss.radar.Radar(scene, mover, pixels=(31, 22), method=method).probe(motion)
        if radar.lead is None:
            continue
        view = radar.view
        pixel = view.width / 31, view.height / 22
        given = {"depth": view.depth, "distance": motion.length, "pixel_size": pixel, "method": method}
        reading = read_images(radar.range, radar.mask, ids=radar.ids, **given)
        assert reading.hit == radar.hit
        if not radar.hit:
            continue
        hits += 1
        assert reading.travel == pytest.approx(radar.travel, abs=1e-12)
        assert np.array_equal(reading.pixels, radar.pixels)
        assert reading.obstacles == tuple(body.id for body in radar.obstacles)
        assert np.array(view.eye) + reading.center @ view.frame == pytest.approx(radar.center, abs=1e-9)
        assert reading.normal @ view.frame == pytest.approx(radar.normal, abs=1e-6)
        assert reading.points @ view.frame + view.eye == pytest.approx(radar.points, abs=1e-9)
        assert np.allclose(reading.lookat, radar.lookat, atol=1e-12, equal_nan=True)
    assert hits >= 8


# ---- buffers


def test_buffers_of_whole_numbers():
    assert depths_from_buffer(np.array([[0, 65535, 13107]], np.uint16), depth=5.0).tolist() == [[0.0, 5.0, 1.0]]
    assert depths_from_buffer(np.array([0, 255], np.uint8), depth=2.0, reversed_z=True).tolist() == [2.0, 0.0]
    full = np.array([2**24 - 1, 0], np.uint32)
    assert depths_from_buffer(full, depth=3.0, bits=24).tolist() == [3.0, 0.0]
    assert depths_from_buffer(full.astype(np.int32), depth=3.0, bits=24).tolist() == [3.0, 0.0]
    assert depths_from_buffer(np.array([2**32 - 1], np.uint32), depth=3.0).tolist() == [3.0]


@pytest.mark.parametrize("reversed_z", [False, True])
@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.float32, np.float64])
def test_lengths_come_back_within_a_step(kind, reversed_z, rng):
    depth = 7.3
    lengths = rng.uniform(0.0, depth, (20, 30))
    lengths[:5] = depth
    share = 1.0 - lengths / depth if reversed_z else lengths / depth
    floats = np.issubdtype(kind, np.floating)
    most = 1.0 if floats else float(np.iinfo(kind).max)
    buffer = share.astype(kind) if floats else np.round(share * most).astype(kind)
    found = depths_from_buffer(buffer, depth=depth, reversed_z=reversed_z)
    error = depth * (np.finfo(kind).eps if floats else 0.5 / most) * 1.01
    assert np.abs(found - lengths).max() <= error
    assert (found[:5] == depth).all()  # what was cleared is empty to the bit


NAN = math.nan
BAD_BUFFERS = {
    "above one": ([0.5, 1.5], {}, r"buffer\[1\] is 1\.5; accepted: 0 to 1"),
    "NaN": (np.array([[0.0, NAN]]), {}, r"buffer\[0, 1\] is nan; accepted: 0 to 1"),
    "signed": (np.array([1, 2]), {}, "buffer: has dtype int64; accepted: an unsigned type, or give bits"),
    "too many for its bits": (np.array([5, 1 << 24]), {"bits": 24}, r"buffer\[1\] is 16777216; accepted: 0 to 16777215"),
    "negative": (np.array([-1]), {"bits": 24}, r"buffer\[0\] is -1; accepted"),
    "bits of floats": ([0.5], {"bits": 24}, "bits is 24, but buffer has dtype float64"),
    "no bits": (np.array([1], np.uint8), {"bits": 0}, "bits is 0; accepted: a whole number from 1 to 32"),
    "more bits than its type": (
        np.array([65535], np.uint16),
        {"bits": 24},
        "bits is 24, but buffer has dtype uint16; .* at most 16",
    ),
    "the sign's bit": (np.array([5], np.int32), {"bits": 32}, "bits is 32, but buffer has dtype int32; accepted: at most 31"),
    "no depth": ([0.5], {"depth": 0.0}, "depth is 0.0; accepted: a length above 0"),
}


@pytest.mark.parametrize("case", BAD_BUFFERS)
def test_bad_buffers(case):
    buffer, options, message = BAD_BUFFERS[case]
    with pytest.raises(ss.errors.InvalidQuery, match=message):
        depths_from_buffer(buffer, **{"depth": 1.0, **options})


def test_buffers_of_a_wrong_type():
    for wrong in ("text", [True, False], None):
        with pytest.raises(ss.errors.InvalidType, match="buffer: expected an array of numbers"):
            depths_from_buffer(wrong, depth=1.0)
    with pytest.raises(ss.errors.InvalidType, match="reversed_z is 1; accepted: True, False"):
        depths_from_buffer([0.5], depth=1.0, reversed_z=1)


def with_value(image, row, column, value):
    image[row, column] = value
    return image


BAD_IMAGES = {
    "NaN": ({"range_image": with_value(empty(), 1, 2, NAN)}, r"range_image\[1, 2\] is nan; accepted: 0 or more; 10 where"),
    "negative": ({"mask_image": with_value(empty(), 0, 3, -0.5)}, r"mask_image\[0, 3\] is -0\.5; accepted: 0 or more"),
    "shapes": ({"mask_image": empty(6, 7)}, r"mask_image: has shape \(6, 7\), range_image \(6, 8\); accepted: the same"),
    "flat": ({"range_image": np.ones(9)}, r"range_image: expected an image of shape \(rows, columns\), got shape \(9,\)"),
    "no pixels": ({"range_image": np.ones((0, 4))}, "range_image: expected an image"),
    "no mover": ({"mask_image": empty()}, "mask_image: shows no mover"),
    "ids of another shape": ({"ids": np.zeros((6, 7), int)}, r"ids: has shape \(6, 7\), the images \(6, 8\)"),
    "no id": ({"ids": np.full((6, 8), -1)}, r"ids\[2, 4\] is -1; accepted: 0 to 2147483647 where the depth is less"),
    "no part": ({"mask_ids": np.full((6, 8), -1)}, r"mask_ids\[1, 1\] is -1; accepted"),
    "huge ids": ({"ids": np.full((6, 8), 2**40)}, r"ids\[2, 4\] is 1099511627776; accepted"),
    "no depth": ({"depth": 0}, "depth is 0.0; accepted: a length above 0"),
    "negative distance": ({"distance": -2}, "distance is -2.0; accepted: a length above 0"),
    "no size": ({"pixel_size": (1.0, 0.0)}, r"pixel_size\[1\] is 0.0; accepted: a length above 0"),
    "negative size": ({"pixel_size": -1.0}, "pixel_size is -1.0; accepted: a length above 0"),
    "three sizes": ({"pixel_size": (1, 2, 3)}, r"pixel_size: expected width and height, or one number, got \(1, 2, 3\)"),
    "negative error": ({"depth_error": -1.0}, "depth_error is -1"),
    "too short a view": ({"distance": 8.0}, r"distance is 8, but mask_image\[1, 1\] is 7: the view ends there"),
    "method": ({"method": "exact"}, "method is 'exact'; accepted: 'sampled', 'bounding', 'published'"),
}


@pytest.mark.parametrize("case", BAD_IMAGES)
def test_bad_images(case):
    changes, message = BAD_IMAGES[case]
    range_image, mask, _ = example()
    given = {"range_image": range_image, "mask_image": mask, **VIEW, **changes}
    with pytest.raises(ss.errors.InvalidQuery, match=message):
        read_images(given.pop("range_image"), given.pop("mask_image"), **given)


def test_images_of_a_wrong_type():
    range_image, mask, ids = example()
    for name, value in (("ids", ids.astype(float)), ("depth", "10"), ("pixel_size", "1"), ("method", None)):
        with pytest.raises(ss.errors.InvalidType, match=name):
            read_images(range_image, mask, **{**VIEW, name: value})
    with pytest.raises(ss.errors.InvalidType, match="mask_image: expected an image"):
        read_images(range_image, "mask", **VIEW)


def test_a_published_mask_without_mover_is_free():
    range_image, _, _ = example()
    assert not read_images(range_image, empty(), method="published", **VIEW)
