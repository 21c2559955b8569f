"""Drop things on a table, one after the other: each falls to its first contact and stays there."""

import sweepscope as ss

scene = ss.Scene()
scene.add(ss.Box((1.2, 0.8, 0.04)), pose=(0, 0, 0.70), name="table")  # its top is at 0.72
scene.add(ss.Box((4, 4, 0.1)), pose=(0, 0, -0.05), name="floor")

things = [
    ("book", ss.Box((0.2, 0.15, 0.03)), (0.1, 0.0)),
    ("mug", ss.Mesh.cylinder(radius=0.04, height=0.1), (0.12, 0.02)),  # over the book
    ("ball", ss.Sphere(0.05), (-0.3, 0.1)),
    ("pen", ss.Capsule.from_segment((-0.07, 0, 0), (0.07, 0, 0), radius=0.005), (0.62, 0.3)),  # over the table's edge
    ("cap", ss.Sphere(0.02), (0.9, 0.0)),  # beside the table
]
for name, shape, (x, y) in things:
    thing = scene.add(shape, pose=(x, y, 1.5), name=name)
    fall = ss.Translate((0, 0, -2))
    hit = scene.sweep(thing, fall)
    assert hit is not None
    thing.pose = fall.at(hit.time) @ thing.pose
    print(f"the {name} lands on the {hit.obstacle.name}, {thing.pose[2, 3]:.3f} high")
