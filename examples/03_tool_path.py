"""How far may a tool go along each step of its path, with clearance? Two parts move as one."""

import numpy as np

import sweepscope as ss

scene = ss.Scene()
scene.add(ss.Mesh.box((4, 4, 1)), pose=(0, 0, 0.5), name="stock")
scene.add(ss.Mesh.cylinder(0.5, 1.0), pose=(1, 1, 1.5), name="clamp")
cutter = scene.add(ss.Capsule.from_segment((0, 0, 0), (0, 0, 2), radius=0.1), name="cutter")
holder = scene.add(ss.Mesh.cylinder(0.4, 1.0), name="holder")
tool = [cutter, holder]

at = np.array((-1.5, -1.5, 1.5))
for goal in ((-1.5, 1.0, 1.5), (1.5, 1.0, 1.5), (1.5, 1.0, 2.5), (-1.5, -1.5, 2.5)):
    cutter.pose = at
    holder.pose = at + (0, 0, 2.5)
    step = np.array(goal) - at
    hit = scene.sweep(tool, ss.Translate(step), margin=0.05)
    if hit is None:
        at = at + step
        print(f"to {goal}: free")
    else:
        at = at + hit.time * step
        who, what = hit.mover.name, hit.obstacle.name
        print(f"to {goal}: the {who} comes too near the {what} after {hit.travel:.4f}; stays at {at.round(4)}")
