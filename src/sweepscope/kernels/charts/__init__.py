"""Frames in which a motion is simply +w: straight, and about an axis."""
