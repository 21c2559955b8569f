"""Many processes: the scene is sent once, hits come back small and name the bodies of this process."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

import sweepscope as ss

held = {}


def take(scene):
    """Run once in every worker: keep the scene."""
    held["scene"] = scene


def fall(ball):
    """A body that is sent names the body of the scene that is here."""
    return held["scene"].sweep(ball, ss.Translate((0, 0, -10)))


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    scene = ss.Scene()
    for k in range(5):
        scene.add(ss.Mesh.box((1, 1, 1)), pose=(*rng.uniform(-2, 2, 2), 0), name=f"box {k}")
    balls = [scene.add(ss.Sphere(0.2), pose=(*rng.uniform(-2, 2, 2), 3 + k), name=f"ball {k}") for k in range(8)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn"), initializer=take, initargs=(scene,)) as workers:
        for ball, hit in zip(balls, workers.map(fall, balls), strict=True):
            print(ball.name, "falls free" if hit is None else f"meets {hit.obstacle.name} after {hit.travel:.3f}")
            assert hit is None or (hit.mover is ball and hit.obstacle.scene is scene)
