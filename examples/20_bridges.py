"""Coming from other libraries: scipy's poses, trimesh's meshes and scenes, a depth image; and back again."""

import json

import numpy as np
import trimesh
from scipy.spatial.transform import Rotation

import sweepscope as ss

# A scene of trimesh, with its names and poses, and a mesh that is added as it is.
model = trimesh.Scene()
model.add_geometry(trimesh.creation.box((4, 4, 0.2)), "table", "table")
model.add_geometry(trimesh.creation.annulus(0.3, 0.5, 0.4), "ring", "ring", transform=ss.Pose.from_object((1, 0, 0.3)))
scene = ss.Scene.from_trimesh(model)
tool = scene.add(trimesh.creation.capsule(height=1.0, radius=0.1), (1, 0, 2), name="tool")
print("bodies:", ", ".join(body.name for body in scene))

# Poses: from scipy, and from numbers whose order is named.
tool.pose = ss.Pose.from_rotation((1.1, 0, 2), Rotation.from_euler("x", 10, degrees=True))
hit = scene.sweep(tool, ss.Translate((0, 0, -3)))
assert hit is not None
print("plain data:", json.dumps({key: hit.as_dict()[key] for key in ("obstacle", "mover", "overlapping")}))
tool.pose = ss.Pose.from_quaternion((1, 0, 2), xyzw=(0, 0, 0, 1))

# What a depth camera sees becomes a cloud that can be hit: here a board, 1.5 in front of it, with a hole in the picture.
depth = np.full((48, 64), 1500, np.uint16)
depth[20:28, 30:34] = 0
camera = np.array([(60.0, 0, 31.5), (0, 60.0, 23.5), (0, 0, 1)])
eye = ss.Pose.look_at((1, -3, 1.0), (1, 0, 1.0))
board = scene.add(ss.PointCloud.from_depth(depth, camera, scale=0.001, pose=eye, radius=0.02, every=2), name="board")
hit = scene.sweep(tool, ss.Translate((0, -3, 0)))
assert hit is not None
print(f"the tool meets the {hit.obstacle.name} of {len(board.vertices)} points after {hit.travel:.3f}")

# The names that users of trimesh know, without python-fcl.
manager = ss.bridges.CollisionManager(scene)
print("colliding now:", manager.in_collision_internal(return_names=True))
print("back in trimesh:", scene.to_trimesh())
