"""A scene in a file: written by one program, read by another, with its robot; and what numpy alone sees in it."""

import json
import tempfile
from pathlib import Path

import numpy as np

import sweepscope as ss

scene = ss.Scene()
scene.add(ss.Box((2, 2, 0.1)), (0, 0, -0.05), name="table")
rock = ss.Mesh.sphere(0.1, rows=12, sections=12)
scene.add_many(rock, [(0.4, 0.1 * k, 0.1) for k in range(-3, 4)], names=[f"rock {k}" for k in range(7)])
arm = ss.Robot(scene, name="arm")
arm.add("base", ss.Mesh.cylinder(0.08, 0.2))
shoulder = ss.Joint.revolute("shoulder", (0, 1, 0), origin=(0, 0, 0.15), limits=(-2, 2))
arm.add("upper", ss.Capsule.from_segment((0, 0, 0.05), (0, 0, 0.4), radius=0.04), parent="base", joint=shoulder)
arm["shoulder"] = 0.3

with tempfile.TemporaryDirectory() as name:
    file = Path(name) / "table.npz"
    scene.save(file)
    print(f"{scene!r} takes {file.stat().st_size:,} bytes; seven rocks share one mesh")
    there = ss.Scene.load(file)
    with np.load(file) as arrays:
        said = json.loads(arrays["scene.json"])
        print("numpy sees", ", ".join(f"{key} {arrays[key].shape}" for key in arrays.files if key != "scene.json"))
        print("the table is", said["shapes"][0])

hits = [robot.sweep("shoulder", to=2.0) for robot in (arm, there.robots["arm"])]
for hit in hits:
    assert hit is not None
    print(f"the {hit.link} link meets {hit.obstacle.name} at {hit.positions['shoulder']!r}")
