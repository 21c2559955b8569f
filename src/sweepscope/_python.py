"""Checks the version of Python. pip does so too, but not for a checkout on PYTHONPATH."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (that is what is checked)
    raise ImportError(f"sweepscope needs Python 3.11 or newer; this is {sys.version_info[0]}.{sys.version_info[1]}")
