"""Readers of mesh, volume and XML files."""
