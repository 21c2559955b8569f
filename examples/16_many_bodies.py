"""A swarm that drifts and breathes: all poses and all vertices of a frame in one call each."""

import time

import numpy as np

import sweepscope as ss

rng = np.random.default_rng(3)
ball = ss.Mesh.sphere(0.3, rows=9, sections=8)
scene = ss.Scene()
places = rng.uniform(-4.0, 4.0, (200, 3))
swarm = scene.add_many(ball, places, group="swarm")
probe = scene.add(ss.Sphere(0.5), pose=(0, 0, 20), name="probe")
down = ss.Translate((0, 0, -40))
scene.sweep(probe, down)  # compiles the kernels
scene.move(swarm, places)
scene.deform(swarm, np.tile(ball.vertices, (len(swarm), 1, 1)))

start = time.perf_counter()
for frame in range(100):
    phase = 0.1 * frame + np.arange(len(swarm))
    scene.move(swarm, places + 0.5 * np.column_stack((np.cos(phase), np.sin(phase), 0.0 * phase)))
    scene.deform(swarm, ball.vertices * (1.0 + 0.2 * np.sin(3.0 * phase))[:, None, None])
    hit = scene.sweep(probe, down)
    if frame % 25 == 0:
        print(f"frame {frame}: " + ("free" if hit is None else f"{hit.obstacle.name} after {hit.travel:.6f}"))
taken = time.perf_counter() - start
print(f"{len(swarm)} bodies, {1e4 * taken:.0f} us a frame")
