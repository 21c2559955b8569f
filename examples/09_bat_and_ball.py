"""A bat swings at balls: what is hit, when; exactly, by the fan that it sweeps, and by a straight sweep that misses."""

import math

import numpy as np

import sweepscope as ss

bat = ss.Box((0.9, 0.07, 0.07))
grip, axis, angle = (0.55, 0.0, 0.0), (0.0, 0.0, 1.0), math.radians(110.0)  # it turns about the batter, at the origin
swing = ss.fan.Swing(bat, grip, axis=axis, angle=angle)

# A point: where on its way is the bat when it meets the middle of a ball?
when = swing.times((0.5, 0.6, 0.0))
print(f"a point is met after {100 * when:.2f} % of the swing, {math.degrees(when * angle):.3f} degrees")

# Balls, all at once: in the way, beside where the bat starts, out of reach.
balls = np.array([(0.4, 0.7, 0.0), (0.9, -0.07, 0.0), (0.9, 0.9, 0.0)])
print("exact:           ", swing.hits_spheres(balls, 0.037), "after", np.round(swing.sphere_times(balls, 0.037), 4))

# The published fan leaves out how wide the bat is; the enclosing one does not, and may be too careful.
print("fan as published:", ss.fan.Fan.from_swing(bat, grip, axis=axis, angle=angle).hits_spheres(balls, 0.037))
print("enclosing fan:   ", ss.fan.Fan.enclosing(bat, grip, axis=axis, angle=angle).hits_spheres(balls, 0.037))

# The same from a scene: any shapes, and where they touch.
scene = ss.Scene()
body = scene.add(bat, grip, name="bat")
ball = scene.add(ss.Sphere(0.037), balls[0], name="ball")
hit = scene.sweep(body, swing.motion)
assert hit is not None
print(f"scene.sweep: {hit.obstacle.name} after {100 * hit.time:.2f} %, at {hit.point.round(4)}, normal {hit.normal.round(3)}")

# Straight from where the bat is to where it will be, as many engines do: it cuts the corner, and misses.
end = swing.motion.at() @ body.pose
straight = scene.sweep(body, ss.Translate(end[:3, 3] - body.pose[:3, 3]))
print("straight from start to end:", "free: the ball is missed" if straight is None else f"hits the {straight.obstacle.name}")

points = np.random.default_rng(0).uniform(-1.1, 1.1, (100_000, 3)) * (1.0, 1.0, 0.05)
print(f"{np.mean(swing.contains(points)):.1%} of {len(points)} points about the batter are in the bat's way")
