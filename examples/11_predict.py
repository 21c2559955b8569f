"""Prediction: of rotors that all spin at once, which will meet, when and where."""

import math

from sweepscope_lab.scenes.spinning import spinning_blades

import sweepscope as ss

# Two rotors whose circles overlap, geared to each other: square to each other they pass for ever. A slipping gear is found out.
scene = ss.Scene()
left = scene.add(ss.Box((4, 0.2, 0.1)), name="left rotor")
right = scene.add(ss.Box((0.2, 4, 0.1)), pose=(2.5, 0, 0), name="right rotor")
for gear in (1.0, 1.01, 1.1):
    motions = {left: ss.Rotate((0, 0, 1), 0.2), right: ss.Rotate((0, 0, 1), -0.2 * gear, about=(2.5, 0, 0))}
    meetings = scene.predict(motions, horizon=2000)
    for meeting in meetings:
        print(f"gear {gear}: the rotors meet in frame {math.ceil(meeting.time)}, at {meeting.point.round(3)}")
    if not meetings:
        print(f"gear {gear}: the rotors pass each other for ever")

# A thousand blades: fans tell which pairs are worth an exact look.
scene, motions = spinning_blades(1000, seed=1)
meetings = scene.predict(motions, horizon=30)
coming = [meeting for meeting in meetings if meeting.time > 0]
print(f"of 1,000 blades {len(meetings)} pairs meet within 30 frames, {len(meetings) - len(coming)} of them do so already")
for meeting in coming[:3]:
    print(f"  {meeting.first.name} and {meeting.second.name} in {meeting.time:.3f} frames")
