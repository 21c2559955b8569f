"""Exit codes. An error in the program has a code of its own, so that it is not read as a result."""

FREE, HIT, BAD_INPUT, BROKEN, INTERRUPTED = 0, 1, 2, 3, 130
