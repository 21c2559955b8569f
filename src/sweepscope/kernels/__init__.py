"""Kernels: pure functions of numbers and arrays, compiled by Numba. They know no Python objects."""
