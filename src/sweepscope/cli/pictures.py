"""Depth pictures as PNG files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidQuery
from .figures import figure, need_matplotlib, save_picture


def check_png(path: Path | None, option: str = "--picture") -> None:
    """Raise, before the work, if a picture cannot be written."""
    if path is None:
        return
    if path.suffix.lower() != ".png":
        raise InvalidQuery(f"{option} is {path}; accepted: a name that ends in .png")
    if not path.parent.is_dir():
        raise InvalidQuery(f"{option}: there is no folder {path.parent}")
    need_matplotlib()


def save_scopes(
    path: Path,
    scopes: dict[str, NDArray[np.float64]],
    title: str,
    names: dict[int, str] | None = None,
    *,
    unit: str = "length",
    across: tuple[str, str] = ("", ""),
    note: str = "",
) -> None:
    """Write depth pictures side by side; NaN stays white. names: of the body ids in the picture "who".

    unit: of the depths. across: labels of columns and rows. note: what the letters mean, below the pictures.
    """
    drawn, axes = figure(1, len(scopes), (4.6 * len(scopes), 4.4))
    for axis, (name, image) in zip(axes[0], scopes.items(), strict=True):
        axis.set_title(name)
        axis.set_xlabel(across[0])
        axis.set_ylabel(across[1])
        axis.set_xticks([])
        axis.set_yticks([])
        if np.isnan(image).all():
            axis.text(0.5, 0.5, "nothing", ha="center", va="center", transform=axis.transAxes)
        elif name == "who" and names is not None:
            _show_names(axis, image, names)
        else:
            shown = axis.imshow(image, cmap="viridis_r", interpolation="nearest")
            drawn.colorbar(shown, ax=axis, shrink=0.8, label=f"[{unit}]")
    drawn.suptitle(title)
    if note:
        drawn.supxlabel(note, fontsize=9)
    save_picture(drawn, path)


def _show_names(axis: Any, image: NDArray[np.float64], names: dict[int, str]) -> None:
    """Draw ids in colours, with a legend."""
    from matplotlib import colormaps
    from matplotlib.patches import Patch

    order = {number: k for k, number in enumerate(names)}
    colours = colormaps["tab20"]
    picture = np.ones((*image.shape, 4))
    for number, k in order.items():
        picture[image == number] = colours(k % 20)
    axis.imshow(picture, interpolation="nearest")
    patches = [Patch(color=colours(k % 20), label=Path(names[number]).name) for number, k in order.items()]
    axis.legend(handles=patches[:20], loc="upper right", fontsize=8)
