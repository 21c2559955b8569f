"""Where the meshes of a URDF file are, as options of commands say it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import InvalidQuery


def mesh_options(packages: list[str], roots: list[Path], turn_dae: bool) -> dict[str, Any]:
    """Return arguments of `Robot.load` for --package NAME=FOLDER, --root FOLDER and --turn-dae."""
    folders = dict(split_pair(text, "--package", "NAME=FOLDER") for text in packages)
    return {"packages": folders, "roots": roots, "turn_dae": turn_dae}


def split_pair(text: str, option: str, expected: str) -> tuple[str, str]:
    """Return both sides of a text such as JOINT=VALUE."""
    name, mark, value = text.partition("=")
    if not mark or not name.strip() or not value.strip():
        raise InvalidQuery(f"{option} is {text!r}; expected {expected}")
    return name.strip(), value.strip()
