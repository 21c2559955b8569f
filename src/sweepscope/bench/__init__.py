"""Benchmarks: the same scenes as the tests, answers checked before anything is timed."""
