"""A tool path over stock and clamps: find the moves that are not free, and lift the tool over what is in the way."""

from itertools import pairwise

import numpy as np

import sweepscope as ss

CLEARANCE = 2.0
scene = ss.Scene()
scene.add(ss.Box((60, 40, 10)), pose=(0, 0, -5), name="stock")  # millimeters; its top is at 0
scene.add(ss.Mesh.cylinder(radius=5, height=12), pose=(15, 0, 6), name="clamp")
tool = [
    scene.add(ss.Mesh.cylinder(radius=3, height=20), name="cutter"),
    scene.add(ss.Mesh.cylinder(radius=8, height=15), name="holder"),
]


def put(tip):
    """Place the tool's tip."""
    tool[0].pose = np.array(tip) + (0, 0, 10)
    tool[1].pose = np.array(tip) + (0, 0, 27.5)


def blocked(start, end):
    """Return what is in the way of a straight move."""
    put(start)
    return scene.sweep(tool, ss.Translate(np.subtract(end, start)), margin=CLEARANCE)


path = [(-25, -12, 5), (28, -12, 5), (28, 0, 5), (-25, 0, 5), (-25, 10, 5)]
mended = path[:1]
for start, end in pairwise(path):
    hit = blocked(start, end)
    if hit is not None:
        print(f"{start} to {end}: the {hit.mover.name} comes too near the {hit.obstacle.name} after {hit.travel:.2f}")
        lift = next(z for z in range(6, 100) if blocked((*start[:2], z), (*end[:2], z)) is None)
        mended += [(*start[:2], lift), (*end[:2], lift)]
    mended.append(end)

assert all(blocked(a, b) is None for a, b in pairwise(mended))
print(f"{len(path)} places became {len(mended)}, highest at {max(z for _, _, z in mended)}; all moves are free")
