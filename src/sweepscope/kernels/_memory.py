"""Memory of kernels without allocation: small arrays on the stack, and arrays inside the scratch of a worker.

Neither owns its memory, so neither may outlive the call: they are not returned from it.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import from_dtype

OWNERLESS: set[Any] = set()
"""All functions made here: what they return has no owner, so nobody counts references to it."""


def _describe(context: Any, builder: Any, kind: Any, data: Any, shape: list[Any]) -> Any:
    """Return an array of some memory that it does not own."""
    item = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides = [context.get_constant(types.intp, item)]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    array = make_array(kind)(context, builder)
    populate_array(
        array,
        data=builder.bitcast(data, array.data.type),
        shape=shape,
        strides=strides,
        itemsize=context.get_constant(types.intp, item),
        meminfo=None,
    )
    return array._getvalue()  # noqa: SLF001  (as Numba's own functions do)


def local(dtype: Any, *shape: int) -> Any:
    """Return a function for kernels that returns an array of fixed shape on the stack, not initialized."""
    kind = types.Array(from_dtype(np.dtype(dtype)), len(shape), "C")

    @intrinsic
    def make(typing_context: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            item = context.get_data_type(kind.dtype)
            data = cgutils.alloca_once(builder, item, int(np.prod(shape)))
            return _describe(context, builder, kind, data, [context.get_constant(types.intp, n) for n in shape])

        return kind(), generate

    OWNERLESS.add(make)
    return make


def part(dtype: Any, dimensions: int) -> Any:
    """Return a function for kernels that returns a part of a scratch, reinterpreted.

    That takes the scratch (float64), which of its numbers is the first, and the length of each dimension.
    """
    kind = types.Array(from_dtype(np.dtype(dtype)), dimensions, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        scratch = make_array(signature.args[0])(context, builder, arguments[0])
        data = builder.gep(scratch.data, [arguments[1]])
        return _describe(context, builder, kind, data, list(arguments[2:]))

    if dimensions == 1:

        @intrinsic
        def view(typing_context: Any, scratch: Any, first: Any, length: Any) -> Any:
            return kind(scratch, types.intp, types.intp), generate

        OWNERLESS.add(view)
        return view

    @intrinsic
    def view_2(typing_context: Any, scratch: Any, first: Any, rows: Any, columns: Any) -> Any:
        return kind(scratch, types.intp, types.intp, types.intp), generate

    OWNERLESS.add(view_2)
    return view_2


def table_of(arrays: Iterable[Any]) -> Any:
    """Return addresses and lengths of contiguous arrays, shape (n, 2). It does not keep them alive.

    Numba takes one such array in a tenth of the time that it needs for many.
    """
    return np.array([(array.__array_interface__["data"][0], len(array)) for array in arrays], np.int64)


def entry(dtype: Any, columns: int = 0) -> Any:
    """Return a function for kernels that returns array `row` of a table: rows of some columns; 0: it has one dimension."""
    kind = types.Array(from_dtype(np.dtype(dtype)), 2 if columns else 1, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        table = make_array(signature.args[0])(context, builder, arguments[0])
        first = builder.gep(table.data, [builder.mul(arguments[1], context.get_constant(types.intp, 2))])
        address, length = builder.load(first), builder.load(builder.gep(first, [context.get_constant(types.intp, 1)]))
        data = builder.inttoptr(address, context.get_data_type(kind.dtype).as_pointer())
        shape = [length, context.get_constant(types.intp, columns)] if columns else [length]
        return _describe(context, builder, kind, data, shape)

    @intrinsic
    def read(typing_context: Any, table: Any, row: Any) -> Any:
        return kind(table, types.intp), generate

    OWNERLESS.add(read)
    return read


REALS = part(np.float64, 2)
"""Rows of float64: REALS(scratch, first, rows, columns)."""
INTS = part(np.int64, 2)
INDICES = part(np.int64, 1)
STATES = part(np.int32, 1)
