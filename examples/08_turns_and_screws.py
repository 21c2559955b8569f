"""Turn a door, swing a sword, and go from one pose to another: what is in the way, and how far does it get."""

import math

import numpy as np

import sweepscope as ss

scene = ss.Scene()
scene.add(ss.Box((0.2, 0.2, 2)), pose=(-0.5, 1.6, 0), name="post")
door = scene.add(ss.Mesh.box((2, 0.05, 1.8)), pose=(1, 0, 0), name="door")

swing = ss.Rotate(axis=(0, 0, 1), angle=math.pi)
hit = scene.sweep(door, swing)
assert hit is not None
print(f"the door opens {math.degrees(hit.travel):.3f} degrees and meets the {hit.obstacle.name} at {np.round(hit.point, 4)}")

# Go there: a motion's transform, times the pose.
door.pose = swing.at(hit.time) @ door.pose
back = scene.sweep(door, ss.Rotate((0, 0, 1), -2 * math.pi))
assert back is not None
print(f"the other way round it goes {math.degrees(back.travel):.3f} degrees")

# A sword that is drawn: any pose to any pose is one screw.
sword = scene.add(ss.Capsule.from_segment((0, 0, 0), (0, 0, 1), radius=0.02), pose=(3, 0, 0), name="sword")
target = np.array(((0, 0, 1, 3), (0, 1, 0, 0.5), (-1, 0, 0, 1.2), (0, 0, 0, 1)), float)
draw = ss.Screw.between(sword.pose, target)
print(
    f"drawn by {math.degrees(draw.angle):.1f} degrees and {draw.slide:.3f} along the axis: {scene.sweep(sword, draw) or 'free'}"
)
