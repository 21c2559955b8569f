"""A door opens: how far, what stops it, and how much more once that is out of the way."""

import math

import sweepscope as ss

scene = ss.Scene()
posts = [
    scene.add(ss.Box((0.2, 0.2, 2.1)), pose=(x, 0, 1.05), name=name) for name, x in (("left post", -0.1), ("right post", 1.1))
]
door = scene.add(ss.Box((0.98, 0.04, 2)), pose=(0.5, 0.08, 1.02), name="door")
chair = scene.add(ss.Box((0.4, 0.4, 0.9)), pose=(0.3, 0.9, 0.45), name="chair")

hinge = (0.01, 0.1, 0)  # at the door's outer corner
opening = ss.Rotate(axis=(0, 0, 1), angle=math.pi, about=hinge)

for margin in (0.0, 0.05):
    hit = scene.sweep(door, opening, margin=margin, ignore=posts if margin else [])
    assert hit is not None
    what = f"{math.degrees(hit.travel):.1f} degrees, then the {hit.obstacle.name}"
    print(f"it opens {what}" + (f", with {margin} to spare" if margin else ""))

# The door pushes nothing. Move the chair as far as it goes to the side, and ask again.
chair.pose = scene.slide(chair, (1.5, 0, 0)).moved.at() @ chair.pose
hit = scene.sweep(door, opening)
print(
    "now it opens all the way" if hit is None else f"now {math.degrees(hit.travel):.1f} degrees, then the {hit.obstacle.name}"
)
