"""The context of OpenGL: lost and opened again, used from several threads, and arguments that it cannot answer."""

import subprocess
import sys
import threading

import pytest

import sweepscope as ss
from sweepscope.errors import GraphicsFailed, InvalidMotion, InvalidQuery, InvalidType
from sweepscope.gl import card as module
from sweepscope.radar import Radar, RadarSet

pytestmark = pytest.mark.gl

VIEW = ss.View((0, 0, 5), (0, 0, -1), width=3, height=3, depth=10)


@pytest.fixture
def scene():
    made = ss.Scene()
    made.add(ss.Sphere(1.0), name="ball")
    made.add(ss.Box((2, 2, 0.2)), (0, 0, -2), name="floor")
    return made


def test_a_lost_context_is_reported_and_the_next_call_opens_another(scene):
    before = scene.look(VIEW, backend="gl")
    with module.card() as used:
        pass
    used.context.release()
    with pytest.raises(GraphicsFailed, match=r"OpenGL context was lost .* the next call opens a new one"):
        scene.look(VIEW, backend="gl")
    after = scene.look(VIEW, backend="gl")
    assert (before.depth == after.depth).all()
    with module.card() as found:
        assert found is not used


def test_an_error_of_opengl_is_reported(scene):
    scene.look(VIEW, backend="gl")
    with pytest.raises(GraphicsFailed, match="OpenGL reports GL_INVALID_"), module.card() as used:
        used.context.enable_direct(0xFFFF)
    assert scene.look(VIEW, backend="gl")


def test_threads_use_it_one_after_another(scene):
    expected = scene.look(VIEW, 40, backend="gl").depth
    wrong = []

    def look():
        for _ in range(20):
            if (scene.look(VIEW, 40, backend="gl").depth != expected).any():
                wrong.append(1)

    threads = [threading.Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.slow
def test_a_forked_process_is_told_to_spawn():
    # In a process of its own, because threads of this one do not survive a fork.
    code = (
        "import os, warnings, sweepscope as ss\nfrom sweepscope.errors import GraphicsFailed\n"
        "warnings.simplefilter('ignore')\n"
        "scene = ss.Scene()\nview = ss.View((0, 0, 0), (0, 0, 1), width=1, height=1, depth=1)\n"
        "def answer():\n"
        "    try: scene.look(view, backend='gl')\n"
        "    except GraphicsFailed as error: print(error)\n"
        "    else: print('drawn')\n"
        "answer()\n"
        "child = os.fork()\n"
        "answer()\n"
        "if child: os.waitpid(child, 0)\n"
    )
    done = subprocess.run([sys.executable, "-u", "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.splitlines().count("drawn") == 2
    assert "this process was forked from one that uses OpenGL; start it by spawn or forkserver instead" in done.stdout


def test_what_it_cannot_draw(scene):
    with pytest.raises(InvalidQuery, match="backend is 'vulkan'; accepted: 'cpu', 'gl'"):
        scene.look(VIEW, backend="vulkan")
    with pytest.raises(InvalidType, match="backend is 3; accepted: 'cpu', 'gl'"):
        scene.look(VIEW, backend=3)
    camera = ss.PinholeCamera([(8, 0, 4), (0, 8, 4), (0, 0, 1)], pixels=8)
    with pytest.raises(InvalidQuery, match=r'backend "gl" .* takes a View, not a PinholeCamera'):
        scene.look(camera, backend="gl")
    with pytest.raises(InvalidQuery, match=r"pixels is \(60000, 1\); .* draws at most \d+ in a row or a column"):
        scene.look(VIEW, (60000, 1), backend="gl")
    with pytest.raises(InvalidQuery, match="backend is 'GL'"):
        Radar(scene, scene["ball"], backend="GL")
    with pytest.raises(InvalidQuery, match="backend is 'GL'"):
        RadarSet(scene, [], backend="GL")
    with pytest.raises(InvalidMotion, match='is a Rotate; backend "gl" draws parallel rays and takes a Translate'):
        Radar(scene, scene["ball"], backend="gl").probe(ss.Rotate((0, 0, 1), 1.0))


def test_it_names_what_draws():
    assert module.renderer()
