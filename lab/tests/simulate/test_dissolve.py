"""Two changing volumes: every frame's answer is that of plain arrays, and the index is what it would be if built afresh."""

import csv
import itertools
import json
import math
import signal

import numpy as np
import pytest
from sweepscope_lab.cli import dissolve as cli
from sweepscope_lab.scenes.changing import STORIES, dripping, melting, shuffling
from sweepscope_lab.simulate.dissolve import Dissolve, DissolveSettings, region_of, run

from sweepscope import Volume
from sweepscope.errors import InvalidQuery, InvalidType, MissingFile

TIMES = {"edit_seconds", "overlap_seconds", "detail_seconds"}


def shared(first, second, offset):
    """Voxels of the first that the second, shifted by whole voxels, occupies too, by slices: (n, 3)."""
    low = np.maximum(0, offset)
    high = np.minimum(first.shape, second.shape + offset)
    if (low >= high).any():
        return np.zeros((0, 3), int)
    mine = first[tuple(slice(a, b) for a, b in zip(low, high, strict=True))]
    theirs = second[tuple(slice(a, b) for a, b in zip(low - offset, high - offset, strict=True))]
    return np.argwhere(mine & theirs) + low


def boxes_meet(first, second, offset):
    low, high = first.extent
    other_low, other_high = second.extent + offset
    return bool(((low < other_high) & (other_low < high)).all())


@pytest.mark.parametrize("make", [melting, dripping, shuffling])
def test_stories_are_the_same_again_and_depend_on_the_seed(make):
    story = make(24, 3)
    for one, two in zip(story.frames(7), story.frames(7), strict=True):
        np.testing.assert_array_equal(one.first, two.first)
        np.testing.assert_array_equal(one.second, two.second)
        np.testing.assert_array_equal(one.pose, two.pose)
    other = make(24, 4).at(0.5)
    assert not np.array_equal(story.at(0.5).first, other.first)
    assert not np.array_equal(story.at(0.5).second, other.second)


@pytest.mark.parametrize("make", [melting, dripping, shuffling])
def test_stories_are_smooth_bounded_and_keep_their_shape_at_any_resolution(make):
    shares = []
    for n in (16, 37, 64):
        told = make(n, 1).at(0.4)
        assert told.pose.dtype.kind == "i"
        assert told.pose.shape == (3,)
        for alpha in (told.first, told.second):
            assert alpha.shape == (n, n, n)
            assert alpha.dtype == np.float32
            assert alpha.min() == 0.0
            assert alpha.max() == 1.0
        # Soft skins: a higher threshold leaves less, but not nothing.
        counts = [np.count_nonzero(told.second > threshold) for threshold in (0.0, 0.3, 0.6, 0.9)]
        assert all(a > b > 0 for a, b in itertools.pairwise(counts))
        shares.append((np.mean(told.first > 0), np.mean(told.second > 0), *(told.pose / n)))
    np.testing.assert_allclose(shares[0], shares[2], atol=0.04)
    np.testing.assert_allclose(shares[1], shares[2], atol=0.02)


def test_a_story_needs_a_voxel():
    with pytest.raises(InvalidQuery, match="n is 0"):
        melting(0)


@pytest.mark.slow
@pytest.mark.parametrize("feedback", [0.0, 0.5])
@pytest.mark.parametrize("sense", ["centers", "cubes"])
@pytest.mark.parametrize("story", STORIES)
def test_every_frame_is_as_plain_arrays_say(story, sense, feedback):
    dissolve = Dissolve(DissolveSettings(story, frames=60, size=32, sense=sense, feedback=feedback, threshold=0.125))
    meeting = 0
    while not dissolve.ended:
        record = dissolve.step()
        offset = dissolve.pose[:3, 3].astype(int)
        first, second = dissolve.first.alpha > 0.125, dissolve.second.alpha > 0.125
        both = shared(first, second, offset)
        assert record.colliding == (len(both) > 0)
        assert record.count == len(both)
        assert record.first == np.count_nonzero(first)
        assert record.second == np.count_nonzero(second)
        if record.colliding:
            np.testing.assert_array_equal(record.region, (both.min(axis=0), both.max(axis=0) + 1))
            np.testing.assert_allclose(record.center, both.mean(axis=0) + 0.5, atol=1e-9)
            assert np.linalg.norm(record.normal) == pytest.approx(1.0)
        else:
            assert np.isnan(record.center).all()
            assert np.isnan(record.normal).all()
            assert not record.region.any()
        meeting += boxes_meet(dissolve.first, dissolve.second, offset)
    summary = dissolve.summary()
    assert summary.frames == 60
    assert 5 < summary.colliding < 50
    assert summary.stretches > 2
    assert meeting > 40
    # Between frames apart the stretches are whole: counted again from the answers alone.
    marks = "".join("#" if record.colliding else "." for record in dissolve.records)
    assert summary.longest == max(map(len, marks.split(".")))
    assert summary.first_contact == marks.index("#")


