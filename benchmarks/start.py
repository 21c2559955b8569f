"""How long until the first answer of a process: with kernels cached (default) or compiled from nothing (--cold)."""

import os
import subprocess
import sys
import tempfile

CODE = """
import time
start = time.perf_counter()
import sweepscope as ss
imported = time.perf_counter()
scene = ss.Scene()
scene.add(ss.Mesh.box((10, 10, 0.2)))
ball = scene.add(ss.Mesh.sphere(0.5), pose=(0, 0, 3))
assert scene.sweep(ball, ss.Translate((0, 0, -5))) is not None
print(f"import {imported - start:.3f} s, first sweep after {time.perf_counter() - start:.3f} s")
"""

if __name__ == "__main__":
    environment = dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        if "--cold" in sys.argv:
            environment["SWEEPSCOPE_CACHE"] = folder
        else:
            subprocess.run([sys.executable, "-c", CODE], env=environment, check=True, capture_output=True)
        subprocess.run([sys.executable, "-c", CODE], env=environment, check=True)
