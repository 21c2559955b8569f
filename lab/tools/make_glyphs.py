"""Draws the letters of pictures, once: DejaVu Sans, as shipped with matplotlib, into src/sweepscope/drawing/glyphs.npz.

    python lab/tools/make_glyphs.py

For each size: a strip of all letters side by side, 0 to 255, and where each begins. A letter is as wide as the pen moves.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from PIL import Image, ImageDraw, ImageFont

SIGNS = (
    "".join(map(chr, range(32, 127))) + "\N{DEGREE SIGN}\N{MULTIPLICATION SIGN}\N{MIDDLE DOT}\N{RIGHTWARDS ARROW}\N{EN DASH}"
)
SIZES = {"small": 13, "large": 18}
OUT = Path(__file__).parents[2] / "src/sweepscope/drawing/glyphs.npz"


def strip(size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the letters of a size side by side, shape (height, width), and where each begins, shape (letters + 1,)."""
    path = Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSans.ttf"
    font = ImageFont.truetype(path, size)
    ascent, descent = font.getmetrics()
    parts = []
    for sign in SIGNS:
        width = max(1, round(font.getlength(sign)))
        drawn = Image.new("L", (width, ascent + descent))
        ImageDraw.Draw(drawn).text((0, 0), sign, fill=255, font=font)
        parts.append(np.asarray(drawn))
    return np.concatenate(parts, axis=1), np.cumsum([0, *(part.shape[1] for part in parts)])


def main() -> None:
    """Write the file."""
    arrays = {}
    for name, size in SIZES.items():
        arrays[name], arrays[f"{name}_starts"] = strip(size)
    np.savez_compressed(OUT, signs=np.array([ord(sign) for sign in SIGNS]), **arrays)


if __name__ == "__main__":
    main()