@pytest.mark.slow
@pytest.mark.parametrize("turn", [0.0, 3.0])
@pytest.mark.parametrize("story", STORIES)
def test_the_index_is_as_if_built_afresh(story, turn):
    dissolve = Dissolve(DissolveSettings(story, frames=40, size=37, turn=turn))  # 37: bricks do not fit
    while not dissolve.ended:
        dissolve.step()
    assert dissolve.summary().colliding > 0
    for live in (dissolve.first, dissolve.second):
        fresh = Volume(live.alpha)
        np.testing.assert_array_equal(live.occupied, fresh.occupied)
        np.testing.assert_array_equal(live.extent, fresh.extent)
        for a, b in zip((*live.planes, *live.lines), (*fresh.planes, *fresh.lines), strict=True):
            np.testing.assert_array_equal(a, b)
        assert live.count == fresh.count


@pytest.mark.parametrize("story", STORIES)
def test_a_turned_frame_is_as_plain_centers_say(story):
    dissolve = Dissolve(DissolveSettings(story, frames=40, size=24, turn=7.0))
    found = 0
    while not dissolve.ended:
        record = dissolve.step()
        voxels = np.argwhere(dissolve.first.occupied)
        pose = dissolve.pose
        # About the middle of the second's grid, wherever the story put it: that column stays where it was.
        inside = np.floor((voxels + 0.5 - pose[:3, 3]) @ pose[:3, :3] + 1e-9).astype(int)
        within = ((inside >= 0) & (inside < 24)).all(axis=1)
        hits = dissolve.second.occupied[tuple(inside[within].T)]
        assert record.count == np.count_nonzero(hits)
        found += record.colliding
    assert 0 < found < 40


@pytest.mark.slow
@pytest.mark.parametrize("story", STORIES)
def test_the_same_settings_give_the_same_run(story):
    runs = [Dissolve(DissolveSettings(story, frames=20, size=24, seed=seed)) for seed in (5, 5, 6)]
    for dissolve in runs:
        while not dissolve.ended:
            dissolve.step()
    one, two, other = runs
    np.testing.assert_array_equal(one.first.alpha, two.first.alpha)
    np.testing.assert_array_equal(one.second.alpha, two.second.alpha)
    for a, b in zip(one.records, two.records, strict=True):
        for name in set(a.__dataclass_fields__) - TIMES:
            np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
    assert not np.array_equal(one.second.alpha, other.second.alpha)


@pytest.mark.slow
@pytest.mark.parametrize("story", STORIES)
def test_contact_dissolves_both(story):
    kept, worn = (Dissolve(DissolveSettings(story, frames=60, size=32, feedback=feedback)) for feedback in (0.0, 1.0))
    lost = np.zeros(2, int)
    touched = False
    while not kept.ended:
        before, after = kept.step(), worn.step()
        if not touched:
            # Up to the first contact, and in its frame, nothing is different.
            assert (before.first, before.second, before.count) == (after.first, after.second, after.count)
        touched = touched or before.colliding
        gone = before.first - after.first, before.second - after.second
        assert min(gone) >= 0
        assert after.dissolved == sum(gone)
        assert before.dissolved == 0
        lost = np.maximum(lost, gone)
    assert (lost > 0).all()
    assert worn.summary().dissolved > 0


