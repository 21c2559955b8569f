"""A signed distance field of a mug, a picture of a slice, room for balls, and how deep two parts overlap."""

import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np

import sweepscope as ss

# A mug: an outline turned about z, closed, and a handle. Both are bodies of their own and overlap.
outline = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 2.4), (0.88, 2.4), (0.88, 0.15), (0.0, 0.15)])
turns = np.linspace(0, 2 * np.pi, 96, endpoint=False)
rings = np.array([[(r * np.cos(t), r * np.sin(t), z) for t in turns] for r, z in outline])
numbers = np.arange(rings.size // 3).reshape(len(outline), len(turns))
below, above = numbers[:-1], numbers[1:]
quads = np.stack((below, np.roll(below, -1, 1), np.roll(above, -1, 1), above), axis=-1).reshape(-1, 4)
cup = ss.Mesh(rings.reshape(-1, 3), np.concatenate((quads[:, :3], quads[:, [0, 2, 3]])))
arc = [(0.95 + 0.7 * np.sin(t), 0.0, 1.2 - 0.75 * np.cos(t)) for t in np.linspace(0.05, np.pi - 0.05, 12)]
scene = ss.Scene()
scene.add(cup, name="cup")
for k, (p0, p1) in enumerate(pairwise(arc)):
    scene.add(ss.Capsule.from_segment(p0, p1, radius=0.12), name=f"handle {k}")

# The field on a grid of any shape: negative inside.
x, z = np.linspace(-1.5, 2.3, 380), np.linspace(3.0, -0.6, 360)
field = scene.signed_distance(np.stack(np.broadcast_arrays(x, 0.001, z[:, None]), axis=-1))
print(f"{field.distance.size:,} points: {field.inside.mean():.1%} inside, the deepest {-field.distance.min():.3f}")

# A slice as a picture: orange inside, blue outside, lines every 0.1.
shade = np.clip(np.abs(field.distance) / 1.2, 0.0, 1.0)[..., None]
color = np.where(field.inside[..., None], (213, 94, 0), (1 - shade) * (200, 226, 243) + shade * (0, 90, 150))
color = np.where((np.abs((field.distance / 0.1 + 0.5) % 1.0 - 0.5) < 0.08)[..., None], 0.8 * color, color)
with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "slice.png"
    ss.drawing.Picture(color.astype(np.uint8)).save(file)
    print(f"slice.png has {file.stat().st_size // 1000} kB")

# The largest ball around (0.3, 0, 1.5) that fits, and a cloud of balls at once.
middle = scene.signed_distance((0.3, 0.0, 1.5))
print(f"a ball of radius {middle.distance:.3f} fits; it touches the {scene[int(middle.body)].name}")
places = np.random.default_rng(0).uniform((-1.5, -1.5, 0), (1.5, 1.5, 3), (10_000, 3))
print(f"{(scene.signed_distance(places, radius=0.2).distance >= 0).mean():.1%} of 10,000 balls of radius 0.2 are free")

# How deep two parts overlap: the least for convex bodies, along a direction for all.
lid = scene.add(ss.Box((2.4, 2.4, 0.3)), (0.1, 0, 2.45), name="lid")
print(scene.depth_along(lid, scene["cup"], (0, 0, 1)))
rod, stick = scene.add(ss.Capsule(0.1, 3), (0, 0, 5)), scene.add(ss.Box((0.3, 0.3, 3)), (0.12, 0.1, 6))
deep = scene.depth(rod, stick)
print(f"{deep.depth:.3f} along {deep.direction.round(3) + 0.0}")
