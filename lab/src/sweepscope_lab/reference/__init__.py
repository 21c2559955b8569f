"""Slow, obvious, exact twins of the kernels. They share no code with them."""
