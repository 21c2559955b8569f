"""What does the sensor on a vehicle see? Who is in view, how far, in which pixels; and where to turn to see the cone."""

import math

import numpy as np

import sweepscope as ss

scene = ss.Scene()
scene.add(ss.Box((40, 40, 0.2)), pose=(0, 0, -0.1), name="road")
scene.add(ss.Box((4, 1.8, 1.5)), pose=(9, 1.5, 0.75), name="parked car")
scene.add(ss.Capsule.from_segment((0, 0, 0.25), (0, 0, 1.5), radius=0.25), pose=(6, -1.5, 0), name="walker")
scene.add(ss.Mesh.cylinder(radius=0.2, height=0.7), pose=(-1, 5, 0.35), name="orange cone")
vehicle = scene.add(ss.Box((2, 1.2, 1)), pose=(0, 0, 0.6), name="vehicle")

# The sensor sits in front, and looks where the vehicle goes.
ahead = vehicle.pose[:3, 0]
view = ss.View(eye=vehicle.pose[:3, 3] + 1.01 * ahead, toward=ahead, width=6, height=1.1, depth=15)
seen = scene.look(view, pixels=(48, 8))
for body, distance, count in zip(seen.bodies, seen.distances, seen.counts, strict=True):
    print(f"{body.name}: {distance:.2f} ahead, {count} pixels")
for row in seen.ids:
    print("".join("." if number < 0 else scene[int(number)].name[0] for number in row))

found = scene.search(scene["orange cone"], view)
assert found is not None
x, y, _ = found.view.toward
print(f"the cone shows after a turn by {math.degrees(np.arctan2(y, x)):.0f} degrees")
