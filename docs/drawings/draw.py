"""Draws the pictures of the pages into docs/pictures, from answers of the library: python docs/drawings/draw.py."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
from svg import BLUE, GRAY, GREEN, INK, ORANGE, PALE, SKY, Card, Point

import sweepscope as ss

PICTURES = Path(__file__).parents[1] / "pictures"
Place = Callable[[float, float], Point]


def placed(x: float, y: float, scale: float) -> Place:
    """Return where a point of the plane is in a drawing; y up."""
    return lambda a, b: (x + scale * a, y - scale * b)


def mapped(at: Place, points: Iterable[tuple[float, float]]) -> list[Point]:
    """Return points of the plane in a drawing."""
    return [at(a, b) for a, b in points]


def prism(outline: list[tuple[float, float]], depth: float = 1.0) -> ss.Mesh:
    """Return a closed mesh: an outline in x and z, convex or an L or U cut into quads by its author, along y."""
    n = len(outline)
    vertices = [(x, side * depth / 2, z) for side in (-1, 1) for x, z in outline]
    faces = [(k, (k + 1) % n, n + k) for k in range(n)] + [((k + 1) % n, n + (k + 1) % n, n + k) for k in range(n)]
    for a, b, c in _ears(outline):
        faces += [(a, c, b), (n + a, n + b, n + c)]
    return ss.Mesh(vertices, faces)


def _ears(outline: list[tuple[float, float]]) -> list[tuple[int, int, int]]:
    """Return triangles that cover a polygon given counterclockwise."""
    left, found = list(range(len(outline))), []
    while len(left) > 2:
        for k in range(len(left)):
            a, b, c = (left[(k + j) % len(left)] for j in (-1, 0, 1))
            if _turn(outline[a], outline[b], outline[c]) > 0 and not any(
                all(_turn(outline[p], outline[q], outline[o]) >= 0 for p, q in ((a, b), (b, c), (c, a)))
                for o in left
                if o not in (a, b, c)
            ):
                found.append((a, b, c))
                left.pop(k)
                break
    return found


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def draw_sweep() -> None:
    """A bracket falls slanted: start, stop, contact."""
    bracket = [(-1.2, 1.0), (-1.2, -1.0), (-0.7, -1.0), (-0.7, 0.5), (1.2, 0.5), (1.2, 1.0)]
    block = [(1.2, 0.0), (4.4, 0.0), (4.4, 0.9), (2.6, 2.1)]
    post = [(-3.7, 0.0), (-3.3, 0.0), (-3.3, 2.4), (-3.7, 2.4)]
    ground = [(-4.5, -0.3), (5.2, -0.3), (5.2, 0.0), (-4.5, 0.0)]
    scene = ss.Scene()
    for name, outline in (("block", block), ("post", post), ("ground", ground)):
        scene.add(prism(outline), name=name)
    start = np.array((-1.6, 0.0, 4.4))
    mover = scene.add(prism(bracket), start, name="bracket")
    motion = ss.Translate((3.5, 0, -3.6))
    hit = scene.sweep(mover, motion)
    assert hit is not None
    card, at = Card(760, 430), placed(330, 375, 62)
    for outline in (ground, post, block):
        card.area(mapped(at, outline), PALE, outline=GRAY)
    there = start + hit.time * np.array(motion.vector)
    for share in (0.2, 0.4, 0.6, 0.8):
        middle = start + share * (there - start)
        card.area(mapped(at, [(x + middle[0], z + middle[2]) for x, z in bracket]), SKY, opacity=0.12)
    for middle, color in ((start, BLUE), (there, ORANGE)):
        card.area(mapped(at, [(x + middle[0], z + middle[2]) for x, z in bracket]), color, opacity=0.3, outline=color)
    end = start + np.array(motion.vector)
    card.area(mapped(at, [(x + end[0], z + end[2]) for x, z in bracket]), "#ffffff", opacity=0.0, outline=GRAY, dash="3 5")
    card.line([at(start[0], start[2]), at(there[0], there[2])], INK, 2, arrow=True)
    point, normal = hit.point, hit.normal
    card.line([at(point[0], point[2]), at(point[0] + 0.9 * normal[0], point[2] + 0.9 * normal[2])], GREEN, 3, arrow=True)
    card.dot(at(point[0], point[2]), 5.5, GREEN)
    card.text(at(-3.0, 5.0), "start", BLUE, bold=True, anchor="end")
    card.text((at(3.6, 0)[0], 60), f"stops after {hit.travel:.3f}", ORANGE, bold=True)
    card.text((at(3.6, 0)[0], 80), f"at the {hit.obstacle.name}", ORANGE)
    card.text((at(3.6, 0)[0], 112), "point and normal", GREEN, bold=True)
    card.text((at(3.6, 0)[0], 144), "dashed: where the motion would end", GRAY, size=13)
    card.save(PICTURES / "sweep.svg")


def draw_slide() -> None:
    """A capsule from above, pushed in three directions."""
    scene = ss.Scene()
    walls = [((0.0, 3.1), (9.0, 0.2), 0.0), ((4.4, 0.0), (0.2, 6.4), 0.0), ((-1.0, -1.6), (4.0, 0.2), -0.45)]
    for (x, y), (wide, deep), turn in walls:
        pose = ss.Rotate((0, 0, 1), turn).at()
        pose[:3, 3] = (x, y, 1)
        scene.add(ss.Box((wide, deep, 2)), pose)
    man = scene.add(ss.Capsule.from_segment((0, 0, 0.35), (0, 0, 1.65), radius=0.35))
    card, at = Card(760, 470), placed(370, 235, 66)
    for (x, y), (wide, deep), turn in walls:
        c, s = math.cos(turn), math.sin(turn)
        corners = [(x + c * a - s * b, y + s * a + c * b) for a, b in _corners(wide, deep)]
        card.area(mapped(at, corners), PALE, outline=GRAY)
    for start, vector in (((-4.6, 0.4), (4.2, 3.0)), ((-2.8, 1.3), (2.6, -4.4)), ((0.4, -0.2), (4.8, 3.5))):
        man.pose = (*start, 0)
        slide = scene.slide(man, (*vector, 0))
        place = np.array(start)
        card.line([at(*start), at(*(place + vector))], GRAY, 1.6, dash="3 6", arrow=True)
        card.dot(at(*start), 0.35 * 66, BLUE, opacity=0.25, outline=BLUE)
        for leg in slide.legs:
            there = place + leg.vector[:2]
            card.line([at(*place), at(*there)], ORANGE, 3)
            card.dot(at(*there), 0.35 * 66, ORANGE, opacity=0.12, outline=ORANGE)
            place = there
        card.dot(at(*place), 0.35 * 66, ORANGE, opacity=0.35, outline=ORANGE)
    for y, words, color in ((-1.3, "blue: start", BLUE), (-1.7, "dashed: asked for", GRAY), (-2.1, "orange: done", ORANGE)):
        card.text(at(1.9, y), words, color, anchor="start")
    card.save(PICTURES / "slide.svg")


def draw_push_out() -> None:
    """Four bodies that overlap others, from the side."""
    ground = [(-5.2, -0.5), (5.2, -0.5), (5.2, 0.0), (-5.2, 0.0)]
    step = [(-3.4, 0.0), (-2.0, 0.0), (-2.0, 1.3), (-3.4, 1.3)]
    cup = [(0.2, 0.0), (2.6, 0.0), (2.6, 1.8), (2.2, 1.8), (2.2, 0.4), (0.6, 0.4), (0.6, 1.8), (0.2, 1.8)]
    scene = ss.Scene()
    for outline in (ground, step, cup):
        scene.add(prism(outline, depth=9.0))
    card, at = Card(760, 330), placed(380, 280, 68)
    for outline in (ground, step, cup):
        card.area(mapped(at, outline), PALE, outline=GRAY)
    slab = [(-0.45, -0.35), (0.45, -0.35), (0.45, 0.35), (-0.45, 0.35)]
    triangle = [(-0.5, -0.4), (0.5, -0.4), (0.0, 0.6)]
    for outline, start in ((slab, (-4.4, 0.15)), (slab, (-1.75, 0.2)), (triangle, (0.95, 0.65)), (slab, (3.0, 1.9))):
        mover = scene.add(prism(outline), (start[0], 0, start[1]))
        out = scene.push_out(mover)
        scene.remove(mover)
        assert out is not None
        end = start[0] + out.motion.vector[0], start[1] + out.motion.vector[2]
        for place, color in ((start, BLUE), (end, ORANGE)):
            card.area(mapped(at, [(x + place[0], z + place[1]) for x, z in outline]), color, opacity=0.3, outline=color)
        card.line([at(*start), at(*end)], INK, 2, arrow=True)
        sign = "" if out.exact else "at most "
        card.text((at(start[0], 0)[0], 58), f"{sign}{out.depth:.3f}", INK)
    card.text((380, 26), "blue: start; orange: after scene.push_out", GRAY)
    card.save(PICTURES / "push_out.svg")


def draw_depth() -> None:
    """A beam in a wall: the least depth, and the depth along two directions."""
    wall, beam = [(-0.5, -1.4), (0.5, -1.4), (0.5, 1.4), (-0.5, 1.4)], [(-2.0, -0.35), (2.0, -0.35), (2.0, 0.35), (-2.0, 0.35)]
    card = Card(760, 300)
    for k, way in enumerate((None, (-1.0, 0.0, 0.0), (1.0, 0.0, 1.0))):
        scene = ss.Scene()
        a, b = scene.add(prism(beam), (-1.4, 0, 0.9)), scene.add(prism(wall))
        deep = scene.depth(a, b) if way is None else scene.depth_along(a, b, way)
        at = placed(190 + 225 * k, 180, 38)
        card.area(mapped(at, wall), PALE, outline=GRAY)
        for shift, color in ((np.zeros(3), BLUE), (deep.vector, ORANGE)):
            middle = np.array((-1.4, 0, 0.9)) + shift
            card.area(mapped(at, [(x + middle[0], z + middle[2]) for x, z in beam]), color, opacity=0.3, outline=color)
        card.line([at(-1.4, 0.9), at(-1.4 + deep.vector[0], 0.9 + deep.vector[2])], INK, 2, arrow=True)
        card.text((170 + 225 * k, 262), ("depth", "depth_along -x", "depth_along (1, 0, 1)")[k], INK, bold=True)
        card.text((170 + 225 * k, 284), f"{deep.depth:.2f}", INK)
    card.save(PICTURES / "depth.svg")


def _corners(wide: float, deep: float) -> list[tuple[float, float]]:
    return [(-wide / 2, -deep / 2), (wide / 2, -deep / 2), (wide / 2, deep / 2), (-wide / 2, deep / 2)]


def draw_gradient() -> None:
    """A ball falls on a slanted block, and again a little to the right."""
    scene = ss.Scene()
    tilt = ss.Rotate((0, 1, 0), 0.5).at()
    scene.add(ss.Box((4, 4, 1)), tilt @ ss.Translate((0, 0, -0.5)).at())
    ball, down = scene.add(ss.Sphere(0.5), (-0.5, 0, 3.2)), ss.Translate((0, 0, -5))
    card, at = Card(760, 400), placed(330, 290, 62)
    seen = [(tilt @ (a, 0, b, 1))[[0, 2]] for a, b in ((-2, -1), (2, -1), (2, 0), (-2, 0))]
    card.area(mapped(at, seen), PALE, outline=GRAY)
    falls = []
    for x, color in ((-0.5, BLUE), (0.5, ORANGE)):
        ball.pose = (x, 0, 3.2)
        hit = scene.sweep(ball, down)
        assert hit is not None
        end = 3.2 - hit.travel
        card.dot(at(x, 3.2), 31, color, opacity=0.12, outline=color)
        card.line([at(x, 3.2), at(x, end)], color, 2, arrow=True)
        card.dot(at(x, end), 31, color, opacity=0.3, outline=color)
        falls.append(hit)
    first, second = falls
    point, normal = first.point, first.normal
    card.line([at(point[0], point[2]), at(point[0] + 0.8 * normal[0], point[2] + 0.8 * normal[2])], GREEN, 3, arrow=True)
    card.dot(at(point[0], point[2]), 5, GREEN)
    slope = first.gradient().mover[0]
    assert abs(second.time - first.time - slope) < 1e-12  # a plane: the formula holds for any distance
    card.text((560, 90), f"time {first.time:.4f}", BLUE, bold=True, anchor="start")
    card.text((560, 112), f"1 to the right: {second.time:.4f}", ORANGE, bold=True, anchor="start")
    card.text((560, 148), f"gradient.mover[0] = {slope:.4f}", INK, anchor="start")
    card.text((560, 184), "normal", GREEN, bold=True, anchor="start")
    card.save(PICTURES / "gradient.svg")


def draw_orbits() -> None:
    """Paths of points: lines, circles, helices."""
    card = Card(760, 290)
    for k, (title, words) in enumerate((("Translate", "straight lines"), ("Rotate", "circles"), ("Screw", "helices"))):
        middle = 130 + 250 * k
        card.text((middle, 34), title, INK, size=18, bold=True)
        card.text((middle, 270), words, GRAY)
        at = placed(middle, 165, 1)
        motion: ss.Motion = (ss.Translate((110, 0, 60)), ss.Rotate((0, 0, 1), 2.4), ss.Screw((0, 0, 1), 4.2, slide=110))[k]
        offset = np.array(((-55, 0, -30), (0, 0, 0), (0, 0, -50))[k])
        if k:
            card.line([at(0, -85), at(0, 105)], GRAY, 1.5, dash="5 5", arrow=True)
        body = [(a, b, c) for a, c in ((-22, -14), (22, -14), (22, 14), (-22, 14)) for b in (0,)]
        if k:
            body = [(62 + a / 2.2, b, c) for a, b, c in body]
        for point in body:
            path = [(motion.at(t)[:3, :3] @ point + motion.at(t)[:3, 3] + offset) for t in np.linspace(0, 1, 60)]
            card.line([at(*_seen(p)) for p in path], SKY, 2, arrow=True)
        for t, color in ((0.0, BLUE), (1.0, ORANGE)):
            corners = [at(*_seen(motion.at(t)[:3, :3] @ p + motion.at(t)[:3, 3] + offset)) for p in body]
            card.area(corners, color, opacity=0.35, outline=color)
    card.save(PICTURES / "orbits.svg")


def _seen(point: np.ndarray) -> tuple[float, float]:
    """Return a point as seen slanted from above."""
    x, y, z = point
    return float(x), float(z + 0.42 * y)


def draw_chart() -> None:
    """A turn in the world, and the same in its chart: angle to the right, distance from the axis up."""
    card = Card(760, 380)
    scene = ss.Scene()
    blade = scene.add(ss.Box((2.2, 0.5, 1)), (1.9, 0, 0), name="blade")
    turned = ss.Rotate((0, 0, 1), 0.5).at()
    turned[:3, 3] = (1.0, 2.05, 0)
    scene.add(ss.Box((1.3, 0.8, 1)), turned, name="block")
    hit = scene.sweep(blade, ss.Rotate((0, 0, 1), math.pi / 2))
    assert hit is not None
    own = _ring(_corners(2.2, 0.5), np.eye(2), (1.9, 0))
    other = _ring(_corners(1.3, 0.8), turned[:2, :2], (1.0, 2.05))
    gone = ss.Rotate((0, 0, 1), hit.travel).at()[:2, :2]
    at = placed(60, 330, 88)
    for r in np.linspace(0.8, 3.2, 7):
        card.line([at(r * math.cos(a), r * math.sin(a)) for a in np.linspace(-0.12, 1.62, 60)], PALE, 1.5)
    card.area(mapped(at, other), PALE, outline=GRAY)
    card.area(mapped(at, own), BLUE, opacity=0.3, outline=BLUE)
    card.area(mapped(at, own @ gone.T), ORANGE, opacity=0.25, outline=ORANGE)
    card.dot(at(0, 0), 5, INK)
    r = math.hypot(*hit.point[:2])
    end = math.atan2(hit.point[1], hit.point[0])
    arc = np.linspace(end - hit.travel, end, 30)
    card.line([at(r * math.cos(a), r * math.sin(a)) for a in arc], GREEN, 3, arrow=True)
    card.text((52, 366), "axis", INK, size=13)
    card.text((190, 22), "the world", INK, size=17, bold=True)
    chart = placed(455, 330, 88)
    card.text((655, 30), "its chart", INK, size=17, bold=True)
    for r2 in np.linspace(0.8, 3.2, 7):
        card.line([chart(-0.2, r2), chart(3.1, r2)], PALE, 1.5)
    wide = 1.9  # drawn length of a radian
    for ring, color, outline in ((other, PALE, GRAY), (own, BLUE, BLUE), (own @ gone.T, ORANGE, ORANGE)):
        bent = [chart(wide * math.atan2(y, x), math.hypot(x, y)) for x, y in ring]
        card.area(bent, color, opacity=1.0 if color == PALE else 0.28, outline=outline)
    card.line([chart(wide * (end - hit.travel), r), chart(wide * end, r)], GREEN, 3, arrow=True)
    card.line([chart(-0.25, 0.55), chart(3.1, 0.55)], INK, 1.6, arrow=True)
    card.line([chart(-0.25, 0.55), chart(-0.25, 3.35)], INK, 1.6, arrow=True)
    card.text((690, 302), "w: angle", INK, size=13)
    card.text((446, 43), "u: distance from the axis", INK, size=13, anchor="start")
    card.text((600, 366), f"gap {math.degrees(hit.travel):.1f}°: the free travel", GREEN, bold=True)
    card.save(PICTURES / "chart.svg")


def _ring(corners: list[tuple[float, float]], turn: np.ndarray, place: tuple[float, float]) -> np.ndarray:
    """Return the outline of a box, with many points on each side, shape (n, 2)."""
    ends = np.array([*corners, corners[0]])
    sides = [a + np.linspace(0, 1, 24, endpoint=False)[:, None] * (b - a) for a, b in pairwise(ends)]
    return np.vstack(sides) @ np.asarray(turn).T + place


def draw_scope() -> None:
    """Rays of a radar: the mover's leading surface, what lies ahead, and the gap between."""
    scene = ss.Scene()
    hills = [(-4.0, -0.6), (4.0, -0.6), (4.0, 0.5), (2.6, 1.1), (1.4, 0.4), (0.2, 0.9), (-1.2, 0.2), (-2.6, 0.8), (-4.0, 0.3)]
    arch = [(-2.2, 0.9), (-2.2, 0.0), (-1.5, -0.6), (-0.8, 0.0), (0.6, 0.0), (1.3, -0.4), (2.2, 0.1), (2.2, 0.9)]
    scene.add(prism(hills, 2.0), name="hills")
    mover = scene.add(prism(arch), (0.4, 0, 3.2), name="mover")
    reading = ss.radar.Radar(scene, mover, pixels=(1, 22)).probe(ss.Translate((0, 0, -3.5)))
    card, at = Card(760, 400), placed(330, 335, 72)
    card.area(mapped(at, hills), PALE, outline=GRAY)
    card.area(mapped(at, [(x + 0.4, z + 3.2) for x, z in arch]), BLUE, opacity=0.28, outline=BLUE)
    least = float(np.nanmin(reading.lookat))
    for row in range(22):
        gap, lead = reading.lookat[row, 0], reading.lead
        if lead is None or math.isnan(gap):
            continue
        top = reading.view.at(0, row, lead[row, 0], (22, 1))
        bottom = reading.view.at(0, row, reading.range[row, 0], (22, 1))
        first = gap <= least * (1 + 1e-9)
        card.line([at(top[0], top[2]), at(bottom[0], bottom[2])], ORANGE if first else SKY, 4 if first else 2.2, arrow=True)
    card.text((640, 90), "one ray a pixel", SKY, bold=True)
    card.text((640, 112), "gap: from the mover", INK, size=13)
    card.text((640, 130), "to what lies ahead", INK, size=13)
    card.text((640, 166), f"the least: {least:.3f}", ORANGE, bold=True)
    exact = reading.confirm()
    assert exact is not None
    card.text((640, 188), f"exactly: {exact.travel:.3f}", INK, size=13)
    card.save(PICTURES / "scope.svg")


