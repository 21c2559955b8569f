"""A radar round a hinge: how far may a door swing, what will it meet, where; the same pictures, in angles."""

import math

import sweepscope as ss

scene = ss.Scene()
scene.add(ss.Box((0.5, 0.5, 0.4)), pose=(0.3, 0.9, 0.2), name="crate")
scene.add(ss.Capsule.from_segment((-0.6, 0.3, 0.0), (-0.6, 0.3, 2.0), radius=0.05), name="pipe")
door = scene.add(ss.Box((0.9, 0.04, 2.0)), pose=(0.47, 0, 1.0), name="door")  # the hinge is at x = 0
swing = ss.Rotate(axis=(0, 0, 1), angle=math.radians(170), about=(0, 0, 0))

radar = ss.radar.Radar(scene, door, pixels=(100, 100))
reading = radar.probe(swing)
if reading.hit and reading.obstacle is not None:
    print(f"the door meets the {reading.obstacle.name} after {math.degrees(reading.travel):.3f} degrees")
    print(f"contact about {reading.center.round(3)}, normal {reading.normal.round(3)}")
print("without the crate:", radar.probe(swing, ignore=[scene["crate"]]))

# Rows are heights, columns distances from the hinge, row 0 the top: the upper door sees only the pipe.
upper, lower = math.degrees(reading.lookat[0, 75]), math.degrees(reading.lookat[-1, 75])
print(f"three quarters out it may go {upper:.1f} degrees at the top, {lower:.1f} at the bottom")

for pixels in (10, 40, 160):
    sampled = ss.radar.Radar(scene, door, pixels=pixels).probe(swing).travel
    bound = ss.radar.Radar(scene, door, pixels=pixels, method="bounding").probe(swing).travel
    print(f"{pixels:3} x {pixels:3} pixels: at least {math.degrees(bound):.3f}, at most {math.degrees(sampled):.3f} degrees")

door.pose = swing.at(0.1) @ door.pose
again = radar.probe(swing)
print(f"17 degrees on: {math.degrees(again.travel):.3f} left, {again.drawings} scope drawn: the mask turned with the door")
