"""The grasping experiments, cut short: what must hold whatever the machine, and that every file is written."""

import csv
import math
from dataclasses import replace

import numpy as np
import pytest
from sweepscope_lab.cli.papers import run_papers
from sweepscope_lab.papers import grasp
from sweepscope_lab.scenes.hand import FINGERS, SIZE

from sweepscope import SweepscopeError

pytestmark = pytest.mark.slow

JOINTS = {f"{finger} {k}" for finger in FINGERS for k in (1, 2, 3)}


def quiet(_line):
    pass


def error(start="same", pixels=50, value=0.0, pixel=0.02):
    return grasp.JointError(start, "ball", pixels, "index 1", 1.0, 1.0 + value, pixel, "contact")


@pytest.fixture(scope="module")
def frames():
    return grasp.measure_frames(quiet, hands=2, pixels=25, rounds=2)


@pytest.fixture(scope="module")
def errors():
    return grasp.measure_errors(quiet, ("ball", "soft"), (25, 50))


def test_frames_of_both_methods(frames):
    for method in grasp.METHODS:
        mine = [row for row in frames if row.method == method]
        assert [row.frame for row in mine] == list(range(len(mine)))
        assert {row.phases[0] for row in mine} >= {"search", "approach", "fingers"}
        assert all(len(row.phases) == 2 for row in mine)
        assert all(0.0 < row.seconds <= row.slowest for row in mine)
        # Each phalanx that moves has a radar of its own; an exact turn takes all that hangs on a joint.
        assert max(row.detections for row in mine) >= (20 if method == "radar" else 6)
        if method == "exact":
            assert max(row.depth for row in mine) < 1e-6


def test_targets_are_finished_and_every_joint_has_ended():
    for row in grasp.measure_targets(quiet, ("box", "chain"), pixels=25, rounds=1):
        assert row.finished
        assert row.on_target + row.on_link + row.at_limit == 15
        assert row.on_target >= 3
        assert row.contacts >= 3
        assert row.most <= row.detections
        assert row.mean <= row.slowest
        if row.method == "exact":
            assert max(row.apart, row.depth) * SIZE < 1e-6


def test_a_run_that_is_cut_short_says_so():
    rows = grasp.measure_targets(quiet, ("ball",), rounds=1, frames=5)
    assert [(row.finished, row.frames) for row in rows] == [(False, 5)] * 2


def test_errors_of_every_joint_of_what_keeps_its_shape(errors):
    assert {row.target for row in errors} == {"ball"}
    for start in grasp.STARTS:
        for pixels in (25, 50):
            assert {row.joint for row in errors if (row.start, row.pixels) == (start, pixels)} == JOINTS
    for row in errors:
        assert row.pixel > 0.0
        assert min(row.exact, row.radar) >= -1e-9
        assert max(row.exact, row.radar) < math.radians(120.0)
    same = [row for row in errors if row.start == "same"]
    assert np.mean([abs(row.in_pixels) <= 1.0 for row in same]) > 0.9
    # Errors there are: a radar that was never off would have been told the exact angle.
    assert np.count_nonzero([row.error for row in same]) > 5


def test_spreads_count_what_is_early_and_late():
    rows = [error(value=value) for value in (-0.05, -0.021, -0.01, 0.0, 0.019, 0.03)]
    rows += [error("run", 50, 0.01), error("same", 100, 0.001, 0.01), error("same", 25, 0.1, 0.04)]
    found = {(row.start, row.pixels): row for row in grasp.spreads(rows)}
    assert list(found) == [("same", 25), ("same", 50), ("same", 100), ("run", 50)]
    one = found["same", 50]
    assert (one.joints, one.within, one.early, one.late) == (6, 3, 2, 1)
    assert one.worst == pytest.approx(0.05)
    assert one.worst_in_pixels == pytest.approx(2.5)
    assert one.median == pytest.approx(0.02)
    assert found["same", 25].late == 1


def test_order_is_the_power_of_the_pixels_size():
    rows = grasp.spreads([error("same", pixels, 3.0 / pixels**2) for pixels in (25, 50, 100)] + [error("run", 50, 0.1)])
    assert grasp.order(rows, "same") == pytest.approx(2.0)
    assert math.isnan(grasp.order(rows, "run"))


def test_rounds_that_differ_are_refused():
    one = grasp.finish(grasp.GraspSettings(frames=2))[1]
    other = replace(one, joints=({**one.joints[0], "index 1": 0.5},))
    grasp.check_equal([one, one], "two")
    with pytest.raises(SweepscopeError, match="two: the same settings gave different runs"):
        grasp.check_equal([one, other], "two")


def test_plain_rows_have_units(frames, errors):
    row = grasp.plain(frames[0])
    assert row["seconds [ms]"] == pytest.approx(1e3 * frames[0].seconds)
    assert row["phases"] == " ".join(frames[0].phases)
    row = grasp.plain(errors[0])
    assert row["error [degrees]"] == pytest.approx(row["radar [degrees]"] - row["exact [degrees]"])
    assert row["error [pixels]"] == errors[0].in_pixels


def test_run_papers_writes_tables_and_figures(tmp_path, capsys):
    assert run_papers("grasp", tmp_path / "new", "tiny") == 0
    shown = capsys.readouterr().out
    for words in ("Fig. 16", "Fig. 14", "worst frame 203 ms", "at most 52 radars", "within a pixel's angle", "same", "run"):
        assert words in shown
    for name, least in (("fig16", 100), ("fig14", 4), ("errors", 60), ("spreads", 4)):
        with (tmp_path / "new" / f"grasp_{name}.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) >= least
        words = {"target", "method", "phases", "joint", "start", "end", "finished"}
        for row in rows:
            assert np.isfinite([float(value) for key, value in row.items() if key not in words]).all()
    for name in ("fig16", "fig14", "errors", "gallery", "hands", "stages"):
        picture = (tmp_path / "new" / f"grasp_{name}.png").read_bytes()
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        assert len(picture) > 10_000
