"""Tests of LANES boxes at once, with the vector instructions of the CPU: against a box, a ray or a point.

LLVM unrolls a loop of eight tests before it looks for vectors, so the tests would be made one by one: 20 ns instead of 3.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

LANES = 8
ENTRY_ROUNDING = 1.0 + 2.0**-50
"""Factor on where a ray leaves a box: more than the rounding of a difference, an inverse and a product (Ize 2013)."""

_DOUBLES = ir.VectorType(ir.DoubleType(), LANES)
_WHOLE = ir.IntType(64)


def _load(builder, data, place):
    """Return LANES numbers of an array."""
    numbers = builder.load(builder.bitcast(builder.gep(data, [place]), _DOUBLES.as_pointer()))
    numbers.align = 8
    return numbers


def _store(context, builder, kind, array, numbers):
    """Write LANES numbers to an array."""
    data = context.make_array(kind)(context, builder, array).data
    builder.store(numbers, builder.bitcast(data, _DOUBLES.as_pointer())).align = 8


def _repeat(builder, number):
    """Return one number LANES times."""
    every = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    one = builder.insert_element(ir.Constant(_DOUBLES, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, ir.Constant(_DOUBLES, ir.Undefined), every)


def _constant(number):
    return ir.Constant(_DOUBLES, [number] * LANES)


def _larger(builder, one, other):
    """Return the larger of two numbers in each lane; the other one if one is NaN."""
    return builder.select(builder.fcmp_ordered(">", one, other), one, other)


def _smaller(builder, one, other):
    return builder.select(builder.fcmp_ordered("<", one, other), one, other)


def _mask(builder, bits):
    return builder.zext(builder.bitcast(bits, ir.IntType(LANES)), _WHOLE)


def _meeting_lanes(typing, boxes, first, stride, box):
    """Return a mask, uint64: bit k is set if box k of LANES meets `box`, low 3, high 3.

    boxes: a contiguous array of float64. Coordinate c of box k is at first + c * stride + k. Bounds are not checked.
    """
    if boxes.layout != "C" or boxes.dtype != types.float64:
        return None
    whole, corners = types.int64, types.UniTuple(types.float64, 6)
    return types.uint64(boxes, whole, whole, corners), _emit_meeting


def _emit_meeting(context, builder, signature, arguments):
    boxes, first, stride, box = arguments
    data = context.make_array(signature.args[0])(context, builder, boxes).data
    met = ir.Constant(ir.VectorType(ir.IntType(1), LANES), [1] * LANES)
    for c in range(6):
        place = builder.add(first, builder.mul(stride, ir.Constant(_WHOLE, c)))
        sides = _load(builder, data, place)
        # A low side is compared with a high one, and a high side with a low one.
        others = _repeat(builder, builder.extract_value(box, (c + 3) % 6))
        met = builder.and_(met, builder.fcmp_ordered("<=" if c < 3 else ">=", sides, others))
    return _mask(builder, met)


def _entry_lanes(typing, boxes, first, rows, ray, longest, entries):
    """Write where a ray enters each of LANES boxes to `entries`; return a mask, uint64: bit k is set if it meets box k.

    boxes: a contiguous array of float64. rows: where the boxes' sides at which the ray enters are, from `first` on, along x, y
    and z, and then those at which it leaves. ray: its origin 3 for sides at which it enters, its origin 3 for the others,
    and the inverse 3 of its direction. Nearer than 0, and farther than `longest`, it meets nothing. Bounds are not checked.

    A ray along a side divides 0 by 0: that side then does not count.
    """
    if boxes.layout != "C" or boxes.dtype != types.float64:
        return None
    real, whole = types.float64, types.int64
    arguments = boxes, whole, types.UniTuple(whole, 6), types.UniTuple(real, 9), real, entries
    return types.uint64(*arguments), _emit_entry


def _emit_entry(context, builder, signature, arguments):
    boxes, first, rows, ray, longest, entries = arguments
    data = context.make_array(signature.args[0])(context, builder, boxes).data
    enter, leave = _constant(0.0), _repeat(builder, longest)
    for c in range(3):
        inverse = _repeat(builder, builder.extract_value(ray, 6 + c))
        for side in (0, 3):
            sides = _load(builder, data, builder.add(first, builder.extract_value(rows, side + c)))
            origin = _repeat(builder, builder.extract_value(ray, side + c))
            along = builder.fmul(builder.fsub(sides, origin), inverse)
            if side == 0:
                enter = _larger(builder, along, enter)
            else:
                leave = _smaller(builder, builder.fmul(along, _constant(ENTRY_ROUNDING)), leave)
    _store(context, builder, signature.args[5], entries, enter)
    return _mask(builder, builder.fcmp_ordered("<=", enter, leave))


def _distance_lanes(typing, boxes, first, stride, point, limit, squares):
    """Write the squared distance of a point to each of LANES boxes to `squares`, as computed, with rounding.

    Return a mask, uint64: bit k is set if box k is at most the root of `limit` away. boxes, first, stride: as `meeting_lanes`.
    """
    if boxes.layout != "C" or boxes.dtype != types.float64:
        return None
    real, whole = types.float64, types.int64
    arguments = boxes, whole, whole, types.UniTuple(real, 3), real, squares
    return types.uint64(*arguments), _emit_distance


def _emit_distance(context, builder, signature, arguments):
    boxes, first, stride, point, limit, squares = arguments
    data = context.make_array(signature.args[0])(context, builder, boxes).data
    total = _constant(0.0)
    for c in range(3):
        at = _repeat(builder, builder.extract_value(point, c))
        low, high = (
            _load(builder, data, builder.add(first, builder.mul(stride, ir.Constant(_WHOLE, row)))) for row in (c, c + 3)
        )
        gap = _larger(builder, builder.fsub(low, at), builder.fsub(at, high))
        gap = _larger(builder, gap, _constant(0.0))
        total = builder.fadd(total, builder.fmul(gap, gap))
    _store(context, builder, signature.args[5], squares, total)
    return _mask(builder, builder.fcmp_ordered("<=", total, _repeat(builder, limit)))


meeting_lanes: Any = intrinsic(_meeting_lanes)
entry_lanes: Any = intrinsic(_entry_lanes)
distance_lanes: Any = intrinsic(_distance_lanes)
