"""Two radars that read a turn, against twins of the paper's text that share no code with them."""

import math

import numpy as np
import pytest
from sweepscope_lab.scenes.rolling import BODIES
from sweepscope_lab.simulate.foresight import SMALL, turn_until
from sweepscope_lab.simulate.roll import Roll, RollSettings
from sweepscope_lab.simulate.two_radars import BEHIND, RULES, HalfReading, TwoRadars

from sweepscope import Box, Mesh, Rotate, Scene, Translate, View
from sweepscope.errors import InvalidMotion, InvalidQuery, InvalidType


def first_on_ray(start, toward, triangles):
    """Distance along a ray to the first of triangles (m, 3, 3), by planes and three side tests; infinity if there is none."""
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    normals = np.cross(b - a, c - a)
    speed = normals @ toward
    with np.errstate(divide="ignore", invalid="ignore"):
        far = ((a - start) * normals).sum(axis=1) / speed
        places = start + far[:, None] * toward
        inside = np.ones(len(triangles), bool)
        for p, q in ((a, b), (b, c), (c, a)):
            inside &= (np.cross(q - p, places - p) * normals).sum(axis=1) >= 0.0
    far = far[inside & (speed != 0.0) & (far >= 0.0)]
    return far.min() if len(far) else math.inf


def world_triangles(body):
    return (body.vertices @ body.pose[:3, :3].T + body.pose[:3, 3])[body.shape.faces]


def allowed_by_the_paper(half, body, ground, about, rule, behind, rim):
    """Sections 2 and 3, pixel by pixel: R, M, L = R + M - d, and an angle from L and the distance to the axis."""
    view, (rows, columns) = half.view, half.allowed.shape
    right, down, ahead = view.frame
    d = view.depth
    angles = np.full((rows, columns), np.nan)
    for row in range(rows):
        y = (rows - row - 0.5) * view.height / rows  # the axis is the lower rim
        for column in range(columns):
            at = (
                np.array(view.eye)
                + ((column + 0.5) / columns - 0.5) * view.width * right
                + ((row + 0.5) / rows - 0.5) * view.height * down
            )
            seen = min(first_on_ray(at, ahead, ground), d)  # R
            mask = min(first_on_ray(at + d * ahead, -ahead, body), d)  # M
            if d in (seen, mask) or y < rim:
                continue  # no sensor object, nothing met, or too near to the axis
            gap = seen + mask - d  # L
            if behind == "skip" and gap < -max(view.width / columns, view.height / rows):
                continue
            gap = max(gap, 0.0)
            s = (at - about) @ ahead + d - mask
            if rule == "row":
                angles[row, column] = math.atan(gap / y)
            elif rule == "arm":
                angles[row, column] = math.atan(gap / math.sqrt(y * y + s * s))
            else:
                angles[row, column] = math.atan((s + gap) / y) - math.atan(s / y)
    return angles


@pytest.fixture(scope="module")
def tipping():
    """A roll of a body that is about to turn, and that turn."""

    def make(name):
        roll = Roll(RollSettings(body=name, seed=1, roughness=0.6))
        before = roll.body.pose
        while (event := roll.step()).kind != "turn" or event.amount < 0.25:
            before = roll.body.pose
        roll.body.pose = Rotate(event.axis, event.amount - 0.15, about=event.about).at() @ before
        return roll, Rotate(event.axis, 0.3, about=event.about)

    return make


@pytest.mark.slow
@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", ["cube", "star"])
def test_a_pixel_allows_what_the_papers_text_allows(tipping, name, rule, behind):
    roll, motion = tipping(name)
    rim = 0.05 * roll.size
    reading = TwoRadars(roll.scene, roll.body, (9, 8), rule=rule, rim=rim, behind=behind).probe(motion)
    body, ground = world_triangles(roll.body), world_triangles(roll.ground)
    compared, least = 0, []
    for half in reading.halves:
        if half is None:
            continue
        twin = allowed_by_the_paper(half, body, ground, np.array(motion.about), rule, behind, rim)
        np.testing.assert_allclose(half.allowed, twin, rtol=0.0, atol=1e-12)
        compared += np.isfinite(twin).sum()
        least.append(np.nanmin(twin, initial=math.inf))
    assert compared > 5
    np.testing.assert_allclose([angle for angle in reading.angles if angle < math.inf], [x for x in least if x < math.inf])


