"""Films of the papers' motions, cut short: every file is an animation that moves."""

import json

import numpy as np
import pytest
from PIL import Image
from sweepscope_lab.cli.papers import run_papers
from sweepscope_lab.papers.films import FILMS


@pytest.mark.slow
def test_every_film_moves(tmp_path, capsys):
    assert run_papers("films", tmp_path, "tiny", as_json=True) == 0
    rows = json.loads(capsys.readouterr().out)["films"]
    assert [row["file"] for row in rows] == [f"{film.name}.gif" for film in FILMS]
    for row in rows:
        with Image.open(tmp_path / row["file"]) as film:
            assert film.n_frames == row["pictures"] >= 3, row
            assert row["bytes"] < 4e6
            film.seek(0)
            first = np.asarray(film.convert("RGB"), float)
            film.seek(film.n_frames - 1)
            last = np.asarray(film.convert("RGB"), float)
        assert first.std() > 5.0, row
        assert (np.abs(first - last).max(axis=2) > 40.0).mean() > 0.002, row


def test_films_have_names_of_their_own():
    assert len({film.name for film in FILMS}) == len(FILMS)
    assert all(film.shows and film.of for film in FILMS)


@pytest.mark.parametrize("what", ["film", "movies"])
def test_what_there_is_is_listed(what, tmp_path):
    with pytest.raises(ValueError, match="accepted: radar, grasp, rolling, volume, fan, films, all"):
        run_papers(what, tmp_path)
