"""What is near the mover, what overlaps, what a ray meets, and everything on the way, on a page."""

import json

import numpy as np
import pytest
from playwright.sync_api import expect
from visitors import on_screen

import sweepscope as ss
from sweepscope.viewer.colors import CONTACT


@pytest.fixture
def scene():
    """A tool above a shelf and a floor; a core inside a post that stands on the floor."""
    scene = ss.Scene()
    scene.add(ss.Box((10, 10, 0.2)), name="floor")
    scene.add(ss.Mesh.cylinder(radius=0.3, height=2.0), pose=(2, 0, 1.1), name="post")
    scene.add(ss.Box((1.5, 0.6, 0.1)), pose=(0.2, 0, 1.6), name="shelf")
    scene.add(ss.Box((0.2, 0.2, 0.2)), pose=(2, 0, 0.6), name="core")
    scene.add(ss.Box((0.4, 0.4, 1.0)), pose=(0, 0, 3), name="tool")
    return scene


@pytest.fixture
def page(scene):
    with scene.show(scene["tool"], ss.Translate((0, 0, -5)), browser=False) as page:
        yield page


def choose(visitor, field, option):
    visitor.field(field).click()
    visitor.tab.get_by_role("option", name=option, exact=True).click()


def write(visitor, field, vector):
    for k, value in enumerate(vector):
        visitor.field(field).nth(k).fill(str(value))
        visitor.frames(2)  # the page sends all three numbers, as it has them


def node(page, name):
    return page._stage.server.scene.get_handle_by_name(name)


def lit(page):
    scene = page._stage.scene
    return {body.name for body in scene.bodies if tuple(page._stage.bodies._nodes[body.id].handle.color) == CONTACT}


def comes_true(visitor, condition):
    """Wait for the server, which answers on threads of its own."""
    for _ in range(300):
        if condition():
            return
        visitor.frames(1)
    raise AssertionError("this does not come true")


def test_the_nearest_bodies_follow_the_mover(page, scene, visit):
    visitor = visit(page)
    visitor.open("Near")
    visitor.reads("off")
    visitor.field("nearest").check()
    pairs = scene.nearest(scene["tool"], k=5)
    visitor.reads("nearest bodies", *(f"{pair.distance:.5g}" for pair in pairs))
    assert pairs[0].second is scene["shelf"]
    assert node(page, "/near/lines").points[0] == pytest.approx(np.stack((pairs[0].first_point, pairs[0].second_point)))
    assert node(page, "/near/label").text == f"{pairs[0].distance:.4g}" == "0.85"
    with page.changing():
        scene["tool"].pose = (0, 0, 2.05)
    visitor.reads("crosses")
    assert not node(page, "/near/lines").visible
    assert not node(page, "/near/label").visible
    with page.changing():
        scene["tool"].pose = (0, 0, 3.5)
    visitor.reads("1.35")
    visitor.field("limit").fill("1")
    visitor.reads("none within 1")
    visitor.field("limit").fill("2")
    visitor.reads("1.35")
    expect(visitor.tab.get_by_text("2.9", exact=True)).to_have_count(0)
    visitor.field("nearest").uncheck()
    visitor.reads("off")
    comes_true(visitor, lambda: not node(page, "/near/lines").visible)


def test_a_drag_is_followed(page, scene, visit):
    visitor = visit(page)
    visitor.open("Near")
    visitor.field("nearest").check()
    visitor.reads("nearest bodies", "0.85")
    visitor.frames(5)
    camera, start = visitor.client(page).camera, scene["tool"].pose[:3, 3]
    mouse = visitor.tab.mouse
    mouse.move(*on_screen(camera, start + (0, 0, 0.9 * 0.15 * page._question.size)))
    visitor.frames(5)
    mouse.down()
    mouse.move(*on_screen(camera, start + (0, 0, 0.25 * page._question.size)), steps=5)
    comes_true(visitor, lambda: scene["tool"].pose[2, 3] > 3.1)
    visitor.comes_to_read(lambda: f"{scene.nearest(scene['tool'])[0].distance:.5g}")  # before the mouse is released
    mouse.up()
    visitor.comes_to_read(lambda: f"{scene.nearest(scene['tool'])[0].distance:.5g}")
    assert float(node(page, "/near/label").text) > 0.95


def test_contacts_of_the_mover(page, scene, visit):
    visitor = visit(page)
    visitor.reads("hit")
    visitor.open("Ask")
    choose(visitor, "mover", "post")
    visitor.open("Near")
    visitor.field("margin").fill("0")
    visitor.field("contacts").check()
    found = scene.contacts(scene["post"])
    visitor.reads(f"{len(found)} contacts")
    assert np.sort(node(page, "/contacts/points").points, axis=0) == pytest.approx(np.sort(found.other_point, axis=0), abs=1e-6)
    assert len(node(page, "/contacts/arrows").batched_positions) == np.isfinite(found.gap).sum()
    shown = page._stage.bodies._nodes[scene["post"].id].handle
    assert shown.opacity < 1.0  # contacts are on its surface
    visitor.open("Ask")
    choose(visitor, "mover", "tool")
    visitor.open("Near")
    visitor.reads("contacts", "none")
    assert shown.opacity is None
    assert not node(page, "/contacts/points").visible
    visitor.field("margin").fill("0.9")
    visitor.reads("gap 0.85")
    visitor.open("Ask")
    choose(visitor, "mover", "(none)")
    visitor.open("Near")
    visitor.reads("no answer")


