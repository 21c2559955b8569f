"""Kernels that only the laboratory uses."""
