"""Compare fans with a slow reference that proves its answers, many at once, and count wrong answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope import Mesh
from sweepscope.fan import Fan
from sweepscope.fan.fan import numbers_of

from ..compared import PublishedFan
from ..reference.fan import CLEAR, Bounds, Fans, flattened, literal_circles, literal_spheres, sphere_gaps
from ..reference.fan_cases import EACH, FANS, MESHES, QUESTIONS, SHARED, FanCases, make
from ..reference.fan_pieces import fan_gaps, hull_gaps, mesh_gaps
from .tallies import tally

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]

PUBLISHED = ("points", "circles", "rectangles", "capsules_2d", "spheres", "capsules")
"""Questions that the thesis has a test for."""
LITERAL = ("circles", "spheres")
"""Questions for which the published text itself is tested, with its errors."""
FANS_AT_ONCE = 512
_NUDGES = (2.0 * CLEAR, 1e-11, 1e-13)  # small ones, too: inside a slit a large nudge hits and a small one does not
_TOUCH = 1e-14


@dataclass(frozen=True, slots=True)
class JudgedFans:
    """n answers and what is proven about them."""

    cases: FanCases
    seed: int
    hit: Bools
    """The library's answers, (n,)."""
    published: Bools | None
    """Answers of the published test, (n,); None if there is none."""
    literal: Bools | None
    """Answers of the published text with its errors, (n,); None if it was not tested."""
    bounds: Bounds
    """Proven bounds of the gaps, as shares of the size, (n,)."""

    @property
    def apart(self) -> Bools:
        """Proven to be clearly apart, (n,)."""
        return self.bounds.low > CLEAR

    @property
    def deep(self) -> Bools:
        """Proven to be clearly inside each other, (n,)."""
        return self.bounds.high < -CLEAR

    @property
    def undecided(self) -> Bools:
        """Neither proven apart nor proven in contact, (n,)."""
        return ~self.apart & (self.bounds.high > CLEAR)

    @property
    def grazing(self) -> Bools:
        """In contact, or nearly, but not proven to be clearly so: both answers are accepted, (n,)."""
        return ~self.apart & ~self.deep & ~self.undecided

    @property
    def wrong(self) -> Bools:
        """Clearly the opposite of the answer, (n,)."""
        return (self.hit & self.apart) | (~self.hit & self.deep)


def fans_of(cases: FanCases) -> list[Fan]:
    """Return the fans of the cases."""
    columns = [value.tolist() for value in cases.fans.values()]
    return [fan_of(row) for row in zip(*columns, strict=True)]


def fan_of(row: Sequence[Any]) -> Fan:
    """Return the fan of its arguments in a row."""
    center, axis, mid, half_angle, inner, outer, half_thickness = row
    return Fan(center, axis, mid=mid, half_angle=half_angle, inner=inner, outer=outer, half_thickness=half_thickness)


def ask(cases: FanCases, fans: list[Fan]) -> Bools:
    """Return the library's answers, (n,)."""
    return np.concatenate([_ask(cases.question, _part(cases, k), fan) for k, fan in enumerate(fans)])


def ask_published(cases: FanCases, fans: list[Fan]) -> Bools:
    """Return the answers of the thesis' tests, (n,), to one of the questions PUBLISHED."""
    return np.concatenate([_ask_round(cases.question, _part(cases, k), PublishedFan(fan)) for k, fan in enumerate(fans)])


def _part(cases: FanCases, fan: int) -> dict[str, Array]:
    """Return the things of one fan."""
    return {name: value[fan * EACH : (fan + 1) * EACH] for name, value in cases.data.items()}


def _ask(question: str, data: dict[str, Array], fan: Fan) -> Bools:
    if question in PUBLISHED:
        return _ask_round(question, data, fan)
    match question:
        case "boxes":
            found = fan.hits_boxes(data["sizes"], _poses(data))
        case "convex":
            found = fan.hits_convex([points[: int(many)] for points, many in zip(data["corners"], data["many"], strict=True)])
        case "fans":
            found = fan.hits_fans(_others(data))
        case _:
            found = np.array([fan.hits_mesh(mesh, pose) for mesh, pose in zip(_meshes(data), _poses(data), strict=True)])
    return np.asarray(found, np.bool_)


def _ask_round(question: str, data: dict[str, Array], fan: Fan | PublishedFan) -> Bools:
    """Ask what both the library and the thesis answer."""
    match question:
        case "points":
            found = fan.contains(data["points"])
        case "circles":
            found = fan.hits_circles(data["centers"][:, :2], data["radii"])
        case "rectangles":
            found = fan.hits_rectangles(data["centers"][:, :2], data["sizes"][:, :2], _angles(data["frames"]))
        case "capsules_2d":
            found = fan.hits_capsules_2d(data["p0"][:, :2], data["p1"][:, :2], data["radii"])
        case "spheres":
            found = fan.hits_spheres(data["centers"], data["radii"])
        case _:
            found = fan.hits_capsules(data["p0"], data["p1"], data["radii"])
    return np.asarray(found, np.bool_)


