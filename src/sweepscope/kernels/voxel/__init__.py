"""Volumes of voxels: index, overlap, surface, sweeps on the grid."""
