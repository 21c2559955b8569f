"""What `sweepscope view` says before it serves anything."""

import subprocess
import sys


def test_a_file_of_another_kind_is_refused_with_all_that_is_accepted(tmp_path):
    (tmp_path / "x.py").write_text("")
    done = subprocess.run([sys.executable, "-m", "sweepscope", "view", tmp_path / "x.py"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "accepted endings are .dae, .glb, .gltf, .obj, .off, .ply, .stl, .npy, .npz, .urdf" in done.stderr
