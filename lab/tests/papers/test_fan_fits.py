"""Tracked swings, foretold: the true contacts are contacts, less noise and more frames foretell better, as is stated."""

import csv

import numpy as np
import pytest
from sweepscope_lab.book.fan_fit_sheets import measure_fits
from sweepscope_lab.book.result import Result, Watch
from sweepscope_lab.papers.fan_fits import BALL, BAT, FRAMES, NOISES, draw_swing, measure

pytestmark = pytest.mark.slow


def gap(swing, time):
    """Distance of the ball's surface from the bat at a time."""
    local = np.linalg.inv(swing.pose_at(time)) @ (*swing.ball, 1.0)
    return np.linalg.norm(np.maximum(np.abs(local[:3]) - 0.5 * np.array(BAT), 0.0)) - BALL


def test_true_contacts_are_contacts_and_the_first(rng):
    for _ in range(20):
        swing = draw_swing(rng)
        assert 0.02 <= swing.contact <= 0.12
        assert gap(swing, swing.contact) == pytest.approx(0.0, abs=1e-9)
        assert min(gap(swing, time) for time in np.linspace(0.0, swing.contact, 200)[:-1]) > 0.0


def test_hardly_any_noise_foretells_exactly():
    (found,) = measure(20, frames=(6,), noises=((1e-9, 1e-7),))
    assert found.missed == 0
    assert np.abs(found.errors).max() < 1e-6
    assert np.median(found.places) < 1e-6
    assert found.swing_median > 10.0 * found.median  # the slide that a Swing leaves out


@pytest.fixture(scope="module")
def found():
    rows = measure(60, frames=(3, 6, 16), noises=NOISES[:2])
    return {(row.frames, row.noise): row for row in rows}


def test_less_noise_and_more_frames_foretell_better(found):
    for noise in NOISES[:2]:
        few, some, many = (found[frames, noise].median for frames in (3, 6, 16))
        assert many < some < few
    for frames in (3, 6, 16):
        assert found[frames, NOISES[0]].median < found[frames, NOISES[1]].median


def test_stated_uncertainties_hold(found):
    for estimated in (False, True):
        rows = [row for row in found.values() if not estimated or row.frames > 3]
        assert 0.6 < np.mean([row.coverage(1.0, estimated=estimated) for row in rows]) < 0.76
        assert 0.9 < np.mean([row.coverage(2.0, estimated=estimated) for row in rows]) < 0.99
    assert np.isnan(found[3, NOISES[0]].coverage(1.0, estimated=True))


def test_rows_do_not_depend_on_each_other(found):
    (alone,) = measure(60, frames=(6,), noises=NOISES[1:2])
    assert alone.errors.tolist() == found[6, NOISES[1]].errors.tolist()


def test_the_part_of_the_book_writes_tables_and_a_figure(tmp_path):
    result = measure_fits(tmp_path, Watch(), swings=2)
    assert Result.from_plain(result.plain()) == result
    assert [len(sheet.rows) for sheet in result.sheets] == 2 * [len(FRAMES) * len(NOISES)]
    assert (tmp_path / "fan_fits.png").read_bytes().startswith(b"\x89PNG")
    with (tmp_path / "fan_fits.csv").open() as file:
        assert len(list(csv.DictReader(file))) == len(FRAMES) * len(NOISES)
