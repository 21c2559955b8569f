"""A hand: a palm, a thumb and four fingers of three rounded parts each."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sweepscope import Capsule, Joint, Robot, Scene

FINGERS = ("thumb", "index", "middle", "ring", "little")
FOUR = FINGERS[1:]
SIZE = 400.0
"""Width of the hand with its thumb [length], as in the paper; the hand is a little longer than wide."""
HOLD = 50.0
"""Where along the hand, +y, it holds things [length]: palm, fingers and thumb reach this place."""

_KNUCKLES = 75.0  # y of the first joints of the four fingers, all on one axis
_WRIST = -140.0  # y of the palm's rear end
_ACROSS = {"index": -96.0, "middle": -32.0, "ring": 32.0, "little": 96.0}  # x of the roots of the four fingers
_PARTS = {"index": (88, 58, 42), "middle": (96, 64, 46), "ring": (90, 60, 44), "little": (74, 48, 36)}
_THICK = (22.0, 19.5, 17.0)  # radii of the three parts, root to tip
_BENDS = (95.0, 105.0, 80.0)  # how far each joint of a finger closes [degrees]
_PALM = 24.0  # radius of the palm's ribs

_THUMB_ROOT = (-108.0, -92.0, 6.0)
_THUMB_PARTS = (84.0, 66.0, 50.0)
_THUMB_BENDS = (115.0, 70.0, 80.0)
_THUMB_OUT = 40.0  # how far the open thumb leans towards the fingers, from straight aside [degrees]
_THUMB_ROLL = 30.0  # how far its outer joints face the four fingers instead of the side [degrees]


def make_hand(scene: Scene | None = None, pose: ArrayLike | None = None, *, name: str = "hand") -> Robot:
    """Return a right hand as a robot: 16 links, "palm", "thumb 1" ... "little 3", and 15 joints with the names of their links.

    The palm lies in the xy plane about the origin and grasps towards +z; fingers point along +y; the thumb is on the side of
    -x. With all joints at 0 the hand is open, greater values close it. The first joints of the four fingers have one axis, so
    they can turn together. The thumb swings in front of the palm about an axis along the hand, and its outer parts bend towards
    the four fingers.
    """
    robot = Robot(scene, pose, name=name)
    robot.add("palm", _palm())
    for finger in FOUR:
        at: ArrayLike = (_ACROSS[finger], _KNUCKLES, 0.0)
        parent = "palm"
        for k in range(3):
            part = f"{finger} {k + 1}"
            joint = Joint.revolute(part, (1.0, 0.0, 0.0), at, (0.0, math.radians(_BENDS[k])))
            long = float(_PARTS[finger][k])
            robot.add(part, Capsule((0.0, 0.0, 0.0), (0.0, long, 0.0), _THICK[k]), parent=parent, joint=joint)
            at, parent = (0.0, long, 0.0), part
    lean = math.radians(_THUMB_OUT)
    thumb = np.array((-math.cos(lean), math.sin(lean), 0.0))
    at, parent = _THUMB_ROOT, "palm"
    for k in range(3):
        part = f"thumb {k + 1}"
        axis = (0.0, 1.0, 0.0) if k == 0 else _rolled(thumb, math.radians(_THUMB_ROLL))
        joint = Joint.revolute(part, axis, at, (0.0, math.radians(_THUMB_BENDS[k])))
        at = tuple(_THUMB_PARTS[k] * thumb)
        robot.add(part, Capsule((0.0, 0.0, 0.0), at, _THICK[k] + 2.0), parent=parent, joint=joint)
        parent = part
    return robot


def _palm() -> list[Capsule]:
    """Return capsules side by side, closer at the wrist than at the knuckles, and the base of the thumb."""
    ribs = [
        Capsule((0.62 * x, _WRIST + _PALM, 0.0), (x, _KNUCKLES - 18.0, 0.0), _PALM)
        for x in np.linspace(-96.0, 96.0, 7).tolist()
    ]
    return [*ribs, Capsule((-52.0, _WRIST + 34.0, 2.0), _THUMB_ROOT, _PALM + 2.0)]


def _rolled(thumb: NDArray[np.float64], roll: float) -> tuple[float, ...]:
    """Return the axis of the thumb's outer joints: at right angles to the thumb, turned about it by `roll` [radians]."""
    flat = np.array((thumb[1], -thumb[0], 0.0))
    return tuple((math.cos(roll) * flat + math.sin(roll) * np.cross(thumb, flat)).tolist())
