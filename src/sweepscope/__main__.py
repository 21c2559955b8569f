"""`python -m sweepscope` is the command line."""

from .cli.main import run

run()
