"""Robots: where joints put their bodies, whether these are free, and how far joints can move."""
