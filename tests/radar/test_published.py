"""method="published": equal to a twin of the paper's text (Yamachi & Shindo 2002, 3.1 to 3.3) that shares no code with it."""

import copy
import math
import pickle

import numpy as np
import pytest

import sweepscope as ss

INF = math.inf


# ---- the twin: rays through the centers of pixels against triangles, and the paper's listing


def cast(triangles, origins, direction):
    """Return where rays first meet triangles, shape (n, 3, 3), at a distance of 0 or more; infinite where they do not."""
    depth = np.full(len(origins), INF)
    for a, b, c in triangles:
        matrix = np.column_stack((b - a, c - a, -direction))
        if abs(np.linalg.det(matrix)) < 1e-12:
            continue
        u, v, t = np.linalg.solve(matrix, (origins - a).T)
        met = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (t >= 0.0)
        depth = np.minimum(depth, np.where(met, t, INF))
    return depth


def of(body):
    """Return the triangles of a body, world, shape (n, 3, 3)."""
    places = body.vertices @ body.pose[:3, :3].T + body.pose[:3, 3]
    return places[body.shape.faces]


def twin(mover, others, vector, frame, columns, rows):
    """Return (collision, min(L), R, M, L, codes, colliding pixels) by the listing of section 3.1, M mirrored."""
    distance = float(np.linalg.norm(vector))
    right, down, ahead = frame
    points = of(mover).reshape(-1, 3)
    low = np.array([(points @ axis).min() for axis in frame])
    high = np.array([(points @ axis).max() for axis in frame])
    d = distance + high[2] - low[2]
    u = low[0] + (np.arange(columns) + 0.5) * (high[0] - low[0]) / columns
    v = low[1] + (np.arange(rows) + 0.5) * (high[1] - low[1]) / rows
    across = v.repeat(columns)[:, None] * down + np.tile(u, rows)[:, None] * right
    each = np.array([cast(of(body), across + low[2] * ahead, ahead) for body in others])
    near = each.min(axis=0)
    codes = np.where(near <= d, each.argmin(axis=0), -1).reshape(rows, columns)
    ranges = np.where(near <= d, near, d).reshape(rows, columns)
    if ranges.min() == d:
        return False, INF, ranges, None, None, codes, np.empty((0, 2), int)
    # The second drawing is seen from the other side: its columns run the other way, until they are swapped.
    swapped = v.repeat(columns)[:, None] * down + np.tile(u[::-1], rows)[:, None] * right
    back = cast(of(mover), swapped + (low[2] + d) * ahead, -ahead)
    mask = np.where(back < d, back, d).reshape(rows, columns)[:, ::-1]
    lookat = np.full((rows, columns), INF)  # the mark of elimination
    for i in range(rows):
        for j in range(columns):
            if mask[i, j] != d:
                lookat[i, j] = ranges[i, j] + mask[i, j] - d
    return lookat.min() <= distance, lookat.min(), ranges, mask, lookat, codes, np.argwhere(lookat < distance)


def hull_of(points):
    """Return the corners of the convex hull of points in the plane, by wrapping."""
    start = min(points)
    corners, here = [], start
    while True:
        corners.append(here)
        there = points[0] if points[0] != here else points[1]
        for other in points:
            turn = (there[0] - here[0]) * (other[1] - here[1]) - (there[1] - here[1]) * (other[0] - here[0])
            further = math.dist(here, other) > math.dist(here, there)
            if turn < 0 or (turn == 0 and further):
                there = other
        here = there
        if here == start:
            return corners


def centroid(corners):
    """Return the centroid of a polygon, by the shoelace formula."""
    area = x = y = 0.0
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1], strict=True):
        cross = x0 * y1 - x1 * y0
        area, x, y = area + cross, x + (x0 + x1) * cross, y + (y0 + y1) * cross
    return x / (3.0 * area), y / (3.0 * area)


def in_line(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) == (b[1] - a[1]) * (c[0] - a[0])


def three_points(lookat, codes, pixels):
    """Return the three pixels of section 3.2: of the colliding ones, then the closest around them; None if too few."""
    inside = sorted(map(tuple, pixels), key=lambda p: lookat[p])
    near = {
        (i + p, j + q)
        for i, j in inside
        for p in (-1, 0, 1)
        for q in (-1, 0, 1)
        if 0 <= i + p < lookat.shape[0] and 0 <= j + q < lookat.shape[1]
    }
    around = sorted((p for p in near - set(inside) if codes[p] >= 0 and lookat[p] < INF), key=lambda p: lookat[p])
    three = inside[:2]
    for pixel in inside[2:] + around:
        if len(three) < 2 or (len(three) == 2 and not in_line(*three, pixel)):
            three.append(pixel)
    return three if len(three) == 3 else None


