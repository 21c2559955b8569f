"""R, M and the normal drawing N by one OpenGL context, as in the first paper, and their times.

Two ways of drawing are timed. *Plain*: the card's own rasterizer, as on the paper's cards; R and M write depth and a number for
each body, N is lit, textured and blended. *Ours*: R and M as `backend="gl"` draws them, which tests every pixel's center in
float64. R and M are read back; N is finished, and stays on the card as a picture on a screen does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Scene, View
from sweepscope.gl.card import card
from sweepscope.gl.draw import Picture, bodies_in_view, buffer_ends, draw_on_card
from sweepscope.kernels.picture import view as columns_of
from sweepscope.queries.look import view_row
from sweepscope.scene import store_of

from ..bench.rows import best
from ..kernels import shade
from .radar import NORMAL_PIXELS, PaintedScope

_VERTEX = """#version 430
in dvec3 place;
in vec3 normal;
in dvec4 to_x;
in dvec4 to_y;
in dvec4 to_w;
in uint row;
uniform vec2 size;  // columns, rows
uniform dvec2 ends;
out vec3 at;
out vec3 own;
out vec3 lit;
flat out uint body;
void main() {
    dvec4 p = dvec4(place, 1.0);
    dvec3 q = dvec3(dot(to_x, p), dot(to_y, p), dot(to_w, p));
    gl_Position = vec4(vec2(q.xy) / size * 2.0 - 1.0, float((q.z - ends.x) / (ends.y - ends.x)) * 2.0 - 1.0, 1.0);
    at = vec3(place);
    own = normal;
    // In the view's frame, as light is.
    lit = vec3(dot(normalize(vec3(to_x.xyz)), normal), dot(normalize(vec3(to_y.xyz)), normal), dot(vec3(to_w.xyz), normal));
    body = row;
}
"""

_CODES = """#version 430
flat in uint body;
out uint result;
void main() { result = body; }
"""

_SHADED = """#version 430
in vec3 at;
in vec3 own;
in vec3 lit;
flat in uint body;
uniform sampler2D texture_map;
uniform sampler2D materials;  // of each body: color and kind; texels per length
uniform vec3 light;  // unit, in the view's frame
out vec4 color;
void main() {
    vec4 paint = texelFetch(materials, ivec2(int(body), 0), 0);
    float repeat = texelFetch(materials, ivec2(int(body), 1), 0).x;
    vec3 n = normalize(lit);
    if (n.z > 0.0) n = -n;
    vec3 shade = paint.rgb;
    if (paint.a == 1.0) {
        vec3 size = abs(own);
        vec2 place = size.x > size.y && size.x > size.z ? at.yz : size.y > size.z ? at.xz : at.xy;
        shade *= texture(texture_map, place * repeat).rgb;
    }
    float shine = pow(max(dot(n, normalize(light - vec3(0.0, 0.0, 1.0))), 0.0), 32.0);
    color = vec4(shade * (AMBIENT + DIFFUSE * max(dot(n, light), 0.0)) + SPECULAR * shine, paint.a == 2.0 ? ALPHA : 1.0);
}
"""


class PlainDrawing:
    """Draws a scene whose bodies keep their shapes, with the card's own rasterizer."""

    def __init__(self, paint: PaintedScope) -> None:
        self._scene, self._paint = paint.scene, paint
        with card() as used:
            context = used.context
            self._vertices = used.vertices(store_of(paint.scene))
            self._codes = context.program(vertex_shader=_VERTEX, fragment_shader=_CODES)
            source = _SHADED
            for name in ("AMBIENT", "DIFFUSE", "SPECULAR", "ALPHA"):
                source = source.replace(name, str(getattr(shade, name)))
            self._shaded = context.program(vertex_shader=_VERTEX, fragment_shader=source)
            self._normals = context.buffer(np.ascontiguousarray(paint.normals, np.float32))
            self._texture = context.texture(paint.texture.shape[:2], 3, paint.texture)
            self._materials = context.texture((len(paint.kinds), 2), 4, self._table(), dtype="f4")
            self._materials.filter = context.NEAREST, context.NEAREST
            self._targets: dict[tuple[tuple[int, int], bool], Any] = {}

    def _table(self) -> NDArray[np.float32]:
        """Return color and kind of each body, and how often its texture repeats."""
        store = store_of(self._scene)
        table = np.zeros((2, len(self._paint.kinds), 4), np.float32)
        table[0, :, :3], table[0, :, 3] = self._paint.colors, self._paint.kinds
        for entry in store.entries.values():
            table[1, entry.row, 0] = 1.0 / max(float(np.ptp(entry.shape.vertices, axis=0).max()), 1e-30)
        return table

    def codes(self, picture: Picture) -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
        """Draw depths and a number for each body, and read both: a scope as published."""
        with card() as used:
            target, depth = self._target(used.context, picture.pixels, False)
            self._begin(used.context, target)
            self._draw(used.context, self._codes, picture, picture.hidden, "to_x", "to_y", "to_w", "row")
            columns, rows = picture.pixels
            depths = np.frombuffer(depth.read(), np.float32).reshape(rows, columns)
            return depths, np.frombuffer(target.color_attachments[0].read(), np.uint32).reshape(rows, columns)

    def normal(self, picture: Picture, *, read: bool = False) -> NDArray[np.uint8] | None:
        """Draw a shaded picture, the transparent bodies last and blended; return it if it is read, shape (rows, columns, 3)."""
        with card() as used:
            context = used.context
            target, _ = self._target(context, picture.pixels, True)
            self._begin(context, target, (0.08, 0.09, 0.12))
            frame = picture.row[columns_of.FRAME : columns_of.LEFT].reshape(3, 3)
            self._shaded["light"].value = tuple(frame @ self._paint.light)
            self._shaded["texture_map"].value, self._shaded["materials"].value = 0, 1
            self._texture.use(0)
            self._materials.use(1)
            names = "to_x", "to_y", "to_w", "row"
            glassy = (self._paint.kinds == shade.TRANSPARENT).astype(np.uint8)
            self._draw(context, self._shaded, picture, picture.hidden | glassy, *names, normals=True)
            if glassy.any():
                context.enable(context.BLEND)
                context.blend_func = context.SRC_ALPHA, context.ONE_MINUS_SRC_ALPHA
                target.depth_mask = False
                self._draw(context, self._shaded, picture, picture.hidden | (1 - glassy), *names, normals=True)
                target.depth_mask = True
            context.finish()
            columns, rows = picture.pixels
            return np.frombuffer(target.read(components=3), np.uint8).reshape(rows, columns, 3) if read else None

    def _begin(self, context: Any, target: Any, color: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> None:
        target.use()
        context.enable_only(context.DEPTH_TEST)
        context.depth_func = "<"
        target.clear(*color, depth=1.0)

    def _draw(
        self, context: Any, program: Any, picture: Picture, hidden: NDArray[np.uint8], *names: str, normals: bool = False
    ) -> None:
        shown = Picture(picture.row, picture.pixels, hidden)
        bodies, commands = bodies_in_view(store_of(self._scene).world(), shown)
        if len(bodies) == 0:
            return
        program["size"].value = tuple(map(float, picture.pixels))
        program["ends"].value = buffer_ends(0.0, float(picture.row[columns_of.SIZE + 2]))
        parts: list[Any] = [
            (self._vertices.vertices, "3f8", "place"),
            (context.buffer(bodies), "4f8 4f8 4f8 24x 1u4 4x /i", *names),
        ]
        if normals:
            parts.append((self._normals, "3f4", "normal"))
        array = context.vertex_array(program, parts, index_buffer=self._vertices.corners, index_element_size=4)
        array.render_indirect(context.buffer(commands), context.TRIANGLES, len(bodies))

    def _target(self, context: Any, pixels: tuple[int, int], shaded: bool) -> tuple[Any, Any]:
        """Return a target to draw into, and its depths."""
        found = self._targets.get((pixels, shaded))
        if found is None:
            colors = context.texture(pixels, 4) if shaded else context.texture(pixels, 1, dtype="u4")
            depth = context.depth_texture(pixels)
            found = self._targets[pixels, shaded] = context.framebuffer([colors], depth), depth
        return found


def whole_picture(paint: PaintedScope, view: View) -> Picture:
    """Return what a normal drawing draws: all bodies, at 640 x 480."""
    return Picture(view_row(view), NORMAL_PIXELS, np.zeros(len(store_of(paint.scene).rows), np.uint8))


@dataclass(frozen=True, slots=True)
class GlTimes:
    """Times of R, M and N [s]."""

    range: float
    """Drawing R and reading it, by the card's own rasterizer."""
    mask: float
    """The same of M."""
    exact_range: float
    """Drawing R and reading it, as `backend="gl"` does."""
    exact_mask: float
    """The same of M."""
    normal: float
    """A normal drawing of the whole scene at 640 x 480, a size that we assume."""

    @property
    def share(self) -> float:
        """(R + M) / N, by the card's own rasterizer."""
        return (self.range + self.mask) / self.normal

    @property
    def exact_share(self) -> float:
        """(R + M) / N, R and M as `backend="gl"` draws them."""
        return (self.exact_range + self.exact_mask) / self.normal


def time_drawings(
    drawing: PlainDrawing, scene: Scene, ranges: Sequence[Picture], masks: Sequence[Picture], repeats: int
) -> tuple[float, float, float, float]:
    """Return the times of all R and of all M, plain and as `backend="gl"` draws them in a scene [s], as `GlTimes` has them."""
    store = store_of(scene)
    pairs = [list(ranges), list(masks)]
    plain = [best(lambda each=each: [drawing.codes(picture) for picture in each], repeats) for each in pairs]
    exact = [best(lambda each=each: draw_on_card(store, store.world(), each), repeats) for each in pairs]
    return plain[0], plain[1], exact[0], exact[1]
