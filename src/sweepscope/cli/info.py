"""`sweepscope info`: what is in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.markup import escape

from ..io import meshes
from ..io.scene import is_scene
from ..queries.view import View
from ..scene import Scene
from ..shapes import Volume
from ..shapes.file_info import FileInfo, file_info
from .exits import FREE
from .figures import figure, save_picture
from .files import load
from .pictures import check_figure
from .tables import facts, numbers

_PARTS = 12  # parts that are listed
_PIXELS = 360
_VIEWS = (  # title, direction, axes to the right and up
    ("from the front: x to the right, z up", (0.0, 1.0, 0.0), (0, 2)),
    ("from the right: y to the right, z up", (-1.0, 0.0, 0.0), (1, 2)),
    ("from above: x to the right, y up", (0.0, 0.0, -1.0), (0, 1)),
)
_LIGHT = np.array((-0.45, 0.55, 0.7))
_COLOUR = np.array((0.42, 0.55, 0.68))


def run_info(files: list[Path], spacing: float | None, picture: Path | None, as_json: bool) -> int:
    """Load, print, draw; return the exit code."""
    check_figure(picture)
    found = [_found(path, spacing) for path in files]
    if picture is not None:
        save_views(picture, [(str(path), _scene_of(each)) for path, each in found])
    if as_json:
        print(json.dumps([_plain(path, each) for path, each in found]))  # noqa: T201
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


def _found(path: Path, spacing: float | None) -> tuple[Path, FileInfo | Volume | Scene]:
    if is_scene(path):
        return path, Scene.load(path)
    if path.suffix.lower() in meshes.ENDINGS:
        return path, file_info(path)
    shape = load(path, spacing)  # raises for other files
    assert isinstance(shape, Volume)
    return path, shape


def _rows(found: FileInfo | Volume | Scene) -> list[tuple[str, str]]:
    """Return what is printed about a file: names and values."""
    if isinstance(found, Scene):
        names = [f"{body.name} ({type(body.shape).__name__})" for body in found]
        return [
            ("scene", f"{len(found):,} bodies, {len(found.robots):,} robots"),
            ("bodies", _first(names)),
            *([("robots", _first([repr(robot) for robot in found.robots.values()]))] if found.robots else []),
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
    unit = "not said in the file" if found.unit is None else f"{found.unit:g} m"
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
    return [("parts", f"{len(found.parts):,}: {_first(texts)}")]


def _first(texts: list[str]) -> str:
    """Return the first of many texts, and how many more there are."""
    more = len(texts) - _PARTS
    return ", ".join(texts[:_PARTS]) + (f", and {more:,} more" if more > 0 else "")


def _surface(found: FileInfo) -> str:
    state = "closed" if found.closed else f"open, {found.open_edges:,} edges do not join two faces"
    return f"{state}; {found.pieces:,} {'piece' if found.pieces == 1 else 'pieces'}"


def _plain(path: Path, found: FileInfo | Volume | Scene) -> dict[str, Any]:
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


def save_views(path: Path, scenes: list[tuple[str, Scene]]) -> None:
    """Write pictures of scenes, a row each, seen from three sides; light falls from the upper left."""
    drawn, axes = figure(len(scenes), 3, (10.5, 3.7 * len(scenes)))
    for row, (name, scene) in zip(axes, scenes, strict=True):
        row[0].set_ylabel(Path(name).name)
        boxes = np.array([body.bounds for body in scene])
        low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
        middle, width = 0.5 * (low + high), 1.06 * max(float((high - low).max()), 1e-12)
        for axis, (title, direction, (right, up)) in zip(row, _VIEWS, strict=True):
            extent = [middle[k] + side * width for k in (right, up) for side in (-0.5, 0.5)]
            axis.imshow(_shaded(scene, direction, middle, width), extent=extent, interpolation="bilinear")
            axis.set_title(title, fontsize=9)
            axis.tick_params(labelsize=7)
    save_picture(drawn, path)


def _shaded(
    scene: Scene, direction: tuple[float, float, float], middle: NDArray[np.float64], width: float
) -> NDArray[np.float64]:
    """Return a picture of a square of this width, seen along a direction, as colours."""
    view = View(middle - width * np.array(direction), direction, width, width, 2.0 * width)
    found = scene.look(view, _PIXELS)
    seen = found.ids >= 0
    down, right = np.gradient(np.where(seen, found.depth, np.nan), width / _PIXELS)
    normal = np.stack((right, -down, np.ones(seen.shape)), axis=-1)
    shade = np.abs(normal @ _LIGHT) / (np.linalg.norm(normal, axis=-1) * np.linalg.norm(_LIGHT))
    image = np.ones((*seen.shape, 3))
    image[seen] = _COLOUR * (0.35 + 0.9 * np.nan_to_num(shade, nan=0.25)[seen, None])
    return np.clip(image, 0.0, 1.0)
