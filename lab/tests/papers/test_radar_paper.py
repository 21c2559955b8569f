"""The first paper's experiments, cut short: what must hold of them whatever the machine."""

import csv
import math
import sys

import numpy as np
import pytest
from sweepscope_lab.cli.papers import run_papers
from sweepscope_lab.kernels import shade
from sweepscope_lab.papers import radar, radar_accuracy
from sweepscope_lab.papers.figures import need_matplotlib
from sweepscope_lab.scenes.radar import POLYGONS, SEATS, SENSOR, TOWARD, bouncers, crowd

from sweepscope.errors import InaccessibleFile, InvalidQuery, MissingPackage
from sweepscope.kernels.picture.paint import BODY_STEP
from sweepscope.radar import RadarSet
from sweepscope.world.body import entry_of

pytestmark = pytest.mark.slow


def quiet(_line):
    pass


@pytest.mark.parametrize(("polygons", "balls"), list(zip(POLYGONS, (41, 89, 156, 345), strict=True)))
def test_published_polygon_counts(polygons, balls):
    world = crowd(polygons)
    assert world.polygons == polygons
    assert len(world.balls) == balls
    assert len(world.sensor.shape.faces) == 1250
    assert len(world.rest.shape.faces) == 16
    for body in world.scene:
        assert np.abs(body.bounds).max() <= 1000.0


def test_other_counts_are_refused():
    with pytest.raises(InvalidQuery, match="13075"):
        crowd(13_075)


def test_every_seat_sees_its_ball_first():
    world = crowd(POLYGONS[-1])
    for seat, toward, ball in zip(SEATS, TOWARD, world.balls, strict=False):
        world.sensor.pose = seat
        hit = world.scene.sweep(world.sensor, radar.Translate(20.0 * toward))
        assert hit is not None
        assert hit.obstacle is ball
        assert 0.0 < hit.travel < 100.0 - 2.0 * SENSOR
        assert not hit.overlapping


