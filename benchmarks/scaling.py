"""Many sweeps on 1, 2, 4, 8 and 16 threads: time of a row, and how many times as fast as one thread.

python benchmarks/scaling.py scaling.json: prints a table and writes it as JSON. It needs NumPy and sweepscope alone. All
numbers of threads give the same bits, which is checked first; they are then timed in turns, and the best of each counts.
"""

import json
import math
import os
import sys
import time
from pathlib import Path

import numpy as np

import sweepscope as ss

THREADS = (1, 2, 4, 8, 16)
ROUNDS = 5


def directions(count, length):
    """Vectors of a length in random directions, shape (count, 3)."""
    vectors = np.random.default_rng(0).normal(size=(count, 3))
    return length * vectors / np.linalg.norm(vectors, axis=1)[:, None]


def among_fifty(mover, obstacle, count):
    """Translations of a mover by 10 from the middle of a cube of 20, among 50 bodies that do not touch it or each other."""
    places = []
    for place in np.random.default_rng(0).uniform(-10.0, 10.0, (2000, 3)):
        if len(places) < 50 and np.linalg.norm(place) > 2.5 and all(np.linalg.norm(place - p) > 2.2 for p in places):
            places.append(place)
    scene = ss.Scene()
    scene.add_many(obstacle, np.array(places))
    body, vectors = scene.add(mover), directions(count, 10.0)
    return lambda threads: scene.sweep_many(body, vectors, threads=threads)


def bumpy_ball(radius, seed):
    """A ball of 1,250 triangles with twelve waves on its radius."""
    ball = ss.Mesh.sphere(1.0, rows=26, sections=25)
    rng = np.random.default_rng(seed)
    waves, phases = 6.0 * rng.normal(size=(12, 3)), rng.uniform(0.0, 6.0, 12)
    height = 1.0 + 0.04 * np.sin(ball.vertices @ waves.T + phases).sum(axis=1)
    return ss.Mesh(ball.vertices * (radius * height)[:, None], ball.faces)


def turns(count):
    """Half turns of a long bumpy blade beside the axis, from many starts, at a bumpy ball."""
    ball = bumpy_ball(4.0, 3)
    scene = ss.Scene()
    scene.add(bumpy_ball(3.0, 5), (-2.0, 15.0, 1.0))
    blade = scene.add(ss.Mesh(ball.vertices * (3.0, 0.4, 0.4) + (14.0, 0.0, 0.0), ball.faces))
    rng = np.random.default_rng(2)
    back = -rng.uniform(0.0, 0.5, count)
    poses = np.zeros((count, 4, 4))
    poses[:, 0, 0], poses[:, 0, 1], poses[:, 1, 0], poses[:, 1, 1] = np.cos(back), -np.sin(back), np.sin(back), np.cos(back)
    poses[:, 2, 2] = poses[:, 3, 3] = 1.0
    poses[:, 2, 3] = rng.uniform(-2.0, 2.0, count)
    turn = ss.Rotate((0, 0, 1), math.pi)
    return lambda threads: scene.sweep_many(blade, turn, poses, threads=threads)


def measure(name, work, count, all_threads):
    """Return the seconds a row for each number of threads."""
    first = work(1).table.tobytes()
    for threads in all_threads:
        if work(threads).table.tobytes() != first:
            raise SystemExit(f"{name}: {threads} threads give other bits than one")
    times = dict.fromkeys(all_threads, math.inf)
    for _ in range(ROUNDS):
        for threads in all_threads:
            start = time.perf_counter()
            work(threads)
            times[threads] = min(times[threads], time.perf_counter() - start)
    return {threads: taken / count for threads, taken in times.items()}


def main(path, share=1.0):
    """Measure all, print a table, write JSON. share: of the rows, less for a try."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    many, few = max(1, int(100_000 * share)), max(1, int(10_000 * share))
    balls = among_fifty(ss.Sphere(0.5), ss.Sphere(1.0), many)
    meshes = among_fifty(ss.Mesh.sphere(0.5, rows=9, sections=8), ss.Mesh.sphere(1.0, rows=9, sections=8), many)
    works = {
        "translations of a ball among 50 balls": (balls, many),
        "translations of 128 triangles among 50 such": (meshes, many),
        "turns, 1,250 on 1,250 triangles": (turns(few), few),
    }
    rows = []
    print(f"{cores} cores; microseconds a row (times as fast as one thread)")
    for name, (work, count) in works.items():
        times = measure(name, work, count, THREADS)
        rows.append(
            {"work": name, "rows": count, "seconds a row": times, "speedup": {n: times[1] / t for n, t in times.items()}}
        )
        print(f"{count:,} {name}: " + ", ".join(f"{n}: {1e6 * t:.2f} ({times[1] / t:.1f} x)" for n, t in times.items()))
    Path(path).write_text(json.dumps({"cores": cores, "version": ss.__version__, "works": rows}, indent=1))


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit("usage: python benchmarks/scaling.py OUT.json [SHARE OF THE ROWS, 0 .. 1]")
    main(sys.argv[1], *map(float, sys.argv[2:]))
