"""Two volumes that change in every frame: write what changed, ask where they touch, let it melt there."""

import numpy as np

import sweepscope as ss

# A ball of ice, and warm fog that rises from below: alpha falls from the middle outwards, and with height.
x, y, z = np.indices((64, 64, 64)) + 0.5
ice = ss.Volume(np.clip(1.5 - np.sqrt((x - 32) ** 2 + (y - 32) ** 2 + (z - 40) ** 2) / 12, 0, 1))
fog = ss.Volume(np.zeros((64, 64, 64)))
ground = (0, 0, -8)  # where the fog's grid is in the ice's: any pose will do, whole voxels are fastest
print(f"{ice.count} voxels of ice, from {ice.extent[0]} to {ice.extent[1]}")

for frame in range(40):
    level = 2 + frame  # only the slices that the fog reaches now are written
    waves = level + 2 * np.sin(0.3 * x[:, :, 0] + 0.4 * frame)
    low, high = max(level - 4, 0), level + 4
    fog[:, :, low:high] = np.clip((waves[:, :, None] - z[:, :, low:high]) / 4, 0, 1)

    touch = ss.overlap(ice, fog, ground)
    if touch:
        (i0, j0, k0), (i1, j1, k1) = touch.region
        if frame % 5 == 0:
            print(f"frame {frame}: {touch.count} voxels at {touch.center.round(1)}, normal {touch.normal.round(2)}")
        melted = ice.alpha[i0:i1, j0:j1, k0:k1].copy()
        melted[tuple((touch.voxels - touch.region[0]).T)] -= 0.2
        ice[i0:i1, j0:j1, k0:k1] = melted.clip(0, 1)

print(f"{ice.count} voxels of ice are left, from {ice.extent[0]} to {ice.extent[1]}")
