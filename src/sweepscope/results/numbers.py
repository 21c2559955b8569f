"""Numbers of results, for data and for texts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def plain(numbers: NDArray[np.float64]) -> list[float] | None:
    """Return an array as a list; None if it is not available."""
    return None if np.isnan(numbers).any() else numbers.tolist()


def shown(vector: NDArray[np.float64]) -> str:
    """Return three numbers as a text, four digits each; values below 1e-9 of the largest are 0."""
    least = 1e-9 * float(np.abs(vector).max())
    return " ".join("0" if abs(x) <= least else f"{x:.4g}" for x in vector.tolist())
