"""The first sweep: what will be hit, when, where."""

import sweepscope as ss

scene = ss.Scene()
scene.add(ss.Box((10, 10, 0.2)), name="floor")
scene.add(ss.Mesh.cylinder(radius=0.3, height=2.0), pose=(2, 0, 1.1), name="post")
ball = scene.add(ss.Mesh.sphere(0.5), pose=(0, 0, 3), name="ball")

for words, vector in (("down", (0, 0, -5)), ("aside", (5, 0, 0)), ("down and aside", (4, 0, -4))):
    hit = scene.sweep(ball, ss.Translate(vector))
    if hit is None:
        print(f"{words}: free")
    else:
        touching = " on ".join(feature.kind for feature in hit.features)
        print(f"{words}: hits the {hit.obstacle.name} after {hit.travel:.4f}, {touching}, normal {hit.normal.round(3)}")