def test_what_is_behind_the_leading_surface_collides_by_the_letter_only():
    """A post with a foot that reaches back; a rod stands over the foot, behind the post, which turns away from it."""
    scene = Scene()
    parts = [Mesh.box((0.2, 1.0, 1.0)).vertices + (0.0, 0.0, 0.5), Mesh.box((0.8, 1.0, 0.2)).vertices - (0.5, 0.0, -0.1)]
    faces = Mesh.box((1.0, 1.0, 1.0)).faces
    post = scene.add(Mesh(np.concatenate(parts), np.concatenate((faces, faces + 8))), name="post")
    scene.add(Box((0.1, 3.0, 0.1)), (-0.5, 0.0, 0.8), name="rod")
    motion = Rotate((0.0, 1.0, 0.0), 0.1)
    assert scene.sweep(post, motion) is None
    skip, hit = (TwoRadars(scene, post, 40, behind=behind, center=(0.0, 0.0, 0.5)).probe(motion) for behind in BEHIND)
    assert not skip
    assert hit.angle == 0.0
    assert hit.point[2] == pytest.approx(0.8, abs=0.06)


def steps_of_the_paper(radars, motion, limit, step):
    """Section 3, steps 1 to 3: turn while both angles are above the limit; then which radar detected, and how far it turned."""
    start, turned = radars.body.pose, 0.0
    while turned < motion.angle:
        most = min(step, motion.angle - turned)
        angle1, angle2 = radars.probe(Rotate(motion.axis, most, about=motion.about)).angles
        if min(angle1, angle2) <= min(limit, most):
            radars.body.pose = start
            return turned, 0 if angle1 <= angle2 else 1
        turned += min(most, angle1, angle2)
        radars.body.pose = Rotate(motion.axis, turned, about=motion.about).at() @ start
    radars.body.pose = start
    return motion.angle, -1


@pytest.mark.slow
def test_the_detection_limit_stops_where_the_papers_steps_stop(tipping):
    found = free = 0
    for name in BODIES:
        roll, motion = tipping(name)
        for rule in RULES:
            radars = TwoRadars(roll.scene, roll.body, 60, rule=rule, rim=0.05 * roll.size)
            for limit in (0.005, 0.02, 0.1):
                before = roll.body.pose
                turned, reading, looks = turn_until(radars, motion, limit)
                np.testing.assert_array_equal(roll.body.pose, before)
                expected, which = steps_of_the_paper(radars, motion, limit, SMALL)
                assert turned == pytest.approx(expected, abs=1e-12)
                assert (-1 if reading is None else reading.radar) == which
                assert looks >= 1
                assert reading is None or reading.angle <= limit
                found, free = found + (reading is not None), free + (reading is None)
    # Of 54 both kinds occur: the twin is compared where it stops, and where it does not.
    assert found > 10
    assert free > 4


def test_without_a_limit_a_turn_ends_at_what_is_read():
    scene = Scene()
    bar = scene.add(Box((0.2, 1.0, 2.0)), (0.0, 0.0, 1.0), name="bar")
    scene.add(Box((1.0, 4.0, 0.2)), (1.5, 0.0, 0.9), name="wall")
    radars = TwoRadars(scene, bar, 100)
    turned, reading, looks = turn_until(radars, Rotate((0.0, 1.0, 0.0), 1.2), None)
    assert reading.hit
    assert looks == round(turned / SMALL) + 1
    assert 0.6 < turned + reading.angle < 0.8
    back = turn_until(radars, Rotate((0.0, 1.0, 0.0), -1.2), None)
    assert back[:2] == (pytest.approx(1.2), None)


@pytest.mark.parametrize("seed", range(20))
def test_both_ends_are_the_collisions_farthest_apart(seed):
    rng = np.random.default_rng(seed)
    rows, columns = rng.integers(1, 12, 2)
    width, height = rng.uniform(0.5, 2.0, 2)
    allowed = rng.uniform(0.0, 1.0, (rows, columns))
    allowed[rng.uniform(size=allowed.shape) < 0.3] = np.nan
    limit = (0.02, 0.2, 0.7)[seed % 3]
    view = View((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), width=width, height=height, depth=1.0)
    ids = np.zeros(allowed.shape, np.int32)
    half = HalfReading(view, allowed, allowed, allowed, allowed, ids, ids)
    collisions = [(i, j) for i in range(rows) for j in range(columns) if allowed[i, j] <= limit]
    assert half.collisions(limit).tolist() == [list(each) for each in collisions]
    ends = half.axis_ends(limit)
    if len(collisions) < 2:
        assert ends.tolist() == [list(each) for each in collisions]
        return

    def apart(p, q):
        return math.hypot((p[0] - q[0]) * height / rows, (p[1] - q[1]) * width / columns)

    farthest = max(apart(p, q) for p in collisions for q in collisions)
    assert {tuple(end) for end in ends.tolist()} <= set(collisions)
    assert apart(*ends) == pytest.approx(farthest, rel=1e-12)


