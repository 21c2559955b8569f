"""Laws of bodies that touch at the start: free when they part or slide, held when they press.

Cases are numbered: a failing law names the numbers of its cases, and each depends on its number alone.
"""

import math
from itertools import pairwise

import numpy as np
import pytest
from sweepscope_lab.reference.vectors import random_direction, random_rotation
from sweepscope_lab.scenes.bodies import bumpy_ball, ring
from sweepscope_lab.scenes.rolling import star
from sweepscope_lab.scenes.touching import bowl, l_block, part_of, pose_of, scaled

import sweepscope as ss

MOTIONS = ("straight", "turn", "screw")
SOLIDS = {  # each is seen whole from its origin
    "box": lambda rng: ss.Box(rng.uniform(0.5, 2.0, 3)),
    "mesh": lambda rng: bumpy_ball(7, 8, rng.uniform(0.5, 1.2), int(rng.integers(100))),
    "star": lambda rng: star(),
    "L": lambda rng: l_block(),
    "capsule": lambda rng: ss.Capsule.from_segment((0, 0, -0.5), (0, 0, 0.5), radius=rng.uniform(0.2, 0.6)),
    "cylinder": lambda rng: ss.Mesh.cylinder(rng.uniform(0.4, 1.0), rng.uniform(0.4, 2.0), sections=9),
}
OTHERS = {
    "sheet": lambda rng: ss.Mesh.terrain(rng.uniform(-0.3, 0.3, (4, 4)), 0.5),
    "bowl": lambda rng: bowl(1.0, 4, 9),
    "ring": lambda rng: ring(0.6, 1.2, 0.4, 9),
}
SHAPES = SOLIDS | OTHERS
BLOCKS = (ss.Box((1, 1, 1)), ss.Box((2, 1, 1)), ss.Box((1, 2, 2)), l_block(), ss.Mesh.box((2, 2, 1)))
SIZE = 3.0  # the size of bodies and places here [length]


def any_motion(rng, kind, middle, towards):
    """A motion of a body at `middle` that leads about `towards`."""
    if kind == "straight":
        return ss.Translate(towards)
    axis = random_direction(rng)
    about = middle + rng.normal(size=3)
    if np.cross(axis, middle - about) @ towards < 0.0:
        axis = -axis
    if kind == "turn":
        return ss.Rotate(axis, rng.uniform(0.5, 3.0), about=about)
    return ss.Screw(axis, rng.uniform(0.5, 3.0), slide=axis @ towards, about=about)


def random_case(number, kind, names=tuple(SHAPES)):
    """Two bodies in random poses, apart as a rule, and a motion of the first towards the second."""
    rng = np.random.default_rng((number, MOTIONS.index(kind)))
    first, second = (SHAPES[str(rng.choice(each))](rng) for each in (names, tuple(SHAPES)))
    start = pose_of(random_rotation(rng), 2.5 * random_direction(rng))
    end = pose_of(random_rotation(rng), rng.normal(size=3) * 0.2)
    motion = any_motion(rng, kind, start[:3, 3], rng.uniform(0.6, 2.0) * (end[:3, 3] - start[:3, 3]) + rng.normal(size=3) * 0.4)
    return rng, first, start, second, end, motion


def reached_case(number, kind, names=tuple(SHAPES)):
    """As `random_case`, after a sweep to contact; another motion at random. None if they do not meet."""
    rng, first, start, second, end, motion = random_case(number, kind, names)
    hit = ask(first, start, second, end, motion)
    if hit is None or hit.overlapping:
        return None
    start = motion.at(hit.time) @ start
    return rng, first, start, second, end, any_motion(rng, kind, start[:3, 3], rng.uniform(0.2, 2.0) * random_direction(rng))


def lattice_case(number, kind, names=()):
    """Blocks that touch, on a lattice, and a motion that begins no new contact as long as it is straight. None if they don't."""
    rng = np.random.default_rng((number, 7, MOTIONS.index(kind)))
    first, second = (BLOCKS[rng.integers(len(BLOCKS))] for _ in range(2))
    start, end = pose_of(np.eye(3), 0.5 * rng.integers(-4, 5, 3)), np.eye(4)
    scene = scene_of(first, start, second, end)
    if scene.sweep(scene["mover"], ss.Translate((0, 0, 0))) or not scene.sweep(
        scene["mover"], ss.Translate((0, 0, 0)), resting="hit"
    ):
        return None
    step = rng.integers(-1, 2, 3)
    if not step.any() or kind == "straight":
        return rng, first, start, second, end, ss.Translate(0.25 * step)
    about, angle = 0.5 * rng.integers(-4, 5, 3), float(rng.choice((-0.3, 0.3)))
    axis = step / np.linalg.norm(step)
    slide = 0.0 if kind == "turn" else float(rng.choice((-0.25, 0.0, 0.25)))
    return rng, first, start, second, end, ss.Screw(axis, angle, slide=slide, about=about)


TOUCHING = {"reached": reached_case, "on a lattice": lattice_case}
CASES = TOUCHING | {"apart": random_case}


