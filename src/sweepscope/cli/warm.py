"""`sweepscope warm`."""

from __future__ import annotations

import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ..warm import QUESTIONS, warm
from .exits import FREE


def run_warm(kinds: list[str]) -> int:
    """Compile the kernels of some kinds of question, or of all; show how far it is."""
    from ..kernels._jit import FOLDER

    left = list(dict.fromkeys(kinds or QUESTIONS))
    ready = "1 kind of question is" if len(left) == 1 else f"{len(left)} kinds of question are"
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

        def told(kind: str) -> None:
            left.remove(kind)
            progress.update(task, advance=1, description=", ".join(left))

        warm(list(left), told=told)
    seconds = time.perf_counter() - began
    print(f"{ready} ready ({seconds:.0f} s); kernels are kept in {FOLDER.path}")  # noqa: T201
    return FREE