def draw_cast() -> None:
    """Rays from a point, seen from the side, and a ball that moves along one."""
    ground = [(-4.5, -0.9), (4.8, -0.9), (4.8, 0.1), (3.0, -0.2), (1.0, 0.2), (-1.0, -0.1), (-3.0, 0.1), (-4.5, -0.2)]
    block = [(0.4, 0.1), (2.0, 0.1), (2.0, 1.2), (1.2, 1.9), (0.4, 1.2)]
    scene = ss.Scene()
    for name, outline in (("ground", ground), ("block", block)):
        scene.add(prism(outline, 2.0), name=name)
    post = ss.Capsule.from_segment((3.4, -1.0, 2.6), (3.4, 1.0, 2.6), radius=0.5)
    scene.add(post, name="post")
    eye = np.array((-3.9, 0.0, 3.0))
    angles = np.linspace(-1.2, 0.12, 17)
    found = scene.cast(eye, np.stack((np.cos(angles), 0.0 * angles, np.sin(angles)), axis=1), length=9.0)
    card, at = Card(760, 400), placed(350, 320, 76)
    for outline in (ground, block):
        card.area(mapped(at, outline), PALE, outline=GRAY)
    card.dot(at(3.4, 2.6), 0.5 * 76, PALE, outline=GRAY)
    for k, angle in enumerate(angles):
        far = min(float(found.distance[k]), 8.4)
        end = eye + far * np.array((math.cos(angle), 0.0, math.sin(angle)))
        card.line([at(eye[0], eye[2]), at(end[0], end[2])], SKY, 1.8)
        if found.hit[k]:
            point, normal = found.point[k], found.normal[k]
            card.line(
                [at(point[0], point[2]), at(point[0] + 0.4 * normal[0], point[2] + 0.4 * normal[2])], GREEN, 2, arrow=True
            )
            card.dot(at(point[0], point[2]), 4, BLUE)
    begin, along = np.array((-3.9, 0.0, 3.9)), np.array((0.94, 0.0, -0.34))
    ball = scene.cast(begin, along, radius=0.35)
    end = begin + float(ball.distance) * along / np.linalg.norm(along)
    card.line([at(begin[0], begin[2]), at(end[0], end[2])], ORANGE, 2.4, dash="6 5")
    for place in (begin, end):
        card.dot(at(place[0], place[2]), 0.35 * 76, ORANGE, opacity=0.3, outline=ORANGE)
    card.dot(at(ball.point[0], ball.point[2]), 5, ORANGE)
    card.text(at(-4.5, 2.3), "rays", SKY, bold=True, anchor="start")
    card.text(at(-3.3, 4.0), "a ball", ORANGE, bold=True, anchor="start")
    card.text(at(2.2, 0.6), "points and normals", GREEN, bold=True, anchor="start")
    card.save(PICTURES / "cast.svg")


if __name__ == "__main__":
    for draw in (
        draw_sweep, draw_slide, draw_push_out, draw_depth, draw_gradient, draw_orbits, draw_chart, draw_scope, draw_cast,
    ):  # fmt: skip
        draw()
