"""Robots: links and joints, URDF files, and sweeps of joints."""

from . import saved as saved  # files of scenes learn how robots are saved
