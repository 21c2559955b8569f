"""Draws the letters of pictures, once: DejaVu Sans, as shipped with matplotlib, into src/sweepscope/drawing/glyphs.npz.

    python lab/tools/make_glyphs.py

For each size: a strip of all letters side by side, 0 to 255, and where each begins. A letter is as wide as the pen moves.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from PIL import Image, ImageDraw, ImageFont

# ASCII, Latin of Europe, Greek, Cyrillic, and what captions use.
RANGES = ((0x20, 0x7F), (0xA1, 0x180), (0x386, 0x3CF), (0x401, 0x460))
FONT = Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSans.ttf"
SIGNS = "".join(chr(code) for first, last in RANGES for code in range(first, last)) + "\N{RIGHTWARDS ARROW}\N{EN DASH}"
SIZES = {"small": 13, "large": 18}
OUT = Path(__file__).parents[2] / "src/sweepscope/drawing/glyphs.npz"


def strip(size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the letters of a size side by side, shape (height, width), and where each begins, shape (letters + 1,)."""
    font = ImageFont.truetype(FONT, size)
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
