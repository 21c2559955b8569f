"""Exit codes. A crash has its own, so it never looks like a result."""

FREE, HIT, BAD_INPUT, BROKEN = 0, 1, 2, 3
