"""Parts of a long run, each saved to a file when it is done: an interrupted run continues where it stopped."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sweepscope.errors import InvalidQuery

_SETTINGS = "settings.json"


class Parts:
    """Numbered parts of one run in a folder. A folder with parts of a run with other settings is refused."""

    def __init__(self, folder: Path, settings: dict[str, Any]) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / _SETTINGS
        given = json.loads(json.dumps(settings))
        try:
            saved = json.loads(path.read_text())
        except (OSError, ValueError):
            saved = None
        if saved is None:
            _replace(path, json.dumps(given, indent=1).encode())
        elif saved != given:
            names = sorted({*saved, *given}) if isinstance(saved, dict) else []
            changed = [
                f"{name} {saved.get(name)!r}, now {given.get(name)!r}" for name in names if saved.get(name) != given.get(name)
            ]
            raise InvalidQuery(
                f"out: {str(folder)!r} holds parts of a run with other settings ({'; '.join(changed)}): "
                "remove that folder, or give another one"
            )

    def read(self, number: int) -> dict[str, NDArray[Any]] | None:
        """Return the arrays of a part, or None if it does not exist or cannot be read."""
        try:
            with np.load(self._path(number)) as file:
                return {name: file[name] for name in file.files}
        except (OSError, ValueError, EOFError, zipfile.BadZipFile):
            return None

    def write(self, number: int, arrays: dict[str, NDArray[Any]]) -> None:
        """Save the arrays of a part; the file is complete or does not exist."""
        path = self._path(number)
        unfinished = path.with_suffix(".part")
        with unfinished.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)
        unfinished.replace(path)

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:05d}.npz"


def digest(*modules: ModuleType) -> str:
    """Return a short hash of the source of modules."""
    total = hashlib.sha256()
    for module in modules:
        total.update(Path(str(module.__file__)).read_bytes())
    return total.hexdigest()[:12]


def _replace(path: Path, content: bytes) -> None:
    """Write a file; it is complete or does not exist."""
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(content)
    unfinished.replace(path)
