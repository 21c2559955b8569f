"""Rolling: a body finds its own way down uneven ground, one exact turn after another."""

import math

from sweepscope_lab.simulate.roll import Roll, RollSettings

for body in ("cube", "star"):
    roll = Roll(RollSettings(body=body, seed=3, roughness=0.3, slope=0.6, again=False))
    while not roll.ended and len(roll.events) < 60:
        event = roll.step()
        if event.kind == "turn":
            degrees, contacts = math.degrees(event.amount), len(event.contacts)
            if len(roll.events) < 6:
                print(f"{body}: turned {degrees:.1f} degrees about {event.axis.round(2)}, now touches at {contacts} places")
    summary = roll.summary()
    print(f"{body}: {roll.state} after {summary.turns} turns and {summary.way:.2f} sizes of way")
    print(f"{body}: deepest below the ground {summary.deepest:.1e} of its size, widest gap at contact {summary.highest:.1e}")

# The same by pictures: one radar that looks along circles, and two that look opposite ways, placed as in the paper.
for instrument in ("sweep", "angular", "straight"):
    roll = Roll(RollSettings(body="dodecahedron", instrument=instrument, pixels=100))
    for _ in range(30):
        roll.step()
    print(f"with {instrument}: up to {100.0 * roll.summary().deepest:.6f} % of its size below the ground")
