"""The first paper's costs on OpenGL: what is drawn is what is meant to be timed."""

import numpy as np
import pytest
from sweepscope_lab.book.radar import CHAPTER
from sweepscope_lab.book.result import Watch
from sweepscope_lab.kernels import shade
from sweepscope_lab.papers import radar
from sweepscope_lab.papers.gl_drawing import PlainDrawing, whole_picture
from sweepscope_lab.scenes.radar import POLYGONS, crowd

from sweepscope.gl.draw import Picture, buffer_ends, draw_on_card
from sweepscope.scene import store_of

pytestmark = [pytest.mark.gl, pytest.mark.slow]


def test_plain_drawings_show_what_exact_ones_show_but_for_outlines():
    world = crowd(POLYGONS[0])
    store = store_of(world.scene)
    drawing = PlainDrawing(radar.painted(world))
    view, _ = radar.views_of_seat(0, 2000.0)
    picture = Picture(view, (200, 200), np.zeros(len(store.rows), np.uint8))
    depths, codes = drawing.codes(picture)
    (exact,) = draw_on_card(store, store.world(), [picture])
    shown = exact[..., 1] >= 0.0
    assert 0.01 < shown.mean() < 0.9
    bodies = np.where(shown, exact[..., 1] // 2.0**32, 0.0)
    assert (codes != bodies).mean() < 1e-3  # corners are moved to a grid of 1/256 pixel
    both = shown & (depths < 1.0) & (codes == bodies)
    low, high = buffer_ends(0.0, 2000.0)
    off = np.abs(low + (high - low) * depths.astype(np.float64) - exact[..., 0])[both]
    assert np.percentile(off, 99) < 1e-2


def test_the_normal_drawing_is_that_of_the_rasterizer():
    world = crowd(POLYGONS[0])
    paint = radar.painted(world)
    found = PlainDrawing(paint).normal(whole_picture(paint, radar.normal_view()), read=True).astype(int)
    ours = paint.draw(radar.normal_view(), shade.canvas(480, 640)).astype(int)
    lit = ours.max(axis=2) > 60
    assert lit.mean() > 0.01
    assert np.abs(found - ours)[lit].mean() < 12.0
    assert np.abs(found - ours)[~lit].mean() < 1.0


@pytest.mark.parametrize("name", ["radar-costs-gl", "radar-frames-gl"])
def test_parts_of_the_book(name, tmp_path):
    (part,) = [part for part in CHAPTER.parts if part.name == name]
    found = part.run(tmp_path, Watch(), **part.settings("tiny"))
    assert found.sheets
    assert all((tmp_path / picture.file).exists() for picture in found.pictures)
    assert len(found.pictures) == 1
