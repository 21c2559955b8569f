"""Robots: links and joints, URDF files, and sweeps of joints."""
