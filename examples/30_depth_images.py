"""Depth images of another renderer: how far a lander may sink, from the 16-bit buffers of an engine that is not ours."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

import sweepscope as ss

Array = NDArray[np.float64]
Faces = NDArray[np.signedinteger]
SIDE, DEPTH, PIXELS = 6.0, 12.0, 120  # of the view, and pixels along a side


def render(objects: Sequence[tuple[Array, Faces]], toward: float, near: float) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """Stand for an engine: an orthographic camera at height `near` that looks along +z or -z.

    Return a reversed-Z buffer of 16 bits (0 is far) and object numbers from 1, both with the lowest row first, as OpenGL has
    them. Each object has triangles of vertices (n, 3) and faces (m, 3).
    """
    buffer, codes = np.zeros((PIXELS, PIXELS), np.uint16), np.zeros((PIXELS, PIXELS), np.uint8)
    middles = (np.arange(PIXELS) + 0.5) * (SIDE / PIXELS) - 0.5 * SIDE
    # y is up in both images; x is right if the camera looks down, and left if it looks up.
    x, y = np.meshgrid(-toward * middles, middles)
    for number, (vertices, faces) in enumerate(objects, start=1):
        for a, b, c in vertices[faces]:
            double = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
            if double == 0.0:
                continue
            one = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / double
            two = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / double
            z = a[2] + one * (b[2] - a[2]) + two * (c[2] - a[2])
            value = np.round((1.0 - toward * (z - near) / DEPTH) * 65535.0)
            nearer = (one >= 0) & (two >= 0) & (one + two <= 1) & (value <= 65535) & (value > buffer)
            buffer[nearer], codes[nearer] = value[nearer], number
    return buffer, codes


# Hills, a rock on them, and a lander above.
grid = np.linspace(-4.0, 4.0, 33)
east, north = np.meshgrid(grid, grid)
hills = np.stack((east, north, 0.5 * np.sin(1.3 * east) * np.cos(0.9 * north)), axis=-1).reshape(-1, 3)
corner = (np.arange(32)[:, None] * 33 + np.arange(32)).ravel()
ground = np.concatenate((np.stack((corner, corner + 1, corner + 34), 1), np.stack((corner, corner + 34, corner + 33), 1)))
rock = ss.Mesh.sphere(0.6, rows=9, sections=12)
body = ss.Mesh.cylinder(radius=1.1, height=1.0)
leg = ss.Mesh.cylinder(radius=0.15, height=1.2)
legs = [leg.vertices + (1.4 * np.cos(t), 1.4 * np.sin(t), -0.6) for t in (0.3, 2.4, 4.5)]
lander = ss.Mesh(
    np.concatenate((body.vertices, *legs)) + (0, 0, 7),
    np.concatenate((body.faces, *(leg.faces + len(body.vertices) + k * len(leg.vertices) for k in range(3)))),
)
stone = rock.vertices + (1.3, 0.3, 0.4)

# The camera of the range looks down from z = 9, that of the mask up from z = -3: the two sides of one box.
down, codes = render([(hills, ground), (stone, rock.faces)], -1.0, 9.0)
up, _ = render([(lander.vertices, lander.faces)], 1.0, 9.0 - DEPTH)
below = ss.radar.depths_from_buffer(down, depth=DEPTH, reversed_z=True)[::-1]  # row 0 is the upper row
above = ss.radar.depths_from_buffer(up, depth=DEPTH, reversed_z=True)[::-1, ::-1]  # and columns as in the range
reading = ss.radar.read_images(
    below,
    above,
    depth=DEPTH,
    distance=6.0,
    pixel_size=SIDE / PIXELS,
    ids=codes[::-1],
    depth_error=0.5 * DEPTH / 65535,
)
names = {1: "the ground", 2: "the rock"}
print(reading)
print(f"touches {names[reading.obstacles[0]]}, {len(reading.pixels)} pixels in contact; depths allow {reading.resolution:.5f}")
right, lower, ahead = reading.center
print(f"at x {right:.2f}, y {-lower:.2f}, z {9.0 - ahead:.2f}")

# The same by the exact sweep.
scene = ss.Scene()
scene.add(ss.Mesh(hills, ground), name="the ground")
scene.add(ss.Mesh(stone, rock.faces), name="the rock")
hit = scene.sweep(scene.add(lander), ss.Translate((0, 0, -6)))
assert hit is not None
print(f"exactly {hit.travel:.5f}, {hit.obstacle.name}; from images {reading.travel:.5f}")
assert 0.0 <= reading.travel - hit.travel + reading.resolution < SIDE / PIXELS

# The same images answer for every shorter distance.
for distance in (3.0, 4.0, 5.0):
    again = ss.radar.read_images(below, above, depth=DEPTH, distance=distance, pixel_size=SIDE / PIXELS)
    print(f"sink by {distance}: {'contact' if again else 'free'}")
