"""How long a picture takes, 800 x 600, of the largest scene of each example: `.venv/bin/python benchmarks/pictures.py`."""

import contextlib
import io
import os
import runpy
import tempfile
import time
from pathlib import Path

import sweepscope as ss

EXAMPLES = Path(__file__).parents[1] / "examples"
LEFT_OUT = {"17_processes.py"}  # starts processes that would run this file


def main():
    """Run the examples, draw, print."""
    scenes = []
    make = ss.Scene.__init__

    def made(scene, *given, **options):
        make(scene, *given, **options)
        scenes.append(scene)

    ss.Scene.__init__ = made
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for path in sorted(EXAMPLES.rglob("*.py")):
            if path.name in LEFT_OUT:
                continue
            scenes.clear()
            with contextlib.redirect_stdout(io.StringIO()):
                runpy.run_path(str(path), run_name="__main__")
            if not scenes:
                continue
            scene = max(scenes, key=len)
            scene.picture()
            times = []
            for _ in range(3):
                began = time.perf_counter()
                scene.picture()
                times.append(time.perf_counter() - began)
            worst = max(worst, min(times))
            print(f"{path.name:28} {len(scene):5,} bodies  {min(times):.3f} s")
        os.chdir(EXAMPLES)
    print(f"slowest: {worst:.3f} s")


if __name__ == "__main__":
    main()
