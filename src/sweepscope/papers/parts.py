"""Parts of a long run, each kept in a file as soon as it is there: a run that was broken off goes on where it was."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidQuery

_SETTINGS = "settings.json"


class Parts:
    """Numbered parts in a folder, all of one run. A folder with parts of other settings is refused."""

    def __init__(self, folder: Path, settings: dict[str, Any]) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / _SETTINGS
        given = json.loads(json.dumps(settings))
        try:
            kept = json.loads(path.read_text())
        except (OSError, ValueError):
            kept = None
        if kept is None:
            _replace(path, json.dumps(given, indent=1).encode())
        elif kept != given:
            names = sorted({*kept, *given}) if isinstance(kept, dict) else []
            off = [f"{name} {kept.get(name)!r}, now {given.get(name)!r}" for name in names if kept.get(name) != given.get(name)]
            raise InvalidQuery(
                f"out: {str(folder)!r} holds parts of a run with other settings ({'; '.join(off)}): "
                "remove that folder, or give another one"
            )

    def read(self, number: int) -> dict[str, NDArray[Any]] | None:
        """Return the arrays of a part, or None if it is not there or cannot be read."""
        try:
            with np.load(self._path(number)) as file:
                return {name: file[name] for name in file.files}
        except (OSError, ValueError, EOFError, zipfile.BadZipFile):
            return None

    def write(self, number: int, arrays: dict[str, NDArray[Any]]) -> None:
        """Keep the arrays of a part: all of it or nothing."""
        path = self._path(number)
        waiting = path.with_suffix(".part")
        with waiting.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **arrays)
        waiting.replace(path)

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:05d}.npz"


def digest(*modules: ModuleType) -> str:
    """Return a short text that changes when the source of one of the modules does."""
    found = hashlib.sha256()
    for module in modules:
        found.update(Path(str(module.__file__)).read_bytes())
    return found.hexdigest()[:12]


def _replace(path: Path, content: bytes) -> None:
    """Write a file, all of it or nothing."""
    waiting = path.with_suffix(".part")
    waiting.write_bytes(content)
    waiting.replace(path)
