"""Voxels that change: fill a mesh, carve it, ask where two volumes overlap, and drop a ball on one."""

import numpy as np

import sweepscope as ss

# A bowl: the voxels of a ball, then carved. Edits are assignments; only the lines that they touch are looked at again.
bowl = ss.Volume.from_mesh(ss.Mesh.sphere(1.0, rows=40, sections=40), spacing=0.05)
print(f"a ball of {bowl.count} voxels, {bowl.count * 0.05**3:.3f} of {4 / 3 * np.pi:.3f}")
bowl[:, :, 20:] = False
x, y, z = (np.indices(bowl.resolution) + 0.5) * 0.05 - 1.0
bowl[x**2 + y**2 + z**2 < 0.8**2] = False
print(f"a bowl of {bowl.count}, from {bowl.bounds[0].round(2)} to {bowl.bounds[1].round(2)}")

# Smoke of any opacity; what is over the threshold can be hit.
density = np.random.default_rng(0).random((20, 20, 20), np.float32)
smoke = ss.Volume(density, spacing=0.05, origin=(-0.5, -0.5, -0.5), threshold=0.99)
for height in (0.2, -0.2, -0.6):
    hit = ss.overlap(bowl, smoke, (0, 0, height))
    told = f"{hit.count} voxels, about {hit.center.round(2)}" if hit else "nothing shared"
    print(f"smoke at {height:+.1f}: {told}; the culls removed {sum(hit.removed.values())} of {bowl.alpha.size}")
smoke.threshold = 0.5
print(f"thicker smoke: {ss.overlap(bowl, smoke, (0, 0, -0.6)).count} voxels")

# In a scene a volume is a body like any other.
scene = ss.Scene()
scene.add(bowl, name="bowl")
ball = scene.add(ss.Sphere(0.1), (0.3, 0, 2), name="ball")
drop = scene.sweep(ball, ss.Translate((0, 0, -3)))
assert drop is not None
print(f"the ball falls {drop.travel:.3f} into the {drop.obstacle.name}")
bowl[24:28, 18:22, :] = False  # a hole right below it
fall = scene.sweep(ball, ss.Translate((0, 0, -3)))
print("through the hole it falls out" if fall is None else f"with a hole: {fall.travel:.3f}")
