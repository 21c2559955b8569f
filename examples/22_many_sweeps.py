"""Where can a gripper go down to the table? One call for all places; the answers are arrays."""

import time

import numpy as np

import sweepscope as ss

rng = np.random.default_rng(5)
scene = ss.Scene()
scene.add(ss.Box((4, 4, 0.1)), pose=(0, 0, -0.05), name="table")
for k in range(12):
    scene.add(ss.Mesh.cylinder(0.15, 0.4 + 0.1 * (k % 4)), pose=(*rng.uniform(-1.5, 1.5, 2), 0.25), name=f"can {k}")
palm = scene.add(ss.Box((0.3, 0.1, 0.1)), name="palm")
fingers = [scene.add(ss.Capsule.from_segment((x, 0, -0.3), (x, 0, 0), radius=0.02)) for x in (-0.12, 0.12)]

x, y = np.meshgrid(np.linspace(-1.5, 1.5, 61), np.linspace(-1.5, 1.5, 61), indexing="ij")
poses = np.stack((x, y, np.full_like(x, 2.0)), axis=-1)
down = ss.Translate((0, 0, -2))
hits = scene.sweep_many([palm, *fingers], down, poses)  # compiles the kernels
start = time.perf_counter()
hits = scene.sweep_many([palm, *fingers], down, poses)
taken = time.perf_counter() - start

on_table = hits.obstacle == scene["table"].id
print(f"{hits.table.size} places, {1e6 * taken / hits.table.size:.1f} us each: {on_table.mean():.0%} reach the table")
highest = np.unravel_index(np.argmin(hits.travel), hits.shape)
hit = hits[highest]
assert hit is not None
print(f"least travel {hit.travel:.3f}, at x {x[highest]:.2f}, y {y[highest]:.2f}, on {hit.obstacle.name}")
