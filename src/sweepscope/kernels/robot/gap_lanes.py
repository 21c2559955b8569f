"""Distances of one box from LANES boxes at once, with the vector instructions of the CPU; see `base.lanes`."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..base.lanes import LANES

_DOUBLES = ir.VectorType(ir.DoubleType(), LANES)
_WHOLE = ir.IntType(64)


def _repeat(builder, number):
    """Return one number LANES times."""
    nothing = ir.Constant(_DOUBLES, ir.Undefined)
    one = builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES))


def _address(context, builder, kind, array, place):
    """Return the address of LANES numbers of an array."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [place]), _DOUBLES.as_pointer())


def _gap_lanes(typing, boxes, first, stride, box, limit, squares):
    """Write the squared distance of `box`, low 3, high 3, from each of LANES boxes to `squares`, as computed, with rounding.

    Return a mask, uint64: bit k is set if box k is at most the root of `limit` away. boxes: a contiguous array of float64.
    Coordinate c of box k is at first + c * stride + k. Bounds are not checked. Of an empty box it is infinite.
    """
    if boxes.layout != "C" or boxes.dtype != types.float64:
        return None
    real, whole = types.float64, types.int64
    return types.uint64(boxes, whole, whole, types.UniTuple(real, 6), real, squares), _emit_gaps


def _emit_gaps(context, builder, signature, arguments):
    boxes, first, stride, box, limit, squares = arguments
    zero = ir.Constant(_DOUBLES, [0.0] * LANES)
    total = zero
    for c in range(3):
        sides = []
        for row in (c, c + 3):
            place = builder.add(first, builder.mul(stride, ir.Constant(_WHOLE, row)))
            numbers = builder.load(_address(context, builder, signature.args[0], boxes, place))
            numbers.align = 8
            sides.append(numbers)
        beyond = builder.fsub(sides[0], _repeat(builder, builder.extract_value(box, 3 + c)))
        below = builder.fsub(_repeat(builder, builder.extract_value(box, c)), sides[1])
        gap = builder.select(builder.fcmp_ordered(">", beyond, below), beyond, below)
        gap = builder.select(builder.fcmp_ordered(">", gap, zero), gap, zero)
        total = builder.fadd(total, builder.fmul(gap, gap))
    place = ir.Constant(_WHOLE, 0)
    builder.store(total, _address(context, builder, signature.args[5], squares, place)).align = 8
    near = builder.fcmp_ordered("<=", total, _repeat(builder, limit))
    return builder.zext(builder.bitcast(near, ir.IntType(LANES)), _WHOLE)


gap_lanes: Any = intrinsic(_gap_lanes)
