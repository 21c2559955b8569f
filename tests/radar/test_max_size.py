"""max_size: the two steps of section 3.3 of Yamachi & Shindo (2002), against a twin of its listing."""

import math

import numpy as np
import pytest

import sweepscope as ss

MAX_SIZE = 5.0
METHODS = ("sampled", "bounding", "published")


class Listing:
    """The listing of 3.3, line by line; sizes are (width, height)."""

    def __init__(self):
        self.mask_reset = True  # the first detection has no mask
        self.size = None

    def detect(self, changed, mask):
        """Return the size of the next view; mask: that of the detection before, as (size, covered pixels)."""
        if changed:
            self.mask_reset = True
        if self.mask_reset:
            if self.size == (MAX_SIZE, MAX_SIZE):
                self.size = size_from(mask)
                self.mask_reset = False
            else:
                self.size = (MAX_SIZE, MAX_SIZE)
        return self.size


def size_from(mask):
    """Return the size of the covered pixels, and half a pixel on each side: the hand of 400 that gets 440."""
    (width, height), covered = mask
    found = []
    for extent, used in ((width, covered.any(axis=0)), (height, covered.any(axis=1))):
        places = [k for k in range(len(used)) if used[k]]
        low, high = max(places[0] - 0.5, 0.0), min(places[-1] + 1.5, len(used))
        found.append((high - low) * extent / len(used))
    return tuple(found)


def box_above_a_floor():
    scene = ss.Scene()
    scene.add(ss.Box((20, 20, 0.2)), name="floor")
    return scene, scene.add(ss.Mesh.box((1.0, 0.5, 0.4)), (0, 0, 3), name="box")


@pytest.mark.parametrize("method", METHODS)
def test_the_mask_is_made_at_once_also_if_nothing_is_ahead(method):
    scene, box = box_above_a_floor()
    radar = ss.radar.Radar(scene, box, pixels=50, max_size=MAX_SIZE, method=method)
    short = ss.Translate((0, 0, -1))
    first, second, third = radar.probe(short), radar.probe(short), radar.probe(ss.Translate((0, 0, -5)))
    assert not first
    assert first.drawings == 2
    assert np.isfinite(first.lead).any()
    widths = [max(each.view.width, each.view.height) for each in (first, second, third)]
    assert widths[0] == MAX_SIZE
    assert widths[1] == widths[2] == pytest.approx(1.1, abs=0.21)  # the box and one pixel; bounds cover its rim too
    assert not second
    # The first hit is read with small pixels.
    assert third.hit
    assert third.travel == pytest.approx(2.7, abs=1e-9)


def test_views_of_the_papers_hand():
    """2000, 440, 440 with a hand of 400 and 50 pixels, whether or not something is ahead."""
    scene = ss.Scene()
    hand = scene.add(ss.Mesh.box((400, 400, 30)))
    wall = scene.add(ss.Mesh.box((4000, 4000, 10)), (0, 0, 5000))
    for distance in (970.0, 6000.0):
        radar = ss.radar.Radar(scene, hand, pixels=50, max_size=2000.0)
        readings = [radar.probe(ss.Translate((0, 0, distance))) for _ in range(3)]
        assert [reading.view.width for reading in readings] == pytest.approx([2000.0, 440.0, 440.0])
        assert [reading.view.height for reading in readings] == pytest.approx([2000.0, 440.0, 440.0])
        assert [reading.obstacle for reading in readings] == [wall if distance > 5000.0 else None] * 3


@pytest.mark.parametrize("method", METHODS)
def test_views_are_those_of_the_listing(rng, method):
    """Whatever changes, and whether or not something is ahead."""
    for _ in range(6):
        scene, box = box_above_a_floor()
        radar = ss.radar.Radar(scene, box, pixels=(40, 30), max_size=MAX_SIZE, method=method)
        listing, mask, changed = Listing(), None, False
        toward = np.array((0.0, 0.0, -1.0))
        sizes = set()
        for _ in range(25):
            if mask is not None and rng.random() < 0.4:
                changed = True
                kind = int(rng.integers(3))
                if kind == 0:
                    toward = rng.normal(size=3)
                    toward /= np.linalg.norm(toward)
                elif kind == 1:
                    box.pose = ss.Rotate(rng.normal(size=3), 1.0, about=(0, 0, 3)).at() @ box.pose
                else:
                    box.vertices = ss.Mesh.box(rng.uniform(0.4, 2.0, 3)).vertices
            reading = radar.probe(ss.Translate(rng.uniform(0.1, 5.0) * toward))
            size = listing.detect(changed, mask)
            if method != "published" and changed and size != (MAX_SIZE, MAX_SIZE) and outgrown(box, reading, size):
                # Ours: a view that would cut the mover off begins anew.
                size = listing.size = (MAX_SIZE, MAX_SIZE)
                listing.mask_reset = True
            changed = False
            assert (reading.view.width, reading.view.height) == pytest.approx(size)
            if size == (MAX_SIZE, MAX_SIZE):
                mask = size, np.isfinite(reading.lead)
            sizes.add(size)
        assert len(sizes) >= 3


def outgrown(box, reading, size):
    places = (box.vertices @ box.pose[:3, :3].T) @ reading.view.frame[:2].T
    wide, high = np.ptp(places, axis=0)
    return wide > size[0] or high > size[1]


def test_a_turning_body_is_cut_off_as_published_alone():
    """A body that has outgrown the size read from its mask before: the listing takes it, ours begins anew."""
    scene, box = box_above_a_floor()
    quarter = ss.Rotate((0, 1, 0), 0.5 * math.pi, about=(0, 0, 3)).at()
    down = ss.Translate((0, 0, -5))
    widths = {}
    for method in METHODS:
        box.pose = quarter @ np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 3], [0, 0, 0, 1.0]])
        radar = ss.radar.Radar(scene, box, pixels=50, max_size=MAX_SIZE, method=method)
        radar.probe(down)
        box.pose = (0, 0, 3)
        second = radar.probe(down)
        widths[method] = max(second.view.width, second.view.height)
    assert widths["published"] < 1.0 < MAX_SIZE == widths["sampled"] == widths["bounding"]


def test_a_bounding_mask_of_the_preset_size_is_that_of_a_view_that_fits(rng):
    """Drawn in another way, it reads the same bounds."""
    scene, box = box_above_a_floor()
    scene.add(ss.Sphere(0.4), (0.3, 0.1, 1.0))
    down = ss.Translate((0.3, 0.2, -5))
    exact = scene.sweep(box, down).travel
    for pixels in (10, 37, 80):
        radar = ss.radar.Radar(scene, box, pixels=pixels, method="bounding", max_size=2.0)
        first, second = radar.probe(down), radar.probe(down)
        fitted = ss.radar.Radar(scene, box, pixels=pixels, method="bounding").probe(down)
        for reading in (first, second, fitted):
            assert exact - 6.0 * reading.view.width / pixels < reading.travel <= exact
