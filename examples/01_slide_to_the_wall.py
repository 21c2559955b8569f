"""A box slides on its floor, as far as it can go; then as far as it can go with a hand's breadth to spare."""

import sweepscope as ss

scene = ss.Scene()
for x in range(-5, 6):  # a floor of tiles: seams do not stop the box
    scene.add(ss.Box((1, 4, 0.1)), pose=(x, 0, -0.05), name=f"tile {x}")
scene.add(ss.Box((0.2, 4, 2)), pose=(4, 0, 1), name="wall")
box = scene.add(ss.Box((1, 1, 1)), pose=(-3, 0, 0.5), name="box")

for margin in (0.0, 0.1):
    hit = scene.sweep(
        box, ss.Translate((10, 0, 0)), margin=margin, ignore=[b for b in scene if "tile" in b.name] if margin else []
    )
    assert hit is not None
    print(f"margin {margin}: {hit.travel:.6f} to the {hit.obstacle.name}")
