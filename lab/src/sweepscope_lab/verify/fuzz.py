"""Spoil files and load them, in processes that are watched: for crashes, hangs, memory, raw exceptions and reads outside."""

from __future__ import annotations

import json
import selectors
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .fuzz_case import MAKERS

SECONDS = 5.0
"""Longest time of a case."""
MEMORY = 1 << 30
"""Largest memory of the process of a case [bytes]."""
_PATIENCE = 30.0  # seconds after which a process is ended; a case takes its own time, without that of making its file
_STARTING = 120.0  # seconds until the first case of a process is done: it loads kernels
KINDS = tuple(MAKERS)


@dataclass(frozen=True, slots=True)
class FuzzVerdict:
    """A spoiled file, and what went wrong."""

    kind: str
    seed: int
    loaded: bool
    fault: str
    """Empty if the file was loaded rightly or refused in words."""
    seconds: float


class _Worker:
    """A process that runs cases, one after the other. It is ended when it hangs or has grown."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = Path(tempfile.mkdtemp(prefix="fuzz-"))

    def run(self, kind: str, seed: int) -> tuple[dict[str, Any], Path]:
        """Return the outcome of a case, and the folder with its files."""
        fresh = self._process is None
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "sweepscope_lab.verify.fuzz_case"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        shutil.rmtree(self._folder)
        self._folder.mkdir()
        process.stdin.write(f"{kind} {seed} {self._folder}\n".encode())
        with selectors.DefaultSelector() as waiting:
            waiting.register(process.stdout, selectors.EVENT_READ)
            ready = waiting.select(_STARTING if fresh else _PATIENCE)
        line = process.stdout.readline() if ready else b""
        if not line:
            what = f"hangs: more than {_PATIENCE:g} s" if not ready else f"crashes: exit code {process.wait()}"
            self.end()
            return {"fault": what, "loaded": False, "seconds": _PATIENCE, "peak": 0}, self._folder
        outcome = json.loads(line)
        if not outcome["fault"] and outcome["seconds"] > SECONDS and not fresh:
            outcome["fault"] = f"takes {outcome['seconds']:.1f} s"
        if outcome["peak"] > MEMORY:
            outcome["fault"] = outcome["fault"] or f"takes {outcome['peak'] >> 20} MiB"
            self.end()
        return outcome, self._folder

    def end(self) -> None:
        """End the process; the next case starts another."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    stream.close()
        self._process = None

    def close(self) -> None:
        """End the process, and remove its files."""
        self.end()
        shutil.rmtree(self._folder, ignore_errors=True)


def fuzz(
    kinds: Sequence[str], seed: int, minutes: float, crew: int, keep: Path, told: Callable[[FuzzVerdict], None] = lambda _: None
) -> list[FuzzVerdict]:
    """Run cases for some minutes, in so many processes at once; return them. Files with a fault are copied into `keep`."""
    end = time.monotonic() + 60.0 * minutes
    verdicts: list[FuzzVerdict] = []
    lock = threading.Lock()
    cases = _cases(kinds, seed)

    def work() -> None:
        worker = _Worker()
        try:
            while time.monotonic() < end:
                with lock:
                    kind, number = next(cases)
                outcome, folder = worker.run(kind, number)
                verdict = FuzzVerdict(kind, number, outcome["loaded"], outcome["fault"], outcome["seconds"])
                if verdict.fault:
                    shutil.copytree(folder, keep / f"{kind}-{number}", dirs_exist_ok=True)
                with lock:
                    verdicts.append(verdict)
                    told(verdict)
        finally:
            worker.close()

    threads = [threading.Thread(target=work) for _ in range(crew)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return verdicts


def _cases(kinds: Sequence[str], seed: int) -> Iterator[tuple[str, int]]:
    number = seed * 1_000_000_000
    while True:
        for kind in kinds:
            yield kind, number
        number += 1
