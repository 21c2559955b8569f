"""A clash test of a storey: which parts are in each other, modeled twice, or nearer than allowed; as CSV."""

import csv
import sys

import sweepscope as ss

scene = ss.Scene(tolerance=0.001)  # up to a millimeter deep is touching


def add(group, name, size, place):
    """Add a box to a trade."""
    return scene.add(ss.Box(size), pose=place, name=name, group=group)


add("structure", "slab", (8.0, 6.0, 0.2), (0, 0, -0.1))
add("structure", "wall north", (8.0, 0.2, 2.8), (0, 2.9, 1.4))  # stands on the slab
add("structure", "wall west", (0.2, 5.8, 2.8), (-3.9, -0.1, 1.4))  # flush with wall north
add("structure", "wall middle", (0.2, 5.8, 2.8), (1.0, -0.05, 1.4))  # 50 mm too far north
add("structure", "column", (0.3, 0.3, 2.8), (3.0, -2.0, 1.4))
add("structure", "column, copied", (0.3, 0.3, 2.8), (3.0, -2.0, 1.4))
add("services", "duct", (7.0, 0.4, 0.3), (0.0, 1.0, 2.4))  # through wall middle, without an opening
add("services", "pipe", (4.0, 0.1, 0.1), (-1.5, 0.72, 2.4))  # 30 mm beside the duct
add("services", "socket", (0.1, 0.05, 0.1), (2.0, 2.9, 0.4))  # inside wall north
scene.add(ss.Mesh.cylinder(radius=0.05, height=3.4), pose=(-2.0, -1.0, 1.2), name="riser", group="services")

table = csv.writer(sys.stdout, lineterminator="\n")
table.writerow(("kind", "first", "second", "distance", "x", "y", "z"))
for pair in scene.overlaps(limit=0.05):
    if pair.kind == "touching":
        continue  # walls stand on slabs
    x, y, z = pair.first_point
    names = pair.first.name, pair.second.name
    table.writerow((pair.kind, *names, f"{pair.distance:.3f}", f"{x:.2f}", f"{y:.2f}", f"{z:.2f}"))

services = [body for body in scene if body.group == "services"]
structure = [body for body in scene if body.group == "structure"]
hard = scene.overlaps(services, structure)
print(f"{len(hard)} clashes of services with the structure")
