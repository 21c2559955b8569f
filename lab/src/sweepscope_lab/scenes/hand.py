"""A hand: a palm, a thumb and four fingers of three rounded parts each."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sweepscope import Capsule, Joint, Robot, Scene, checks

FINGERS = ("thumb", "index", "middle", "ring", "little")
FOUR = FINGERS[1:]
SIZE = 400.0
"""Width of the hand with its thumb [length], as in the paper."""
HOLD = 50.0
"""Where along the hand, +y, it holds things [length]: palm, fingers and thumb reach this place."""

_KNUCKLES = 75.0  # y of the first joints of the four fingers, all on one axis
_ACROSS = {"index": -96.0, "middle": -32.0, "ring": 32.0, "little": 96.0}  # x of the roots of the four fingers
_BENDS = (95.0, 105.0, 80.0)  # how far each joint of a finger closes [degrees]
_THUMB_BENDS = (115.0, 70.0, 80.0)
_THUMB_OUT = 40.0  # how far the open thumb leans towards the fingers, from straight aside [degrees]
_THUMB_ROLL = 30.0  # how far its outer joints face the four fingers instead of the side [degrees]


@dataclass(frozen=True, slots=True)
class _Form:
    """Lengths of a hand [length]."""

    parts: dict[str, tuple[float, float, float]]
    """Of the three parts of each finger, root to tip."""
    thick: tuple[float, float, float]
    """Radii of these."""
    wrist: float
    """y of the palm's rear end."""
    palm: float
    """Radius of the palm's ribs."""
    ribs: int
    thumb: tuple[float, float, float]
    thumb_thick: tuple[float, float, float]
    thumb_height: float
    """z of the thumb's root."""


_ROUND = _Form(
    parts={"index": (88, 58, 42), "middle": (96, 64, 46), "ring": (90, 60, 44), "little": (74, 48, 36)},
    thick=(22.0, 19.5, 17.0),
    wrist=-140.0,
    palm=24.0,
    ribs=7,
    thumb=(84.0, 66.0, 50.0),
    thumb_thick=(24.0, 21.5, 19.0),
    thumb_height=6.0,
)
# 400 x 400 x 30 when it is open: the middle finger ends at y = 275, the thumb at x = -289.
_FLAT = _Form(
    parts={"index": (79, 52, 38), "middle": (86, 58, 41), "ring": (81, 54, 39), "little": (66, 43, 32)},
    thick=(15.0, 15.0, 15.0),
    wrist=-125.0,
    palm=15.0,
    ribs=9,
    thumb=(91.0, 71.0, 166.0 / math.cos(math.radians(_THUMB_OUT)) - 162.0),
    thumb_thick=(15.0, 15.0, 15.0),
    thumb_height=0.0,
)
_FORMS = {"round": _ROUND, "flat": _FLAT}
HANDS = tuple(_FORMS)
"""Forms of a hand. round: thick as a hand is, a little longer than wide; flat: 400 x 400 x 30, as the paper's."""


def make_hand(scene: Scene | None = None, pose: ArrayLike | None = None, *, name: str = "hand", form: str = "round") -> Robot:
    """Return a right hand as a robot: 16 links, "palm", "thumb 1" ... "little 3", and 15 joints with the names of their links.

    The palm lies in the xy plane about the origin and grasps towards +z; fingers point along +y; the thumb is on the side of
    -x. With all joints at 0 the hand is open, greater values close it. The first joints of the four fingers have one axis, so
    they can turn together. The thumb swings in front of the palm about an axis along the hand, and its outer parts bend towards
    the four fingers. form: one of `HANDS`.
    """
    made = _FORMS[checks.choice(form, "form", HANDS)]
    robot = Robot(scene, pose, name=name)
    root = (-108.0, -92.0, made.thumb_height)
    robot.add("palm", _palm(made, root))
    for finger in FOUR:
        at: ArrayLike = (_ACROSS[finger], _KNUCKLES, 0.0)
        parent = "palm"
        for k in range(3):
            part = f"{finger} {k + 1}"
            joint = Joint.revolute(part, (1.0, 0.0, 0.0), origin=at, limits=(0.0, math.radians(_BENDS[k])))
            long = float(made.parts[finger][k])
            robot.add(
                part, Capsule.from_segment((0.0, 0.0, 0.0), (0.0, long, 0.0), radius=made.thick[k]), parent=parent, joint=joint
            )
            at, parent = (0.0, long, 0.0), part
    lean = math.radians(_THUMB_OUT)
    thumb = np.array((-math.cos(lean), math.sin(lean), 0.0))
    at, parent = root, "palm"
    for k in range(3):
        part = f"thumb {k + 1}"
        axis = (0.0, 1.0, 0.0) if k == 0 else _rolled(thumb, math.radians(_THUMB_ROLL))
        joint = Joint.revolute(part, axis, origin=at, limits=(0.0, math.radians(_THUMB_BENDS[k])))
        at = tuple(made.thumb[k] * thumb)
        robot.add(part, Capsule.from_segment((0.0, 0.0, 0.0), at, radius=made.thumb_thick[k]), parent=parent, joint=joint)
        parent = part
    return robot


def thickness_of(hand: Robot) -> float:
    """Return how thick a hand is along the palm's direction, z, as it is now [length]."""
    pose = hand.pose
    heights = []
    for body in hand.bodies:
        places = body.vertices @ body.pose[:3, :3].T + body.pose[:3, 3]
        along = (places - pose[:3, 3]) @ pose[:3, 2]
        heights += [float(along.min()) - body.shape.radius, float(along.max()) + body.shape.radius]
    return max(heights) - min(heights)


def _palm(made: _Form, thumb_root: tuple[float, float, float]) -> list[Capsule]:
    """Return capsules side by side, closer at the wrist than at the knuckles, and the base of the thumb."""
    rear, thick = made.wrist + made.palm, made.palm
    ribs = [
        Capsule.from_segment((0.62 * x, rear, 0.0), (x, _KNUCKLES - 18.0, 0.0), radius=thick)
        for x in np.linspace(_ACROSS["index"], _ACROSS["little"], made.ribs).tolist()
    ]
    third = made.thumb_height / 3.0
    return [*ribs, Capsule.from_segment((-52.0, made.wrist + 34.0, third), thumb_root, radius=thick + third)]


def _rolled(thumb: NDArray[np.float64], roll: float) -> tuple[float, ...]:
    """Return the axis of the thumb's outer joints: at right angles to the thumb, turned about it by `roll` [radians]."""
    flat = np.array((thumb[1], -thumb[0], 0.0))
    return tuple((math.cos(roll) * flat + math.sin(roll) * np.cross(thumb, flat)).tolist())
