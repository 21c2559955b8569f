"""The experiments of the papers behind sweepscope, run again."""