def scene_of(first, start, second, end, tolerance=None):
    scene = ss.Scene(tolerance)
    scene.add(first, start, name="mover")
    scene.add(second, end)
    return scene


def ask(first, start, second, end, motion, tolerance=None, **options):
    scene = scene_of(first, start, second, end, tolerance)
    return scene.sweep(scene["mover"], motion, **options)


def run_law(law, make, kind, count, least, names=tuple(SHAPES)):
    """Ask a law, which says what is wrong or "", of many cases, of which at least `least` must come to the point."""
    wrong, asked = {}, 0
    for number in range(count):
        case = make(number, kind, names)
        answer = None if case is None else law(*case)
        asked += answer is not None
        if answer:
            wrong[number] = answer
    assert not wrong, f"{len(wrong)} of {asked} cases: {dict(list(wrong.items())[:5])}"
    assert asked >= least


def travel(hit):
    return math.inf if hit is None else hit.travel


def differ(one, other, far=1e-9):
    """What differs in two answers, or ""."""
    if (one is None) != (other is None):
        return f"{one} and {other}"
    return "" if one is None or abs(one.travel - other.travel) <= far else f"{one.travel} and {other.travel}"


@pytest.mark.slow
@pytest.mark.parametrize("kind", MOTIONS)
def test_a_body_can_go_back_the_way_it_came(kind):
    def law(_rng, first, start, second, end, motion):
        hit = ask(first, start, second, end, motion)
        if hit is None or hit.overlapping or hit.time < 1e-6:
            return None
        back = ask(first, motion.at(hit.time) @ start, second, end, part_of(motion, -hit.time))
        return "" if back is None else f"{back}"

    run_law(law, random_case, kind, 600, 100)


@pytest.mark.slow
@pytest.mark.parametrize("make", CASES)
@pytest.mark.parametrize("kind", MOTIONS)
def test_the_first_part_of_a_motion_has_the_same_answer(kind, make):
    def law(rng, first, start, second, end, motion):
        hit = ask(first, start, second, end, motion)
        share = rng.uniform(0.05, 0.95)
        if hit is not None and 0.0 < abs(hit.time - share) < 1e-7:
            return None
        part = ask(first, start, second, end, part_of(motion, share))
        return differ(hit if travel(hit) < share * motion.length else None, part)

    run_law(law, CASES[make], kind, 300, 50)


@pytest.mark.slow
@pytest.mark.parametrize("make", CASES)
@pytest.mark.parametrize("kind", MOTIONS)
def test_it_does_not_matter_who_moves(kind, make):
    def law(_rng, first, start, second, end, motion):
        return differ(ask(first, start, second, end, motion), ask(second, end, first, start, part_of(motion, -1.0)))

    run_law(law, CASES[make], kind, 300, 50)


def shuffled(rng, shape):
    """The same mesh: faces, vertices, and the corners of faces in another order."""
    if not isinstance(shape, ss.Mesh):
        return shape
    order = rng.permutation(len(shape.vertices))
    faces = np.argsort(order)[shape.faces[rng.permutation(len(shape.faces))]]
    rolled = [np.roll(face, rng.integers(3)) for face in faces]
    return ss.Mesh(shape.vertices[order], rolled)


@pytest.mark.slow
@pytest.mark.parametrize("make", CASES)
@pytest.mark.parametrize("kind", MOTIONS)
def test_the_order_of_faces_corners_vertices_and_bodies_does_not_matter(kind, make):
    def law(rng, first, start, second, end, motion):
        hit = ask(first, start, second, end, motion)
        scene = ss.Scene()
        scene.add(ss.Box((1, 1, 1)), (50, 0, 0))
        scene.add(shuffled(rng, second), end)
        return differ(hit, scene.sweep(scene.add(shuffled(rng, first), start), motion), 1e-12 * SIZE)

    run_law(law, CASES[make], kind, 300, 50)


@pytest.mark.slow
@pytest.mark.parametrize("make", TOUCHING)
@pytest.mark.parametrize("kind", MOTIONS)
def test_where_a_smaller_body_is_free_a_body_is_not_held(kind, make):
    def law(_rng, first, start, second, end, motion):
        if ask(scaled(first, 1.0 - 1e-12), start, second, end, motion) is not None:
            return None
        hit = ask(first, start, second, end, motion)
        return "" if hit is None or hit.time > 0.0 else f"{hit}"

    run_law(law, TOUCHING[make], kind, 400, 30, tuple(SOLIDS))


CONVEX = ("box", "capsule", "cylinder")


@pytest.mark.slow
@pytest.mark.parametrize("kind", MOTIONS)
def test_a_greater_tolerance_never_makes_a_hit_later(kind):
    """With a gap at the start: from the contact a body goes back by that, and comes again, a little more steeply or flatly."""

    def law(rng, first, start, second, end, motion):
        hit = ask(first, start, second, end, motion)
        if hit is None or hit.overlapping or hit.time < 0.1:
            return None
        gap = 10.0 ** rng.uniform(-6.0, -2.5)
        contact = motion.at(hit.time) @ start
        contact[:3, 3] += gap * hit.normal
        motion = part_of(motion, min(1.0, 0.3 / motion.length))
        answers = [(t, ask(first, contact, second, end, motion, t)) for t in (1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-3)]
        for (_, one), (tolerance, other) in pairwise(answers):
            both = one is not None and other is not None
            if (both or tolerance < 0.5 * gap) and travel(other) > travel(one) + 1e-11:
                return f"gap {gap:.3g}, tolerance {tolerance}: {travel(one)}, then {travel(other)}"
        return ""

    run_law(law, random_case, kind, 600, 100, CONVEX)


