"""Bodies that a sweep has brought together can part and slide, and not press. Each case depends on its number alone."""

import numpy as np
import pytest
from sweepscope_lab.reference.smaller import inward
from sweepscope_lab.verify.partings import generated_parts, judge_parting, tally_partings

import sweepscope as ss


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 300, 50))
def test_bodies_part(first):
    runs = [judge_parting(seed, generated_parts(), "generated") for seed in range(first, first + 50)]
    wrong = {run.seed: (run.held_back, run.false_hits, run.pressing_free) for run in runs}
    assert not {seed: found for seed, found in wrong.items() if any(found)}
    rows = tally_partings(runs)
    assert sum(row.met for row in rows) >= 50
    asked, freed = (sum(getattr(row, name) for row in rows) for name in ("asked", "freed"))
    assert freed >= 75
    assert asked - freed >= 75
    assert asked > sum(row.skipped for row in rows)


@pytest.mark.parametrize(
    "part", [part for part in generated_parts() if part.inward is not None], ids=lambda part: repr(part.mesh)
)
def test_the_witness_of_a_closed_body_lies_inside_it(part):
    smaller = ss.Mesh(part.mesh.vertices + 1e-3 * part.inward, part.mesh.faces)
    scene = ss.Scene()
    scene.add(ss.Mesh(part.mesh.vertices, part.mesh.faces, solid=False))  # a surface: the smaller body may be in it
    assert scene.sweep(scene.add(smaller), ss.Translate((0, 0, 0)), resting="hit") is None
    assert np.linalg.norm(part.inward, axis=1) == pytest.approx(1.0)


def test_open_meshes_have_no_inside():
    assert inward(ss.Mesh.terrain(np.zeros((3, 3)))) is None
    twice = ss.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 1, 2), (0, 1, 3), (1, 2, 3), (0, 2, 3)])
    assert inward(twice) is None  # closed, but its faces are not turned one way
