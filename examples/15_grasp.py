"""A hand grasps a mug: straight ahead to the first touch, then every finger joint by joint, each by one exact turn."""

import math

import numpy as np
from sweepscope_lab.scenes.hand import FINGERS, make_hand
from sweepscope_lab.scenes.targets import TARGETS

import sweepscope as ss

scene = ss.Scene()
for name, shape, pose in TARGETS["mug"]().parts:
    scene.add(shape, pose, name=name)

# The palm looks along its own +z: here along the world's -y, at the mug, with the fingers to the side.
pose = np.eye(4)
pose[:3, :3] = np.transpose([(0.0, 0.0, 1.0), (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0)])
pose[:3, 3] = (60.0, 600.0, 0.0)
hand = make_hand(scene, pose)

ahead = ss.Translate((0.0, -600.0, 0.0))
touch = scene.sweep(hand.bodies, ahead)
assert touch is not None
hand.pose = ahead.at(touch.time) @ hand.pose
print(f"the hand goes {touch.travel:.3f} ahead, until {touch.mover.name} meets the {touch.obstacle.name}")

# From the root outward: turn to the first contact and stay there; the next joint goes on.
contacts = {}
for finger in FINGERS:
    for joint in (f"{finger} 1", f"{finger} 2", f"{finger} 3"):
        limit = hand.joints[joint].limits[1]
        hit = hand.sweep(joint, to=limit)
        hand[joint] = limit if hit is None else hit.positions[joint]
        if hit is not None:
            contacts[hit.link] = hit
        ended = "at its limit" if hit is None else f"on {hit.obstacle.name}"
        print(f"{joint:9} {math.degrees(hand[joint]):7.3f} degrees, {ended}")

print("contact map: link, what it meets, where, normal")
for hit in contacts.values():
    print(f"{hit.link:9} {hit.obstacle.name:15} {hit.point.round(2)} {hit.normal.round(3)}")
print("links that overlap:", hand.overlaps() or "none")
