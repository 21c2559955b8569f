"""Write a file whole, or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import IO

from .. import checks
from ..errors import InaccessibleFile, InvalidGeometry, MissingFile, SweepscopeError


@contextmanager
def new_file(path: str | PathLike[str], ending: str) -> Iterator[IO[bytes]]:
    """Open a file that gets its name when all is written: after an error an old file is as it was."""
    file = checks.file_path(path)
    if file.suffix.lower() != ending:
        raise InvalidGeometry(f"{file}: accepted ending is {ending}")
    try:
        if not file.parent.is_dir():
            raise MissingFile(f"{path}: cannot be written: there is no folder {file.parent}")
        file = Path(os.path.realpath(file))  # a link stays one
        if file.exists() and not file.is_file():
            raise InaccessibleFile(f"{path}: cannot be written: there is something of this name that is not a file")
    except SweepscopeError:
        raise
    except (OSError, ValueError) as error:
        raise InaccessibleFile(f"{path}: cannot be written: {error}") from None
    # A new file beside it gets its name at the end. The name of the new one is short: the other may be as long as names can be.
    part = file.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(file)
    except BaseException as error:
        with suppress(OSError, ValueError):
            part.unlink()
        if not isinstance(error, (OSError, ValueError)) or isinstance(error, SweepscopeError):
            raise
        reason = error.strerror if isinstance(error, OSError) else str(error)  # no space, or not a file name
        raise InaccessibleFile(f"{file}: cannot be written: {reason}") from None
