"""A robot arm: built by code, read from a URDF file, and asked what its joints would hit."""

import tempfile
from pathlib import Path

import numpy as np

import sweepscope as ss

# An arm of two links at a table, with a cup on it.
scene = ss.Scene()
scene.add(ss.Box((2, 2, 0.1)), (0, 0, -0.05), name="table")
cup = scene.add(ss.Mesh.cylinder(0.04, 0.1), (0.55, 0, 0.05), name="cup")

arm = ss.Robot(scene, name="arm")
arm.add("base", ss.Mesh.cylinder(0.08, 0.2))
up = ss.Joint.revolute("shoulder", (0, 1, 0), origin=(0, 0, 0.15), limits=(-2, 2))
arm.add("upper", ss.Capsule.from_segment((0, 0, 0.05), (0, 0, 0.4), radius=0.04), parent="base", joint=up)
out = ss.Joint.revolute("elbow", (0, 1, 0), origin=(0, 0, 0.45), limits=(0, 2.5))
arm.add("lower", ss.Capsule.from_segment((0, 0, 0.05), (0, 0, 0.35), radius=0.03), parent="upper", joint=out)

hit = arm.sweep("shoulder", to=2.0)
assert hit is not None
print(f"straight: the {hit.link} link meets the {hit.obstacle.name} at {np.degrees(hit.positions['shoulder']):.2f} degrees")
arm["elbow"] = 0.6
hit = arm.sweep("shoulder", to=2.0)
assert hit is not None
print(f"bent: the {hit.link} link meets the {hit.obstacle.name} at {np.degrees(hit.positions['shoulder']):.2f} degrees")
arm.positions = {"shoulder": 0.0, "elbow": 0.0}
both = arm.sweep({"shoulder": 1.2, "elbow": 1.2})
assert both is not None
told = ", ".join(f"{name} {np.degrees(value):.2f}" for name, value in both.positions.items())
print(f"both at once: the {both.link} link meets the {both.obstacle.name} at {told} degrees, true to {both.bound:.1e}")

# What most robots come as: a URDF file and its meshes. This one is a gripper whose right finger follows its left.
FINGER = """
  <joint name="{side}" type="prismatic">
    <parent link="palm"/><child link="{side} finger"/><origin xyz="0 0 0.03" rpy="0 0 {turn}"/>
    <axis xyz="0 -1 0"/><limit lower="0" upper="0.06" effort="1" velocity="1"/>{mimic}
  </joint>
  <link name="{side} finger">
    <collision><origin xyz="0 0.07 0.04"/><geometry><mesh filename="finger.obj"/></geometry></collision>
  </link>
"""
PALM = '<link name="palm"><collision><geometry><box size="0.06 0.2 0.04"/></geometry></collision></link>'
right = FINGER.format(side="right", turn=np.pi, mimic='<mimic joint="left"/>')
left = FINGER.format(side="left", turn=0, mimic="")

with tempfile.TemporaryDirectory() as name:
    finger = ss.Mesh.box((0.03, 0.01, 0.08))
    corners = "".join(f"v {x} {y} {z}\n" for x, y, z in finger.vertices)
    faces = "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in finger.faces)
    (Path(name) / "finger.obj").write_text(corners + faces)
    (Path(name) / "gripper.urdf").write_text(f'<robot name="gripper">{PALM}{right}{left}</robot>')
    down = np.diag([1.0, -1.0, -1.0, 1.0])
    down[:3, 3] = (0.55, 0.01, 0.16)
    gripper = ss.Robot.load(Path(name) / "gripper.urdf", scene, pose=down)

print(f"{gripper!r}, over the cup, a little to the side")
for link in gripper.links.values():
    print(f"  {link.name}: {[type(body.shape).__name__ for body in link.bodies]} {link.joint.kind if link.joint else 'root'}")
grip = gripper.sweep("left", to=0.06)
assert grip is not None
print(f"closing: the {grip.link} meets the {grip.obstacle.name} after {grip.positions['left']:.4f}")
gripper["left"] = 0.01
print(f"the right finger follows: {gripper['right']:.3f}")
drop = scene.sweep(gripper.bodies, ss.Translate((0, 0, -0.2)))
assert drop is not None
print(f"lowered as a whole: {drop.mover.name} meets the {drop.obstacle.name} after {drop.travel:.3f}")
