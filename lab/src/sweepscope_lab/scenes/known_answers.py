"""Scenes with a mover, its motion and the known answer. The demo prints them, tests check them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sweepscope import (
    Body,
    Box,
    Capsule,
    Joint,
    Mesh,
    Motion,
    PointCloud,
    Robot,
    Rotate,
    Scene,
    Screw,
    Sphere,
    Translate,
    Volume,
)

from .bodies import bumpy_ball, hills, hook, nut, peg, ring, wall


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """A sweep with its known answer."""

    title: str
    scene: Scene
    mover: Body | list[Body]
    motion: Motion
    travel: float | None
    """Expected travel, [length] or [radians]; None: free; NaN: it hits, but the travel is not known."""
    hits: str | None
    """Name of the obstacle that must be hit; None: free."""


def ball_on_floor() -> KnownAnswer:
    """A ball falls on a floor: 3 - 0.5 - 0.1."""
    scene = Scene()
    scene.add(Box((10.0, 10.0, 0.2)), name="floor")
    ball = scene.add(Sphere(0.5), (0.0, 0.0, 3.0), name="ball")
    return KnownAnswer("ball falls on a floor", scene, ball, Translate((0.0, 0.0, -5.0)), 2.4, "floor")


def box_slides() -> KnownAnswer:
    """A box slides on its floor into a wall: resting contact does not stop it, the wall does."""
    scene = Scene()
    scene.add(Box((10.0, 10.0, 1.0)), (0.0, 0.0, -0.5), name="floor")
    scene.add(Box((1.0, 10.0, 2.0)), (4.5, 0.0, 1.0), name="wall")
    box = scene.add(Box((1.0, 1.0, 1.0)), (0.0, 0.0, 0.5), name="box")
    return KnownAnswer("box slides on its floor", scene, box, Translate((8.0, 0.0, 0.0)), 3.5, "wall")


def hook_round_bar() -> KnownAnswer:
    """A hook moves past a bar: the bar is inside the hook, behind its leading edge, until the hook's back arrives."""
    scene = Scene()
    scene.add(Capsule.from_segment((0.0, 0.0, -2.0), (0.0, 0.0, 2.0), radius=0.1), name="bar")
    mover = scene.add(hook(), name="hook")
    # The hook's arc has 40 flat sides; the two at its back are tilted by half a step, and the bar meets both.
    lean = 0.5 * (2.0 * math.pi - 1.2) / 40.0
    travel = 1.0 - 0.1 / math.cos(lean)
    return KnownAnswer("hook around a bar", scene, mover, Translate((0.0, -3.0, 0.0)), travel, "bar")


def bolt_in_nut() -> KnownAnswer:
    """A bolt in a nut's hole moves along it freely."""
    scene = Scene()
    scene.add(nut(), name="nut")
    bolt = scene.add(peg(), (0.0, 0.0, -1.0), name="bolt")
    return KnownAnswer("bolt in a nut's hole", scene, bolt, Translate((0.0, 0.0, 3.0)), None, None)


def ring_on_peg() -> KnownAnswer:
    """A ring on a peg is pushed sideways: the gap is 0.1 between two aligned polygons of 48 sides."""
    scene = Scene()
    scene.add(peg(), name="peg")
    mover = scene.add(ring(1.0, 1.5, 0.3), name="ring")
    return KnownAnswer("ring on a peg, sideways", scene, mover, Translate((1.0, 0.0, 0.0)), 0.1, "peg")


def thin_wall() -> KnownAnswer:
    """A ball flies at a wall of a thousandth of a millimeter."""
    scene = Scene()
    scene.add(wall(), (50.0, 0.0, 0.0), name="wall")
    ball = scene.add(Mesh.sphere(0.05), name="bullet")
    return KnownAnswer("bullet at a wall of 1e-6 m", scene, ball, Translate((1000.0, 0.0, 0.0)), 49.95 - 0.5e-6, "wall")


def ball_on_slab() -> KnownAnswer:
    """A small ball far out on a very large slab."""
    scene = Scene()
    scene.add(Mesh.box((500.0, 500.0, 1.0)), name="slab")
    ball = scene.add(Sphere(0.5), (211.0, -187.0, 40.0), name="ball")
    return KnownAnswer("0.5 m ball over a 500 m slab", scene, ball, Translate((0.0, 0.0, -50.0)), 39.0, "slab")


def drone_in_cloud() -> KnownAnswer:
    """A box flies through a scanned cloud of points and must stay 5 cm away from it."""
    rng = np.random.default_rng(4)
    points = rng.uniform((2.0, -3.0, -3.0), (9.0, 3.0, 3.0), (20000, 3))
    points = points[np.abs(points[:, 1:]).max(axis=1) > 0.6]
    points = np.concatenate((points, [(7.0, 0.1, -0.1)]))
    scene = Scene()
    scene.add(PointCloud(points, radius=0.05), name="cloud")
    drone = scene.add(Box((0.4, 0.8, 0.3)), name="drone")
    return KnownAnswer("drone through 20,000 points", scene, drone, Translate((20.0, 0.0, 0.0)), 6.75, "cloud")


def ball_into_pit() -> KnownAnswer:
    """A ball falls into a pit of voxels, which is cut after they were added to the scene: 2 + 1 - 0.5."""
    scene = Scene()
    ground = Volume(np.ones((40, 40, 30), np.bool_), spacing=0.05, origin=(-1.0, -1.0, -1.5))
    scene.add(ground, name="voxels")
    ground[8:32, 8:32, 10:] = False
    ball = scene.add(Sphere(0.5), (0.05, 0.0, 2.0), name="ball")
    return KnownAnswer("ball into a pit of voxels", scene, ball, Translate((0.0, 0.0, -5.0)), 2.5, "voxels")