def _angles(frames: Array) -> Array:
    return np.arctan2(frames[:, 0, 1], frames[:, 0, 0])


def _poses(data: dict[str, Array]) -> Array:
    poses = np.zeros((len(data["centers"]), 4, 4))
    poses[:, :3, :3] = data["frames"].transpose(0, 2, 1)
    poses[:, :3, 3] = data["centers"]
    poses[:, 3, 3] = 1.0
    return poses


def _others(data: dict[str, Array]) -> list[Fan]:
    columns = (data["centers"], data["frames"][:, 2], data["frames"][:, 0])
    columns += tuple(data[name] for name in ("half_angle", "inner", "outer", "half_thickness"))
    return [fan_of(row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def _meshes(data: dict[str, Array]) -> list[Mesh]:
    made = []
    for vertices, which in zip(data["vertices"][::SHARED], data["which"][::SHARED], strict=True):
        _, many, faces, _ = MESHES[int(which)]
        made += [Mesh(vertices[:many], faces)] * SHARED
    return made


def gaps(question: str, fans: Fans, data: dict[str, Array], sizes: Array) -> Bounds:
    """Return what the reference proves about n things, each with its own fan [length]."""
    flat = QUESTIONS[question][1]
    asked = flattened(fans, sizes) if flat else fans
    none = np.zeros(len(sizes))
    match question:
        case "points":
            return sphere_gaps(asked, data["points"].T, none)
        case "circles" | "spheres":
            return sphere_gaps(asked, data["centers"].T, data["radii"])
        case "capsules_2d" | "capsules":
            ends = np.stack((data["p0"].T, data["p1"].T))
            return hull_gaps(asked, ends, data["radii"], sizes)
        case "rectangles":
            # The library takes an angle, so the angle is judged, not the frame that it comes from.
            angles = _angles(data["frames"])
            c, s, zero = np.cos(angles), np.sin(angles), none
            frames = np.stack((np.stack((c, s, zero), axis=1), np.stack((-s, c, zero), axis=1)), axis=1)
            signs = np.array(((-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)))
            out = np.einsum("ki,ni,nij->kjn", 0.5 * signs, data["sizes"][:, :2], frames)
            return hull_gaps(asked, data["centers"].T + out, none, sizes)
        case "boxes":
            signs = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
            out = np.einsum("ki,ni,nij->kjn", signs, data["sizes"], data["frames"])
            return hull_gaps(asked, data["centers"].T + out, none, sizes)
        case "convex":
            return hull_gaps(asked, np.ascontiguousarray(data["corners"].transpose(1, 2, 0)), none, sizes)
        case "fans":
            return fan_gaps(asked, _other_numbers(data), sizes)
        case _:
            return _mesh_gaps(asked, data, sizes)


def _other_numbers(data: dict[str, Array]) -> Fans:
    axis = data["frames"][:, 2] / np.linalg.norm(data["frames"][:, 2], axis=1, keepdims=True)
    mid = data["frames"][:, 0] - np.sum(data["frames"][:, 0] * axis, axis=1, keepdims=True) * axis
    mid /= np.linalg.norm(mid, axis=1, keepdims=True)
    frame = np.stack((mid, np.cross(axis, mid), axis)).transpose(0, 2, 1)
    return Fans(
        np.ascontiguousarray(data["centers"].T),
        np.ascontiguousarray(frame),
        *(data[name] for name in ("half_angle", "inner", "outer", "half_thickness")),
    )


def _mesh_gaps(fans: Fans, data: dict[str, Array], sizes: Array) -> Bounds:
    places = np.einsum("nki,nij->nkj", data["vertices"], data["frames"]) + data["centers"][:, None]
    corners, of = [], []
    for k, (_, _, faces, _) in enumerate(MESHES):
        mine = np.flatnonzero(data["which"] == k)
        corners.append(places[mine][:, np.array(faces)].reshape(-1, 3, 3))
        of.append(np.repeat(mine, len(faces)))
    closed = np.array([is_closed for _, _, _, is_closed in MESHES])[data["which"].astype(int)]
    stacked = np.ascontiguousarray(np.concatenate(corners).transpose(1, 2, 0))
    return mesh_gaps(fans, stacked, np.concatenate(of), closed, sizes)


def judge_fans(question: str, count: int, seed: int = 0) -> Iterator[JudgedFans]:
    """Judge `count` cases or a few more, in batches of FANS_AT_ONCE fans."""
    left, number = count, 0
    while left > 0:
        many = min(FANS_AT_ONCE, -(-left // EACH))
        yield judge(question, many, seed * 1_000_000 + number)
        left -= many * EACH
        number += 1


def judge(question: str, fans: int, seed: int) -> JudgedFans:
    """Judge EACH cases for each of `fans` fans."""
    cases = make(question, fans, seed)
    asked = fans_of(cases)
    hit = ask(cases, asked)
    published = ask_published(cases, asked) if question in PUBLISHED else None
    each = np.repeat(np.arange(fans), EACH)
    known = Fans.of(np.array([numbers_of(fan) for fan in asked])).take(each)
    literal = None
    if question in LITERAL:
        says = literal_circles if question == "circles" else literal_spheres
        literal = says(known, cases.data["centers"].T, cases.data["radii"])
    bounds = gaps(question, known, cases.data, cases.sizes)
    doubted = ~hit if published is None else ~hit | ~published
    doubted &= (bounds.low <= 0.0) & (bounds.high <= _TOUCH * cases.sizes) & (bounds.high >= -CLEAR * cases.sizes)
    high = bounds.high.copy()
    some = np.flatnonzero(doubted)
    if len(some):
        high[some] = _nudged(
            question, known.take(some), {name: value[some] for name, value in cases.data.items()}, cases.sizes[some]
        )
        high = np.minimum(high, bounds.high)
    return JudgedFans(cases, seed, hit, published, literal, Bounds(bounds.low / cases.sizes, high / cases.sizes))


def _nudged(question: str, fans: Fans, data: dict[str, Array], sizes: Array) -> Array:
    """Return upper bounds of gaps, (n,): a thing that still hits after a nudge to every side is that deep."""
    left = np.arange(len(sizes))
    for share in _NUDGES:
        for axis in range(2 if QUESTIONS[question][1] else 3):
            for side in (-1.0, 1.0):
                moved = {name: value[left] for name, value in data.items()}
                for name in ("points", "centers", "p0", "p1", "corners"):
                    if name in data:
                        nudge = side * share * sizes[left]
                        moved[name][..., axis] += nudge[:, None] if name == "corners" else nudge
                found = gaps(question, fans.take(left), moved, sizes[left])
                left = left[found.high <= _TOUCH * sizes[left]]
    high = np.full(len(sizes), np.inf)
    high[left] = -max(_NUDGES) * sizes[left]
    return high


def wording(judged: JudgedFans, k: int) -> str:
    """Return a case in words and numbers, so that it can be repeated."""
    cases = judged.cases
    fan = ", ".join(f"{name}={value[k // EACH].tolist()!r}" for name, value in cases.fans.items())
    data = ", ".join(f"{name}={value[k].tolist()!r}" for name, value in cases.data.items())
    names = f"{FANS[cases.fan_kinds[k // EACH]]} fan, {cases.kinds[cases.kind[k]]}"
    return (
        f"{cases.question}, seed {judged.seed}, number {k} ({names}): answered {bool(judged.hit[k])}, gap within "
        f"[{judged.bounds.low[k]:.3g}, {judged.bounds.high[k]:.3g}] of the size {cases.sizes[k]:.3g}\n  Fan({fan})\n  {data}"
    )


@dataclass(slots=True)
class FanTally:
    """Counts for one kind of case."""

    kind: str
    cases: int = 0
    hits: int = 0
    grazing: int = 0
    undecided: int = 0
    missed: int = 0
    false_hits: int = 0
    deepest_miss: float = 0.0
    """Proven depth of anything answered as apart [share of the size]."""
    widest_gap: float = 0.0
    """Proven gap of anything answered as a hit [share of the size]."""
    has_published: bool = False
    published_missed: int = 0
    published_false: int = 0
    has_literal: bool = False
    literal_missed: int = 0
    literal_false: int = 0

    def add(self, judged: JudgedFans, mine: Bools) -> None:
        """Count the cases that `mine` selects."""
        if not mine.any():
            return
        hit, apart, deep = judged.hit[mine], judged.apart[mine], judged.deep[mine]
        low, high = judged.bounds.low[mine], judged.bounds.high[mine]
        self.cases += len(hit)
        self.hits += int(hit.sum())
        self.grazing += int(judged.grazing[mine].sum())
        self.undecided += int(judged.undecided[mine].sum())
        self.missed += int((~hit & deep).sum())
        self.false_hits += int((hit & apart).sum())
        self.deepest_miss = max(self.deepest_miss, float(np.max(np.where(hit, 0.0, -high))))
        self.widest_gap = max(self.widest_gap, float(np.max(np.where(hit, low, 0.0))))
        if judged.published is not None:
            self.has_published = True
            self.published_missed += int((~judged.published[mine] & deep).sum())
            self.published_false += int((judged.published[mine] & apart).sum())
        if judged.literal is not None:
            self.has_literal = True
            self.literal_missed += int((~judged.literal[mine] & deep).sum())
            self.literal_false += int((judged.literal[mine] & apart).sum())


def tally_fans(chunks: Iterable[JudgedFans]) -> list[FanTally]:
    """Return a row for all, one for each kind of fan, and one for each feature that things are placed against."""
    return tally(FanTally, (entry for judged in chunks for entry in _entries(judged)))


def _entries(judged: JudgedFans) -> Iterator[tuple[str, JudgedFans, Bools]]:
    cases = judged.cases
    fan_kind = np.repeat(cases.fan_kinds, EACH)
    yield "all", judged, np.ones(len(fan_kind), bool)
    for k, name in enumerate(FANS):
        yield f"fan: {name}", judged, fan_kind == k
    for k, name in enumerate(cases.kinds):
        yield f"at: {name}", judged, cases.kind == k
