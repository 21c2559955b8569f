"""Which of four faces may be near a point? All four are tested at once, with the vector instructions of the CPU.

A face is near if one of its edges is, or if the point lies over its inside and its plane is near. Where rounding decides, a
face counts as near. Of a needle, the plane and the inside have few digits: it is near if an edge is, up to its height.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..tolerances import HEIGHT_ROUNDING, NEEDLE_SQ, PLANE_FARTHER, PLANE_ROUNDING
from .blocks import LEAF

_DOUBLES = ir.VectorType(ir.DoubleType(), LEAF)
_WHOLE = ir.IntType(64)
_EVERY = ir.Constant(ir.VectorType(ir.IntType(32), LEAF), [0] * LEAF)


class _Lanes:
    """A number in each lane, while code is written."""

    __slots__ = ("builder", "value")

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder, self.value = builder, value

    def of(self, number: Any) -> "_Lanes":
        """Return one number, a Python float or a scalar, in all lanes."""
        if isinstance(number, float):
            return _Lanes(self.builder, ir.Constant(_DOUBLES, [number] * LEAF))
        one = self.builder.insert_element(ir.Constant(_DOUBLES, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
        return _Lanes(self.builder, self.builder.shuffle_vector(one, ir.Constant(_DOUBLES, ir.Undefined), _EVERY))

    def __add__(self, other: "_Lanes") -> "_Lanes":
        return _Lanes(self.builder, self.builder.fadd(self.value, other.value))

    def __sub__(self, other: "_Lanes") -> "_Lanes":
        return _Lanes(self.builder, self.builder.fsub(self.value, other.value))

    def __mul__(self, other: "_Lanes") -> "_Lanes":
        return _Lanes(self.builder, self.builder.fmul(self.value, other.value))

    def __truediv__(self, other: "_Lanes") -> "_Lanes":
        return _Lanes(self.builder, self.builder.fdiv(self.value, other.value))

    def __le__(self, other: "_Lanes") -> Any:
        return self.builder.fcmp_ordered("<=", self.value, other.value)

    def smaller(self, other: "_Lanes") -> "_Lanes":
        """Return the smaller number in each lane; the other one if one is NaN."""
        return _Lanes(self.builder, self.builder.select(self <= other, self.value, other.value))

    def larger(self, other: "_Lanes") -> "_Lanes":
        return _Lanes(self.builder, self.builder.select(other <= self, self.value, other.value))


_Triple = tuple[_Lanes, _Lanes, _Lanes]


def _minus(a: _Triple, b: _Triple) -> _Triple:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _dot(a: _Triple, b: _Triple) -> _Lanes:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: _Triple, b: _Triple) -> _Triple:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _edge(a: _Triple, d: _Triple, dd: _Lanes) -> _Lanes:
    """Return the squared distance of the origin from segments a .. a + d. dd: squared lengths, at which 0 / 0 counts as 0."""
    t = (a[0].of(0.0) - _dot(a, d)) / dd
    t = t.larger(t.of(0.0)).smaller(t.of(1.0))
    q = a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]
    return _dot(q, q)


def _near_faces(typing, vertices, listed, corners, v0, first, row, last, point, limit):
    """Return a mask, uint64: bit k is set if face row + k of LEAF is at most the root of `limit` from a point, or nearly so.

    vertices, listed (block vertices), corners: as in Geometry. v0: the shape's first vertex. first: where the vertices of the
    faces' block begin. last: the shape's last face, which is repeated behind it. Bounds are not checked.
    """
    for array, dtype in ((vertices, types.float64), (listed, types.int32), (corners, types.uint8)):
        if array.layout != "C" or array.dtype != dtype:
            return None
    real, whole = types.float64, types.int64
    arguments = vertices, listed, corners, whole, whole, whole, whole, types.UniTuple(real, 3), real
    return types.uint64(*arguments), _emit_near_faces


def _load_corners(context: Any, builder: Any, signature: Any, arguments: Any) -> list[_Triple]:
    """Return corners a, b, c of all faces."""
    vertices, listed, corners = (context.make_array(signature.args[k])(context, builder, arguments[k]).data for k in range(3))
    v0, first, row, last = arguments[3:7]
    three = ir.Constant(_WHOLE, 3)
    loaded = [[ir.Constant(_DOUBLES, ir.Undefined)] * 3 for _ in range(3)]
    for lane in range(LEAF):
        place = builder.add(row, ir.Constant(_WHOLE, lane))
        place = builder.select(builder.icmp_signed("<", place, last), place, last)
        place = builder.mul(place, three)
        for k in range(3):
            corner = builder.load(builder.gep(corners, [builder.add(place, ir.Constant(_WHOLE, k))]))
            vertex = builder.load(builder.gep(listed, [builder.add(first, builder.zext(corner, _WHOLE))]))
            begin = builder.mul(builder.add(v0, builder.sext(vertex, _WHOLE)), three)
            for r in range(3):
                number = builder.load(builder.gep(vertices, [builder.add(begin, ir.Constant(_WHOLE, r))]))
                loaded[k][r] = builder.insert_element(loaded[k][r], number, ir.Constant(ir.IntType(32), lane))
    return [(_Lanes(builder, x), _Lanes(builder, y), _Lanes(builder, z)) for x, y, z in loaded]


def _emit_near_faces(context, builder, signature, arguments):
    a, b, c = _load_corners(context, builder, signature, arguments)
    x, y, z = (a[0].of(builder.extract_value(arguments[7], r)) for r in range(3))
    p = x, y, z
    most = a[0].of(arguments[8])
    a, b, c = _minus(a, p), _minus(b, p), _minus(c, p)
    d, e, f = _minus(b, a), _minus(c, a), _minus(c, b)
    dd, ee = _dot(d, d), _dot(e, e)
    edges = _edge(a, d, dd).smaller(_edge(a, e, ee)).smaller(_edge(b, f, _dot(f, f)))
    n = _cross(d, e)
    s, t, n_sq = _dot(_cross(e, a), n), _dot(_cross(a, d), n), _dot(n, n)
    high = _dot(a, n)
    bound = most * n_sq * most.of(PLANE_FARTHER) + _dot(a, a) * dd * ee * most.of(PLANE_ROUNDING)
    over = builder.and_(most.of(0.0) <= s, most.of(0.0) <= t)
    over = builder.and_(over, s + t <= n_sq)
    height_sq = (n_sq + dd * ee * most.of(HEIGHT_ROUNDING)) / dd.larger(ee)
    needle = n_sq <= dd * ee * most.of(NEEDLE_SQ)
    # (x + y)**2 <= 2 x**2 + 2 y**2
    around = edges <= most + most + most.of(4.0) * height_sq
    near = builder.or_(builder.and_(over, high * high <= bound), builder.and_(needle, around))
    near = builder.or_(near, edges <= most)
    return builder.zext(builder.bitcast(near, ir.IntType(LEAF)), _WHOLE)


near_faces: Any = intrinsic(_near_faces)
