"""What `sweepscope view` reads and refuses before it serves anything."""

import numpy as np

import sweepscope as ss

DAE = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="pa" count="9">0 0 0 1 0 0 0 2 0</float_array>
<technique_common><accessor source="#pa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/>
</vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry>
</library_geometries><library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def test_a_file_of_another_kind_is_refused_with_all_that_is_accepted(tmp_path, run):
    (tmp_path / "x.py").write_text("")
    done = run("view", tmp_path / "x.py", check=2)
    assert "accepted endings are .dae, .glb, .gltf, .obj, .off, .ply, .stl, .npy, .npz, .urdf" in done.stderr


def test_meshes_of_robots_are_found_as_by_the_command_robot(tmp_path, run, monkeypatch):
    """--package, --root and --turn-dae apply to the shapes of contact and to the visual shapes."""
    shown = []
    monkeypatch.setattr(ss.Scene, "show", lambda scene, **options: shown.append((scene, options)))
    monkeypatch.setattr("sweepscope.cli.view.serve", lambda page, port: None)
    (tmp_path / "sub").mkdir()
    (tmp_path / "part.dae").write_text(DAE)

    def urdf(file):
        mesh = f"<geometry><mesh filename='{file}'/></geometry>"
        path = tmp_path / "sub" / "one.urdf"
        path.write_text(f"<robot name='one'><link name='a'><visual>{mesh}</visual><collision>{mesh}</collision></link></robot>")
        return path

    def bounds(*arguments):
        run("view", *arguments, check=0)
        scene, options = shown.pop()
        ((name, visual),) = options["visuals"].items()
        assert name == "one"
        (box,), (look,) = scene.bodies, visual.bodies
        np.testing.assert_array_equal(box.bounds, look.bounds)
        return box.bounds

    named = urdf("package://parts/part.dae")
    assert "--package parts=FOLDER" in run("view", named, check=2).stderr
    assert "--package is 'parts'; expected NAME=FOLDER" in run("view", named, "--package", "parts", check=2).stderr
    lying = bounds(named, "--package", f"parts={tmp_path}")
    np.testing.assert_allclose(lying, [(0, 0, 0), (1, 2, 0)], atol=1e-12)
    above = urdf("../part.dae")
    assert "on the command line --root" in run("view", above, check=2).stderr
    np.testing.assert_array_equal(bounds(above, "--root", tmp_path), lying)
    np.testing.assert_allclose(bounds(above, "--root", tmp_path, "--turn-dae"), [(0, 0, 0), (1, 0, 2)], atol=1e-12)
