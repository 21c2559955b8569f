"""What visitors change: clicks, the tree of bodies, undo, reset; and what they see: dark systems, narrow windows."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect
from test_page import on_screen
from test_panels_page import arm

import sweepscope as ss
from sweepscope.drawing import palette
from sweepscope.viewer.camera import points_of_bodies, points_of_motion, size_of


@pytest.fixture
def scene():
    scene = ss.Scene()
    scene.add(ss.Box((10, 10, 0.2)), name="floor")
    scene.add(ss.Sphere(0.5), pose=(-1, 1, 1.1), name="ball")
    scene.add(ss.Box((0.4, 0.4, 1.0)), pose=(0, 0, 3), name="tool")
    return scene


@pytest.fixture
def page(scene):
    with scene.show(scene["tool"], ss.Translate((0, 0, -5)), browser=False) as page:
        yield page


def click(visitor, page, point):
    """Click on a point of the scene."""
    camera = visitor.client(page).camera
    visitor.frames(5)
    x, y = on_screen(camera, point)
    visitor.tab.mouse.move(x, y)
    visitor.frames(5)
    visitor.tab.mouse.click(x, y)


def button(visitor, name):
    return visitor.tab.get_by_role("button", name=name, exact=True)


def color_of(page, body):
    return tuple(page._stage.bodies._nodes[body.id].handle.color)


def test_the_mover_has_the_color_of_pictures(page, scene):
    blue = tuple(round(255 * float(part)) for part in palette.MOVER)
    assert color_of(page, scene["tool"]) == blue
    assert color_of(page, scene["ball"]) != blue


def test_a_click_makes_a_body_the_mover(page, scene, visit):
    visitor = visit(page)
    visitor.reads("2.4 of 5")
    click(visitor, page, scene["ball"].pose[:3, 3])
    expect(visitor.field("mover")).to_have_value("ball")
    visitor.reads("0.5 of 5")
    label = page._stage.bodies._label
    assert label.visible
    assert label.text == "ball"
    assert color_of(page, scene["ball"]) != color_of(page, scene["tool"])
    button(visitor, "Undo").click()
    visitor.reads("2.4 of 5", "Undone: choice of ball")
    button(visitor, "Redo").click()
    visitor.reads("0.5 of 5")


def test_a_click_on_a_link_shows_its_name(visit):
    robot = arm()
    with robot.show(browser=False) as page:
        visitor = visit(page)
        visitor.open("Bodies")
        visitor.reads("4 bodies")
        click(visitor, page, (0.5, 0.0, 0.05))
        visitor.reads("shoulder", "upper")
        expect(visitor.tab.get_by_text("arm/upper", exact=True).filter(visible=True)).to_be_visible()
        visitor.open("Ask")
        visitor.reads("choose a mover, or click a body")


def test_the_tree_hides_bodies_and_links(visit):
    robot = arm()
    robot.scene.add(ss.Box((0.3, 0.3, 0.3)), pose=(0.5, -0.6, 0), name="crate")
    nodes = lambda page: {body.name: page._stage.bodies._nodes[body.id].handle for body in robot.scene.bodies}  # noqa: E731
    with robot.show(browser=False) as page:
        visitor = visit(page)
        visitor.open("Bodies")
        before = visitor.picture()
        visitor.field("crate").uncheck()
        after = visitor.sees_other_than(before)
        visitor.reads("hidden")
        visitor.field("fore").uncheck()
        visitor.sees_other_than(after)
        assert {name for name, node in nodes(page).items() if not node.visible} == {"crate", "arm/fore"}
        visitor.field("find").fill("ARM")
        expect(visitor.tab.locator("label").filter(has_text="crate").filter(visible=True)).to_have_count(0)
        button(visitor, "none").click()
        expect(visitor.field("base")).not_to_be_checked()
        assert {name for name, node in nodes(page).items() if node.visible} == {"wall"}
        visitor.field("find").fill("")
        button(visitor, "all").click()
        expect(visitor.field("crate")).to_be_checked()
        assert all(node.visible for node in nodes(page).values())
        with page.changing():
            robot.scene.remove(robot.scene["crate"])
            robot.scene.add(ss.Box((1, 1, 1)), pose=(3, 0, 0), name="box")
        expect(visitor.field("box")).to_be_checked()
        expect(visitor.tab.locator("label").filter(has_text="crate")).to_have_count(0)


def test_visual_shapes_are_hidden_with_their_links(visit):
    robot, looks = arm(), ss.Robot(name="arm")
    looks.add("base", ss.Sphere(0.3))
    looks.add("upper", None, parent="base", joint=ss.Joint.revolute("shoulder", limits=(-3.0, 3.0)))
    looks.add("fore", None, parent="upper", joint=ss.Joint.revolute("elbow", limits=(-2.0, 2.0)))
    with robot.show(browser=False, visuals={"arm": looks}) as page:
        visitor = visit(page)
        look = page._stage.server.scene.get_handle_by_name("/visual/arm\N{DIVISION SLASH}base")
        visitor.open("Bodies")
        visitor.reads("4 bodies")
        assert look.visible
        visitor.field("base").uncheck()
        visitor.reads("hidden")
        assert not look.visible
        visitor.open("arm")
        visitor.field("collision shapes").check()  # base stays hidden
        visitor.open("Bodies")
        expect(visitor.field("base")).not_to_be_checked()
        base = page._stage.bodies._nodes[robot.links["base"].bodies[0].id].handle
        assert not base.visible
        visitor.field("base").check()
        expect(visitor.tab.get_by_text("hidden", exact=True).filter(visible=True)).to_have_count(0)
        assert base.visible
        assert look.visible


def test_a_long_list_of_bodies_is_searched(visit):
    scene = ss.Scene()
    for k in range(120):
        scene.add(ss.Box((0.5, 0.5, 0.5)), pose=(k % 12, k // 12, 0), name=f"box {k}")
    with scene.show(browser=False) as page:
        visitor = visit(page)
        visitor.open("Bodies")
        visitor.reads("120 bodies", "70 more: write a part of a name to find them")
        visitor.field("find").fill("box 119")
        visitor.field("box 119").uncheck()
        visitor.reads("hidden")
        assert page._stage.bodies.hidden("visitor") == {scene["box 119"].id}


def test_a_drag_is_undone(page, scene, visit):
    visitor = visit(page)
    visitor.reads("2.4 of 5")
    visitor.frames(5)
    start = scene["tool"].pose.copy()
    camera = visitor.client(page).camera
    size, mouse = page._stage.size, visitor.tab.mouse
    mouse.move(*on_screen(camera, start[:3, 3] + (0, 0, 0.9 * 0.15 * size)))
    visitor.frames(5)
    mouse.down()
    mouse.move(*on_screen(camera, start[:3, 3] + (0, 0, 0.25 * size)), steps=5)
    mouse.up()
    visitor.comes_to_read(lambda: f"{scene.sweep(scene['tool'], ss.Translate((0, 0, -5))).travel:.6g} of 5")
    assert scene["tool"].pose[2, 3] > start[2, 3] + 0.1
    visitor.tab.keyboard.press("Control+z")
    visitor.reads("2.4 of 5", "Undone: move of tool")
    assert np.array_equal(scene["tool"].pose, start)
    assert np.array_equal(page._stage.bodies._nodes[scene["tool"].id].pose, start)


def test_joints_are_undone_and_reset(visit):
    robot = arm()
    robot["elbow"] = 0.1
    with robot.show(browser=False) as page:
        visitor = visit(page)
        visitor.field("shoulder").last.fill("3")
        visitor.reads("stopped by contact")
        stopped = robot["shoulder"]
        visitor.field("elbow").last.fill("-0.5")
        visitor.reads("free")
        button(visitor, "Undo").click()
        visitor.reads("Undone: move of elbow")
        assert robot.positions == {"shoulder": stopped, "elbow": 0.1}
        button(visitor, "Reset joints").click()
        expect(visitor.field("shoulder").last).to_have_value(re.compile(r"0(\.0*)?"))
        assert robot.positions == {"shoulder": 0.0, "elbow": 0.1}
        button(visitor, "Undo").click()
        visitor.reads("Undone: reset of arm")
        assert robot.positions == {"shoulder": stopped, "elbow": 0.1}
        button(visitor, "Undo").click()
        visitor.reads("Undone: move of shoulder")
        assert robot.positions == {"shoulder": 0.0, "elbow": 0.1}
        expect(visitor.tab.get_by_text("stopped by contact")).to_have_count(0)  # its marks are gone too
        assert not page._stage.view._point.visible
        button(visitor, "Undo").click()
        visitor.reads("Nothing to be undone")


def test_a_brush_is_undone_and_says_what_it_did(visit):
    scene = ss.Scene()
    scene.add(ss.Volume(np.ones((8, 8, 8), bool)), name="block")
    block = scene["block"].shape
    with scene.show(browser=False) as page:
        visitor = visit(page)
        visitor.open("Volumes")
        expect(button(visitor, "Apply here")).to_be_disabled()  # the brush is off
        visitor.field("radius").last.fill("2")
        visitor.field("brush").click()
        visitor.tab.get_by_role("option", name="add", exact=True).click()
        button(visitor, "Apply here").click()
        visitor.reads("nothing changed")
        visitor.field("brush").click()
        visitor.tab.get_by_role("option", name="carve", exact=True).click()
        button(visitor, "Apply here").click()
        visitor.reads("carved", f"{512 - block.count}")
        assert block.count < 512
        button(visitor, "Undo").click()
        visitor.reads("Undone: brush on block")
        assert block.count == 512


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_follows_the_system(page, visit, scheme):
    visitor = visit(page, scheme=scheme)
    visitor.reads("2.4 of 5")
    expect(visitor.tab.locator("html")).to_have_attribute("data-mantine-color-scheme", scheme)
    client = visitor.client(page)
    assert page._theme.dark_for(client) is (scheme == "dark")
    assert page._theme.dark_for(None) is False


def test_what_the_program_says_goes_before_the_system(scene, visit):
    with scene.show(browser=False, dark=False) as page:
        visitor = visit(page, scheme="dark")
        visitor.reads("hit")
        expect(visitor.tab.locator("html")).to_have_attribute("data-mantine-color-scheme", "light")


def test_a_narrow_window_shows_what_is_asked(visit):
    robot = arm()
    with robot.show(browser=False) as page:
        visitor = visit(page, width=700, height=640)
        expect(button(visitor, "Reset joints")).to_be_visible()
        client = visitor.client(page)
        for _ in range(300):
            if client.camera.aspect < 0.7:
                break
            visitor.frames(1)
        for name in ("Undo", "Redo", "Fit view", "Reset joints"):
            box = button(visitor, name).bounding_box()
            assert box["x"] >= client.camera.image_width  # beside the scene
            assert box["x"] + box["width"] <= 700
        for _ in range(300):
            places = [on_screen(client.camera, corner) for body in robot.bodies for corner in body.bounds]
            if all(0 <= x <= client.camera.image_width and 0 <= y <= 640 for x, y in places):
                break
            visitor.frames(1)
        else:
            raise AssertionError(f"the robot is not in the window: {places}")


def test_marks_are_as_large_as_what_is_asked(scene):
    scene.add(ss.Box((0.01, 0.01, 0.01)), pose=(0, 1, 0.15), name="screw")
    with scene.show(browser=False) as page:
        gizmo, whole = page._question._gizmo, size_of(points_of_bodies(scene.bodies))
        assert page._question.movers == (scene["screw"],)  # nobody has asked: all is in view
        assert gizmo.scale == pytest.approx(0.15 * whole)
        assert np.allclose(page._question.points(), points_of_bodies(scene.bodies))
        page._stage.bodies.click(scene["ball"])
        page._stage.bodies.click(scene["screw"])
        near = size_of(points_of_motion([scene["screw"]], page._question.motion(), page._question.hit.time))
        assert near < 0.1 < whole
        assert gizmo.scale == pytest.approx(0.15 * near)
        assert page._stage.view._normal.scale == pytest.approx(near)


def test_the_camera_goes_to_a_mover_that_is_not_in_view(scene, visit):
    scene.add(ss.Box((1, 1, 1)), pose=(60, 0, 3), name="house")
    with scene.show(scene["tool"], ss.Translate((0, 0, -5)), browser=False) as page:
        assert page._stage.size < 10  # of the question, not of the scene
        visitor = visit(page)
        visitor.reads("2.4 of 5")
        client = visitor.client(page)
        here = client.camera.look_at
        assert abs(here[0]) < 1
        visitor.field("mover").click()
        visitor.tab.get_by_role("option", name="house", exact=True).click()
        looks_at(visitor, client, 60)
        visitor.field("mover").click()
        visitor.tab.get_by_role("option", name="tool", exact=True).click()
        looks_at(visitor, client, 0)
        click(visitor, page, (-1, 1, 1.1))  # in view already: the camera stays
        expect(visitor.field("mover")).to_have_value("ball")
        looks_at(visitor, client, 0)
        visitor.tab.keyboard.press("f")
        looks_at(visitor, client, -1)


def looks_at(visitor, client, x):
    for _ in range(300):
        if abs(client.camera.look_at[0] - x) < 0.01:
            return
        visitor.frames(1)
    raise AssertionError(f"the camera looks at {client.camera.look_at}, not at x = {x}")
