"""Draws docs/pictures/rolling.svg, radars around an axis: `python docs/drawings/rolling.py` (needs the laboratory)."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from draw import Place, mapped, placed
from svg import BLUE, GRAY, GREEN, INK, ORANGE, PALE, Card
from sweepscope_lab.simulate.foresight import turn_and_back
from sweepscope_lab.simulate.straight_radars import StraightRadars

import sweepscope as ss

OUT = Path(__file__).parents[1] / "pictures" / "rolling.svg"
SCALE, PIXELS = 76, 200
SIZE, LEFT = (2.2, 0.7), 0.5  # of the plank; how much of it is left of the axis
TILT, STEP = math.radians(-8.0), math.radians(22.0)
COLORS = (BLUE, ORANGE, GREEN)


def world() -> tuple[ss.Scene, ss.Body, ss.Rotate]:
    """Return a scene with a plank that lies on a ridge, and the turn that gravity makes."""
    scene = ss.Scene()
    center = ss.Translate((0.5 * SIZE[0] - LEFT, 0, 0.5 * SIZE[1])).at()
    plank = scene.add(ss.Box((SIZE[0], 2.0, SIZE[1])), ss.Rotate((0, 1, 0), TILT).at() @ center)
    corners = [(-1.4, -0.75), (0.0, -0.01), (0.9, -0.55), (1.5, -0.5), (2.1, -0.2)]
    vertices = [(x, side, z) for x, z in corners for side in (-1.5, 1.5)]
    faces = [face for k in range(0, 8, 2) for face in ((k, k + 2, k + 3), (k, k + 3, k + 1))]
    scene.add(ss.Mesh(vertices, faces), name="ground")
    return scene, plank, ss.Rotate((0, 1, 0), math.radians(40.0))


def outline(pose: np.ndarray) -> list[tuple[float, float]]:
    """Return the corners of the plank at a pose, from the side."""
    corners = np.array([(a * SIZE[0] / 2, 0.0, b * SIZE[1] / 2, 1.0) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    return [(x, z) for x, _, z, _ in (corners @ pose.T).tolist()]


def draw() -> None:
    """Draw three arrangements side by side, as the radars themselves have it."""
    card = Card(960, 400)
    for k, (count, placement, title) in enumerate(
        (
            (2, "around", "two around the axis: the paper's"),
            (3, "shape", "three by the body's shape"),
            (2, "shape", "turn, test, turn back"),
        )
    ):
        scene, plank, motion = world()
        at = placed(120 + 310 * k, 220, SCALE)
        behind = "overlap" if k == 2 else "skip"
        radars = StraightRadars(
            scene, plank, PIXELS, count=count, placement=placement, rule="subtended", rim=0.05, behind=behind
        )
        card.text((165 + 310 * k, 40), title, INK, bold=True)
        if k < 2:
            card.area(mapped(at, outline(plank.pose)), PALE, outline=GRAY)
            for sector, color in zip(radars.probe(motion).sectors, COLORS, strict=False):
                if sector is not None:
                    _draw_radar(card, at, sector.view, color)
        else:
            turned, reading, _ = turn_and_back(radars, motion, 0.002, STEP)
            assert reading is not None
            tested = math.ceil(turned / STEP) * STEP
            for angle, color, opacity in ((0.0, GRAY, 0.0), (tested, ORANGE, 0.2), (turned, BLUE, 0.3)):
                pose = ss.Rotate((0, 1, 0), angle).at() @ plank.pose
                card.area(mapped(at, outline(pose)), color, opacity=opacity, outline=color)
            card.dot(at(reading.point[0], reading.point[2]), 5, GREEN)
            card.text((165 + 310 * k, 326), f"orange: {math.degrees(tested):.0f} degrees, in the ground", ORANGE, size=13)
            card.text((165 + 310 * k, 346), f"blue: back at {math.degrees(turned):.1f} degrees", BLUE, size=13)
        card.line(mapped(at, scene["ground"].vertices[::2, [0, 2]].tolist()), GRAY, 2.5)
        card.dot(at(0.0, 0.0), 5, INK)
    card.text((320, 384), "dot: the axis; arrows: directions of view; dashed: what is looked through", GRAY, size=13)
    card.save(OUT)


def _draw_radar(card: Card, at: Place, view: ss.View, color: str) -> None:
    """Draw what a radar looks through, and its direction of view."""
    eye, (_, down, ahead) = np.array(view.eye), view.frame
    corners = [eye + 0.5 * view.height * a * down + view.depth * b * ahead for a, b in ((-1, 0), (-1, 1), (1, 1), (1, 0))]
    card.area([at(c[0], c[2]) for c in corners], color, opacity=0.08, outline=color, dash="4 4")
    start = eye - 0.25 * view.height * down
    end = start + 0.55 * ahead
    card.line([at(start[0], start[2]), at(end[0], end[2])], color, 3, arrow=True)


if __name__ == "__main__":
    draw()
