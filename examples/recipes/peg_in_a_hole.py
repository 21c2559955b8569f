"""A square peg and a square hole: whether it goes in, with how much play, and how far it tilts."""

import math

import sweepscope as ss

scene = ss.Scene()
for name, size, place in (  # a plate with a hole of 1.00 x 1.00, of four bars
    ("left", (1, 3, 0.5), (-1.0, 0, 0)),
    ("right", (1, 3, 0.5), (1.0, 0, 0)),
    ("front", (1, 1, 0.5), (0, -1.0, 0)),
    ("back", (1, 1, 0.5), (0, 1.0, 0)),
):
    scene.add(ss.Box(size), pose=place, name=name)
peg = scene.add(ss.Box((0.96, 0.96, 1)), pose=(0, 0, 2), name="peg")  # play: 0.02 on each side
push = ss.Translate((0, 0, -2))

for offset in (0.0, 0.019, 0.021):
    peg.pose = (offset, 0, 2)
    hit = scene.sweep(peg, push)
    print(f"{offset:.3f} off the middle: {'goes in' if hit is None else f'stands on {hit.obstacle.name}'}")

peg.pose = (0, 0, 2)
for margin in (0.0199, 0.0201):
    print(f"{margin} of room all round: {'yes' if scene.sweep(peg, push, margin=margin) is None else 'no'}")

# Halfway in: how far can it turn about y before it jams?
peg.pose = (0, 0, 0.25)
tilt = scene.sweep(peg, ss.Rotate(axis=(0, 1, 0), angle=math.radians(30), about=(0, 0, 0)))
assert tilt is not None
print(f"halfway in, it tilts by {math.degrees(tilt.travel):.2f} degrees")
