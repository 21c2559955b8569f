"""URDF files for tests: an arm of eight moving joints with meshes, and a hand."""

import math

import trimesh

ARM = """<?xml version="1.0"?>
<!-- comments are left alone -->
<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <material name="blue"><color rgba="0 0 nonsense 1"/></material>
  <link name="base">
    <inertial><mass value="heavy"/></inertial>
    <visual><geometry><sphere radius="0.1"/></geometry><material name="blue"/></visual>
    <collision><origin xyz="0 0 0.05"/><geometry><box size="0.4 0.4 0.1"/></geometry></collision>
    <collision><origin xyz="0 0 0.15"/><geometry><cylinder radius="0.08" length="0.1"/></geometry></collision>
  </link>
  <!-- The follower comes before its leader. -->
  <joint name="right finger" type="prismatic">
    <parent link="tool"/><child link="right"/><origin xyz="0 -0.02 0" rpy="0 0 3.141592653589793"/>
    <axis xyz="0 1 0"/><limit lower="-0.001" upper="0.06" effort="1" velocity="1"/>
    <mimic joint="left finger" multiplier="1.25" offset="0.005"/>
  </joint>
  <joint name="pan" type="continuous">
    <parent link="base"/><child link="turret"/><origin xyz="0 0 0.22"/><axis xyz="0 0 1"/>
  </joint>
  <link name="turret"><collision><geometry><sphere radius="0.06"/></geometry></collision></link>
  <joint name="shoulder" type="revolute">
    <parent link="turret"/><child link="upper"/><origin xyz="0 0.1 0.05" rpy="0.1 0.2 -0.3"/>
    <axis xyz="0 2 0"/><limit lower="-2.2" upper="2.2" effort="10" velocity="1"/>
  </joint>
  <link name="upper">
    <collision><origin xyz="0 0 0.2" rpy="0.05 0 0.3"/><geometry><mesh filename="meshes/beam.stl"/></geometry></collision>
  </link>
  <joint name="elbow" type="revolute">
    <parent link="upper"/><child link="fore"/><origin xyz="0 -0.1 0.42"/>
    <axis xyz="0 1 0.2"/><limit lower="-2.5" upper="2.5" effort="10" velocity="1"/>
  </joint>
  <link name="fore">
    <collision><origin xyz="0 0 0.15"/><geometry><mesh filename="meshes/beam.stl" scale="0.75 0.75 -0.75"/></geometry></collision>
  </link>
  <joint name="roll" type="revolute">
    <parent link="fore"/><child link="wrist"/><origin xyz="0 0 0.33"/><limit lower="-3" upper="3" effort="1" velocity="1"/>
  </joint>
  <link name="wrist"><collision><geometry><mesh filename="package://arm_pack/wedge.obj" scale="0.05"/></geometry></collision></link>
  <joint name="slide" type="prismatic">
    <parent link="wrist"/><child link="rod"/><origin rpy="0 0.4 0"/>
    <axis xyz="0 0 1"/><limit lower="0.02" upper="0.2" effort="1" velocity="1"/>
  </joint>
  <link name="rod"><collision><origin xyz="0 0 0.1"/><geometry><cylinder radius="0.015" length="0.1"/></geometry></collision></link>
  <joint name="flange" type="fixed"><parent link="rod"/><child link="tool"/><origin xyz="0 0 0.17" rpy="0 0 0.5"/></joint>
  <link name="tool"/>
  <joint name="left finger" type="prismatic">
    <parent link="tool"/><child link="left"/><origin xyz="0 0.02 0"/>
    <axis xyz="0 1 0"/><limit upper="0.04" effort="1" velocity="1"/>
  </joint>
  <link name="left"><collision><origin xyz="0 0.01 0.03"/><geometry><box size="0.02 0.01 0.06"/></geometry></collision></link>
  <link name="right"><collision><origin xyz="0 0.01 0.03"/><geometry><box size="0.02 0.01 0.06"/></geometry></collision></link>
</robot>
"""


def write_arm(folder):
    """Write the arm's URDF and meshes into a folder called arm_pack, and return its path."""
    home = folder / "arm_pack"
    (home / "meshes").mkdir(parents=True)
    beam = trimesh.creation.box((0.06, 0.08, 0.4))
    beam.vertices[beam.vertices[:, 2] > 0] *= (0.7, 0.7, 1.0)  # not the same both ways, so that a mirror is seen
    beam.export(home / "meshes" / "beam.stl")
    trimesh.creation.icosphere(subdivisions=1).export(home / "wedge.obj")
    path = home / "arm.urdf"
    path.write_text(ARM)
    return path


def write_hand(folder, fingers=3, parts=2):
    """Write a hand of capsule-like fingers, round a palm, that are told as visuals only; return its path."""
    folder.mkdir(exist_ok=True)
    trimesh.creation.capsule(0.3, 0.06, count=(6, 8)).export(folder / "part.ply")
    trimesh.creation.cylinder(0.5, 0.1, sections=16).export(folder / "palm.off")
    text = ['<robot name="hand"><link name="palm"><visual><geometry><mesh filename="palm.off"/></geometry></visual></link>']
    for k in range(fingers):
        angle = 2 * math.pi * k / fingers
        above, at = "palm", f'xyz="{0.4 * math.cos(angle)!r} {0.4 * math.sin(angle)!r} 0.1" rpy="0 0 {angle!r}"'
        for n in range(parts):
            name = f"finger {k} part {n}"
            text.append(
                f'<joint name="{name}" type="revolute"><parent link="{above}"/><child link="{name}"/><origin {at}/>'
                '<axis xyz="0 -1 0"/><limit lower="0" upper="1.7" effort="1" velocity="1"/></joint>'
                f'<link name="{name}"><visual><origin xyz="0 0 0.2"/><geometry><mesh filename="part.ply" scale="0.9"/></geometry></visual></link>'
            )
            above, at = name, 'xyz="0 0 0.45"'
    path = folder / "hand.urdf"
    path.write_text("\n".join(text) + "</robot>")
    return path
