"""A character walks through a room: it slides along walls and stays on the ground, by one call in each frame."""

import numpy as np

import sweepscope as ss

scene = ss.Scene()
scene.add(ss.Box((20, 20, 1)), pose=(0, 0, -0.5), name="ground")
slanted = ss.Rotate((0, 0, 1), -0.5).at()
slanted[:3, 3] = (4, 0, 1.5)
scene.add(ss.Box((0.2, 6, 3)), pose=slanted, name="wall")
scene.add(ss.Box((3, 3, 0.06)), pose=(6, 4.3, 0.03), name="step")
man = scene.add(ss.Capsule.from_segment((0, 0, 0.3), (0, 0, 1.5), radius=0.3), name="man")

FRAMES = 100
WALK, FALL = np.array((0.1, 0.03, 0)), np.array((0, 0, -0.02))  # in each frame
met: list[str] = []
for frame in range(1, FRAMES + 1):
    slide = scene.slide(man, WALK + FALL)
    man.pose = slide.moved.at() @ man.pose
    for hit in slide.hits:
        if hit.obstacle.name not in met:
            met.append(hit.obstacle.name)
            print(f"frame {frame}: meets the {hit.obstacle.name} at {man.pose[:2, 3].round(2)}")
print(f"after {FRAMES} frames: at {man.pose[:2, 3].round(2)}, {man.pose[2, 3]:.2f} high")