def comb_in_comb() -> KnownAnswer:
    """A comb of voxels is pushed sideways in the gaps of another: the gap is 0.1, on one grid."""
    comb = np.zeros((32, 8, 16), np.bool_)
    comb[::4, :, 4:] = comb[:, :, :4] = True
    scene = Scene()
    scene.add(Volume(comb, spacing=0.1), name="comb")
    mover = scene.add(Volume(comb[:, :, ::-1], spacing=0.1), (0.2, 0.0, 0.6), name="other comb")
    return KnownAnswer("comb of voxels in another", scene, mover, Translate((1.0, 0.0, 0.0)), 0.1, "comb")


def boulder_on_hills() -> KnownAnswer:
    """A bumpy boulder of 10,082 triangles falls on hills of 49,928."""
    scene = Scene()
    scene.add(hills(159), name="hills")
    boulder = scene.add(bumpy_ball(72, 71), (0.0, 0.0, 60.0), name="boulder")
    return KnownAnswer("boulder on hills (60,010)", scene, boulder, Translate((20.0, 10.0, -90.0)), np.nan, "hills")


def cube_tips() -> KnownAnswer:
    """A cube tips over its edge: it touches the floor there all the time, and lands on its next side after a quarter turn."""
    scene = Scene()
    scene.add(Box((10.0, 10.0, 1.0)), (0.0, 0.0, -0.5), name="floor")
    cube = scene.add(Mesh.box((1.0, 1.0, 1.0)), (0.0, 0.0, 0.5), name="cube")
    return KnownAnswer(
        "cube tips over its edge", scene, cube, Rotate((0.0, 1.0, 0.0), 2.0, about=(0.5, 0.0, 0.0)), 0.5 * math.pi, "floor"
    )


def propeller() -> KnownAnswer:
    """A bar with two arms: the rear arm hits an obstacle long before the front arm would."""
    scene = Scene()
    for name, angle in (("far", 2.0), ("near", math.pi + 0.5)):
        scene.add(Sphere(0.1), (3.0 * math.cos(angle), 3.0 * math.sin(angle), 0.0), name=name)
    bar = scene.add(Mesh.box((8.0, 0.2, 0.2)), name="bar")
    return KnownAnswer(
        "propeller, two turns", scene, bar, Rotate((0.0, 0.0, 1.0), 4.0 * math.pi), 0.5 - math.asin(0.2 / 3.0), "near"
    )


def tooth_in_thread() -> KnownAnswer:
    """A tooth between the walls of a thread: it can only follow the thread."""
    scene = Scene()
    for k in range(40):
        pose = Rotate((0.0, 0.0, 1.0), 0.1 * k).at()
        for side in (-0.2, 0.2):
            pose[:3, 3] = (math.cos(0.1 * k), math.sin(0.1 * k), 0.02 * k + side)
            scene.add(Mesh.box((0.3, 0.16, 0.1)), pose)
    tooth = scene.add(Mesh.box((0.4, 0.1, 0.1)), (1.0, 0.0, 0.0), name="tooth")
    return KnownAnswer("tooth winds along a thread", scene, tooth, Screw((0.0, 0.0, 1.0), 3.9, slide=0.78), None, None)


def sword_at_boulder() -> KnownAnswer:
    """A sword of 10,082 triangles swings at a boulder of as many."""
    scene = Scene()
    boulder = bumpy_ball(72, 71, 4.0)
    scene.add(boulder, (0.0, 14.0, 1.0), name="boulder")
    sword = scene.add(Mesh(boulder.vertices * (3.0, 0.3, 0.3) + (14.0, 0.0, 0.0), boulder.faces), name="sword")
    return KnownAnswer("sword at a boulder (20,164)", scene, sword, Rotate((0.0, 0.0, 1.0), math.pi), np.nan, "boulder")


def arm_at_table() -> KnownAnswer:
    """A robot's shoulder turns until the hand at the end of its arm, 1.5 long, is on the table, 0.7 below."""
    scene = Scene()
    scene.add(Box((4.0, 4.0, 0.2)), (0.0, 0.0, -0.1), name="table")
    robot = Robot(scene, name="arm")
    robot.add("post", Capsule.from_segment((0.0, 0.0, 0.2), (0.0, 0.0, 0.8), radius=0.1))
    shoulder = Joint.revolute("shoulder", (0.0, 1.0, 0.0), origin=(0.0, 0.0, 0.8), limits=(-3.0, 3.0))
    robot.add("arm", Capsule.from_segment((0.0, 0.0, 0.0), (0.0, 0.0, 0.9), radius=0.08), parent="post", joint=shoulder)
    robot.add("hand", Sphere(0.1), parent="arm", joint=Joint.fixed("wrist", origin=(0.0, 0.0, 1.5)))
    movers = [body for link in robot.descendants("shoulder") for body in link.bodies]
    return KnownAnswer(
        "arm turns down to a table", scene, movers, robot.motion("shoulder", 3.0), math.acos(-0.7 / 1.5), "table"
    )


KNOWN_ANSWERS: tuple[Callable[[], KnownAnswer], ...] = (
    ball_on_floor,
    box_slides,
    hook_round_bar,
    bolt_in_nut,
    ring_on_peg,
    thin_wall,
    ball_on_slab,
    drone_in_cloud,
    ball_into_pit,
    comb_in_comb,
    boulder_on_hills,
    cube_tips,
    propeller,
    tooth_in_thread,
    sword_at_boulder,
    arm_at_table,
)
