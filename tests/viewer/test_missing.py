"""Where viser is not installed."""

import subprocess
import sys

import pytest


@pytest.mark.slow
def test_without_viser_one_line_says_what_to_install():
    code = (
        "import sys; sys.modules['viser'] = None\n"
        "import sweepscope as ss\nscene = ss.Scene()\n"
        "try: scene.show()\nexcept ImportError as error: print(isinstance(error, ss.SweepscopeError), error.name, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == 'True viser the viewer needs viser: pip install "sweepscope[view]"'
