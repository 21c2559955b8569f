"""Pictures: of a scene, of a hit, of what a radar reads and of volumes that overlap. They go to a folder that is given or new.

python examples/19_pictures.py [FOLDER]
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

import sweepscope as ss

folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())

# A hit: a tool slides around on its floor until it meets a post.
workshop = ss.Scene()
workshop.add(ss.Box((10, 10, 0.2)), name="floor")
workshop.add(ss.Mesh.cylinder(radius=0.3, height=2.0), pose=(2, 0, 1.1), name="post")
tool = workshop.add(ss.Box((0.4, 0.4, 1.0)), pose=(0, 0, 0.6), name="tool")
hit = workshop.sweep(tool, ss.Rotate(axis=(0, 0, 1), angle=6.28, about=(1, 1, 0)))
assert hit is not None
hit.picture(folder / "hit.png")

# Every kind of shape.
shapes = ss.Scene()
shapes.add(ss.Box((9, 7, 0.2)), (0, 0, -0.1), name="floor")
shapes.add(ss.Box((1, 1, 1.6)), (-2.6, 1.2, 0.8), name="box")
shapes.add(ss.Sphere(0.75), (-0.4, 1.4, 0.75), name="sphere")
shapes.add(ss.Capsule.from_segment((-0.8, 0, 0), (0.8, 0, 0), radius=0.35), (-2.2, -1.3, 0.35), name="capsule")
shapes.add(ss.Mesh.cylinder(radius=0.5, height=1.8), (2.0, 1.4, 0.9), name="cylinder")
shapes.add(ss.PointCloud(np.random.default_rng(0).normal(size=(400, 3)) * 0.3, 0.0), (2.6, -1.2, 1.0), name="points")
grid = np.indices((40, 40, 40)) - 19.5
rings = (np.hypot(np.hypot(grid[0], grid[1]) - 13.0, grid[2]) < 5.5).astype(float)
shapes.add(ss.Volume(rings, 0.045), (-0.6, -2.1, -0.55), name="voxels")
shapes.picture(folder / "shapes.png", dark=True)

# What a radar reads before the sphere falls on the voxels.
reading = ss.radar.Radar(shapes, shapes["sphere"], pixels=100).probe(ss.Translate((1.0, -3.0, -0.2)))
reading.picture(folder / "reading.png")

# Two volumes that overlap.
ball = ss.Volume((grid**2).sum(axis=0) < 300, 0.05)
found = ss.overlap(ball, ss.Volume(rings, 0.05), (0.55, 0.1, 0.45))
found.picture(folder / "overlap.png", names=("ball", "ring"))

for path in sorted(folder.glob("*.png")):
    print(f"{path.name}: {path.stat().st_size:,} bytes")
