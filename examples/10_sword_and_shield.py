"""A sword comes down on a shield: exact contact of two meshes, and a fan as the range of an attack."""

import math

import numpy as np
from sweepscope_lab.scenes.swinging import shield, sword

import sweepscope as ss

scene = ss.Scene()
upright = np.array(((0, 0, -1, 0), (0, 1, 0, 0), (1, 0, 0, 1.9), (0, 0, 0, 1)), float)  # it points at the sky
blade = scene.add(sword(), upright, name="sword")
facing = ss.Rotate((0, 1, 0), math.radians(-50)).at()  # the shield looks up and at the attacker
facing[:3, 3] = (1.0, 0.05, 1.7)
scene.add(shield(), facing, name="shield")
scene.add(ss.Sphere(0.13), (1.25, 0, 1.65), name="helmet")

cut = ss.Rotate(axis=(0, 1, 0), angle=math.radians(120), about=(0, 0, 1.5))  # about the shoulder
hit = scene.sweep(blade, cut)
assert hit is not None
print(f"the sword meets the {hit.obstacle.name} after {math.degrees(hit.travel):.3f} degrees, at {hit.point.round(3)}")

behind = scene.sweep(blade, cut, ignore=[scene["shield"]])
assert behind is not None
print(f"without the shield: the {behind.obstacle.name}, after {math.degrees(behind.travel):.3f} degrees")

# Who is in reach at all? The fan of the whole cut holds everything that the sword sweeps.
reach = ss.fan.Fan.enclosing(blade.shape, blade.pose, axis=cut.axis, angle=cut.angle, about=cut.about)
wide = math.degrees(2 * reach.half_angle)
print(f"the attack reaches {reach.inner:.2f} to {reach.outer:.2f} from the shoulder, over {wide:.1f} degrees")
foes = np.array([(0.9, 0.0, 1.7), (0.9, 0.6, 1.7), (2.0, 0.0, 1.7), (-0.9, 0.0, 1.7)])
print("foes in range:", reach.hits_spheres(foes, 0.25))
print("the shield is in range:", bool(reach.hits_mesh(scene["shield"].shape, scene["shield"].pose)))
