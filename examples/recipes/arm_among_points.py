"""An arm among the points of a depth camera: how far a joint may go, beside the true answer."""

import math

import sweepscope as ss

# What is really there; a camera sees it from one side only.
there = ss.Scene()
there.add(ss.Box((3, 3, 0.1)), pose=(0, 0, -0.05), name="table")
there.add(ss.Box((0.2, 0.3, 0.4)), pose=(0.6, 0.35, 0.2), name="crate")
view = ss.View(eye=(0, -1.5, 1), toward=(0.2, 1, -0.5), width=2, height=2, depth=5)
seen = there.look(view, pixels=200)
points = seen.points[seen.ids >= 0]

# What the robot knows: the points, each a ball as wide as a pixel, so that walls have no gaps.
known = ss.Scene()
cloud = known.add(ss.PointCloud(points, 2 / 200), name="points")


def arm_in(scene):
    """Add an arm that turns about z, half a hand above the table."""
    arm = ss.Robot(scene, pose=(0, 0, 0.1), name="arm")
    arm.add("base", ss.Sphere(0.05))
    turn = ss.Joint.revolute("turn", axis=(0, 0, 1), limits=(-2, 2))
    arm.add("beam", ss.Capsule.from_segment((0.15, 0, 0), (0.7, 0, 0), radius=0.04), parent="base", joint=turn)
    return arm


print(f"{len(points)} points")
for name, scene in (("the points", known), ("the things themselves", there)):
    hit = arm_in(scene).sweep("turn", to=2.0)
    assert hit is not None
    print(f"among {name}: {hit.link} meets {hit.obstacle.name} at {math.degrees(hit.positions['turn']):.2f} degrees")
