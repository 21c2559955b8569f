"""A cutter removes material from a block of voxels: one fill and one sweep in every frame."""

import numpy as np

import sweepscope as ss

stock = ss.Volume(np.ones((80, 60, 20), bool), spacing=0.001)  # a block of 80 x 60 x 20 mm
cutter = ss.Capsule.from_segment((0, 0, 0), (0, 0, 0.03), radius=0.004)

scene = ss.Scene()
scene.add(stock, name="stock")
probe = scene.add(ss.Sphere(0.002), name="probe")

path = [(0.01 + 0.06 * t, 0.03 + 0.02 * np.sin(6 * t), 0.014) for t in np.linspace(0, 1, 60)]
removed = 0
for frame, place in enumerate(path):
    removed += stock.fill(cutter, place, value=False)  # the pose is in the frame of the volume
    if frame % 15 == 14:
        probe.pose = (place[0], place[1], 0.05)
        hit = scene.sweep(probe, ss.Translate((0, 0, -0.05)))
        assert hit is not None
        print(f"frame {frame + 1}: {removed} voxels removed, the groove is {1000 * (0.02 - hit.point[2]):.1f} mm deep")
print(f"{stock.count} of {80 * 60 * 20} voxels are left")