# ---- scenes


def star(rng):
    """Return an open tangle of triangles: concave, with gaps."""
    return ss.Mesh(rng.normal(size=(12, 3)), rng.permutation(12).reshape(4, 3))


def elbow(rng):
    """Return an L of two boxes as one mesh."""
    one, two = ss.Mesh.box((0.4, 0.4, 2.0)), ss.Mesh.box((1.6, 0.4, 0.4))
    move = np.array((0.6, 0.0, 0.8 + 0.1 * rng.random()))
    return ss.Mesh(
        np.concatenate((one.vertices, two.vertices + move)), np.concatenate((one.faces, two.faces + len(one.vertices)))
    )


def box(rng):
    return ss.Mesh.box(rng.uniform(0.4, 2.0, 3))


def plate(rng):
    return ss.Mesh.box((2.0, 1.5, 1e-3))


def random_pose(rng, place):
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    pose = np.eye(4)
    pose[:3, :3] = turn if np.linalg.det(turn) > 0.0 else -turn
    pose[:3, 3] = place
    return pose


def case(rng, shape):
    """Return a scene with obstacles ahead of the mover and beside it."""
    scene = ss.Scene()
    mover = scene.add(shape(rng), random_pose(rng, rng.normal(size=3)), name="mover")
    vector = rng.normal(size=3)
    vector *= rng.uniform(1.0, 6.0) / np.linalg.norm(vector)
    count, size = (6, 1.0) if rng.random() < 0.6 else (2, 0.3)  # the small ones cover a pixel or two
    places = mover.pose[:3, 3] + rng.uniform(0.0, 1.2, (count, 1)) * vector + 0.7 * rng.normal(size=(count, 3))
    others = [scene.add(ss.Mesh.box(size * rng.uniform(0.1, 1.0, 3)), random_pose(rng, place)) for place in places]
    return scene, mover, others, vector


@pytest.mark.slow
@pytest.mark.parametrize("shape", [box, star, elbow, plate])
def test_pictures_and_answers_are_the_twins(rng, shape):
    hits = behind = few = several = 0
    for _ in range(30):
        scene, mover, others, vector = case(rng, shape)
        radar = ss.radar.Radar(scene, mover, pixels=(13, 9), method="published")
        reading = radar.probe(ss.Translate(vector))
        collision, least, ranges, mask, lookat, codes, pixels = twin(mover, others, vector, reading.view.frame, 13, 9)
        assert reading.hit == collision
        assert reading.range == pytest.approx(ranges, abs=1e-9)
        assert np.array_equal(reading.ids, np.where(codes < 0, -1, np.array([body.id for body in others])[codes]))
        assert reading.drawings == (1 if mask is None else 2)
        if mask is None:
            assert reading.lead is None
            continue
        assert reading.mask == pytest.approx(mask, abs=1e-9)
        assert np.nan_to_num(reading.lookat, nan=INF) == pytest.approx(lookat, abs=1e-9)
        if not collision:
            continue
        hits += 1
        behind += least < 0.0
        assert reading.travel == pytest.approx(max(least, 0.0), abs=1e-9)
        assert np.array_equal(reading.pixels, pixels)
        assert {int(k) for k in codes[tuple(pixels.T)]} == {others.index(body) for body in reading.obstacles}
        places = list(map(tuple, pixels.tolist()))
        straight = all(in_line(places[0], places[-1], one) for one in places)
        if straight:
            row, column = (0.5 * (a + b) for a, b in zip(places[0], places[-1], strict=True))
        else:
            row, column = centroid(hull_of(places))
        few, several = few + straight, several + (not straight)
        right, down, ahead = reading.view.frame
        offset = reading.center - reading.view.eye
        assert offset @ right / reading.view.width * 13 + 6.0 == pytest.approx(column, abs=1e-9)
        assert offset @ down / reading.view.height * 9 + 4.0 == pytest.approx(row, abs=1e-9)
        three = three_points(lookat, codes, pixels)
        if three is None:
            assert np.isnan(reading.normal).all()
            continue
        a, b, c = (reading.view.at(j, i, ranges[i, j], (9, 13)) for i, j in three)
        normal = np.cross(b - a, c - a)
        normal *= -np.sign(normal @ ahead) / np.linalg.norm(normal)
        assert reading.normal == pytest.approx(normal, abs=1e-6)
    assert hits >= 10
    assert several >= 3
    assert few >= 1
    assert behind >= 2 or shape is plate


# ---- what the letter of it means


