"""What does a drill go through, and how thick is it? The first contact with each body, and when it is left again."""

import math

import sweepscope as ss

scene = ss.Scene()
x = 0.0
for name, thick, gap in (("plaster", 12.5, 0), ("battens", 40, 0), ("insulation", 80, 5), ("brick", 240, 0)):
    scene.add(ss.Box((thick, 600, 600)), pose=(x + gap + thick / 2, 0, 0), name=name)  # millimeters
    x += gap + thick
pipe = scene.add(ss.Mesh.cylinder(radius=11, height=600), pose=(190, 14, 0), name="pipe in the wall")
drill = scene.add(ss.Sphere(4.0), pose=(-20, 0, 0), name="drill")

way = scene.sweep_all(drill, ss.Translate((300, 0, 0)))
for passage in way:
    left = f"leaves it at {passage.left_travel - 16:.1f}" if math.isfinite(passage.left_travel) else "ends in it"
    print(f"at {max(passage.hit.travel - 16, 0.0):5.1f} mm: {passage.obstacle.name}, {left}")
assert pipe in way.obstacles
gradient = next(passage.hit for passage in way if passage.obstacle is pipe).gradient()
print(f"the pipe is met {'sooner' if gradient.mover[1] < 0 else 'later'} if the drill moves towards +y")
