"""The founding papers' experiments, run again."""
