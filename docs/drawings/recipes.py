"""Pictures of the recipes, drawn from the programs themselves: `python docs/drawings/recipes.py` writes docs/pictures/."""

import contextlib
import io
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]
OUT = ROOT / "docs" / "pictures"
SIZE = (640, 420)


def run(name):
    """Run a recipe; return its names."""
    with contextlib.redirect_stdout(io.StringIO()):
        return runpy.run_path(str(ROOT / "examples" / "recipes" / f"{name}.py"))


def draw():
    """Draw all."""
    drop = run("drop_on_a_table")
    drop["scene"].picture(OUT / "recipe_drop.png", size=SIZE, eye=(-1.2, -1.7, 1.7), target=(0.1, 0, 0.6))

    peg = run("peg_in_a_hole")
    peg["tilt"].picture(OUT / "recipe_peg.png", size=SIZE, ignore=[peg["scene"]["front"]])

    clash = run("clash_test")
    pairs = clash["scene"].overlaps(limit=0.05)
    colors = {body: "#e69f00" for pair in pairs if pair.kind == "apart" for body in pair.bodies}
    colors |= {body: "#d8352a" for pair in pairs if pair.overlapping for body in pair.bodies}
    colors |= {clash["scene"][name]: "#b8bec6" for name in ("slab", "wall north", "wall west", "wall middle")}
    clash["scene"].picture(OUT / "recipe_clash.png", size=SIZE, colors=colors, eye=(6, -10, 8), target=(0, 0, 0.8))

    path = run("tool_path")
    path["blocked"]((28, 0, 5), (-25, 0, 5)).picture(OUT / "recipe_tool_path.png", size=SIZE)

    room = run("room_for_a_tool")
    room["tool"].pose = room["path"][2]
    way = room["ss"].Translate([b - a for a, b in zip(room["path"][2], room["path"][3], strict=True)])
    near = room["scene"].sweep(room["tool"], way, margin=room["wanted"] + 0.1)
    near.picture(OUT / "recipe_room.png", size=SIZE, eye=(-60, -40, 190), target=(-5, 15, 0))

    walk = run("slide_along_walls")
    walk["scene"].picture(OUT / "recipe_slide.png", size=SIZE, eye=(-5, -10, 11), target=(4.5, 1.5, 0.5))

    stairs = run("climb_stairs")
    stairs["scene"].picture(OUT / "recipe_stairs.png", size=SIZE, eye=(0.5, -7, 4), target=(3, 0, 0.8))

    arm = run("arm_among_points")
    hit = arm["known"].robots["arm"].sweep("turn", to=2.0)
    hit.picture(OUT / "recipe_arm.png", size=SIZE, eye=(-0.6, -1.4, 1.2), target=(0.3, 0.2, 0.1))

    run("what_the_sensor_sees")["seen"].picture(OUT / "recipe_sensor.png", size=(900, 130))

    door = run("door")
    door["chair"].pose = (0.3, 0.9, 0.45)
    door["scene"].sweep(door["door"], door["opening"]).picture(
        OUT / "recipe_door.png", size=SIZE, eye=(3, 4, 4), target=(0.4, 0.5, 0.9)
    )


if __name__ == "__main__":
    draw()
