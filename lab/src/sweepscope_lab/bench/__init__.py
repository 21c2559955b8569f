"""Benchmarks on the scenes of the tests. Answers are checked before anything is timed."""
