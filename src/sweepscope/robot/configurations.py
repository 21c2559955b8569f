"""Configurations of a robot: arrays of joint positions, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import checks
from ..errors import InvalidQuery

if TYPE_CHECKING:
    from .chain import Chain
    from .polynomials import Polynomials

_REAL = 1e-9  # a root with a smaller imaginary part is real


def configurations(chain: Chain, value: ArrayLike, what: str) -> NDArray[np.float64]:
    """Return checked configurations, shape (..., joints), C-contiguous. what: name of the argument.

    Positions beyond a limit by rounding only are the limit.
    """
    names = list(chain.columns)
    given = value
    if type(given) is not np.ndarray or given.dtype != np.float64:
        given = checks.array(value, what, f"an array of shape (..., {len(names)})", InvalidQuery).astype(np.float64)
    if given.ndim == 0 or given.shape[-1] != len(names):
        accepted = f"shape (..., {len(names)}), the joints {checks.listed(names)}"
        raise InvalidQuery(f"{what}: got shape {given.shape}; accepted: {accepted}")
    given = np.require(given, requirements=("C", "W"))  # kernels are compiled for such arrays
    # NaN compares false.
    if ((given >= chain.low) & (given <= chain.high)).all():
        return given
    if not np.isfinite(given).all():
        index = tuple(np.argwhere(~np.isfinite(given))[0].tolist())
        raise InvalidQuery(f"{_where(what, index, names)} is {given[index]}; it must be finite")
    beyond = (given < chain.low - chain.slack) | (given > chain.high + chain.slack)
    if beyond.any():
        index = tuple(np.argwhere(beyond)[0].tolist())
        low, high = chain.low[index[-1]], chain.high[index[-1]]
        raise InvalidQuery(f"{_where(what, index, names)} is {given[index]:.9g}; accepted: {low:.9g} to {high:.9g}")
    return np.clip(given, chain.low, chain.high)


def _where(what: str, index: tuple[int, ...], names: list[str]) -> str:
    row = "".join(f"[{k}]" for k in index[:-1])
    return f"{what}{row}: position of joint {names[index[-1]]!r}"


def check_path(chain: Chain, given: Polynomials, what: str) -> None:
    """Raise if a trajectory goes beyond the limits of a joint, also between the ends of its pieces."""
    steps = np.diff(given.breaks)
    powers = steps[:, None] ** np.arange(given.coefficients.shape[1])
    scaled = given.coefficients * powers[:, :, None]
    far = np.abs(scaled[:, 1:]).sum(axis=1)
    low, high = chain.low - chain.slack, chain.high + chain.slack
    doubtful = (scaled[:, 0] - far < low) | (scaled[:, 0] + far > high)
    for piece, joint in np.argwhere(doubtful).tolist():
        turns = np.roots(np.polyder(scaled[piece, ::-1, joint])) if scaled.shape[1] > 2 else np.empty(0)
        inner = turns.real[(np.abs(turns.imag) < _REAL) & (turns.real > 0.0) & (turns.real < 1.0)]
        shares = np.concatenate(((0.0, 1.0), inner))
        values = np.polyval(scaled[piece, ::-1, joint], shares)
        worst = int(np.argmax(np.maximum(low[joint] - values, values - high[joint])))
        if not low[joint] <= values[worst] <= high[joint]:
            time = given.breaks[piece] + shares[worst] * steps[piece]
            name = list(chain.columns)[joint]
            raise InvalidQuery(
                f"{what}: position of joint {name!r} is {values[worst]:.9g} at time {time:.6g}; "
                f"accepted: {chain.low[joint]:.9g} to {chain.high[joint]:.9g}"
            )
