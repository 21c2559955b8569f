"""`sweepscope info`: the content of files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape

from ..drawing.sides import picture_of_sides
from ..formats import meshes
from ..formats.scene import is_scene
from ..io.file_info import FileInfo, file_info
from ..scene import Scene
from ..shapes import Volume
from .exits import FREE
from .files import load
from .pictures import check_png
from .tables import facts, numbers

_PARTS = 12  # parts that are listed


def run_info(files: list[Path], spacing: float | None, picture: Path | None, as_json: bool) -> int:
    """Load, print, draw; return the exit code."""
    check_png(picture)
    found = [(path, _read(path, spacing)) for path in files]
    if picture is not None:
        picture_of_sides([(path.name, _scene_of(each)) for path, each in found], picture)
    if as_json:
        print(json.dumps([_to_dict(path, each) for path, each in found]))  # noqa: T201
        return FREE
    console = Console(highlight=False, soft_wrap=True)
    for path, each in found:
        console.print(f"[bold]{escape(str(path))}[/]")
        table = facts()
        for name, value in _rows(each):
            table.add_row(name, escape(value))
        console.print(table)
    if picture is not None:
        console.print(f"picture: {escape(str(picture))}")
    return FREE


def _read(path: Path, spacing: float | None) -> FileInfo | Volume | Scene:
    """Return the content of a file."""
    if is_scene(path):
        return Scene.load(path)
    if path.suffix.lower() in meshes.ENDINGS:
        return file_info(path)
    shape = load(path, spacing)  # raises for other files
    assert isinstance(shape, Volume)
    return shape


def _rows(found: FileInfo | Volume | Scene) -> list[tuple[str, str]]:
    """Return what is printed about a file: names and values."""
    if isinstance(found, Scene):
        names = [f"{body.name} ({type(body.shape).__name__})" for body in found]
        return [
            ("scene", f"{_count(len(found), 'body', 'bodies')}, {_count(len(found.robots), 'robot', 'robots')}"),
            ("bodies", _join_first(names)),
            *([("robots", _join_first([repr(robot) for robot in found.robots.values()]))] if found.robots else []),
        ]
    if isinstance(found, Volume):
        nx, ny, nz = found.resolution
        low, high = found.bounds
        return [
            ("volume", f"{nx} x {ny} x {nz} voxels, {found.count:,} of them solid"),
            ("voxel", numbers(found.spacing)),
            ("size", f"{numbers(high - low)}, from {numbers(low)} to {numbers(high)}"),
        ]
    low, high = found.mesh.bounds
    unit = "not given in the file" if found.unit is None else f"{found.unit:g} m"
    return [
        ("format", found.format),
        ("triangles", f"{len(found.mesh.faces):,}, {len(found.mesh.vertices):,} vertices"),
        *_part_rows(found),
        ("size", f"{numbers(found.size)}, from {numbers(low)} to {numbers(high)}"),
        ("unit", unit + ("" if found.up is None else f"; {found.up} is up")),
        ("surface", _surface(found)),
        ("without area", f"{found.flat:,} triangles"),
        ("repeated", f"{found.repeated:,} triangles"),
        ("left out", ", ".join(found.left_out) or "nothing"),
    ]


def _part_rows(found: FileInfo) -> list[tuple[str, str]]:
    if len(found.parts) == 1 and not found.parts[0].name:
        return []
    texts = [f"{each.name or 'without a name'} ({each.triangles:,} triangles)" for each in found.parts]
    return [("parts", f"{len(found.parts):,}: {_join_first(texts)}")]


def _join_first(texts: list[str]) -> str:
    """Return the first texts as one, and the number of the others."""
    more = len(texts) - _PARTS
    return ", ".join(texts[:_PARTS]) + (f", and {more:,} more" if more > 0 else "")


def _surface(found: FileInfo) -> str:
    state = "closed" if found.closed else f"open, {found.open_edges:,} edges do not join two faces"
    return f"{state}; {found.pieces:,} {'piece' if found.pieces == 1 else 'pieces'}"


def _to_dict(path: Path, found: FileInfo | Volume | Scene) -> dict[str, Any]:
    if isinstance(found, Scene):
        bodies = [{"name": body.name, "shape": type(body.shape).__name__, "group": body.group} for body in found]
        return {"file": str(path), "kind": "scene", "bodies": bodies, "robots": list(found.robots)}
    if isinstance(found, Volume):
        about = {"kind": "volume", "resolution": found.resolution, "spacing": found.spacing, "solid": found.count}
        return {"file": str(path), **about, "bounds": np.asarray(found.bounds).tolist()}
    parts = [
        {"name": each.name, "vertices": each.vertices, "triangles": each.triangles, "bounds": each.bounds.tolist()}
        for each in found.parts
    ]
    return {
        "file": str(path),
        "kind": "mesh",
        "format": found.format,
        "vertices": len(found.mesh.vertices),
        "triangles": len(found.mesh.faces),
        "parts": parts,
        "bounds": np.asarray(found.mesh.bounds).tolist(),
        "unit": found.unit,
        "up": found.up,
        "closed": found.closed,
        "pieces": found.pieces,
        "open_edges": found.open_edges,
        "flat": found.flat,
        "repeated": found.repeated,
        "left_out": list(found.left_out),
    }


def _scene_of(found: FileInfo | Volume | Scene) -> Scene:
    if isinstance(found, Scene):
        return found
    scene = Scene()
    scene.add(found.mesh if isinstance(found, FileInfo) else found)
    return scene


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
