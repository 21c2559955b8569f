"""What the tests of volumes in scenes are made of."""

import numpy as np
from sweepscope_lab.reference.cubes import cubes

import sweepscope as ss


def rotation(rng):
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return turn * np.sign(np.linalg.det(turn))


def pose_of(turn, place):
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = turn, place
    return pose


def some_volume(rng, most=5):
    """A few random voxels of any width, turned about their middle; and their cubes there."""
    occupied = rng.random(rng.integers(1, most + 1, 3)) < rng.choice((0.2, 0.5, 0.9))
    occupied[tuple(rng.integers(0, occupied.shape))] = True
    spacing = rng.uniform(0.5, 1.5, 3)
    origin = rng.normal(size=3)
    middle = origin + 0.5 * spacing * occupied.shape
    turn = rotation(rng)
    pose = pose_of(turn, rng.normal(size=3) - turn @ middle)
    return ss.Volume(occupied, spacing, origin=origin), pose, cubes(occupied, spacing, origin, pose)


def mesh_of(volume):
    return ss.Mesh(volume.vertices, volume.faces)


def hills(n, seed=0, tall=12):
    """A landscape of columns, n x n."""
    rng = np.random.default_rng(seed)
    x = np.linspace(0, 3, n)
    height = 0.5 * tall + 0.3 * tall * np.sin(3 * x + rng.uniform(0, 6))[:, None] * np.cos(2 * x + rng.uniform(0, 6))
    return np.arange(tall) < (height + rng.uniform(-0.7, 0.7, (n, n)))[:, :, None]
