"""Errors of `sweepscope view` before it serves anything."""


def test_a_file_of_another_kind_is_refused_with_all_that_is_accepted(tmp_path, run):
    (tmp_path / "x.py").write_text("")
    done = run("view", tmp_path / "x.py", check=2)
    assert "accepted endings are .dae, .glb, .gltf, .obj, .off, .ply, .stl, .npy, .npz, .urdf" in done.stderr
