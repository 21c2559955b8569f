"""One spoiled file: make it, load it under guard, judge what happened. Runs in a process of its own (`fuzz`).

A line "KIND SEED FOLDER" on standard input is a case; a line of JSON on standard output is its outcome.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from sweepscope import Mesh, Robot, Scene, Sphere, SweepscopeError, Volume
from sweepscope.formats.meshes import read_mesh
from sweepscope.shapes import Box, Capsule

from .files import TWINS, difference
from .mutations import spoiled

LONGEST = 800
"""Most characters of a message."""
_FORBIDDEN = ("pickle.find_class", "socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system", "os.exec", "exec")
_COMPARED = 200_000  # bytes: the slow reader would need too long for larger files

Maker = Callable[[np.random.Generator, Path], Path]
Loader = Callable[[Path], Any]


def _volume(rng: np.random.Generator, folder: Path, ending: str) -> Path:
    alpha = rng.random(rng.integers(1, 9, 3)).astype((np.float32, np.uint8, np.bool_)[int(rng.integers(3))])
    path = folder / f"random{ending}"
    if ending == ".npy":
        np.save(path, alpha)
    else:
        Volume(alpha, 0.1, threshold=0.0).save(path)
    return path


def _scene(rng: np.random.Generator, folder: Path) -> Path:
    scene = Scene()
    shapes = (
        Sphere(0.5),
        Box((1, 2, 3)),
        Capsule.from_segment((0, 0, 0), (0, 0, 1), radius=0.1),
        Mesh.cylinder(1.0, 1.0, sections=5),
        Volume(np.ones((3, 3, 3)), 0.1),
    )
    for k, shape in enumerate(shapes):
        scene.add(shape, rng.normal(size=3), name=f"body {k}", group=("", "walls")[k % 2])
    path = folder / "random.npz"
    scene.save(path)
    return path


def _urdf(rng: np.random.Generator, folder: Path) -> Path:
    part = TWINS["stl"].random_file(rng, folder)
    (folder / "part.stl").write_bytes(part.read_bytes())
    path = folder / "random.urdf"
    path.write_text(
        """<?xml version="1.0"?>
<robot name="arm">
  <link name="base"><collision><origin xyz="0 0 1" rpy="0 0 0.5"/><geometry><box size="1 2 3"/></geometry></collision></link>
  <link name="upper"><collision><geometry><mesh filename="part.stl" scale="1 1 2"/></geometry></collision></link>
  <link name="lower"><collision><geometry><cylinder radius="0.1" length="2"/></geometry></collision>
    <collision><geometry><sphere radius="0.3"/></geometry></collision></link>
  <joint name="a" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1"/></joint>
  <joint name="b" type="prismatic"><parent link="upper"/><child link="lower"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="2"/><mimic joint="a" multiplier="0.5"/></joint>
</robot>
"""
    )
    return path


MAKERS: dict[str, Maker] = {
    **{kind: twin.random_file for kind, twin in TWINS.items()},
    "npy": lambda rng, folder: _volume(rng, folder, ".npy"),
    "npz": lambda rng, folder: _volume(rng, folder, ".npz"),
    "scene": _scene,
    "urdf": _urdf,
}
_LOADERS: dict[str, Loader] = {
    **dict.fromkeys(TWINS, Mesh.load),
    "npy": lambda path: Volume.load(path, spacing=0.1),
    "npz": Volume.load,
    "scene": lambda path: Scene.load(path),
    "urdf": Robot.load,
}

_guarded: Path | None = None
_seen: list[str] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    """Note what a loader must not do: open files elsewhere, connect, unpickle, start programs."""
    if _guarded is None:
        return
    if event == "open":
        name = os.fsdecode(arguments[0]) if isinstance(arguments[0], (str, bytes)) else ""
        if name and not Path(name).resolve().is_relative_to(_guarded) and not _is_own():
            _seen.append(f"opened {name!r}")
    elif event.startswith(_FORBIDDEN) and not _is_own():
        _seen.append(event)


def _is_own() -> bool:
    """Return whether a module or a compiled kernel of the library is being loaded, for the first time in this process."""
    frame = sys._getframe(2)  # noqa: SLF001  (the only way to ask)
    while frame is not None:
        if frame.f_code.co_filename.endswith(("kernels/_cache.py", "kernels/_jit.py", "importlib._bootstrap>", "linecache.py")):
            return True
        frame = frame.f_back
    return False


@contextmanager
def _guard(folder: Path) -> Iterator[None]:
    global _guarded  # an audit hook cannot be removed, only told to look away
    _seen.clear()
    _guarded = folder
    try:
        yield
    finally:
        _guarded = None


def run_case(kind: str, seed: int, folder: Path) -> dict[str, Any]:
    """Make, load and judge one file. Return the outcome: "fault" is empty if all is well."""
    rng = np.random.default_rng((seed, list(MAKERS).index(kind)))
    path = MAKERS[kind](rng, folder)
    path.write_bytes(spoiled(rng, path.read_bytes()))
    fault, loaded = "", None
    begin = time.perf_counter()
    with _guard(folder.resolve()):
        try:
            loaded = _LOADERS[kind](path)
        except SweepscopeError as error:
            text = str(error)
            if "\n" in text or len(text) > LONGEST or not text.isprintable():
                fault = f"message of {len(text)} characters: {text[:200]!r}"
        except Exception as error:  # the very thing that is looked for
            fault = f"{type(error).__name__}: {str(error)[:200]}"
    seconds = time.perf_counter() - begin
    if _seen:
        fault = _seen[0]
    if isinstance(loaded, Mesh) and not fault and path.stat().st_size < _COMPARED:
        fault = _compared(kind, path)
    return {
        "fault": fault,
        "loaded": loaded is not None,
        "seconds": seconds,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


def _compared(kind: str, path: Path) -> str:
    """Return how a mesh differs from what the slow reader finds. That of .dae also reads what no scene shows, and may fail."""
    try:
        return difference(kind, path, *read_mesh(path))
    except Exception as error:
        if kind == "dae":
            return ""
        return f"the slow reader fails: {type(error).__name__}: {str(error)[:200]}"


def _answer() -> None:
    import logging

    logging.disable()
    sys.addaudithook(_hook)
    with tempfile.TemporaryDirectory() as folder:  # what is imported at the first use is imported now
        for kind in MAKERS:
            with contextlib.suppress(SweepscopeError):
                _LOADERS[kind](MAKERS[kind](np.random.default_rng(0), Path(folder)))
    for line in sys.stdin:
        kind, seed, folder = line.rstrip("\n").split(" ", 2)
        print(json.dumps(run_case(kind, int(seed), Path(folder))), flush=True)  # noqa: T201  (the answer)


if __name__ == "__main__":
    _answer()
