"""Answers many questions at once on a graphics card, with CUDA."""
