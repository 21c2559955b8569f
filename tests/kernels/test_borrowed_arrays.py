"""Steps count references to arrays only if they create or return some; nothing leaks, nothing is freed too early."""

import sys

import numpy as np
import pytest
from numba.core.runtime import _nrt_python as runtime
from numba.core.runtime import rtsys

from sweepscope.kernels import _cache, _jit


@_jit.inline
def put(near, image, k, value):
    if near[k] <= value < image[k]:
        image[k] = value
        return 1
    return 0


@_jit.step
def put_all(near, image, values):
    written = 0
    for k in range(len(values)):
        if values[k] < 0.0:
            return written
        written += put(near, image[1:], k, values[k])
    return written


@_jit.step
def grown(values):
    more = np.zeros(len(values) + 1)
    for k in range(len(values)):
        more[k] = values[k]
    return more


@_jit.step
def longer(first, second):
    return first if len(first) > len(second) else second


@_jit.step
def total(values):
    both = longer(grown(values), values)
    once = (both, values)
    return put_all(np.zeros(4), once[0], once[1]) + (both + 1.0).sum()


def drawn(near, image, values):
    written = 0
    for k in range(len(values)):
        written += put_all(near, image, values[k:])
    return written


def summed(values):
    return total(values)


def enlarged(values):
    return longer(grown(values), values)


@pytest.fixture
def compiled(tmp_path, monkeypatch):
    """The decorator of kernels, with an empty cache."""
    monkeypatch.setenv("SWEEPSCOPE_CACHE", str(tmp_path))
    return _jit.kernels_in(_cache.Folder("0123456789abcdef"))


def test_steps_that_borrow_their_arrays_count_no_references(compiled):
    near, image, values = np.array((0.0, 0.5, 0.0)), np.ones(4), np.array((0.5, 2.0, 0.25))
    kernel = compiled(drawn)
    assert kernel(near, image, values) == 3
    assert image.tolist() == [1.0, 0.25, 1.0, 0.25]
    (code,) = kernel.inspect_llvm().values()
    assert "@NRT_decref(" in code  # the arguments of the kernel are counted when Python calls it
    assert "call void @NRT_incref(" not in code


def test_arrays_of_steps_are_freed_once(compiled):
    values = np.array((0.5, 2.0, 0.25))
    references = sys.getrefcount(values)
    add, enlarge = compiled(summed), compiled(enlarged)
    assert add(values) == 6.25
    assert enlarge(values).tolist() == [0.5, 2.0, 0.25, 0.0]
    runtime.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    for _ in range(100):
        add(values)
        enlarge(values)
    after = rtsys.get_allocation_stats()
    assert after.mi_alloc - before.mi_alloc >= 200
    assert after.mi_alloc - before.mi_alloc == after.mi_free - before.mi_free
    assert sys.getrefcount(values) == references
