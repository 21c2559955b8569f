"""Numba only: pure functions of numbers and arrays. Nothing here knows of Python objects."""
