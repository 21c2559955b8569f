"""`sweepscope view`, and --view of other commands: the page in the browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ..errors import InvalidGeometry, InvalidQuery, SweepscopeError
from ..formats import meshes, volumes
from ..formats.file_reader import advice
from ..robot.robot import Robot
from ..scene import Scene
from ..viewer.page import Page
from ..viewer.serving import PORT
from .exits import FREE
from .files import add_files

_ROBOT = ".urdf"
_ACCEPTED = (*meshes.ENDINGS, *volumes.ENDINGS, _ROBOT)


def run_view(
    files: list[Path],
    spacing: float | None,
    threshold: float | None,
    robot_meshes: dict[str, Any],
    sweep_all: bool,
    options: dict[str, Any],
) -> int:
    """Load files, show them until Ctrl-C; return the exit code. robot_meshes: from `mesh_options`."""
    if not files:
        raise InvalidQuery("give files of meshes, volumes, scenes or robots (.urdf)")
    for path in files:
        if path.suffix.lower() not in _ACCEPTED and path.is_file():
            raise InvalidGeometry(f"{path}: accepted endings are {', '.join(_ACCEPTED)}{advice(path)}")
    scene, visuals = Scene(), {}
    add_files(scene, [path for path in files if path.suffix.lower() != _ROBOT], spacing, threshold)
    for path in files:
        if path.suffix.lower() == _ROBOT:
            robot = Robot.load(path, scene, **robot_meshes)
            visuals[robot.name] = visual_of(path, robot.name, **robot_meshes)
    found = {name: visual for name, visual in visuals.items() if visual is not None}
    serve(scene.show(visuals=found, sweep_all=sweep_all, **options), options["port"])
    return FREE


def visual_of(path: Path, name: str, **options: Any) -> Robot | None:
    """Return a robot with its visual shapes, in a scene of its own; None, with a message, if these cannot be read."""
    try:
        robot = Robot.load(path, name=name, geometry="visual", **options)
    except SweepscopeError as error:
        print(f"sweepscope: no visual shapes: {error}", file=sys.stderr)  # noqa: T201
        return None
    return robot if robot.bodies else None


def serve(page: Page, port: int = PORT) -> None:
    """Print the address of a page on the error stream, and wait until it is closed. port: the one that was asked for."""
    taken = f" (port {port} is taken)" if page.port != port else ""
    print(f"sweepscope: {page.url}{taken}; Ctrl-C ends it", file=sys.stderr, flush=True)  # noqa: T201
    page.wait()
