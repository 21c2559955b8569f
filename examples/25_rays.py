"""A lidar and a depth camera in a scene that changes: rays, moving balls, a perspective depth image."""

import numpy as np

import sweepscope as ss

scene = ss.Scene()
scene.add(ss.Box((20, 20, 0.2)), pose=(0, 0, -0.1), name="floor")
scene.add(ss.Mesh.cylinder(radius=0.4, height=3), pose=(4, 1, 1.5), name="post")
ball = scene.add(ss.Mesh.sphere(1.0, rows=100, sections=100), pose=(6, -2, 1), name="ball")

lidar = np.array((0.0, 0.0, 1.2))
azimuth, height = np.meshgrid(np.linspace(-0.6, 0.6, 400), np.linspace(-0.3, 0.1, 32))
directions = np.stack((np.cos(azimuth) * np.cos(height), np.sin(azimuth) * np.cos(height), np.sin(height)), axis=-1)
for step in range(3):
    ball.vertices = 1.1 * ball.vertices  # it grows
    scan = scene.cast(lidar, directions, length=30.0)
    seen = {body.name: int((scan.body == body.id).sum()) for body in scene}
    print(f"step {step}: {scan.hit.sum()} of {scan.hit.size} rays come back, {seen}")

for radius in (0.0, 0.3):  # is there room for a drone of this size?
    way = scene.cast(lidar, (1.0, 0.15, 0.0), radius=radius, length=10.0)
    where = f"meets the {scene[int(way.body)].name} after {way.distance:.3f}" if way else "is free"
    print(f"a way for radius {radius}: {where}")

camera = ss.PinholeCamera.looking_at(lidar, (5, 0, 1), fov=0.8, pixels=(160, 120), depth=30.0)
image = scene.look(camera)
print(image)
