"""The library's compile policy, with a cache of the laboratory's own: an edit here leaves the library's as it is."""

from sweepscope.kernels._jit import folder_beside, inline, kernels_in, step

__all__ = ["FOLDER", "inline", "kernel", "step"]

FOLDER = folder_beside(__file__)

kernel = kernels_in(FOLDER)
"""Compiles a kernel of the laboratory that Python calls."""
