"""Pictures of scopes as PNG files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidQuery
from ..figures import figure, need_matplotlib


def check_png(path: Path | None) -> None:
    """Refuse a picture that could not be written, before any work is done."""
    if path is None:
        return
    if path.suffix.lower() != ".png":
        raise InvalidQuery(f"--png is {path}; a name that ends in .png is accepted")
    if not path.parent.is_dir():
        raise InvalidQuery(f"--png: there is no folder {path.parent}")
    need_matplotlib()


def save_scopes(path: Path, scopes: dict[str, NDArray[np.float64]], title: str) -> None:
    """Write pictures of depths [length] side by side; what is NaN stays white."""
    drawn, axes = figure(1, len(scopes), (4.6 * len(scopes), 4.4))
    for axis, (name, image) in zip(axes[0], scopes.items(), strict=True):
        shown = axis.imshow(image, cmap="viridis_r", interpolation="nearest")
        axis.set_title(name)
        axis.set_xticks([])
        axis.set_yticks([])
        drawn.colorbar(shown, ax=axis, shrink=0.8)
    drawn.suptitle(title)
    drawn.savefig(path, dpi=110)
