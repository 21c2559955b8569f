"""A character with a flat foot climbs stairs: each frame sweeps up by the step height, slides ahead, and sweeps down."""

import sweepscope as ss

STEP = 0.2  # highest step that the character climbs
scene = ss.Scene()
scene.add(ss.Box((20, 4, 1)), pose=(0, 0, -0.5), name="ground")
for k, height in enumerate((0.18, 0.36, 0.54)):
    scene.add(ss.Box((1, 3, height)), pose=(2.5 + k, 0, height / 2), name=f"stair {k + 1}")
scene.add(ss.Box((1, 3, 1.5)), pose=(5.5, 0, 0.75), name="wall")
man = scene.add(ss.Box((0.5, 0.5, 1.8)), pose=(0, 0, 0.9), name="man")


def go(motion):
    """Move along a motion up to the first contact; return the hit."""
    hit = scene.sweep(man, motion)
    man.pose = motion.at(hit.time if hit else 1.0) @ man.pose
    return hit


under = "ground"
for frame in range(1, 61):
    go(ss.Translate((0, 0, STEP)))  # up; a low ceiling stops it
    slide = scene.slide(man, (0.1, 0, 0))  # ahead, along walls
    man.pose = slide.moved.at() @ man.pose
    landing = go(ss.Translate((0, 0, -2 * STEP)))  # down, onto this step or the one below
    if landing and landing.obstacle.name != under:
        under = landing.obstacle.name
        print(f"frame {frame}: stands on {under}, {man.pose[2, 3] - 0.9:.2f} high")
    if slide.stopped:
        print(f"frame {frame}: {slide.hits[-1].obstacle.name} stops it at x = {man.pose[0, 3]:.2f}")
        break
