"""Pictures of the viewer: `.venv-view/bin/python docs/drawings/viewer.py` writes docs/pictures/.

A real browser takes them. `make view-test` installs it, and makes the environment.
"""

import io
import sys
from pathlib import Path

from PIL import Image

import sweepscope as ss

ROOT = Path(__file__).parents[2]
OUT = ROOT / "docs" / "pictures"
sys.path.insert(0, str(ROOT / "tests" / "viewer"))

from visitors import Visitor, chromium  # noqa: E402  (found by the line above)


def arm():
    """An arm of four joints before a wall."""
    robot = ss.Robot(name="arm")
    scene = robot.scene
    scene.add(ss.Box((2.4, 2.4, 0.1)), pose=(0, 0, -0.05), name="floor")
    scene.add(ss.Box((0.12, 0.8, 0.7)), pose=(0.75, 0, 0.35), name="wall")
    scene.add(ss.Mesh.sphere(0.15), pose=(0.35, -0.6, 0.15), name="ball")
    robot.add("base", [(ss.Mesh.cylinder(radius=0.12, height=0.14), (0, 0, 0.07))])
    yaw = ss.Joint.revolute("yaw", origin=(0, 0, 0.22), axis=(0, 0, 1), limits=(-2.6, 2.6))
    robot.add("turret", ss.Box((0.18, 0.18, 0.16)), parent="base", joint=yaw)
    for name, joint, parent, length, limit in (
        ("upper", "shoulder", "turret", 0.4, 1.8),
        ("fore", "elbow", "upper", 0.4, 2.4),
        ("hand", "wrist", "fore", 0.14, 1.6),
    ):
        place = (0, 0, 0.1) if parent == "turret" else (0, 0, 0.4)
        bone = ss.Capsule.from_segment((0, 0, 0), (0, 0, length), radius=0.05)
        turn = ss.Joint.revolute(joint, origin=place, axis=(0, 1, 0), limits=(-limit, limit))
        robot.add(name, ss.Box((0.1, 0.16, 0.12)) if name == "hand" else bone, parent=parent, joint=turn)
    robot.positions = {"yaw": 0.3, "shoulder": 0.2, "elbow": 1.1, "wrist": 0.5}
    return robot


def plant():
    """Pipes and beams that overlap, and a crate that is carried between them."""
    scene = ss.Scene()
    scene.add(ss.Box((4, 4, 0.1)), pose=(0, 0, -0.05), name="floor")
    scene.add(ss.Mesh.cylinder(radius=0.5, height=1.4), pose=(1.0, 0.8, 0.7), name="tank")
    scene.add(ss.Box((0.2, 3, 0.25)), pose=(-0.9, 0, 1.05), name="beam")
    scene.add(ss.Capsule.from_segment((-1.7, 0.4, 1), (1.7, 0.4, 1), radius=0.1), name="pipe")
    scene.add(ss.Mesh.cylinder(radius=0.04, height=0.12), pose=(-0.9, -0.9, 1.05), name="bolt")
    scene.add(ss.Box((0.5, 0.4, 0.3)), pose=(0.1, -0.5, 0.45), name="crate")
    return scene


def take(browser, page, scheme, eye, *steps):
    """Return a picture of a page after the steps of a visitor. eye: camera, and the place that it looks at; None: as it is."""
    visitor = Visitor(browser, page.url, 904, 680, scheme)
    client = visitor.client(page)
    visitor.tab.locator("[role=alert] button").first.click()  # a warning that there is no GPU
    for step in steps:
        step(visitor)
        visitor.frames(10)
    if eye is not None:
        client.camera.position, client.camera.look_at = eye
    visitor.tab.mouse.move(700, 670)  # over nothing: no hint of a control, no outline of a body
    visitor.frames(60)
    png = visitor.tab.screenshot()
    visitor.leave()
    return Image.open(io.BytesIO(png)).convert("RGB")


def beside(pictures, name):
    """Write pictures side by side."""
    both = Image.new("RGB", (sum(each.width for each in pictures), pictures[0].height))
    for k, each in enumerate(pictures):
        both.paste(each, (k * pictures[0].width, 0))
    both.save(OUT / name, optimize=True)


def choose(visitor, field, option):
    """Choose an option of a list."""
    visitor.field(field).click()
    visitor.tab.get_by_role("option", name=option, exact=True).click()


def draw():
    """Draw all."""
    with chromium() as browser:
        taken = []
        for scheme in ("light", "dark"):
            with arm().show(browser=False, sweep_all=True) as page:
                eye = (2.3, -2.9, 2.2), (0.0, 0.0, 0.2)
                taken.append(take(browser, page, scheme, eye, lambda visitor: visitor.field("shoulder").last.fill("0.9")))
        beside(taken, "viewer.png")
        taken = []
        for scheme, eye, steps in (
            (
                "light",
                ((2.1, -2.7, 1.9), (0.1, -0.2, 0.5)),
                (
                    lambda visitor: visitor.open("Near"),
                    lambda visitor: visitor.field("nearest").check(),
                    lambda visitor: visitor.field("contacts").check(),
                    lambda visitor: visitor.field("margin").fill("0.4"),
                ),
            ),
            (
                "dark",
                None,
                (
                    lambda visitor: visitor.open("Overlaps"),
                    lambda visitor: visitor.field("on").check(),
                    lambda visitor: visitor.field("limit").fill("0.4"),
                    lambda visitor: choose(visitor, "go to", "2: beam, pipe"),
                ),
            ),
        ):
            scene = plant()
            with scene.show(scene["crate"], ss.Translate((0, 0.5, 0.1)), browser=False) as page:
                taken.append(take(browser, page, scheme, eye, *steps))
        beside(taken, "viewer_near.png")


if __name__ == "__main__":
    draw()
