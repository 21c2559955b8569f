"""Problems of motion planning from a JSON file."""

import json

import numpy as np
import pytest
from sweepscope_lab.scenes.motion_problems import problem_motions, read_problems

import sweepscope as ss
from sweepscope import SweepscopeError

PROBLEM = {
    "set": "shelf",
    "problem": 2,
    "start": [0.0] * 7,
    "goal": [0.5] * 7,
    "obstacles": [
        ["box", [1.2, 1.0, 0.04], [1.0, 0.4, 0.45], [0, 0, 0.7071067811865476, 0.7071067811865476]],
        ["cylinder", [0.14, 0.03], [1.0, 0.1, 0.5], [0, 0, 0, 1]],
    ],
}


def write(path, *problems):
    path.write_text(json.dumps(problems))
    return path


def test_obstacles_stand_where_the_file_says(tmp_path):
    (problem,) = read_problems(write(tmp_path / "problems.json", PROBLEM))
    assert problem.name == "shelf 2"
    scene = ss.Scene()
    box, can = problem.add_obstacles(scene)
    np.testing.assert_allclose(box.bounds, [(0.5, -0.2, 0.43), (1.5, 1.0, 0.47)], atol=1e-12)
    np.testing.assert_allclose(can.bounds[:, 2], [0.43, 0.57], atol=1e-12)
    assert 0.03 <= 0.5 * np.ptp(can.bounds[:, 0]) < 0.0301  # around the cylinder


def test_motions_begin_at_the_start_and_stay_within_limits(tmp_path):
    (problem,) = read_problems(write(tmp_path / "problems.json", PROBLEM))
    limits = np.array([(-0.1, 0.4)] * 7 + [(0.0, 0.04)])
    starts, ends = problem_motions(problem, limits, 5)
    assert starts.shape == ends.shape == (4, 8)
    np.testing.assert_array_equal(starts, np.tile([0.0] * 7 + [0.04], (4, 1)))
    np.testing.assert_allclose(ends[0], [0.4] * 7 + [0.04])
    assert (ends >= limits[:, 0]).all()
    assert (np.linalg.norm(ends[1:] - starts[1:], axis=1) <= 0.5).all()


@pytest.mark.parametrize("content", ["{}}", '[{"set": "a"}]', json.dumps([{**PROBLEM, "obstacles": [["cone", [1, 1], 0, 0]]}])])
def test_other_files_are_refused(content, tmp_path):
    path = tmp_path / "problems.json"
    path.write_text(content)
    with pytest.raises(SweepscopeError, match=r"problems\.json: cannot be read as motion problems"):
        read_problems(path)
