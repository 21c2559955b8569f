"""Fig. 16 on OpenGL: what is drawn again is what the radars of the hands drew."""

import math

import numpy as np
import pytest
from sweepscope_lab.book.grasp import CHAPTER
from sweepscope_lab.book.result import Watch
from sweepscope_lab.papers import grasp_gl
from sweepscope_lab.papers.grasp_gl import GlGraspFrame, GlStage, triangles_of
from sweepscope_lab.scenes import targets
from sweepscope_lab.simulate.grasp import Grasp, GraspSettings

import sweepscope as ss
from sweepscope.gl.draw import draw_on_card
from sweepscope.scene import store_of


@pytest.mark.gl
@pytest.mark.slow
def test_pictures_are_those_of_the_radars():
    grasp = Grasp(GraspSettings("box", 1, "radar"))
    stage = GlStage(grasp)
    store, bodies = store_of(stage.exact), np.array([body.id for body in grasp.scene])
    seen, ahead, pixels, outlines, drawn, others = set(), 0, 0, 0, 0, 0
    while not grasp.ended:
        poses = [body.pose for body in grasp.scene]
        searching = "search" in grasp.phases
        frame = grasp.step().frame
        seen.add(len(grasp.readings))
        if searching or frame % 5:  # a search moves its hand before the radars read
            continue
        stage.place(poses)
        for reading in grasp.readings:
            shown, hand = draw_on_card(store, store.world(), list(stage.pictures(reading)))
            covered = np.isfinite(hand[..., 0])
            if reading.lead is not None:
                assert np.array_equal(covered, np.isfinite(reading.lead))
                np.testing.assert_allclose(reading.view.depth - hand[covered][:, 0], reading.lead[covered], atol=1e-6)
                # R of a sampled radar begins at the leading surface, R as published at the rear: equal beyond it.
                beyond = (shown[..., 1] >= 0.0) & (shown[..., 0] > np.where(covered, reading.lead, 0.0) + 1e-6)
                beyond &= shown[..., 0] < reading.view.depth - 1e-6
                np.testing.assert_allclose(shown[beyond][:, 0], reading.range[beyond], atol=1e-5)
                assert np.array_equal(bodies[(shown[beyond][:, 1] // 2.0**32).astype(int)], reading.ids[beyond])
                ahead += int(beyond.sum())
            # The card's own rasterizer moves corners, and capsules are triangles there: outlines differ.
            for picture, exact in zip(stage.pictures(reading), (shown, hand), strict=True):
                depths, codes = stage.plain.codes(picture)
                plain, card = depths < 1.0, exact[..., 1] >= 0.0
                pixels += plain.size
                outlines += int((plain != card).sum())
                both = plain & card
                drawn += int(both.sum())
                others += int((codes[both] != exact[both][:, 1] // 2.0**32).sum())
    assert {1, 15} <= seen  # the whole hand, and every part of five fingers
    assert ahead > 5_000
    assert drawn > 0.2 * pixels
    assert outlines < 0.01 * pixels
    assert others < 0.005 * drawn


def test_capsules_become_meshes_about_their_segments(rng):
    for _ in range(5):
        first, last = rng.normal(size=(2, 3))
        capsule = ss.Capsule.from_segment(first, last, radius=0.3)
        mesh = triangles_of(capsule)
        span = last - first
        share = np.clip((mesh.vertices - first) @ span / (span @ span), 0.0, 1.0)
        away = np.linalg.norm(mesh.vertices - first - share[:, None] * span, axis=1)
        np.testing.assert_allclose(away, 0.3, atol=1e-12)
        corners = mesh.vertices[mesh.faces]
        outward = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        middle = corners.mean(axis=1) - 0.5 * (first + last)
        assert (np.einsum("ij,ij->i", outward, middle) > 0.0).all()
        assert np.ptp(mesh.vertices @ span) == pytest.approx(np.ptp(capsule.vertices @ span) + 0.6 * math.sqrt(span @ span))
    ((_, box, _),) = targets.box().parts
    assert triangles_of(box) is box


def frame(radars, seconds, normal=0.01):
    return GlGraspFrame(seconds, seconds, 3.0 * seconds, seconds, normal, "ball", 1, 0, radars, 100)


def test_shares_groups_and_growth():
    one = frame(20, 0.002)
    assert one.share == pytest.approx(0.4)
    assert one.each == pytest.approx(0.02)
    assert one.exact_each == pytest.approx(0.04)
    assert one.whole == pytest.approx(0.014)
    assert [grasp_gl.group_of(frame(radars, 1.0)) for radars in (1, 5, 6, 40, 51, 52, 75)] == [1, 1, 6, 21, 41, 52, 52]
    # Frames of whole hands do not count.
    rows = [frame(radars, 1e-4 * radars**1.5) for radars in (6, 12, 50)] + [frame(3, 1.0)]
    assert grasp_gl.growth(rows) == pytest.approx(1.5)
    assert math.isnan(grasp_gl.growth(rows[:1]))


@pytest.mark.gl
@pytest.mark.slow
def test_the_part_of_the_book(tmp_path):
    (part,) = [part for part in CHAPTER.parts if part.name == "grasp-frames-gl"]
    found = part.run(tmp_path, Watch(), **part.settings("tiny"))
    by_radars, published = found.sheets
    assert [row[0] for row in by_radars.rows] == ["1 to 5", "6 to 20"]
    assert any("203 ms" in row[1] for row in published.rows)
    assert all((tmp_path / picture.file).stat().st_size > 10_000 for picture in found.pictures)
    assert "Drawn by" in published.differs