def test_a_box_on_a_pyramid_parts_slides_and_turns():
    scene = ss.Scene()
    box = scene.add(ss.Box((1, 1, 1)), (0, 0, 0.5))
    scene.add(ss.Mesh([[0, 0, 0], [1, 0, -0.3], [-1, 1, -0.3], [-1, -1, -0.3]], [[0, 1, 2], [0, 2, 3], [0, 3, 1]]))
    for vector in ((0, 0, 1), (1, 0, 0), (0, -1, 0), (0.3, 0.2, 0.1), (0.3, 0.2, 0)):
        assert scene.sweep(box, ss.Translate(vector)) is None, vector
    assert scene.sweep(box, ss.Rotate((0, 0, 1), 1.0)) is None
    assert scene.sweep(box, ss.Rotate((0, 0, 1), -1.0, about=(0.2, 0.1, 0))) is None
    assert scene.sweep(box, ss.Rotate((0, 1, 0), -0.3, about=(-5, 0, 0))) is None  # lifts it
    for motion in (ss.Translate((0, 0, -1)), ss.Translate((0.3, 0, -0.01)), ss.Rotate((0, 1, 0), 0.3, about=(-5, 0, 0))):
        assert scene.sweep(box, motion).time == 0.0


def test_a_box_on_the_step_of_a_folded_fan_parts():
    angle = np.arange(8) * np.pi / 4
    rim = np.c_[np.cos(angle), np.sin(angle), np.where(np.sin(angle) > 0.1, 0.3, -0.3)]
    vertices = np.r_[[[0, 0, 0]], rim, [[0, 0, -2]]]
    faces = [[0, 1 + i, 1 + (i + 1) % 8] for i in range(8)] + [[9, 1 + (i + 1) % 8, 1 + i] for i in range(8)]
    scene = ss.Scene()
    box = scene.add(ss.Box((1, 1, 1)), (0, -0.5, 0.5))
    scene.add(ss.Mesh(vertices, faces))
    assert scene.sweep(box, ss.Translate((0, -0.2, 0.5))) is None


def test_a_gap_below_the_tolerance_is_no_contact_until_the_surfaces_meet():
    scene = ss.Scene(tolerance=0.01)
    mover = scene.add(ss.Box((2, 2, 3)))
    scene.add(ss.Box((2, 6, 2)), (2.009, 0, 0))
    hit = scene.sweep(mover, ss.Rotate((0, 0, 1), 0.5))
    truth = math.pi / 4 - math.acos(1.009 / math.sqrt(2))  # the corner's cos + sin comes to 1.009
    assert truth == pytest.approx(0.00904, abs=1e-5)
    assert truth - 1e-9 <= hit.travel <= truth + 1e-12


@pytest.mark.parametrize(
    "motion", [ss.Translate((0, 0, 0)), ss.Translate((1, 0, 0)), ss.Rotate((0, 0, 1), 1.0, about=(3, 0, 0))], ids=repr
)
def test_two_points_in_one_place_touch(motion):
    scene = ss.Scene()
    point = scene.add(ss.PointCloud([(0, 0, 0)]), (1, 2, 3))
    scene.add(ss.PointCloud([(0, 0, 0)]), (1, 2, 3))
    assert scene.sweep(point, motion, resting="hit").time == 0.0


def test_where_resting_is_a_hit_a_gap_below_the_tolerance_is_not_yet_touching():
    scene = ss.Scene(tolerance=0.01)
    box = scene.add(ss.Box((1, 1, 1)), (0, 0, 0.505))
    scene.add(ss.Box((10, 10, 1)), (0, 0, -0.5))
    assert scene.sweep(box, ss.Translate((0, 0, -1)), resting="hit").travel == pytest.approx(0.005, abs=1e-12)
    turn = scene.sweep(box, ss.Rotate((0, 1, 0), 0.5, about=(-5, 0, 0.505)), resting="hit")
    # The lower far corner, 5.5 ahead of the axis and 0.5 below it, comes down by 0.005.
    assert turn.travel == pytest.approx(math.asin(0.505 / math.hypot(5.5, 0.5)) - math.atan2(0.5, 5.5), abs=1e-9)
    for motion in (ss.Translate((0, 0, 0)), ss.Translate((1, 0, 0)), ss.Translate((0, 0, 1)), ss.Rotate((0, 0, 1), 1.0)):
        assert scene.sweep(box, motion, resting="hit") is None
    box.pose = (0, 0, 0.5)
    assert scene.sweep(box, ss.Translate((1, 0, 0)), resting="hit").time == 0.0
