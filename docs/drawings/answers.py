"""Pictures of files, radars and distances, of the laboratory's shapes: `python docs/drawings/answers.py` writes docs/pictures/.

Those of docs/pictures.md come from examples/19_pictures.py.
"""

import runpy
from pathlib import Path

import numpy as np
from sweepscope_lab.scenes import bumpy_ball, targets

import sweepscope as ss
from sweepscope.drawing.sides import picture_of_sides

OUT = Path(__file__).parents[1] / "pictures"
EXAMPLES = Path(__file__).parents[2] / "examples"


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
    runpy.run_path(str(EXAMPLES / "30_depth_images.py"))["reading"].picture(OUT / "image_reading.png")
    draw_contacts()


def draw_contacts():
    """Draw the contacts of a bracket on a table, against a wall and below a ball."""
    outline = [(-1, 0), (2, 0), (2, 0.8), (0, 0.8), (0, 2), (-1, 2)]
    ends = [(0, 1, 2), (0, 2, 3), (0, 3, 5), (3, 4, 5)]
    faces = ends + [(6 + a, 6 + c, 6 + b) for a, b, c in ends]
    for k in range(6):
        n = (k + 1) % 6
        faces += [(k, 6 + k, 6 + n), (k, 6 + n, n)]
    scene = ss.Scene()
    scene.add(ss.Box((6, 5, 0.3)), (0, 0, -0.15), name="table")
    scene.add(ss.Box((0.3, 5, 2)), (2.5, 0, 1), name="wall")
    bracket = scene.add(ss.Mesh([(x, y, z) for y in (0, 1) for x, z in outline], faces), (0.35, -0.5, 0), name="bracket")
    scene.add(ss.Sphere(0.3), (1.2, 0, 1.1), name="ball")
    scene.contacts(bracket, margin=0.01).picture(OUT / "contacts.png")

    scene = ss.Scene()
    scene.add(ss.Box((9, 5, 0.2)), (1.2, 0, -1.35), name="floor")
    ball = scene.add(bumpy_ball(48, 64, 1.0), name="ball")
    post = scene.add(ss.Mesh.cylinder(radius=0.5, height=2.5), (2.6, 0.3, 0), name="post")
    scene.distance(ball, post).picture(OUT / "distance.png", size=(800, 480))

    scene = ss.Scene()
    for k in range(3):
        scene.add(ss.Box((0.2, 2, 2)), (1 + 2 * k, 0, 0), name=f"plate {k}")
    ball = scene.add(ss.Sphere(0.5), name="drill")
    scene.sweep_all(ball, ss.Translate((5, 0, 0))).picture(
        OUT / "sweep_all.png", size=(760, 420), eye=(-0.6, -3.6, 2.2), target=(2.3, 0, 0)
    )


def draw_field():
    """Draw a slice of the signed distance of the mug: inside, outside, and lines of equal distance."""
    scene = ss.Scene()
    added(scene, targets.mug())
    low, high = (np.array([body.bounds[k] for body in scene]) for k in range(2))
    low, high = low.min(axis=0), high.max(axis=0)
    wide = 0.35 * float((high - low).max())
    x = np.linspace(low[0] - wide, high[0] + wide, 720)
    step = x[1] - x[0]
    z = np.arange(high[2] + wide, low[2] - wide, -step)
    points = np.stack(np.broadcast_arrays(x, 0.5 * (low[1] + high[1]), z[:, None]), axis=-1)
    found = scene.signed_distance(points)
    shade = np.clip(np.abs(found.distance) / wide, 0.0, 1.0)[..., None]
    color = np.where(found.inside[..., None], (213, 94, 0), (1.0 - shade) * (222, 238, 248) + shade * (0, 90, 150))
    line = np.abs((found.distance / (0.1 * wide) + 0.5) % 1.0 - 0.5) * 0.1 * wide < 0.8 * step
    color = np.where(line[..., None], 0.82 * color, color)
    color[np.abs(found.distance) < step] = 34, 39, 46
    ss.drawing.Picture(color.astype(np.uint8)).save(OUT / "signed_distance.png")


if __name__ == "__main__":
    draw()
    draw_field()
