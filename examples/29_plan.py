"""A path of an arm around posts: by a random tree of thirty lines on certain motions, and by OMPL where it is installed."""

from importlib.util import find_spec

import numpy as np

import sweepscope as ss
from sweepscope import Joint
from sweepscope.planning import Validator, plan, shortcut

# An arm of three joints on a table, among posts.
scene = ss.Scene()
scene.add(ss.Box((3, 3, 0.1)), pose=(0, 0, -0.2), name="table")
for k, angle in enumerate((0.5, 1.6, 2.9)):
    place = (0.7 * np.cos(angle), 0.7 * np.sin(angle), 0.2)
    scene.add(ss.Mesh.cylinder(radius=0.05, height=0.7), pose=place, name=f"post {k}")
arm = ss.Robot(scene, name="arm")
arm.add("base", ss.Box((0.2, 0.2, 0.2)))
bone = ss.Capsule.from_segment((0.1, 0, 0), (0.4, 0, 0), radius=0.04)
arm.add("turret", parent="base", joint=Joint.revolute("turn", (0, 0, 1), origin=(0, 0, 0.2), limits=(-3, 3)))
arm.add("upper", bone, parent="turret", joint=Joint.revolute("shoulder", (0, 1, 0), limits=(-1.8, 0.3)))
arm.add("lower", bone, parent="upper", joint=Joint.revolute("elbow", (0, 1, 0), origin=(0.5, 0, 0), limits=(-2, 2)))

validator = Validator(arm)
start, goal = np.array((0.0, 0.0, 0.0)), np.array((2.2, 0.0, 0.0))
low, high = np.array([arm.joints[name].limits for name in validator.joints]).T
share = validator.free_share(start, goal)
print(f"straight from start to goal: free for {share:.0%} of the way")


def grow(rng: np.random.Generator) -> np.ndarray:
    """Return a path: a tree that grows from the start towards random configurations until it sees the goal."""
    nodes, parents = [start], [-1]
    while True:
        target = rng.uniform(low, high)
        near = int(np.linalg.norm(np.array(nodes) - target, axis=1).argmin())
        way = target - nodes[near]
        to = nodes[near] + min(1.0, 0.5 / float(np.linalg.norm(way))) * way
        if not validator.validate_motion(nodes[near], to):
            continue
        nodes.append(to)
        parents.append(near)
        if validator.validate_motion(to, goal):
            path, at = [goal], len(nodes) - 1
            while at >= 0:
                path.append(nodes[at])
                at = parents[at]
            return np.array(path[::-1])


path = grow(np.random.default_rng(0))
shorter = shortcut(validator, path, seed=0)
print(f"tree: {len(path)} waypoints; shortened: {len(shorter)}; first contact on it: {arm.path(shorter)}")
assert validator.validate_path(shorter)

if find_spec("ompl") is None:
    print('OMPL: NOT RUN, it is not installed: pip install "sweepscope[plan]"')
else:
    result = plan(arm, start, goal, seed=1)
    assert result.certified
    print(f"OMPL: {result.planner}, {len(result.path)} waypoints, certified")
