"""`sweepscope warm`."""

from __future__ import annotations

import json
import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ..warm import QUESTIONS, warm
from .exits import FREE


def run_warm(kinds: list[str], as_json: bool) -> int:
    """Compile the kernels of some kinds of question, or of all; print the time it took and their folder."""
    from ..kernels._jit import FOLDER

    asked = list(dict.fromkeys(kinds or QUESTIONS))
    seconds = compile_kinds(asked)
    ready = "1 kind of question is" if len(asked) == 1 else f"{len(asked)} kinds of question are"
    summary = {"kinds": asked, "seconds": seconds, "folder": str(FOLDER.path)}
    text = f"{ready} ready ({seconds:.0f} s); kernels are kept in {FOLDER.path}"
    print(json.dumps(summary) if as_json else text)  # noqa: T201
    return FREE


def compile_kinds(kinds: list[str]) -> float:
    """Compile the kernels of different kinds of question, with progress on the error stream; return the seconds."""
    left = list(kinds)
    began = time.perf_counter()
    columns = (
        TextColumn("compiling"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(", ".join(left), total=len(left))

        def show_progress(kind: str) -> None:
            left.remove(kind)
            progress.update(task, advance=1, description=", ".join(left))

        warm(list(left), on_ready=show_progress)
    return time.perf_counter() - began
