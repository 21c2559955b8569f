"""Draws bodies on the card and reads the picture, in the form in which the kernels draw.

For each body in view a matrix of 12 numbers is sent; vertices and faces are there already. One call of OpenGL then draws all
bodies, in their order: of equally deep faces the first drawn stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..kernels import layout
from ..kernels.picture import view as columns_of
from ..kernels.picture.paint import NOBODY
from ..kernels.tolerances import EPS, ROUNDING
from .card import Card, Target, card

if TYPE_CHECKING:
    from ..world.store import Store
    from ..world.world import World

_BITS = 24  # of the Z-buffer, which moderngl makes as fixed-point numbers
_SPARE = 2.0**-12  # the Z-buffer reaches so much further at both ends than depths do
BODY = np.dtype([("matrix", np.float64, 12), ("sizes", np.float64, 3), ("row", np.uint32), ("unused", np.uint32)])
_COMMAND = 5  # numbers: count, instances, first index, first vertex, first instance
_Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Picture:
    """What to draw, as kernels take it."""

    row: _Floats
    """The view: columns of `kernels.picture.view`."""
    pixels: tuple[int, int]
    """Columns and rows."""
    hidden: NDArray[np.uint8]
    """1 for body rows that are left out."""
    bounding: bool = False
    floors: _Floats | None = None
    """Least depth that counts at each pixel [length], shape (rows, columns); None: 0 everywhere."""

    @property
    def least(self) -> float:
        """Least depth that counts anywhere [length]."""
        return 0.0 if self.floors is None else float(self.floors.min())


def resolution_of(least: float, most: float) -> float:
    """Return by how much depths [length] must differ so that the card surely keeps the nearer one: two steps of its buffer.

    least, most: of the depths. The first step is the rounding to float32, the second that of the buffer.
    """
    low, high = buffer_ends(least, most)
    return (high - low) * 2.0 ** (1 - _BITS)


def draw_on_card(store: Store, world: World, pictures: list[Picture], *, farthest: bool = False) -> list[_Floats]:
    """Draw pictures; return fragments of each, shape (rows, columns, 2): depth, infinite where nothing is, and mark.

    These are what kernels draw, up to the resolution. farthest, for bounding pictures: the greatest depth in each cell.
    """
    with card() as used:
        vertices = used.vertices(store)
        return [_drawn(used, vertices, world, picture, farthest) for picture in pictures]


def _drawn(used: Card, vertices: Any, world: World, picture: Picture, farthest: bool) -> _Floats:
    target = used.target(picture.pixels)
    context, program = used.context, used.program(bounding=picture.bounding)
    target.framebuffer.use()
    context.enable_only(context.DEPTH_TEST)
    context.depth_func = "1"  # always
    used.blank.program["cleared"].value = 0.0 if farthest else 1.0
    used.blank.render(context.TRIANGLES, vertices=3)
    bodies, commands = bodies_in_view(world, picture)
    if len(bodies):
        _set_uniforms(program, picture, farthest, target)
        context.depth_func = ">" if farthest else "<"
        of_bodies, listed = context.buffer(bodies), context.buffer(commands)
        parts = [
            (vertices.vertices, "3f8", "place"),
            (of_bodies, "4f8 4f8 4f8 3f8 1u4 4x /i", "to_x", "to_y", "to_w", "sizes", "row"),
        ]
        array = context.vertex_array(program, parts, index_buffer=vertices.corners, index_element_size=4)
        array.render_indirect(listed, context.TRIANGLES, len(bodies))
    columns, rows = picture.pixels
    results = np.frombuffer(target.results.read(), np.uint64).reshape(rows, columns, 2)
    fragments = np.empty((rows, columns, 2))
    fragments[..., 0] = results[..., 1].view(np.float64)
    fragments[..., 1] = results[..., 0]
    fragments[..., 1][results[..., 0] == np.uint64(0xFFFFFFFFFFFFFFFF)] = NOBODY
    return fragments


def _set_uniforms(program: Any, picture: Picture, farthest: bool, target: Target) -> None:
    columns, rows = picture.pixels
    view = picture.row
    least, most = picture.least, float(view[columns_of.SIZE + 2])
    values = {
        "pixels": (columns, rows),
        "across": (view[columns_of.SIZE] / columns, view[columns_of.SIZE + 1] / rows),
        "range": (least, most),
        "ends": buffer_ends(least, most),
        "rim": float(view[columns_of.RIM]),
        "floored": picture.floors is not None,
        "filled": bool(view[columns_of.FILLED] > 0.0),
        "farthest": farthest,
        "floors": 0,
    }
    for name, value in values.items():
        if name in program:  # the compiler removes what a program does not use
            program[name].value = value
    if picture.floors is not None:
        target.floors.write(np.ascontiguousarray(picture.floors))
        target.floors.use(0)


def buffer_ends(least: float, most: float) -> tuple[float, float]:
    """Return the depths at the two ends of the Z-buffer."""
    spare = _SPARE * (most - least)
    return least - spare, most + spare


def bodies_in_view(world: World, picture: Picture) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    """Return for each body that may be in view its matrix and sizes, and the command that draws it."""
    view = picture.row
    rows = _in_view(world, picture)
    bodies = np.zeros(len(rows), BODY)
    shapes = world.bodies[rows, layout.SHAPE]
    reals, ints = world.geometry.shape_reals[shapes], world.geometry.shape_ints[shapes]
    matrix = _matrices(view, picture.pixels, world.poses[rows])
    columns, lines = picture.pixels
    across = (view[columns_of.SIZE] / columns, view[columns_of.SIZE + 1] / lines)
    low, high = reals[:, layout.BOX_LOW : layout.BOX_LOW + 3], reals[:, layout.BOX_HIGH : layout.BOX_HIGH + 3]
    reach = np.maximum(np.abs(low), np.abs(high)).sum(axis=1)
    # Rounding of a coordinate, as in `kernels.picture.view.draw`.
    deep = ROUNDING * EPS * (reach + np.abs(matrix[:, 2, 3]) + view[columns_of.SIZE + 2])
    away = np.abs(matrix[:, 0, 3]) + np.abs(matrix[:, 1, 3]) + lines + columns
    bodies["matrix"] = matrix.reshape(-1, 12)
    bodies["sizes"] = np.column_stack((reals[:, layout.RADIUS], deep / min(across) + ROUNDING * EPS * away, deep))
    bodies["row"] = rows
    commands = np.ones((len(rows), _COMMAND), np.uint32)
    commands[:, 0] = 3 * ints[:, layout.FACES]
    commands[:, 2] = 3 * ints[:, layout.FACE]
    commands[:, 3] = ints[:, layout.VERTEX]
    commands[:, 4] = np.arange(len(rows))
    return bodies, commands


def _in_view(world: World, picture: Picture) -> NDArray[np.int64]:
    """Return the body rows, without hidden ones, whose world box may meet the view volume's box."""
    view = picture.row
    axes = view[columns_of.FRAME : columns_of.LEFT].reshape(3, 3)
    half = 0.5 * view[columns_of.SIZE : columns_of.SIZE + 3]
    origin = view[columns_of.ORIGIN : columns_of.ORIGIN + 3]
    middle = origin + (view[columns_of.LEFT : columns_of.LEFT + 3] + half) @ axes
    wide = half @ np.abs(axes) - min(picture.least, 0.0)
    wide += ROUNDING * EPS * (wide + np.abs(middle) + np.abs(origin))
    boxes = world.boxes[:, : world.rows]
    meets = (boxes[:3] <= (middle + wide)[:, None]) & (boxes[3:] >= (middle - wide)[:, None])
    return np.flatnonzero(meets.all(axis=0) & (picture.hidden[: world.rows] == 0))


def _matrices(view: _Floats, pixels: tuple[int, int], poses: _Floats) -> _Floats:
    """Return the matrices from local points to image coordinates, shape (n, 3, 4); the same sums as in the kernel."""
    scale = (pixels[0] / view[columns_of.SIZE], pixels[1] / view[columns_of.SIZE + 1], 1.0)
    apart = (poses[:, layout.POSITION : layout.POSITION + 3] - view[columns_of.ORIGIN : columns_of.ORIGIN + 3]) + (
        poses[:, layout.POSITION_REST : layout.POSITION_REST + 3] - view[columns_of.ORIGIN_REST : columns_of.ORIGIN_REST + 3]
    )
    made = np.empty((len(poses), 3, 4))
    for r in range(3):
        x, y, z = view[columns_of.FRAME + 3 * r : columns_of.FRAME + 3 * r + 3]
        for c in range(3):
            made[:, r, c] = (x * poses[:, c] + y * poses[:, 3 + c] + z * poses[:, 6 + c]) * scale[r]
        made[:, r, 3] = (x * apart[:, 0] + y * apart[:, 1] + z * apart[:, 2] - view[columns_of.LEFT + r]) * scale[r]
    return made
