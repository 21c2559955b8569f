"""Move a part as little as possible, so that a tool path has 5 mm more room: gradients of hits, and scipy.optimize."""

from itertools import pairwise

import numpy as np
from scipy.optimize import minimize

import sweepscope as ss

MORE = 5.0  # millimeters
around = np.linspace(0, 2 * np.pi, 60, endpoint=False)
outline = (40 + 6 * np.cos(3 * around)) * np.array((np.cos(around), np.sin(around)))
rings = [np.column_stack((*outline, np.full(60, z))) for z in (-15.0, 15.0)]
k, n = np.arange(60), (np.arange(60) + 1) % 60
walls = np.concatenate((np.column_stack((k, n, n + 60)), np.column_stack((k, n + 60, k + 60))))
scene = ss.Scene()
part = scene.add(ss.Mesh(np.concatenate(rings), walls), name="part")
tool = scene.add(ss.Sphere(6.0), name="tool")
path = [(-75, -30, 0), (-55, 0, 0), (-42, 45, 0), (0, 58, 0), (45, 45, 0), (60, 0, 0)]
places = np.concatenate([np.linspace(a, b, 60) for a, b in pairwise(path)])


def put(x):
    """Move the part by x[0] and x[1], and turn it by x[2] / 40 radians: at its rim these are millimeters."""
    part.pose = ss.Rotate((0, 0, 1), x[2] / 40).at() + ss.Translate((x[0], x[1], 0)).at() - np.eye(4)


def rooms(x, directions):
    """Return how far the tool may go towards the part from each place, the derivatives, and the normals."""
    put(x)
    hits = scene.sweep_many(tool, 100 * directions, places)
    moved = 100 * hits.gradient().obstacle[:, [0, 1, 5]] / (1, 1, 40)
    return hits.travel, moved, hits.normal


def is_free(margin):
    """Return whether the whole path keeps a distance: swept, not sampled."""
    starts, ways = np.array(path[:-1]), np.diff(path, axis=0)
    return not scene.sweep_many(tool, ways, starts, margin=margin)


def room_on_path():
    """Return the largest distance that the path keeps."""
    low, high = 0.0, 50.0
    while high - low > 1e-6:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if is_free(middle) else (low, middle)
    return low


before = room_on_path()
wanted = before + MORE
assert not is_free(wanted)
x, directions = np.zeros(3), -places / np.linalg.norm(places, axis=1)[:, None]
for slack in (0.0, 0.02, 0.04, 0.06, 0.08):  # millimeters: between the places it is a little nearer
    directions = -rooms(x, directions)[2]  # the shortest ways to the part
    limit = {
        "type": "ineq",
        "fun": lambda x, d=directions, least=wanted + slack: rooms(x, d)[0] - least,
        "jac": lambda x, d=directions: rooms(x, d)[1],
    }
    x = minimize(lambda x: x @ x, x, jac=lambda x: 2 * x, constraints=[limit], method="SLSQP").x
    put(x)
    if is_free(wanted):
        break
assert is_free(wanted)
print(f"room on the path: {before:.2f} mm before, {room_on_path():.2f} mm after")
print(f"the part moves by {np.hypot(*x[:2]):.2f} mm and turns by {np.degrees(x[2] / 40):.2f} degrees")