@pytest.mark.slow
@pytest.mark.parametrize("story", STORIES)
def test_what_touched_is_gone_in_the_next_frame(story):
    dissolve = Dissolve(DissolveSettings(story, frames=120, size=32, feedback=1.0))
    touched, checked = None, 0
    while not dissolve.ended:
        record = dissolve.step()
        if touched is not None:
            mine, theirs = touched
            assert not dissolve.first.occupied[tuple(mine.T)].any()
            assert not dissolve.second.occupied[tuple(theirs.T)].any()
            checked += 1
        offset = dissolve.pose[:3, 3].astype(int)
        both = shared(dissolve.first.occupied, dissolve.second.occupied, offset)
        touched = (both, both - offset) if record.colliding else None
    assert checked > 10


@pytest.mark.slow
def test_ice_stays_molten_and_fog_flows_back():
    dissolve = Dissolve(DissolveSettings("melting", frames=120, size=32, feedback=1.0))
    molten, thinned = np.zeros((32, 32, 32), bool), np.zeros((32, 32, 32), bool)
    back = 0
    while not dissolve.ended:
        record = dissolve.step()
        assert not (dissolve.first.occupied & molten).any()
        back += np.count_nonzero(dissolve.second.occupied & thinned)
        if record.colliding:
            offset = dissolve.pose[:3, 3].astype(int)
            both = shared(dissolve.first.occupied, dissolve.second.occupied, offset)
            molten[tuple(both.T)] = True
            thinned[tuple((both - offset).T)] = True
    assert molten.any()
    assert back > 0


def test_the_region_is_the_least_box_round_all_that_changed():
    rng = np.random.default_rng(0)
    for shape in ((16, 16, 16), (17, 5, 30), (1, 1, 1), (20, 24, 9)):
        for share in (0.0005, 0.01, 0.3, 1.0):
            differs = rng.random(shape) < share
            places = np.argwhere(differs)
            box = region_of(differs)
            if len(places):
                assert [(span.start, span.stop) for span in box] == [
                    (low, high + 1) for low, high in zip(places.min(axis=0), places.max(axis=0), strict=True)
                ]
            else:
                assert differs[box].size == 0


def test_only_the_region_that_changed_is_written():
    dissolve = Dissolve(DissolveSettings("dripping", frames=30, size=32))
    before = dissolve.first.alpha.copy(), dissolve.second.alpha.copy()
    while not dissolve.ended:
        record = dissolve.step()
        after = dissolve.first.alpha.copy(), dissolve.second.alpha.copy()
        changes = [np.argwhere(a != b) for a, b in zip(before, after, strict=True)]
        assert record.changed == sum(map(len, changes))
        assert record.written == sum(int(np.prod(np.ptp(each, axis=0) + 1)) for each in changes)
        assert record.written < 32**3
        before = after


def test_a_run_of_one_frame_and_a_story_that_is_over():
    summary = run(DissolveSettings(frames=1, size=16))
    assert (summary.frames, summary.colliding, summary.first_contact, summary.longest) == (1, 0, -1, 0)
    dissolve = Dissolve(DissolveSettings(frames=2, size=16))
    assert dissolve.summary().frames == 0
    dissolve.step()
    dissolve.step()
    with pytest.raises(InvalidQuery, match="the story is over: it has 2 frames"):
        dissolve.step()
    assert len(dissolve.records) == 2


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"story": "freezing"}, "story is 'freezing'; accepted: 'melting', 'dripping', 'shuffling'"),
        ({"frames": 0}, "frames is 0; accepted: a whole number from 1"),
        ({"frames": 1.5}, "frames is 1.5"),
        ({"size": 0}, "size is 0; accepted: a whole number from 8 to 512"),
        ({"size": 100_000}, "size is 100000"),
        ({"seed": -1}, "seed is -1"),
        ({"threshold": math.nan}, "threshold is nan; accepted: 0 to below 1"),
        ({"threshold": 1.0}, "threshold is 1.0"),
        ({"threshold": "low"}, "threshold: expected a number"),
        ({"sense": "corners"}, "accepted: 'centers', 'cubes'"),
        ({"turn": math.inf}, "turn is inf"),
        ({"feedback": 2.0}, "feedback is 2.0; accepted: 0 to 1"),
    ],
)
def test_wrong_settings_are_named(wrong, says):
    with pytest.raises(InvalidType if "low" in wrong.values() else InvalidQuery, match=says):
        DissolveSettings(**wrong)


