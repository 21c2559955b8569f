"""Pictures of fans and volumes: `python docs/drawings/fans_and_volumes.py` writes docs/pictures/."""

import math
from pathlib import Path

import numpy as np
from sweepscope_lab.papers.panels import PanelThing, at_poses, painted, sheet

import sweepscope as ss
from sweepscope.drawing.camera import camera_along
from sweepscope.drawing.palette import BODIES, GRAY, MOVER, OBSTACLE

OUT = Path(__file__).parents[1] / "pictures"
TURN = math.radians(110)


def draw_fans():
    """Draw what a bat sweeps, the fan that encloses it, and the thesis' fan, with balls that they hit."""
    bat, place = ss.Box((0.22, 0.9, 0.12)), (0, 0.8, 0)
    turn = {"axis": (0, 0, 1), "angle": TURN}
    poses = [ss.Rotate((0, 0, 1), TURN * k / 60).at() @ ss.Pose.from_object(place) for k in range(61)]
    axis = PanelThing(ss.Capsule.from_segment((0, 0, -0.3), (0, 0, 0.3), radius=0.015), GRAY)
    balls = np.array([(0.1, 1.2, 0.05), (-0.6, 0.9, 0.0), (-1.2, 0.4, 0.0), (-0.15, 0.2, 0.0), (-0.9, -0.53, 0.0)])
    swing = ss.fan.Swing(bat, place, **turn)
    panels = []
    for title, shown, hits in (
        ("Swing: exactly what the bat sweeps", at_poses(bat, poses), ~np.isnan(swing.sphere_times(balls, 0.06))),
        *(
            (title, fan, fan.hits_spheres(balls, 0.06))
            for title, fan in (
                ("Fan.enclosing: contains all of it", ss.fan.Fan.enclosing(bat, place, **turn)),
                ("Fan.from_swing: leaves the width out", ss.fan.Fan.from_swing(bat, place, **turn)),
            )
        ),
    ):
        spheres = []
        for ball, hit in zip(balls, hits, strict=True):
            pose = np.eye(4)
            pose[:3, 3] = ball
            spheres.append(PanelThing(ss.Sphere(0.06), OBSTACLE if hit else BODIES[2], pose))
        things = [axis, PanelThing(shown, BODIES[7], glass=0.5), *spheres]
        things += [PanelThing(bat, MOVER, pose) for pose in (poses[0], poses[-1])]
        camera = camera_along((0.35, 0.9, -1.1), None, (400, 320))
        room = np.array([(x, y, z) for x in (-1.35, 0.25) for y in (-0.65, 1.35) for z in (-0.15, 0.3)])
        panels.append((title, painted(things, camera.around(room, 0.02)).image))
    caption = ("Blue: the bat at its start and at its end. Orange: balls that are hit; green: balls that are not.",)
    sheet(panels, 3, caption, OUT / "fan.png")


def draw_volume():
    """Draw a volume by its surface and by its opacities."""
    n = 48
    place = (np.indices((n, n, n)) + 0.5) / n - 0.5
    rng = np.random.default_rng(4)
    cloud = np.zeros((n, n, n), np.float32)
    for center, radius in zip(rng.uniform(-0.3, 0.3, (14, 3)) * (1, 1, 0.5), rng.uniform(0.1, 0.22, 14), strict=True):
        away = np.square(place - center[:, None, None, None]).sum(axis=0) / radius**2
        cloud += 0.12 * np.square(np.maximum(1.0 - away, 0.0))
    fog = ss.Volume(np.minimum(cloud, 1.0), spacing=1.0 / n)
    fog.fill(ss.Sphere(0.12), (0.5, 0.5, 0.5), value=1.0)
    size = (400, 300)
    panels = [
        ("volume.picture()", fog.picture(size=size).pixels / np.float32(255)),
        ("volume.picture(transparent=True)", fog.picture(size=size, transparent=True).pixels / np.float32(255)),
    ]
    sheet(panels, 2, ("Fog around a solid ball: its surface, and its opacities.",), OUT / "volume.png")


if __name__ == "__main__":
    draw_fans()
    draw_volume()
