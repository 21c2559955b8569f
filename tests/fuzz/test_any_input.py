"""Whatever is thrown at the doors, they open or say why: a SweepscopeError and nothing else."""

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import sweepscope as ss

numbers = st.one_of(
    st.floats(),
    st.integers(-(2**70), 2**70),
    st.booleans(),
    st.none(),
    st.text(max_size=3),
    st.complex_numbers(),
    st.sampled_from([np.float32(1), np.int8(-1), np.nan, np.inf, np.array(2.0), b"x", object()]),
)
arrays = hnp.arrays(
    dtype=st.sampled_from([np.float64, np.float32, np.int32, np.uint8, np.bool_, np.complex128, "U2", object]),
    shape=hnp.array_shapes(min_dims=0, max_dims=3, max_side=4, min_side=0),
)
junk = st.one_of(
    numbers,
    arrays,
    st.lists(numbers, max_size=5),
    st.tuples(numbers, numbers, numbers),
    st.lists(st.lists(numbers, max_size=4), max_size=4),
    st.dictionaries(st.text(max_size=2), numbers, max_size=2),
    st.sampled_from([np.eye(4), np.eye(4)[:3], np.ma.masked_array(np.eye(4)), range(3), iter(()), {1, 2, 3}, slice(3)]),
)

DOORS = {
    "Translate": lambda a, b, c: ss.Translate(a),
    "Sphere": lambda a, b, c: ss.Sphere(a),
    "Capsule": lambda a, b, c: ss.Capsule.from_segment(a, b, radius=c),
    "Box": lambda a, b, c: ss.Box(a),
    "PointCloud": lambda a, b, c: ss.PointCloud(a, b),
    "Mesh": lambda a, b, c: ss.Mesh(a, b),
    "faces": lambda a, b, c: ss.Mesh(np.eye(3), a),
    "drop_invalid": lambda a, b, c: ss.Mesh(a, b, drop_invalid=True),
    "solid": lambda a, b, c: ss.Mesh(np.eye(3), [(0, 1, 2)], solid=a),
    "Mesh.box": lambda a, b, c: ss.Mesh.box(a),
    "Mesh.sphere": lambda a, b, c: ss.Mesh.sphere(a, rows=b, sections=c) if not _large(b, c) else None,
    "Mesh.cylinder": lambda a, b, c: ss.Mesh.cylinder(a, b, sections=c) if not _large(c) else None,
    "Mesh.terrain": lambda a, b, c: ss.Mesh.terrain(a, b),
    "Mesh.from_object": lambda a, b, c: ss.Mesh.from_object(a),
    "Mesh.load": lambda a, b, c: ss.Mesh.load(a),
    "Scene": lambda a, b, c: ss.Scene(a),
    "add": lambda a, b, c: ss.Scene().add(a, b),
    "pose": lambda a, b, c: ss.Scene().add(ss.Sphere(1), a),
    "name and group": lambda a, b, c: ss.Scene().add(ss.Sphere(1), name=a, group=b),
}


def _large(*values):
    return any(isinstance(value, int) and value > 100 for value in values)


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(a=junk, b=junk, c=junk)
def test_constructors(door, a, b, c):
    with contextlib.suppress(ss.SweepscopeError):
        DOORS[door](a, b, c)


@pytest.mark.slow
@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(a=junk, b=junk, c=junk, d=junk)
def test_queries_and_bodies(a, b, c, d):
    scene = ss.Scene()
    cloth = scene.add(ss.Mesh(np.eye(3), [(0, 1, 2)]), name="cloth")
    ball = scene.add(ss.Sphere(0.5), (0, 0, 3), name="ball")
    motion = ss.Translate((0, 0, -5))
    before = scene.sweep(ball, motion)
    assert before is not None
    for use in (
        lambda: scene.sweep(a, motion),
        lambda: scene.sweep(ball, a),
        lambda: scene.sweep(ball, motion, margin=b),
        lambda: scene.sweep(ball, motion, resting=c),
        lambda: scene.sweep(ball, motion, ignore=d),
        lambda: scene.remove(a),
        lambda: scene.ignore(a, b),
        lambda: scene.unignore(c, d),
        lambda: scene[a],
        lambda: setattr(cloth, "vertices", b),
        lambda: setattr(cloth, "shape", c),
        lambda: setattr(ball, "vertices", d),
    ):
        with contextlib.suppress(ss.SweepscopeError):
            use()
    with pytest.raises(ss.SweepscopeError):
        ball.pose = "nowhere"
    after = scene.sweep(ball, motion)
    if len(np.asarray(cloth.vertices)) == 3 and np.array_equal(cloth.vertices, np.eye(3)):
        assert after is not None
        assert after.time == before.time
