"""Slow readers of mesh files, written from the formats' descriptions, and makers of random valid files of every feature.

They share no code with `sweepscope.io`: bytes are taken one by one with `struct`, words with `str.split` and `float`.
"""
