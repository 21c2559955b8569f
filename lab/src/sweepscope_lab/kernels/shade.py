"""A normal drawing: the first paper compares the cost of its radar drawings with such a picture (2002, section 4.2).

Three scopes are drawn with the same rasterizer: what is opaque, and in front of it the nearest and the next transparent
surface. Then each pixel is shaded once, from back to front: smooth normals, light after Blinn and Phong, texture, blending.

Light and eye are infinitely far away, so both are constants in a body's own frame. A texture is applied from three sides: a
point uses the side that its normal points to most, and the texture repeats once per size of the shape. Limits: of transparent
surfaces behind one another only the first two show. Shapes thickened by a radius have no normals here: they show in one
shade. Colors are rounded to 1/255.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sweepscope.kernels import layout as at
from sweepscope.kernels.base.blocks import BLOCK
from sweepscope.kernels.picture.paint import NOBODY, Images, marked_back, marked_body, marked_face
from sweepscope.kernels.picture.view import FRAME, LEFT, ORIGIN, SIZE, draw

from ._jit import inline, kernel
from .tolerances import ONE_SURFACE

INF = math.inf

# What a body is made of.
OPAQUE = 0
TEXTURED = 1
TRANSPARENT = 2

AMBIENT = 0.25
DIFFUSE = 0.75
SPECULAR = 0.4  # the exponent is 32: five squarings
ALPHA = 0.45  # how much a transparent surface hides

# Columns of what is precomputed for each body.
ACROSS = 0  # 4 columns: matrix row and offset that give x in the image
DOWN = 4
TO_LIGHT = 8  # 3 columns, unit, in the body's frame
HALFWAY = 11  # 3 columns: between light and eye
REPEAT = 14  # texels per length
COLUMNS = 15


class ShadeCanvas(NamedTuple):
    """Room for a drawing, used again for the next one, as a frame buffer. Layers: opaque, nearest and next transparent."""

    near: NDArray[np.float64]  # (rows, columns)
    fragments: NDArray[np.float64]  # (3, rows, columns, 2) depth and mark of each layer
    picture: NDArray[np.uint8]  # (rows, columns, 3)


def canvas(rows, columns):
    """Return room for drawings of rows x columns pixels."""
    return ShadeCanvas(np.empty((rows, columns)), np.empty((3, rows, columns, 2)), np.empty((rows, columns, 3), np.uint8))


@kernel
def vertex_normals(vertices, faces, normals):
    """Write unit normals (n, 3) of vertices: the mean of the faces around each, weighted by area; zero where there are none."""
    normals[:] = 0.0
    for f in range(len(faces)):
        a, b, c = faces[f, 0], faces[f, 1], faces[f, 2]
        ux, uy, uz = vertices[b, 0] - vertices[a, 0], vertices[b, 1] - vertices[a, 1], vertices[b, 2] - vertices[a, 2]
        vx, vy, vz = vertices[c, 0] - vertices[a, 0], vertices[c, 1] - vertices[a, 1], vertices[c, 2] - vertices[a, 2]
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        for k in (a, b, c):
            normals[k, 0] += nx
            normals[k, 1] += ny
            normals[k, 2] += nz
    for k in range(len(normals)):
        size = math.sqrt(normals[k, 0] ** 2 + normals[k, 1] ** 2 + normals[k, 2] ** 2)
        if size > 0.0:
            for r in range(3):
                normals[k, r] /= size


@inline
def _settings(body_ints, poses, reals, bodies, view, columns, rows, light, texels):
    """Return for each body what its pixels need: shape (bodies, COLUMNS)."""
    out = np.empty((bodies, COLUMNS))
    half = np.empty(3)
    for r in range(3):
        half[r] = light[r] - view[FRAME + 6 + r]
    size = math.sqrt(half[0] ** 2 + half[1] ** 2 + half[2] ** 2)
    for b in range(bodies):
        for c in range(3):
            across = 0.0
            down = 0.0
            to_light = 0.0
            halfway = 0.0
            for r in range(3):
                turn = poses[b, at.ROTATION + 3 * r + c]
                across += view[FRAME + r] * turn
                down += view[FRAME + 3 + r] * turn
                to_light += light[r] * turn
                halfway += half[r] * turn / size
            out[b, ACROSS + c] = across * (columns / view[SIZE])
            out[b, DOWN + c] = down * (rows / view[SIZE + 1])
            out[b, TO_LIGHT + c] = to_light
            out[b, HALFWAY + c] = halfway
        x = -view[LEFT]
        y = -view[LEFT + 1]
        widest = 0.0
        s = body_ints[b, at.SHAPE]
        for r in range(3):
            x += view[FRAME + r] * (poses[b, at.POSITION + r] - view[ORIGIN + r])
            y += view[FRAME + 3 + r] * (poses[b, at.POSITION + r] - view[ORIGIN + r])
            widest = max(widest, reals[s, at.BOX_HIGH + r] - reals[s, at.BOX_LOW + r])
        out[b, ACROSS + 3] = x * (columns / view[SIZE])
        out[b, DOWN + 3] = y * (rows / view[SIZE + 1])
        out[b, REPEAT] = texels / widest if widest > 0.0 else 0.0
    return out


@inline
def _texel(texture, x, y):
    """Return the texture's color, 0 .. 1, interpolated between four texels. It repeats; its side is a power of two."""
    wrap = np.uint64(texture.shape[0] - 1)
    left = math.floor(x)
    top = math.floor(y)
    p = x - left
    q = (y - top) * (1.0 / 255.0)
    # Unsigned: Numba then does not check for indices that count from the end.
    j0 = np.uint64(left) & wrap
    j1 = np.uint64(left + 1) & wrap
    i0 = np.uint64(top) & wrap
    i1 = np.uint64(top + 1) & wrap
    b = p * (1.0 / 255.0 - q)
    a = (1.0 / 255.0 - q) - b
    d = p * q
    c = q - d
    return (
        a * texture[i0, j0, 0] + b * texture[i0, j1, 0] + c * texture[i1, j0, 0] + d * texture[i1, j1, 0],
        a * texture[i0, j0, 1] + b * texture[i0, j1, 1] + c * texture[i1, j0, 1] + d * texture[i1, j1, 1],
        a * texture[i0, j0, 2] + b * texture[i0, j1, 2] + c * texture[i1, j0, 2] + d * texture[i1, j1, 2],
    )


