"""Whether and when two faces meet, and whether their bodies confirm it."""
