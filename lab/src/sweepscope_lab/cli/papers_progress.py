"""How far a run of the papers is: bars on a terminal, lines in a file or a pipe."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ..book.result import Watch


class Bars(Watch):
    """A bar for the parts and one for the steps of the part that runs. Use it in a `with` block."""

    def __init__(self, console: Console, parts: int) -> None:
        self._console = console
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._parts = self._progress.add_task("all parts", total=parts)
        self._steps = self._progress.add_task("", total=1, visible=False)
        self._title = ""
        self._told = 0

    def __enter__(self) -> Bars:
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._progress.stop()

    def start(self, title: str) -> None:
        """A part begins."""
        self._title = title
        self._progress.reset(self._steps, total=1, visible=True, description=title)

    def finish(self, line: str = "") -> None:
        """The part is done; the line, if any, is printed."""
        self._progress.update(self._steps, visible=False)
        self._progress.advance(self._parts)
        if line:
            self._console.print(line, markup=False)

    def begin(self, steps: int) -> None:
        """So many steps follow."""
        self._told = 0
        self._progress.update(self._steps, total=steps, completed=0)

    def say(self, line: str) -> None:
        """Show which step begins; all before it are done."""
        if not self._console.is_terminal:
            self._console.print(line, markup=False)
        self._progress.update(self._steps, completed=self._told, description=f"{self._title}: {line.removesuffix(' ...')}")
        self._told += 1

    def advance(self, steps: int) -> None:
        """So many steps are done."""
        self._progress.advance(self._steps, steps)
