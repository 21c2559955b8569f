"""Commands that the laboratory adds to `sweepscope`."""