def test_command_prints_a_table_and_json(capsys):
    assert cli.run_dissolve(DissolveSettings(frames=1, size=16), None, None, False) == 0
    shown = capsys.readouterr().out
    assert "frames with contact" in shown
    assert "none" in shown
    assert cli.run_dissolve(DissolveSettings("dripping", frames=30, size=24, turn=1.0), None, None, True) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["settings"]["story"] == "dripping"
    assert answer["summary"]["frames"] == 30
    assert answer["summary"]["colliding"] > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        DissolveSettings("melting", frames=30, size=24),
        DissolveSettings("dripping", frames=30, size=24, turn=5.0, sense="cubes"),
        DissolveSettings("melting", frames=3, size=8, threshold=0.99),  # nearly nothing to see
        DissolveSettings("melting", frames=1, size=120),  # more voxels than the picture has samples
    ],
)
def test_command_writes_frames_and_a_picture(settings, tmp_path, capsys):
    table, picture = tmp_path / "frames.csv", tmp_path / "strip.png"
    assert cli.run_dissolve(settings, table, picture, True) == 0
    summary = json.loads(capsys.readouterr().out)["summary"]
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["frame"]) for row in rows] == list(range(settings.frames))
    assert sum(int(row["colliding"]) for row in rows) == summary["colliding"]
    assert max(int(row["count"]) for row in rows) == summary["most"]
    for row in rows:
        normal = [row[f"normal_{axis}"] for axis in "xyz"]
        if int(row["colliding"]):
            assert math.hypot(*map(float, normal)) == pytest.approx(1.0)
            assert float(row["low_z"]) < float(row["center_z"]) < float(row["high_z"])
        else:
            assert normal == ["", "", ""]
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_command_refuses_files_that_cannot_be_written(tmp_path):
    nowhere = tmp_path / "no folder"
    with pytest.raises(MissingFile, match="--csv: there is no folder"):
        cli.run_dissolve(DissolveSettings(), nowhere / "a.csv", None, False)
    with pytest.raises(MissingFile, match="--picture: there is no folder"):
        cli.run_dissolve(DissolveSettings(), None, nowhere / "a.png", False)
    with pytest.raises(InvalidQuery, match=r"ends in \.png"):
        cli.run_dissolve(DissolveSettings(), None, tmp_path / "a.gif", False)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--story", "freezing"], "accepted: 'melting', 'dripping', 'shuffling'"),
        (["--size", "0"], "size is 0"),
        (["--size", "99999"], "from 8 to 512"),
        (["--frames", "0"], "frames is 0"),
        (["--threshold", "nan"], "threshold is nan"),
    ],
)
def test_bad_arguments_are_one_line(run, arguments, says):
    done = run("simulate", "dissolve", *arguments, check=2)
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert says in done.stderr


@pytest.mark.slow
def test_command_line(tmp_path, run):
    story = ("--story", "dripping", "--frames", 6, "--size", 16, "--seed", 2, "--threshold", 0.2, "--sense", "cubes")
    files = ("--csv", tmp_path / "frames.csv", "--picture", tmp_path / "strip.png")
    done = run("simulate", "dissolve", *story, "--turn", 1.5, "--feedback", 0.1, *files, "--json", check=0)
    answer = json.loads(done.stdout)
    expected = {"story": "dripping", "frames": 6, "size": 16, "seed": 2, "threshold": 0.2}
    assert answer["settings"] == expected | {"sense": "cubes", "turn": 1.5, "feedback": 0.1}
    assert {path.name for path in tmp_path.iterdir()} == {"frames.csv", "strip.png"}


@pytest.mark.slow
def test_interrupting_the_command_tells_what_was_measured(capsys, monkeypatch, tmp_path):
    step = Dissolve.step

    def interrupted(self):
        if len(self.records) == 3:
            signal.raise_signal(signal.SIGINT)
        return step(self)

    monkeypatch.setattr(Dissolve, "step", interrupted)
    assert cli.run_dissolve(DissolveSettings(frames=50, size=16), None, tmp_path / "strip.png", True) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["summary"]["frames"] == 4
    assert "stopped after 4 of 50 frames" in err
    assert (tmp_path / "strip.png").is_file()