def owners(fragments):
    """Return the rows of the bodies that spots show; -1 where nothing is."""
    return np.where(fragments[..., 1] < 0.0, -1, fragments[..., 1] // BODY_STEP).astype(int)


@pytest.mark.parametrize("side", radar.SIDES)
def test_mask_and_range_add_up_to_the_gap(side):
    """The two drawings that are timed give the exact travel by the paper's formula: min(R + M) - d."""
    world = crowd(POLYGONS[0])
    pixels = 400
    unseen = np.zeros(len(world.scene), np.uint8)
    unseen[entry_of(world.sensor).row] = 1
    for seat in range(len(SEATS)):
        world.sensor.pose = SEATS[seat]
        view, back = radar.views_of_seat(seat, side)
        images = [radar._images(np.zeros((pixels, pixels))) for _ in range(2)]
        radar._draw(world.scene, unseen, view, images[0])
        radar._draw(world.scene, 1 - unseen, back, images[1])
        gap = images[0].fragments[..., 0] + images[1].fragments[..., 0] - side
        exact = world.scene.sweep(world.sensor, radar.Translate(20.0 * TOWARD[seat])).travel
        assert gap.min() >= exact - 1e-9
        assert gap.min() <= exact + 2.0 * side / pixels
        assert entry_of(world.balls[seat]).row == owners(images[0].fragments).ravel()[gap.argmin()]


def test_bouncers_are_as_published_and_apart():
    world = bouncers()
    assert world.polygons == 6406
    assert len(world.balls) == 50
    for ball in world.balls:
        assert world.scene.sweep(ball, radar.Translate((0.0, 0.0, 0.0))) is None


@pytest.fixture(scope="module")
def drawing():
    world = crowd(POLYGONS[0])
    paint = radar.painted(world)
    room = shade.canvas(480, 640)
    paint.draw(radar.normal_view(), room)
    return world, paint, room


def test_materials_are_two_to_one_to_one(drawing):
    world, paint, _ = drawing
    kinds = paint.kinds[[entry_of(ball).row for ball in world.balls]]
    assert np.bincount(kinds).tolist() == [10, 21, 10]


def test_background_is_untouched_and_bodies_are_not(drawing):
    world, _, room = drawing
    background = np.round(255.0 * np.array(radar._BACKGROUND)).astype(np.uint8)
    blank = (room.picture == background).all(axis=2)
    seen = (owners(room.fragments) >= 0).any(axis=0)
    assert blank[~seen].all()
    assert not blank[seen].any()
    for body in world.scene:
        assert (owners(room.fragments) == entry_of(body).row).any() or body in (world.rest, world.sensor)


def test_normals_of_a_ball_point_outwards(drawing):
    world, _, _ = drawing
    ball = world.balls[0].shape
    normals = np.empty_like(ball.vertices)
    shade.vertex_normals(ball.vertices, ball.faces, normals)
    outward = ball.vertices / np.linalg.norm(ball.vertices, axis=1)[:, None]
    assert np.einsum("ij,ij->i", normals, outward).min() > 0.99


def test_shading_turns_to_the_light(drawing):
    """An opaque ball is brightest on the side of the light, and varies smoothly over its faces."""
    world, paint, room = drawing
    alone = next(
        ball
        for ball in world.balls
        if paint.kinds[entry_of(ball).row] == shade.OPAQUE and shows_whole(room, entry_of(ball).row)
    )
    i, j = np.nonzero(owners(room.fragments)[0] == entry_of(alone).row)
    bright = room.picture[i, j].sum(axis=1, dtype=float)
    top = bright >= np.quantile(bright, 0.9)
    # The light comes from above and from the left of the picture.
    assert i[top].mean() < i.mean() - 1.0
    assert j[top].mean() < j.mean() - 1.0
    assert len(np.unique(bright)) > 20


def shows_whole(room, row):
    """True if nothing transparent lies before a body and it covers as many pixels as a free ball of radius 40 does."""
    mine = owners(room.fragments)[0] == row
    return mine.sum() > 0.95 * math.pi * (40.0 * 480 / 2000.0) ** 2 and not (owners(room.fragments)[1][mine] >= 0).any()


def test_texture_changes_colors_within_a_ball(drawing):
    _, paint, room = drawing
    before = room.picture.copy()
    textured = np.isin(owners(room.fragments)[0], np.flatnonzero(paint.kinds == shade.TEXTURED))
    plain = shade.canvas(480, 640)
    white = np.full_like(paint.texture, 255)
    after = radar.PaintedScope(paint.scene, paint.normals, paint.kinds, paint.colors, white, paint.light)
    after.draw(radar.normal_view(), plain)
    changed = (plain.picture != before).any(axis=2)
    assert not changed[~textured].any()
    assert changed[textured].mean() > 0.4
    assert (plain.picture >= before).all()


def test_transparent_bodies_let_through_what_is_behind(drawing):
    _, paint, room = drawing
    glass = np.flatnonzero(paint.kinds == shade.TRANSPARENT)
    assert set(np.unique(owners(room.fragments)[1])) == {-1, *glass}
    first, second = owners(room.fragments)[1] >= 0, owners(room.fragments)[2] >= 0
    assert not (second & ~first).any()
    # A ball has a front and a back: nearly every pixel shows both.
    assert (first & second).sum() > 0.98 * (first & (owners(room.fragments)[0] < 0)).sum()
    # The second layer lies behind the first: where both show the same ball, it is entered and then left.
    same = second & (owners(room.fragments)[1] == owners(room.fragments)[2])
    assert (room.fragments[1, ..., 1][same] % 2 == 0).all()
    assert (room.fragments[2, ..., 1][same] % 2 == 1).all()
    solid = shade.canvas(480, 640)
    kinds = np.where(paint.kinds == shade.TRANSPARENT, shade.OPAQUE, paint.kinds).astype(np.uint8)
    opaque = radar.PaintedScope(paint.scene, paint.normals, kinds, paint.colors, paint.texture, paint.light)
    opaque.draw(radar.normal_view(), solid)
    changed = (solid.picture != room.picture).any(axis=2)
    assert changed[first].all()
    assert not changed[~first].any()


@pytest.fixture(scope="module")
def errors():
    return radar_accuracy.measure_accuracy(quiet, 16, pixels=(8, 16, 32, 64, 128))


def test_sampled_is_never_early(errors):
    for row in errors:
        if not row.bounding:
            assert row.least >= -1e-9, row
            assert row.bracketed == row.pairs, row


def test_bounding_is_never_late_and_misses_nothing(errors):
    for row in errors:
        if row.bounding:
            assert row.missed == 0, row
            assert row.most <= 1e-9, row


def test_errors_are_within_one_pixels_slope(errors):
    sampled = [row for row in errors if not row.bounding]
    assert all(row.within == row.judged for row in sampled)
    assert sum(row.judged for row in sampled) > 0.4 * sum(row.pairs for row in sampled)


def test_sampling_misses_a_thin_rod_at_few_pixels(errors):
    missed = {row.pixels: row.missed for row in errors if row.kind == "box on rod" and not row.bounding}
    assert missed[8] > 3
    assert missed[128] < missed[8]


def test_order_of_convergence(errors):
    order = radar_accuracy.orders(errors)
    assert order["ball on ball", False] > 1.5
    assert 0.8 < order["box on box", False] < 1.5
    assert order["1,250 triangles", False] > 1.0
    assert order["ball on ball", True] > 0.6


def test_straight_line_is_found():
    frames = [radar.RadarFrame(n, 50, 1e-3 + 2e-4 * n, 0, 5e-3) for n in radar.RADARS]
    (fit,) = radar.fit_frames(frames)
    assert fit.start == pytest.approx(1e-3)
    assert fit.each == pytest.approx(2e-4)
    assert fit.residual < 1e-9
    assert 0.5 < fit.exponent < 1.0
    # A frame as published has the normal drawing in it; the line is that of detection alone.
    assert frames[0].frame == pytest.approx(1e-3 + 2e-3 + 5e-3)


def test_balls_bounce_and_stay_in_their_room():
    world = bouncers()
    hits = radar.bounce(world, RadarSet(world.scene, world.balls[:10], pixels=25), 40, 1).hits
    assert hits > 5
    for ball in world.balls[:10]:
        assert np.abs(ball.bounds).max() <= 500.0 + 1.0


def test_run_papers_writes_tables_and_figures(tmp_path, capsys):
    out = tmp_path / "new" / "folder"
    assert run_papers("radar", out, "tiny") == 0
    shown = capsys.readouterr().out
    assert "published: 10 % to 60 %" in shown
    for name, lines in (("fig7", 8), ("fig8", 4), ("accuracy", 24)):
        with (out / f"{name}.csv").open() as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == lines
        assert all(value not in ("", "None") for row in rows for value in row.values())
        assert (out / f"{name}.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
        assert (out / f"{name}.png").stat().st_size > 10_000


def test_what_there_is_not(tmp_path):
    with pytest.raises(InvalidQuery, match="accepted: radar"):
        run_papers("cloud", tmp_path, "tiny")
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(InaccessibleFile, match="cannot be made a folder"):
        run_papers("radar", blocked, "tiny")


def test_missing_matplotlib_is_said_in_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingPackage, match="pip install matplotlib"):
        need_matplotlib()
