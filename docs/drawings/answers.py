"""Pictures of files and radars on pages, of the laboratory's shapes: `python docs/drawings/answers.py` writes docs/pictures/.

Those of docs/pictures.md come from examples/19_pictures.py.
"""

from pathlib import Path

import numpy as np
from sweepscope_lab.scenes import targets

import sweepscope as ss
from sweepscope.drawing.sides import picture_of_sides

OUT = Path(__file__).parents[1] / "pictures"


def added(scene, target, place=(0.0, 0.0, 0.0)):
    """Add the parts of a target to a scene, a hundredth as large; return their bodies."""
    parts = [(name, ss.Mesh(0.01 * shape.vertices, shape.faces), pose) for name, shape, pose in target.parts]
    poses = [np.block([[pose[:3, :3], 0.01 * pose[:3, 3:] + np.reshape(place, (3, 1))], [pose[3:]]]) for _, _, pose in parts]
    return scene.add_many([shape for _, shape, _ in parts], poses, names=[name for name, _, _ in parts])


def draw():
    """Draw all."""
    alone = []
    for name, target in (("mug.stl", targets.mug()), ("bottle.stl", targets.bottle())):
        scene = ss.Scene()
        added(scene, target)
        alone.append((name, scene))
    picture_of_sides(alone, OUT / "info.png")

    scene = ss.Scene()
    added(scene, targets.mug())
    star = added(scene, targets.star(), (0.3, 0.0, 4.0))
    reading = ss.radar.Radar(scene, star, pixels=200).probe(ss.Translate((0, 0, -5)))
    reading.picture(OUT / "scopes.png")
    assert f"{reading.travel:.4g}, {reading.confirm().travel:.4g}" == "2.181, 2.177"  # as README says


if __name__ == "__main__":
    draw()
