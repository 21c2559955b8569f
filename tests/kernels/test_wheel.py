"""A wheel with compiled kernels: every kind of question is answered by a fresh process without compiling anything."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from sweepscope.kernels import _cache

ROOT = Path(__file__).parents[2]

QUESTIONS = {
    "sweep": "print(scene.sweep(tool, ss.Translate((0, 0, -5))).travel.hex())",
    "turn": "print(scene.sweep(tool, ss.Rotate((0, 1, 0), 3.0, about=(0, 0, 1.5))).travel.hex())",
    "screw": "print(scene.sweep(tool, ss.Screw((0, 0, 1), 1.0, slide=-4.0)).travel.hex())",
    "look": "print(scene.look(ss.View((0, 0, 9), (0, 0, -1), width=8, height=8, depth=20)).depth.sum().hex())",
    "probe": "print(ss.radar.Radar(scene, tool, pixels=50).probe(ss.Translate((0, 0, -5))).travel.hex())",
    "turning probe": "print(ss.radar.Radar(scene, tool, pixels=50).probe(ss.Rotate((0, 1, 0), 3.0, about=(2, 0, 2))).travel.hex())",
    "overlap": "f = ss.Volume(np.ones((9, 9, 9)) > 0); print(ss.overlap(f, f.copy(), (1, 2, 3)).count)",
    "overlap at any pose": "f = ss.Volume(np.ones((9, 9, 9)) > 0); print(ss.overlap(f, f.copy(), ss.Rotate((1, 2, 3), 1).at()).count)",
    "predict": "print(scene.predict({tool: ss.Rotate((0, 1, 0), 0.1, about=(0, 0, 1.5))}, horizon=60)[0].time.hex())",
    "fan": "print(ss.fan.Fan.enclosing(ss.Mesh.sphere(1), (2, 0, 0), axis=(0, 0, 1), angle=1).contains([(1.5, 1, 0), (9, 9, 9)]))",
    "swing": "print(ss.fan.Swing(ss.Box((2, 0.2, 0.3)), (1, 0, 0), axis=(0, 0, 1), angle=1.0).times((0.9, 0.5, 0.0)).hex())",
    "robot": """
arm = ss.Robot(scene, name="arm")
arm.add("base", ss.Mesh.cylinder(0.08, 0.2))
arm.add("upper", ss.Capsule.from_segment((0, 0, 0.5), (0, 0, 4), radius=0.04), parent="base", joint=ss.Joint.revolute("a", (0, 1, 0)))
arm.add("lower", ss.Box((1, 0.1, 0.1)), parent="upper", joint=ss.Joint.revolute("b", (1, 0, 0), origin=(0, 0, 4.2)))
print(arm.sweep("a", to=3.0).travel.hex(), arm.sweep({"a": 3.0, "b": 1.0}).time.hex())
""",
    "volume": "scene.add(ss.Volume.from_mesh(ss.Mesh.sphere(1.0), 0.2), (0, 0, 9), name='v'); print(scene.sweep(scene['v'], ss.Translate((0, 0, -9))).travel.hex())",
    "live mesh": "tool.vertices = tool.vertices * 2; print(scene.sweep(tool, ss.Translate((0, 0, -5))).travel.hex())",
}
BEFORE = """
import numpy as np, sweepscope as ss
scene = ss.Scene()
scene.add(ss.Box((10, 10, 0.2)), name="floor")
tool = scene.add(ss.Mesh.cylinder(0.2, 1.0), (0, 0, 3), name="tool")
"""
AFTER = """
from sweepscope.kernels._jit import FOLDER
print([str(k) for k in FOLDER.kernels if k.stats.cache_misses])
print(sum(len(k.stats.cache_hits) for k in FOLDER.kernels) > 0)
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """A wheel with compiled kernels, unpacked."""
    if not _cache.HAS_LEVEL:
        pytest.skip(f"THIS CPU HAS NOT {_cache.LEVEL}: shipped kernels are not tested")
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "SWEEPSCOPE_COMPILED": "1"})
    (wheel,) = out.glob("*.whl")
    assert "-cp3" in wheel.name
    assert "none-any" not in wheel.name
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(out / "site")
    return out / "site"


def ask(kind, package, cache):
    environment = {**os.environ, "SWEEPSCOPE_CACHE": str(cache), "PYTHONPATH": str(package)}
    code = BEFORE + QUESTIONS[kind] + AFTER
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("kind", QUESTIONS)
def test_nothing_is_compiled(kind, unpacked, tmp_path):
    *told, compiled, found = ask(kind, unpacked, tmp_path / "cache")
    assert (compiled, found) == ("[]", "True")
    assert told
    assert not (tmp_path / "cache").exists()
