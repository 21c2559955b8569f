"""Pictures of a grasp: files that are pictures, and show what they should."""

from __future__ import annotations

from pathlib import Path

import matplotlib.image
import numpy as np
import pytest
from sweepscope_lab.papers.grasp_pictures import GraspStrip, contact_map, gallery
from sweepscope_lab.simulate.grasp import Grasp, GraspSettings

from sweepscope.errors import InaccessibleFile, InvalidQuery


@pytest.fixture(scope="module")
def seen() -> tuple[Grasp, GraspStrip]:
    """Return a grasp from begin to end, and the strip that saw all of it."""
    settings = GraspSettings(target="cylinder", step=10.0)
    grasp, strip = Grasp(settings), GraspStrip(settings, pixels=120)
    while not grasp.ended:
        strip.see(grasp, grasp.step())
    return grasp, strip


def _picture(path: Path) -> np.ndarray:
    return matplotlib.image.imread(path)[..., :3]


def _reds(picture: np.ndarray) -> int:
    return int(((picture[..., 0] > 0.4) & (picture[..., 0] > 1.8 * picture[..., 1])).sum())


@pytest.mark.slow
def test_strip_shows_a_grasp(seen: tuple[Grasp, GraspStrip], tmp_path: Path) -> None:
    grasp, strip = seen
    before = [body.pose.copy() for body in grasp.scene.bodies]
    strip.save(tmp_path / "strip.png", grasp)
    picture = _picture(tmp_path / "strip.png")
    assert picture.shape[0] > 1000
    assert picture.shape[1] > 1000
    assert len(np.unique((255 * picture).astype(np.uint8).reshape(-1, 3), axis=0)) > 5000
    # The last moment, right of the middle row, has more links in contact than the first has.
    rows, columns = picture.shape[:2]
    first, last = picture[: rows // 3, : columns // 3], picture[rows // 3 : 2 * rows // 3, 2 * columns // 3 :]
    assert _reds(last) > 5000 > 10 * _reds(first)
    # A picture leaves everything where it was.
    assert all(np.array_equal(body.pose, pose) for body, pose in zip(grasp.scene.bodies, before, strict=True))


@pytest.mark.slow
def test_contact_map_shows_where_the_hand_was_touched(seen: tuple[Grasp, GraspStrip], tmp_path: Path) -> None:
    grasp, _ = seen
    outcome = grasp.outcome()
    assert len(outcome.contacts) > 3
    contact_map(tmp_path / "map.png", grasp, outcome, pixels=120)
    picture = _picture(tmp_path / "map.png")
    assert picture.shape[1] > 1000
    half = picture.shape[1] // 2
    assert _reds(picture[:, :half]) > 1000
    assert float(picture[:, half:].std()) > 0.05


@pytest.mark.slow
def test_gallery_shows_grasps_side_by_side(seen: tuple[Grasp, GraspStrip], tmp_path: Path) -> None:
    begun = Grasp(GraspSettings(target="soft"))
    begun.step()
    gallery(tmp_path / "gallery.png", [seen[0], begun, seen[0], begun, begun], pixels=100)
    picture = _picture(tmp_path / "gallery.png")
    rows, columns = picture.shape[:2]
    assert _reds(picture[: rows // 2, : columns // 4]) > 1000 > 10 * _reds(picture[: rows // 2, columns // 4 : columns // 2])
    assert float(picture[rows // 2 :, columns // 3 :].std()) == 0.0  # nothing where there is no grasp


@pytest.mark.slow
def test_a_grasp_that_has_only_begun_has_pictures_too(tmp_path: Path) -> None:
    settings = GraspSettings(target="chain", hands=2)
    grasp, strip = Grasp(settings), GraspStrip(settings, pixels=120)
    with pytest.raises(InvalidQuery, match="never called"):
        strip.save(tmp_path / "none.png", grasp)
    strip.see(grasp, grasp.step())
    strip.save(tmp_path / "strip.png", grasp)
    assert float(_picture(tmp_path / "strip.png").std()) > 0.03
    contact_map(tmp_path / "map.png", grasp, grasp.outcome(), pixels=120)
    assert float(_picture(tmp_path / "map.png").std()) > 0.03


@pytest.mark.slow
def test_a_folder_that_is_not_there_is_told(seen: tuple[Grasp, GraspStrip], tmp_path: Path) -> None:
    grasp, _ = seen
    with pytest.raises(InaccessibleFile, match="cannot be written"):
        contact_map(tmp_path / "no" / "map.png", grasp, grasp.outcome(), pixels=120)
