"""The oracle of touching bodies itself, on cases whose answer is plain."""

from fractions import Fraction

import numpy as np
import pytest
from sweepscope_lab.reference.lattice_solids import SOLIDS, boxes_solid, fan_solid, hull_solid, volume_of
from sweepscope_lab.reference.pieces import (
    WholeTurn,
    all_shadows,
    box_piece,
    convex_piece,
    overlap_after,
    overlap_begins,
    overlap_now,
    press,
    shadows,
    touch_now,
)

import sweepscope as ss

FLOOR = [box_piece((-5, -5, -1), (5, 5, 0))]
BOX = [box_piece((0, 0, 0), (1, 1, 1))]
UP, DOWN, ALONG = (0, 0, 1), (0, 0, -1), (1, 0, 0)


@pytest.mark.parametrize(
    ("vector", "begins"), [(UP, None), (ALONG, None), ((3, 2, 0), None), (DOWN, 0), ((5, 0, -1), 0), ((0, 0, 0), None)]
)
def test_a_box_on_a_box(vector, begins):
    pairs = all_shadows(BOX, FLOOR)
    assert touch_now(pairs)
    assert overlap_begins(pairs, vector) == begins
    assert press(pairs, np.array([vector]))[0] == (begins == 0)


def test_a_box_that_lands_later():
    raised = [BOX[0].shifted((0, 0, 1))]
    pairs = all_shadows(raised, FLOOR)
    assert not touch_now(pairs)
    assert overlap_begins(pairs, (0, 0, -3)) == Fraction(1, 3)
    assert overlap_begins(pairs, (0, 0, -1)) is None  # it lands at the end, and no more
    assert overlap_now(all_shadows([BOX[0].shifted((0, 0, -1))], FLOOR))


@pytest.mark.parametrize(
    ("axis", "about", "pitch", "presses"),
    [
        (UP, (0, 0, 0), 0, False),  # it turns on its floor
        (UP, (7, 3, 0), 0, False),
        (UP, (0, 0, 0), 1, False),
        (UP, (0, 0, 0), -1, True),
        ((0, 1, 0), (1, 0, 0), 0, False),  # it tips over an edge
        ((0, -1, 0), (1, 0, 0), 0, True),
        ((0, 1, 0), (0, 0, 0), 0, True),
        (ALONG, (0, 0, 0), 0, False),
    ],
)
def test_a_box_turns_on_a_box(axis, about, pitch, presses):
    assert overlap_after(BOX, FLOOR, WholeTurn(axis, about, pitch)) == presses


def test_turns_are_decided_to_second_order():
    """A wheel's spoke above its axle: it neither sinks nor rises at first, and then sinks."""
    spoke = [convex_piece(((0, 0, 0), (-1, 0, 3), (1, 0, 3), (0, 1, 3)))]
    assert overlap_after(spoke, FLOOR, WholeTurn((0, 1, 0), (0, 0, 4)), 10) is False  # below the axle it rises
    assert overlap_after(spoke, FLOOR, WholeTurn((0, 1, 0), (0, 0, 4))) is False
    assert overlap_after(spoke, FLOOR, WholeTurn((0, 1, 0), (0, 0, -4))) is True  # above the axle it sinks


def test_edge_on_edge():
    ridge = [convex_piece(((-2, 0, 0), (2, 0, 0), (-2, -1, -1), (2, -1, -1), (-2, 1, -1), (2, 1, -1)))]
    blade = [convex_piece(((0, -2, 0), (0, 2, 0), (-1, -2, 1), (-1, 2, 1), (1, -2, 1), (1, 2, 1)))]
    along = [convex_piece(((-2, 0, 0), (2, 0, 0), (-2, -1, 1), (2, -1, 1), (-2, 1, 1), (2, 1, 1)))]
    for vectors, mover in (((ALONG, (0, 1, 0), UP, (1, 1, 0)), blade), ((ALONG, (0, 1, 0), UP, (1, 2, -1)), along)):
        pairs = all_shadows(mover, ridge)
        assert touch_now(pairs)
        assert not press(pairs, np.array(vectors)).any()
        assert press(pairs, np.array((DOWN,))).all()
    assert press(all_shadows(blade, ridge), np.array(((1, 2, -1),)))  # crossed edges have one plane
    assert not overlap_after(blade, ridge, WholeTurn(UP, (0, 0, 0)))
    assert not overlap_after(along, ridge, WholeTurn(ALONG, (0, 0, 0)))
    assert overlap_after(along, ridge, WholeTurn((0, 1, 0), (0, 0, 0)))


def test_a_peg_in_its_hole(rng):
    hole = [((0, 0, 0), (1, 3, 1)), ((2, 0, 0), (3, 3, 1)), ((1, 0, 0), (2, 1, 1)), ((1, 2, 0), (2, 3, 1))]
    plate = boxes_solid(hole, False, rng)
    assert volume_of(plate) == 8.0
    assert ss.Mesh(plate.vertices, plate.faces, solid=True).closed
    peg = [box_piece((1, 1, -1), (2, 2, 4))]
    pairs = all_shadows(peg, plate.pieces)
    assert touch_now(pairs)
    free = press(pairs, np.array((UP, DOWN, ALONG, (0, -1, 0), (1, 0, 9))))
    assert free.tolist() == [False, False, True, True, True]
    assert overlap_after(peg, plate.pieces, WholeTurn(UP, (1, 1, 0)))


def test_an_edge_on_a_saddle():
    """Two ridges rise, two valleys fall. A blade along the valleys slides along them only."""
    ring = np.array(((2, 0, 1), (0, 2, -1), (-2, 0, 1), (0, -2, -1)))
    saddle = fan_solid(0, -3, ring)
    blade = [convex_piece(((0, -1, 0), (0, 1, 0), (-1, -1, 2), (-1, 1, 2), (1, -1, 2), (1, 1, 2)))]
    pairs = all_shadows(blade, saddle.pieces)
    assert touch_now(pairs)
    assert press(pairs, np.array((DOWN, ALONG, (-1, 0, 0), UP, (0, 1, 0)))).tolist() == [True, True, True, False, False]
    assert press(pairs, np.array(((0, 2, 1), (2, 0, 1), (4, 0, 1)))).tolist() == [False, False, True]


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLIDS)
def test_pieces_fill_the_mesh(name, rng):
    """The mesh given to the library and the pieces given to the oracle are one solid."""
    for _ in range(60):
        solid = SOLIDS[name](rng)
        assert ss.Mesh(solid.vertices, solid.faces, solid=True).closed
        assert volume_of(solid) == pytest.approx(sum(volume_of(hull_solid(piece.vertices)) for piece in solid.pieces))
        for k, piece in enumerate(solid.pieces):
            assert not any(overlap_now([shadows(piece, other)]) for other in solid.pieces[:k])


def test_shearing_keeps_what_touches(rng):
    matrix = np.array(((1, 1, 0), (0, 1, 0), (-1, 0, 1)))
    for _ in range(40):
        mover, obstacle = SOLIDS["shapes"](rng), SOLIDS["hulls"](rng)
        vector = rng.integers(-3, 4, 3)
        plain = all_shadows(mover.pieces, obstacle.pieces)
        sheared = all_shadows(mover.mapped(matrix).pieces, obstacle.mapped(matrix).pieces)
        assert overlap_begins(plain, vector) == overlap_begins(sheared, matrix @ vector)