def test_overlaps_as_a_list_to_go_through(page, scene, visit):
    visitor = visit(page)
    visitor.reads("hit")
    visitor.open("Overlaps")
    visitor.reads("off")
    visitor.field("on").check()
    visitor.reads("1 pair overlaps, 1 near")  # the core is in the post, which touches the floor
    visitor.field("limit").fill("0.9")
    visitor.reads("1 pair overlaps, 4 near")
    before = visitor.client(page).camera.look_at.copy()
    choose(visitor, "go to", "1: post, core")
    comes_true(visitor, lambda: lit(page) == {"post", "core"})
    comes_true(visitor, lambda: set(visitor.squares("core")) == {"rgb(213, 94, 0)"})
    comes_true(visitor, lambda: not np.allclose(visitor.client(page).camera.look_at, before, atol=0.1))
    assert visitor.client(page).camera.look_at == pytest.approx((2, 0, 0.6), abs=0.01)
    assert page._stage.bodies._nodes[scene["post"].id].handle.opacity < 1.0
    choose(visitor, "go to", "5: shelf, tool")
    comes_true(visitor, lambda: lit(page) == {"shelf", "tool"})
    comes_true(visitor, lambda: node(page, "/overlap/label").text == "0.85")
    assert page._stage.bodies._nodes[scene["post"].id].handle.opacity is None
    choose(visitor, "go to", "(none)")
    comes_true(visitor, lambda: lit(page) == {"shelf"})  # the answer of the question again
    comes_true(visitor, lambda: not node(page, "/overlap/lines").visible)
    with page.changing():
        scene.remove(scene["core"])
    visitor.reads("0 pairs overlap, 3 near")
    visitor.field("limit").fill("0")
    with page.changing():
        scene["post"].pose = (2, 0, 3)
    visitor.reads("no two bodies overlap, touch or are within 0")


def test_a_click_casts_a_ray(page, scene, visit):
    visitor = visit(page)
    visitor.reads("hit")
    visitor.open("Ray")
    visitor.reads("off")
    visitor.field("on").check()
    visitor.frames(2)
    write(visitor, "from", (-3, 0, 5))  # straight down, beside the shelf
    visitor.field("radius").fill("0.05")
    hit = scene.cast((-3, 0, 5), (0, 0, -1), radius=0.05)
    visitor.reads("meets", f"{float(hit.distance):.5g}")
    assert scene[int(hit.body)].name == "floor"
    camera = visitor.client(page).camera
    end = scene["shelf"].pose[:3, 3] + (0.5, 0, 0.05)
    place = on_screen(camera, end)
    visitor.field("radius").fill("0")
    visitor.tab.mouse.click(*place)
    ray = scene.cast(camera.position, end - camera.position)
    assert scene[int(ray.body)].name == "shelf"
    comes_true(visitor, lambda: np.allclose(node(page, "/ray/points").points[0], ray.point, atol=0.05))
    assert node(page, "/ray/lines").points[0, 0] == pytest.approx(camera.position, abs=0.01)
    assert page._question.movers == (scene["tool"],)  # the click chose no mover
    visitor.field("on").uncheck()
    visitor.reads("off")
    visitor.frames(5)
    assert not node(page, "/ray/points").visible
    visitor.tab.mouse.click(*place)
    comes_true(visitor, lambda: page._question.movers == (scene["shelf"],))


def test_hidden_bodies_are_not_met_by_rays(page, scene, visit):
    visitor = visit(page)
    visitor.reads("hit")
    visitor.open("Ray")
    visitor.field("on").check()
    write(visitor, "from", (0.6, 0, 9))
    visitor.reads("7.35", "7.45", "8.9")  # shelf, its other side, floor
    visitor.open("Bodies")
    visitor.field("shelf").uncheck()
    visitor.open("Ray")
    visitor.field("radius").fill("0.01")
    visitor.reads("8.89")
    expect(visitor.tab.get_by_text("7.34", exact=True)).to_have_count(0)
    write(visitor, "direction", (0, 0, 0))
    visitor.reads("no answer")


def test_everything_on_the_way(page, scene, visit):
    visitor = visit(page)
    visitor.reads("0.85 of 5")
    visitor.field("pass through").check()
    found = scene.sweep_all(scene["tool"], ss.Translate((0, 0, -5)))
    assert [body.name for body in found.obstacles] == ["shelf", "floor"]
    visitor.reads("2 bodies on the way", *(f"until {passage.left_travel:.6g}" for passage in found))
    comes_true(visitor, lambda: lit(page) == {"shelf", "floor"})
    assert ghost(page) == pytest.approx((0, 0, -2), abs=1e-6)
    choose(visitor, "show at", "floor")
    comes_true(visitor, lambda: lit(page) == {"floor"})
    assert ghost(page) == pytest.approx((0, 0, 3 - found[1].hit.travel), abs=1e-6)
    assert page._question.hit.obstacle is scene["shelf"]  # the answer is still the first contact
    visitor.open("Save")
    with visitor.tab.expect_download() as saved:
        visitor.tab.get_by_role("button", name="Answer as JSON").click()
    assert json.loads(saved.value.path().read_text()) == found.as_dict()
    visitor.open("Ask")
    with page.changing():
        scene["tool"].pose = (0, 0, 4)
    visitor.reads("1.85 of 5")
    comes_true(visitor, lambda: lit(page) == {"floor"})
    visitor.field("by").nth(2).fill("-2")
    visitor.reads("1 body on the way", "not left")
    expect(visitor.field("show at")).to_have_value("(all)")
    visitor.field("by").nth(2).fill("-1")
    visitor.reads("free", "0 bodies on the way")
    visitor.field("pass through").uncheck()
    expect(visitor.tab.get_by_text("0 bodies on the way")).to_have_count(0)


def ghost(page):
    """Where the last ghost of the mover is."""
    (shown,) = [each.handle for each in page._stage.view.ghosts._ghosts if each.handle.visible]
    return shown.batched_positions[-1]
