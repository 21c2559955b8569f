"""Contacts for a physics solver: whether a box rests on an incline, and the forces at its corners that hold it."""

import math

import numpy as np

import sweepscope as ss

GRAVITY = np.array((0.0, 0.0, -9.81))
FRICTION = 0.5
STEP = 0.01  # seconds


def impulses(points, normals, gaps, velocity, spin, place, mass, inertia):
    """Return velocity and spin of a box after contact impulses, one after another, and the impulses along the normals."""
    total = np.zeros((len(points), 3))  # along the normal, then along two tangents
    for _ in range(200):
        for k, (point, normal) in enumerate(zip(points, normals, strict=True)):
            arm = point - place
            side = np.cross(normal, (1, 0, 0) if abs(normal[0]) < 0.7 else (0, 1, 0))
            side /= np.linalg.norm(side)
            for row, axis in enumerate((normal, side, np.cross(normal, side))):
                turn = np.cross(arm, axis)
                answer = 1.0 / (1.0 / mass + turn @ turn / inertia)
                speed = (velocity + np.cross(spin, arm)) @ axis
                before = total[k, row]
                if row == 0:  # the gap may be closed in this step, but not more
                    total[k, 0] = max(0.0, before - answer * (speed + max(gaps[k], 0.0) / STEP))
                else:
                    most = FRICTION * total[k, 0]
                    total[k, row] = min(max(before - answer * speed, -most), most)
                change = total[k, row] - before
                velocity = velocity + change / mass * axis
                spin = spin + change / inertia * turn
    return velocity, spin, total[:, 0]


for degrees in (20, 35):
    scene = ss.Scene()
    tilt = ss.Pose.from_axis_angle((0, 0, 0), (0, 1, 0), angle=math.radians(degrees))
    scene.add(ss.Box((6, 4, 1)), tilt @ ss.Pose.from_object((0, 0, -0.5)), name="incline")
    box = scene.add(ss.Box((1, 1, 1)), tilt @ ss.Pose.from_object((0, 0, 0.5)), name="box")
    found = scene.contacts(box, margin=0.01)
    patch = found.patches[0]
    state = np.zeros(3) + STEP * GRAVITY, np.zeros(3)
    velocity, spin, push = impulses(patch.points, patch.normals, patch.gaps, *state, box.pose[:3, 3], 1.0, 1.0 / 6.0)
    speed = float(np.linalg.norm(velocity))
    print(f"{degrees} degrees: {len(patch)} contacts, {'rests' if speed < 1e-3 else 'slides'}, speed after a step {speed:.4f}")
    corners = np.argsort(patch.points[:, 2])
    uphill, downhill = (push[corners[k]].sum() / STEP for k in (slice(2, 4), slice(0, 2)))
    weight = 9.81 * math.cos(math.radians(degrees))
    print(f"  forces along the normal: uphill {uphill:.2f}, downhill {downhill:.2f}, of {weight:.2f} in all")
