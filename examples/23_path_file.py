"""Is a milling path free of clamps? The command line answers for files: a tool, the clamps and the points of the path."""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import sweepscope as ss


def write_obj(shape: ss.Mesh, path: Path) -> None:
    """Write a mesh; in practice the files come from a CAD program."""
    lines = [f"v {x} {y} {z}" for x, y, z in shape.vertices] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in shape.faces]
    path.write_text("\n".join(lines))


turn = np.linspace(0, 12 * np.pi, 2000)  # a pocket, from its center outwards, and deeper by 1 in each turn
radius = 2.0 * turn / (2 * np.pi)
path = np.stack((radius * np.cos(turn), radius * np.sin(turn), 5.0 - turn / (2 * np.pi)), axis=1)

with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    write_obj(ss.Mesh.cylinder(radius=1.5, height=30), folder / "cutter.obj")
    clamps = ss.Scene()
    for k, (x, y) in enumerate(((12, 0), (0, 12), (-12, 0), (0, -12))):
        clamps.add(ss.Mesh.box((4, 4, 8)), pose=(x, y, -12), name=f"clamp {k}")
    clamps.save(folder / "clamps.npz")
    np.save(folder / "path.npy", path)
    command = [sys.executable, "-m", "sweepscope", "sweep", "cutter.obj", "clamps.npz", "--path", "path.npy"]
    for options in ([], ["--all", "--out", "hits.npz"]):
        print("sweepscope", *command[3:], *options)
        print(subprocess.run([*command, *options], cwd=folder, check=False, capture_output=True, text=True).stdout)
    hits = ss.Hits.load(folder / "hits.npz")

for number, name in hits.names.items():
    rows = np.flatnonzero(hits.obstacle == number)
    if len(rows):
        print(f"{name}: segments {rows[0]} to {rows[-1]}, at depths {path[rows[0], 2]:.2f} to {path[rows[-1], 2]:.2f}")