def test_what_is_in_a_notch_is_a_false_alarm():
    scene = ss.Scene()
    mover = scene.add(elbow(np.random.default_rng(0)), name="L")
    scene.add(ss.Box((0.1, 0.1, 0.1)), (0.8, 0.0, 0.0), name="in the notch")
    up = ss.Translate((0.0, 0.0, 0.2))
    reading = ss.radar.Radar(scene, mover, pixels=40, method="published").probe(ss.Translate((0.0, 0.0, 3.0)))
    assert reading
    assert reading.travel == 0.0
    assert np.nanmin(reading.lookat) < 0.0
    assert not reading.overlapping
    # The arm of the L passes above it: nothing is hit, and the radar that looks from the front knows.
    assert scene.sweep(mover, up) is None
    assert not ss.radar.Radar(scene, mover, pixels=40).probe(up)


def test_ahead_of_a_flat_front_nothing_is_a_collision_too():
    """Where R shows nothing, L = M, which is D ahead of the foremost face: "<= D" holds, with no body."""
    scene = ss.Scene()
    # All numbers are exact in binary.
    tall = scene.add(ss.Box((1.0, 1.0, 4.0)), (0.0, 0.0, 2.0))
    low = scene.add(ss.Box((1.0, 1.0, 1.0)), (1.0, 0.0, 0.5))
    scene.add(ss.Box((0.5, 0.5, 0.5)), (1.0, 0.0, 7.25), name="out of reach of the low one")
    motion = ss.Translate((0.0, 0.0, 4.0))
    reading = ss.radar.Radar(scene, [tall, low], pixels=16, method="published").probe(motion)
    assert scene.sweep([tall, low], motion) is None
    assert reading.hit
    assert reading.travel == 4.0
    assert reading.obstacles == ()
    assert len(reading.pixels) == 0
    assert np.isnan(reading.center).all()
    assert np.isnan(reading.normal).all()
    assert "no body" in repr(reading)
    assert reading.as_dict()["obstacles"] == []


def test_a_ball_with_an_odd_number_of_pixels_has_such_a_place_too():
    """The center of its middle pixel is the foremost point of the ball."""
    scene = ss.Scene()
    ball = scene.add(ss.Sphere(1.0), (0.0, 0.0, 1.0))
    scene.add(ss.Box((0.25, 0.25, 0.25)), (0.875, 0.875, 5.5), name="beside the ball's way, in the view")
    motion = ss.Translate((0.0, 0.0, 4.0))
    assert scene.sweep(ball, motion) is None
    for pixels, hit in ((24, False), (25, True), (50, False), (51, True)):
        reading = ss.radar.Radar(scene, ball, pixels=pixels, method="published").probe(motion)
        assert reading.hit is hit
        assert reading.obstacles == ()
        assert reading.travel == 4.0


def test_a_sheet_along_its_normal_is_never_seen():
    """It has no length: M = d, the mark of a pixel without mover."""
    scene = ss.Scene()
    sheet = scene.add(ss.Mesh([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], [(0, 1, 2), (0, 2, 3)]), (0, 0, 3))
    scene.add(ss.Box((5, 5, 1)))
    motion = ss.Translate((0, 0, -5))
    assert scene.sweep(sheet, motion) is not None
    reading = ss.radar.Radar(scene, sheet, pixels=20, method="published").probe(motion)
    assert not reading
    assert reading.drawings == 2
    assert np.isnan(reading.lookat).all()


def test_a_needle_that_covers_no_center_is_missed():
    scene = ss.Scene()
    needle = scene.add(
        ss.Mesh([(0, 0, 0), (0, 0, 1), (1e-3, 0, 1), (1, 1, 1), (1, 1, 1.001)], [(0, 1, 2), (0, 3, 4)]), (0, 0, 3)
    )
    scene.add(ss.Box((5, 5, 1)))
    motion = ss.Translate((0, 0, -5))
    assert scene.sweep(needle, motion) is not None
    radar = ss.radar.Radar(scene, needle, pixels=(2, 1), method="published", max_size=4.0)
    for _ in range(3):
        assert not radar.probe(motion)


def test_a_start_inside_is_not_noticed():
    """From inside a closed body its far side is seen: L is positive and the overlap is not told."""
    scene = ss.Scene()
    inner = scene.add(ss.Box((1, 1, 1)))
    scene.add(ss.Box((4, 4, 4)), name="outer")
    reading = ss.radar.Radar(scene, inner, pixels=20, method="published").probe(ss.Translate((0, 0, 5)))
    assert reading.travel == pytest.approx(1.5)
    assert not reading.overlapping
    assert ss.radar.Radar(scene, inner, pixels=20).probe(ss.Translate((0, 0, 5))).overlapping


