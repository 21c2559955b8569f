"""Distance: how near two bodies are and where, the nearest bodies, and a clearance along a path in one call."""

import numpy as np

import sweepscope as ss

scene = ss.Scene()
scene.add(ss.Box((20, 20, 1)), pose=(0, 0, -0.5), name="floor")
for k, (x, y) in enumerate(((2, 1), (4, -1), (6, 1.5))):
    scene.add(ss.Mesh.cylinder(radius=0.4, height=3), pose=(x, y, 1.5), name=f"post {k}")
drone = scene.add(ss.Mesh.sphere(0.5, rows=20, sections=24), pose=(0, 0, 1.5), name="drone")

pair = scene.distance(drone, scene["post 0"])
print(f"{pair.distance:.4f} from {pair.second.name}, {pair.features[0].kind} to {pair.features[1].kind}")
for each in scene.nearest(drone, k=4, limit=6):
    print(f"  {each.second.name}: {each.distance:.3f}")

path = np.column_stack((np.linspace(0, 8, 801), np.zeros(801), np.full(801, 1.5)))
clearance = scene.distance_many(drone, path)
tight = int(clearance.distance.argmin())
name = scene[int(clearance.second[tight])].name
print(f"least clearance {clearance.distance[tight]:.4f} at x = {path[tight, 0]:.2f}, from {name}")
print(f"{(clearance.distance < 0.4).sum()} of {len(path)} places are nearer than 0.4")
