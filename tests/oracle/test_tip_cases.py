"""The oracles of tips and of gaps themselves, on cases whose answer is plain."""

import math

import numpy as np
import pytest
from sweepscope_lab.reference.gap_cases import convex_of, gap_of
from sweepscope_lab.reference.lattice_solids import hull_solid
from sweepscope_lab.reference.tip_cases import TipMotion, how
from sweepscope_lab.reference.tip_shapes import _BOX_FACES, TipFan, TipShape, rotation_about

UP, ALONG = np.array((0.0, 0.0, 1.0)), np.array((1.0, 0.0, 0.0))
CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (0.0, 1.0)])
BOX = TipShape("box face", CORNERS, _BOX_FACES)
POINT = TipShape("point", np.zeros((1, 3)), np.zeros((1, 1), int))


def fan(*slopes):
    """A fan over a square, one slope for each corner."""
    corners = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
    return TipFan("any", np.array([(x, y, z) for (x, y), z in zip(corners, slopes, strict=True)]), None, True)


TIP, RIDGE, SADDLE = fan(-1.0, -1.0, -1.0, -1.0), fan(0.0, -1.0, 0.0, -1.0), fan(0.5, -1.0, 0.5, -1.0)


def straight(*direction):
    return TipMotion(np.array(direction) / np.linalg.norm(direction), None)


@pytest.mark.parametrize("surface", [TIP, RIDGE])
def test_a_box_on_a_tip_and_on_a_ridge(surface):
    assert how(surface, BOX, straight(0.0, 0.0, 1.0)) == "parts"
    assert how(surface, BOX, straight(0.0, 0.0, -1.0)) == "presses"
    assert how(surface, BOX, straight(1.0, 2.0, 0.0)) == "slides"
    assert how(surface, BOX, TipMotion(UP, np.array((3.0, 0.0, 0.0)))) == "slides"


def test_a_box_tilts_on_a_tip_and_not_on_a_ridge():
    tilt, roll = TipMotion(np.array((0.0, 1.0, 0.0)), np.zeros(3)), TipMotion(ALONG, np.zeros(3))
    assert how(TIP, BOX, tilt) == "slides"
    assert how(RIDGE, BOX, tilt) == "presses"
    assert how(RIDGE, BOX, roll) == "slides"


def test_an_edge_on_a_saddle():
    blade = TipShape(
        "box edge", (CORNERS + (0.5, 0.0, 0.0)) @ rotation_about(np.array((0.0, 1.0, 0.0)), -math.pi / 4).T, _BOX_FACES
    )
    assert how(SADDLE, blade, straight(0.0, 1.0, 0.0)) == "slides"
    assert how(SADDLE, blade, straight(1.0, 0.0, 0.0)) == "presses"
    assert how(SADDLE, blade, straight(1.0, 0.0, 2.0)) == "parts"


def test_a_point_on_either_side():
    assert how(TIP, POINT, straight(1.0, 0.0, 0.0)) == "parts"
    assert how(TIP, POINT, straight(1.0, 0.0, 0.0), side=-1.0) == "presses"
    assert how(TIP, POINT, straight(1.0, 0.0, -1.0)) == "slides"
    assert how(TIP, POINT, straight(0.0, 0.0, -1.0), side=-1.0) == "parts"


def test_gaps_of_boxes():
    cube = convex_of(hull_solid([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]), 1.0)
    for shift, gap in (((0.0, 0.0, 1.25), 0.25), ((0.5, 0.5, 1.0), 0.0), ((0.25, 0.0, 0.5), -0.5)):
        assert gap_of(cube, cube, np.eye(3), np.array(shift)) == pytest.approx(gap, abs=1e-15)
    crossed = rotation_about(UP, math.pi / 4)
    assert gap_of(cube, cube, crossed, np.array((1.0 + math.sqrt(0.5), 0.0, 0.0))) == pytest.approx(0.0, abs=1e-15)
