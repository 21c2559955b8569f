"""Looking: which bodies are there, how far, and a picture made of depths."""

import numpy as np

import sweepscope as ss

scene = ss.Scene()
scene.add(ss.Box((20, 20, 0.2)), name="floor")
scene.add(ss.Mesh.cylinder(radius=0.4, height=3.0), pose=(6, 2, 1.6), name="post")
scene.add(ss.Sphere(0.8), pose=(8, -1, 0.9), name="ball")
scene.add(ss.Capsule.from_segment((0, 0, 0), (0, 3, 0), radius=0.2), pose=(5, -3, 2), name="rail")

view = ss.View(eye=(0, 0, 1.2), toward=(1, 0, 0), width=8, height=4, depth=12)
seen = scene.look(view, pixels=(64, 16))
for body, distance, count in zip(seen.bodies, seen.distances, seen.counts, strict=True):
    print(f"{body.name}: {distance:.3f} ahead, {count} pixels")

for row in seen.ids:
    print("".join("." if number < 0 else scene[int(number)].name[0] for number in row))

points = seen.points[seen.ids == scene["ball"].id]
print(f"all {len(points)} points of the ball lie on it: {np.allclose(np.linalg.norm(points - (8, -1, 0.9), axis=1), 0.8)}")

narrow = ss.View(eye=(0, 0, 1.2), toward=(-1, 0, 0), width=1, height=1, depth=12)
found = scene.search(scene["ball"], narrow)  # turns about +z until it sees the ball
if found is not None:
    print(f"found the ball looking towards {np.round(found.view.toward, 2)}")