@pytest.fixture
def bar_and_wall():
    """A bar that stands on the y axis, and a beam ahead of it at x = 1, from z = 0.8 up to 1."""
    scene = Scene()
    bar = scene.add(Box((0.2, 1.0, 2.0)), (0.0, 0.0, 1.0), name="bar")
    scene.add(Box((1.0, 4.0, 0.2)), (1.5, 0.0, 0.9), name="wall")
    return scene, bar


def test_two_radars_read_a_bar_that_turns_towards_a_wall(bar_and_wall):
    scene, bar = bar_and_wall
    # At its upper edge the beam is 0.9 ahead of the bar, whose front is 0.1 before the axis.
    for rule, angle in (
        ("row", math.atan(0.9)),
        ("subtended", 0.25 * math.pi - math.atan(0.1)),
        ("arm", math.atan(0.9 / math.hypot(1.0, 0.1))),
    ):
        reading = TwoRadars(scene, bar, 400, rule=rule).probe(Rotate((0.0, 1.0, 0.0), 1.2))
        assert reading
        assert reading.angle == pytest.approx(angle, abs=0.005)
    # The truth lies between: the front meets the edge at (1, 1).
    assert 0.25 * math.pi - math.atan(0.1) < 0.25 * math.pi - math.asin(0.1 / math.sqrt(2.0)) < reading.angle
    assert reading.body is scene["wall"]
    assert reading.radar == 0
    assert reading.point[0] == pytest.approx(1.0, abs=1e-9)
    assert reading.point[2] == pytest.approx(1.0, abs=0.02)
    np.testing.assert_allclose(reading.normal, (-1.0, 0.0, 0.0), atol=1e-12)
    away = TwoRadars(scene, bar, 200).probe(Rotate((0.0, 1.0, 0.0), -1.2))
    assert not away
    assert away.angle == pytest.approx(1.2)
    assert math.isnan(away.point[0])


def test_two_radars_test_only_above_the_axis(bar_and_wall):
    scene, bar = bar_and_wall
    bar.pose = (0.0, 0.0, 0.5)  # half of it is below the axis now
    reading = TwoRadars(scene, bar, 100).probe(Rotate((0.0, 1.0, 0.0), 0.4, about=(0.0, 0.0, 0.0)))
    first, second = reading.halves
    assert first.view.height == pytest.approx(1.5)
    assert second.view.height == pytest.approx(0.5)
    np.testing.assert_allclose(first.view.toward, (1.0, 0.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(second.view.toward, (-1.0, 0.0, 0.0), atol=1e-12)
    np.testing.assert_allclose(second.view.up, (0.0, 0.0, -1.0), atol=1e-12)
    both = np.isfinite(first.lookat)
    np.testing.assert_allclose(first.lookat[both], (first.range + first.mask - first.view.depth)[both], atol=1e-12)


def test_two_radars_refuse_what_they_cannot_read(bar_and_wall):
    scene, bar = bar_and_wall
    for pixels in (0, (5, 0), -3, 2.5):
        with pytest.raises(InvalidType if pixels == 2.5 else InvalidQuery, match="pixels"):
            TwoRadars(scene, bar, pixels)
    with pytest.raises(InvalidQuery, match="'row', 'arm', 'subtended'"):
        TwoRadars(scene, bar, rule="guess")
    with pytest.raises(InvalidQuery, match="'skip', 'hit'"):
        TwoRadars(scene, bar, behind="maybe")
    with pytest.raises(InvalidQuery, match="rim is -1"):
        TwoRadars(scene, bar, rim=-1.0)
    radars = TwoRadars(scene, bar)
    with pytest.raises(InvalidMotion, match="expected a Rotate"):
        radars.probe(Translate((1.0, 0.0, 0.0)))
    for angle in (0.0, 2.0, -3.0):
        with pytest.raises(InvalidMotion, match=r"accepted: -1\.414 to 1\.414 radians, not 0"):
            radars.probe(Rotate((0.0, 1.0, 0.0), angle))
