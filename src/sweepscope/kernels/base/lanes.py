"""Test of LANES boxes at once, with the vector instructions of the CPU.

LLVM unrolls a loop of eight tests before it looks for vectors, so the tests would be made one by one: 20 ns instead of 3.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

LANES = 8
_DOUBLES = ir.VectorType(ir.DoubleType(), LANES)
_WHOLE = ir.IntType(64)


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
    every = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    met = ir.Constant(ir.VectorType(ir.IntType(1), LANES), [1] * LANES)
    for c in range(6):
        place = builder.add(first, builder.mul(stride, ir.Constant(_WHOLE, c)))
        sides = builder.load(builder.bitcast(builder.gep(data, [place]), _DOUBLES.as_pointer()))
        sides.align = 8
        # A low side is compared with a high one, and a high side with a low one.
        other = builder.extract_value(box, (c + 3) % 6)
        one = builder.insert_element(ir.Constant(_DOUBLES, ir.Undefined), other, ir.Constant(ir.IntType(32), 0))
        others = builder.shuffle_vector(one, ir.Constant(_DOUBLES, ir.Undefined), every)
        met = builder.and_(met, builder.fcmp_ordered("<=" if c < 3 else ">=", sides, others))
    return builder.zext(builder.bitcast(met, ir.IntType(LANES)), _WHOLE)


meeting_lanes: Any = intrinsic(_meeting_lanes)
