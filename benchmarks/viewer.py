"""How fast the viewer's page follows: `.venv-view/bin/python benchmarks/viewer.py`, after `make view-test`.

A scene of 100,000 triangles; the mover is dragged 200 times. The time is that of the server, from the gizmo's callback until
the messages of the answer are in the queue.
"""

import statistics
import time

import numpy as np

BEGAN = time.perf_counter()

import sweepscope as ss  # noqa: E402  (the import counts)

MOVES = 200


def bumpy(rings, seed):
    """Return a ball of about 2 * rings^2 triangles with bumps."""
    ball = ss.Mesh.sphere(1.0, rows=rings, sections=rings)
    rng = np.random.default_rng(seed)
    return ss.Mesh(ball.vertices * (1.0 + 0.05 * rng.random((len(ball.vertices), 1))), ball.faces)


def main():
    """Measure and print."""
    scene = ss.Scene()
    scene.add(bumpy(200, 1), name="ball")
    tool = scene.add(bumpy(100, 2), (0, 0, 3), name="tool")
    triangles = sum(len(body.shape.faces) for body in scene)
    for name, motion in (("push", ss.Translate((0, 0, -5))), ("turn", ss.Rotate((1, 0, 0), 3.0, about=(0, 1.5, 1.5)))):
        with scene.show(tool, motion, browser=False) as page:
            if name == "push":
                print(f"served {time.perf_counter() - BEGAN:.2f} s after the start of Python")
            question = page._question
            gizmo, times = question._gizmo, []
            rng = np.random.default_rng(3)
            for _ in range(MOVES):
                gizmo.position = np.array((0, 0, 3)) + 0.2 * rng.normal(size=3)
                began = time.perf_counter()
                question._on_drag(None)
                times.append(time.perf_counter() - began)
            hits = "hit" if question.hit is not None else "free"
            late = 1e3 * sorted(times)[int(0.95 * MOVES)]
            middle = 1e3 * statistics.median(times)
            print(f"{name}, {triangles:,} triangles, {MOVES} moves: median {middle:.1f} ms, 95 % {late:.1f}; last: {hits}")


if __name__ == "__main__":
    main()
