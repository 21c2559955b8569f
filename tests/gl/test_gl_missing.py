"""Where moderngl, EGL or a new enough OpenGL is missing: one line that says what to install."""

import os
import subprocess
import sys

import pytest

CODE = (
    "import sweepscope as ss\nscene = ss.Scene()\nview = ss.View((0, 0, 0), (0, 0, 1), width=1, height=1, depth=1)\n"
    "try: scene.look(view, backend='gl')\n"
    "except Exception as error: print(type(error).__name__, getattr(error, 'name', ''), error)"
)


def said(before="", **environment):
    done = subprocess.run(
        [sys.executable, "-c", before + CODE], capture_output=True, text=True, check=True, env={**os.environ, **environment}
    )
    return done.stdout.strip()


@pytest.mark.slow
def test_without_moderngl():
    found = said("import sys; sys.modules['moderngl'] = None\n")
    assert found == 'MissingPackage moderngl backend "gl" needs moderngl: pip install "sweepscope[gl]"'


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment",
    [
        {"GLCONTEXT_LINUX_LIBEGL": "libNoEGL.so"},  # no library
        {"__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent"},  # a library without a driver
    ],
)
def test_without_egl_or_a_driver(environment):
    found = said(**environment)
    assert found.startswith('MissingPackage libegl1 backend "gl" needs EGL and a driver: on Debian and Ubuntu "apt-get install')
    assert found.count("\n") == 0


@pytest.mark.gl
@pytest.mark.slow
def test_an_opengl_that_is_too_old():
    found = said(MESA_GL_VERSION_OVERRIDE="3.3", LIBGL_ALWAYS_SOFTWARE="1")
    assert found.startswith('GraphicsFailed  backend "gl" needs OpenGL 4.3, which the driver does not have')