@inline
def _byte(value):
    return np.uint8(min(max(255.0 * value + 0.5, 0.0), 255.0))


@inline
def _shade(vertices, listed, starts, corners, ints, body_ints, normals, kinds, colors, texture, settings, background, fragments,
           out):  # fmt: skip
    """Shade every pixel of three layers (opaque, nearest and next transparent), from back to front, into out."""
    rows, columns = fragments.shape[1:3]
    empty = (_byte(background[0]), _byte(background[1]), _byte(background[2]))
    for i in range(rows):
        y = i + 0.5
        for j in range(columns):
            x = j + 0.5
            red, green, blue = background
            if fragments[0, i, j, 1] < 0.0 and fragments[1, i, j, 1] < 0.0:
                out[i, j, 0] = empty[0]
                out[i, j, 1] = empty[1]
                out[i, j, 2] = empty[2]
                continue
            for layer in (0, 2, 1):
                mark = fragments[layer, i, j, 1]
                if mark < 0.0:
                    continue
                b = marked_body(mark)
                s = body_ints[b, at.SHAPE]
                f = marked_face(mark)
                side = -1.0 if marked_back(mark) else 1.0
                first = ints[s, at.LISTED] + starts[ints[s, at.START] + f // BLOCK]
                row = ints[s, at.FACE] + f
                v0 = ints[s, at.VERTEX] + listed[first + corners[row, 0]]
                v1 = ints[s, at.VERTEX] + listed[first + corners[row, 1]]
                v2 = ints[s, at.VERTEX] + listed[first + corners[row, 2]]
                ax, ay, az = vertices[v0, 0], vertices[v0, 1], vertices[v0, 2]
                bx, by, bz = vertices[v1, 0], vertices[v1, 1], vertices[v1, 2]
                cx, cy, cz = vertices[v2, 0], vertices[v2, 1], vertices[v2, 2]
                m0, m1, m2, m3 = settings[b, 0], settings[b, 1], settings[b, 2], settings[b, 3] - x
                m4, m5, m6, m7 = settings[b, 4], settings[b, 5], settings[b, 6], settings[b, 7] - y
                x0, y0 = m0 * ax + m1 * ay + m2 * az + m3, m4 * ax + m5 * ay + m6 * az + m7
                x1, y1 = m0 * bx + m1 * by + m2 * bz + m3, m4 * bx + m5 * by + m6 * bz + m7
                x2, y2 = m0 * cx + m1 * cy + m2 * cz + m3, m4 * cx + m5 * cy + m6 * cz + m7
                e0 = x1 * y2 - y1 * x2
                e1 = x2 * y0 - y2 * x0
                e2 = x0 * y1 - y0 * x1
                area = e0 + e1 + e2
                if area == 0.0:
                    # Seen edge-on: any point of it serves.
                    e0, e1, e2, area = 1.0, 0.0, 0.0, 1.0
                # The weights add up to the area: this matters for lengths, and its sign everywhere.
                if area < 0.0:
                    side = -side
                nx = e0 * normals[v0, 0] + e1 * normals[v1, 0] + e2 * normals[v2, 0]
                ny = e0 * normals[v0, 1] + e1 * normals[v1, 1] + e2 * normals[v2, 1]
                nz = e0 * normals[v0, 2] + e1 * normals[v1, 2] + e2 * normals[v2, 2]
                size_sq = nx * nx + ny * ny + nz * nz
                scale = side / math.sqrt(size_sq) if size_sq > 0.0 else 0.0
                lit = nx * settings[b, TO_LIGHT] + ny * settings[b, TO_LIGHT + 1] + nz * settings[b, TO_LIGHT + 2]
                shine = nx * settings[b, HALFWAY] + ny * settings[b, HALFWAY + 1] + nz * settings[b, HALFWAY + 2]
                lit = AMBIENT + DIFFUSE * max(lit * scale, 0.0)
                shine = max(shine * scale, 0.0)
                shine *= shine
                shine *= shine
                shine *= shine
                shine *= shine
                shine *= shine * SPECULAR
                r, g, h = colors[b, 0], colors[b, 1], colors[b, 2]
                if kinds[b] == TEXTURED:
                    repeat = settings[b, REPEAT] / area
                    px = (e0 * ax + e1 * bx + e2 * cx) * repeat
                    py = (e0 * ay + e1 * by + e2 * cy) * repeat
                    pz = (e0 * az + e1 * bz + e2 * cz) * repeat
                    if abs(nx) >= abs(ny) and abs(nx) >= abs(nz):
                        px, py = py, pz
                    elif abs(ny) >= abs(nz):
                        py = pz
                    tr, tg, tb = _texel(texture, px, py)
                    r, g, h = r * tr, g * tg, h * tb
                r, g, h = r * lit + shine, g * lit + shine, h * lit + shine
                if layer > 0:
                    r = red + ALPHA * (r - red)
                    g = green + ALPHA * (g - green)
                    h = blue + ALPHA * (h - blue)
                red, green, blue = r, g, h
            out[i, j, 0] = _byte(red)
            out[i, j, 1] = _byte(green)
            out[i, j, 2] = _byte(blue)


@kernel
def shaded(geometry, body_ints, poses, boxes, bodies, view, normals, kinds, colors, texture, light, background, canvas):
    """Draw a shaded picture of all bodies into canvas.picture.

    normals (n, 3): unit, of the geometry's vertices, local. kinds (bodies,): OPAQUE, TEXTURED or TRANSPARENT. colors
    (bodies, 3): 0 .. 1. texture (2^k, 2^k, 3): bytes. light (3,): unit, towards the light, world. background: three numbers,
    0 .. 1.
    """
    near, fragments = canvas.near, canvas.fragments
    rows, columns = near.shape
    for i in range(rows):
        for j in range(columns):
            near[i, j] = 0.0
            fragments[0, i, j, 0] = INF
            for layer in range(3):
                fragments[layer, i, j, 1] = NOBODY
    unused = np.zeros((1, 1))
    clear = np.empty(bodies, np.uint8)
    glassy = 0
    for b in range(bodies):
        clear[b] = kinds[b] == TRANSPARENT
        glassy += clear[b]
    # No drawing is bounding, stopped early, or shared between threads: hence False, False, 0, 1.
    images = Images(near, fragments[0], unused)
    draw(geometry, body_ints, poses, boxes, bodies, clear, view, False, False, 0, 1, images)
    if glassy > 0:
        for b in range(bodies):
            clear[b] = 1 - clear[b]
        for i in range(rows):
            for j in range(columns):
                fragments[1, i, j, 0] = fragments[0, i, j, 0]
        images = Images(near, fragments[1], unused)
        draw(geometry, body_ints, poses, boxes, bodies, clear, view, False, False, 0, 1, images)
        thin = ONE_SURFACE * view[SIZE + 2]
        for i in range(rows):
            for j in range(columns):
                near[i, j] = fragments[1, i, j, 0] + thin if fragments[1, i, j, 1] >= 0.0 else INF
                fragments[2, i, j, 0] = fragments[0, i, j, 0]
        images = Images(near, fragments[2], unused)
        draw(geometry, body_ints, poses, boxes, bodies, clear, view, False, False, 0, 1, images)
    settings = _settings(body_ints, poses, geometry.shape_reals, bodies, view, columns, rows, light, texture.shape[0])
    vertices, listed, starts, corners = geometry.vertices, geometry.block_vertices, geometry.starts, geometry.corners
    _shade(vertices, listed, starts, corners, geometry.shape_ints, body_ints, normals, kinds, colors, texture, settings,
           background, fragments, canvas.picture)  # fmt: skip
