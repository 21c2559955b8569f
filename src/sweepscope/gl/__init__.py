"""Depth pictures that the graphics card draws, with OpenGL through moderngl."""