def test_round_shapes_are_seen_as_their_meshes():
    scene = ss.Scene()
    ball = scene.add(ss.Sphere(0.5), (0, 0, 3))
    scene.add(ss.Box((10, 10, 0.2)), name="floor")
    reading = ss.radar.Radar(scene, ball, pixels=101, method="published").probe(ss.Translate((0, 0, -5)))
    assert reading.travel == pytest.approx(2.4, abs=1e-9)
    assert reading.normal == pytest.approx((0, 0, 1), abs=1e-9)
    assert reading.center == pytest.approx((0, 0, 0.1), abs=1e-9)
    # All pixels of the ball will be reached within the motion.
    assert len(reading.pixels) == np.isfinite(reading.lead).sum()


def test_a_mask_is_kept_and_sized_as_by_the_other_methods():
    scene = ss.Scene()
    body = scene.add(ss.Mesh.sphere(0.5), (0, 0, 3))
    scene.add(ss.Box((10, 10, 0.2)), name="floor")
    down = ss.Translate((0, 0, -5))
    for method in ("sampled", "published"):
        radar = ss.radar.Radar(scene, body, pixels=40, method=method, max_size=4.0)
        first, second, third = (radar.probe(down) for _ in range(3))
        assert (first.drawings, second.drawings, third.drawings) == (2, 2, 1)
        assert first.view.width == 4.0
        assert second.view.width == third.view.width == pytest.approx(1.1, abs=0.11)
        assert radar.probe(ss.Translate((0, 0, -4))).drawings == 1


def test_turns_and_screws_are_refused():
    scene = ss.Scene()
    body = scene.add(ss.Box((1, 1, 1)))
    radar = ss.radar.Radar(scene, body, method="published")
    with pytest.raises(ss.errors.InvalidMotion, match="is a Rotate; method 'published' takes a Translate"):
        radar.probe(ss.Rotate((0, 0, 1), 1.0))
    with pytest.raises(ss.errors.InvalidMotion, match=r"motions\[0\]: is a Rotate"):
        ss.radar.RadarSet(scene, [body], method="published").probe([ss.Rotate((0, 0, 1), 1.0)])
    with pytest.raises(ss.errors.InvalidMotion, match="Screw"):
        radar.probe(ss.Screw((0, 0, 1), 1.0, slide=1.0))


def test_methods_are_one_choice():
    scene = ss.Scene()
    body = scene.add(ss.Box((1, 1, 1)))
    assert ss.radar.Radar(scene, body).method == "sampled"
    for wrong in ("exact", True, None, 3):
        error = ss.errors.InvalidQuery if wrong == "exact" else ss.errors.InvalidType
        with pytest.raises(error, match=r"method is .*; accepted: 'sampled', 'bounding', 'published'"):
            ss.radar.Radar(scene, body, method=wrong)
        with pytest.raises(error, match="method is"):
            ss.radar.RadarSet(scene, [body], method=wrong)
    assert "published" in repr(ss.radar.Radar(scene, body, method="published"))


def test_copies_pickles_and_sets_read_the_same():
    scene = ss.Scene()
    body = scene.add(ss.Mesh.sphere(0.5), (0, 0, 3))
    scene.add(ss.Box((10, 10, 0.2)), name="floor")
    down = ss.Translate((0, 0.3, -5))
    radar = ss.radar.Radar(scene, body, pixels=30, method="published")
    reading = radar.probe(down)
    many = ss.radar.RadarSet(scene, [body] * 9, pixels=30, method="published").probe([down] * 9)
    others = [copy.copy(radar).probe(down), pickle.loads(pickle.dumps(radar)).probe(down), *many]
    probe = pickle.loads(pickle.dumps(radar.prepare(down)))
    probe.draw()
    for other in (*others, probe.read(), pickle.loads(pickle.dumps(reading))):
        assert other.travel == reading.travel
        assert other.method == "published"
        assert np.array_equal(other.lookat, reading.lookat, equal_nan=True)
        assert np.array_equal(other.normal, reading.normal)


def test_volumes_and_ignored_bodies():
    scene = ss.Scene()
    body = scene.add(ss.Mesh.sphere(0.5), (0, 0, 3))
    floor = scene.add(ss.Volume(np.ones((8, 8, 2), bool), 0.5), (-2, -2, -1), name="floor")
    radar = ss.radar.Radar(scene, body, pixels=41, method="published")
    down = ss.Translate((0, 0, -5))
    assert radar.probe(down).travel == pytest.approx(scene.sweep(body, down).travel, abs=1e-3)
    assert radar.probe(down).obstacle is floor
    assert not radar.probe(down, ignore=[floor])
