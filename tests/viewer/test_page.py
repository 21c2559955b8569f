"""A scene on a page: what is drawn, what is asked, who sees it."""

import io
import json
import signal
import subprocess
import sys
import threading
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect
from visitors import on_screen

import sweepscope as ss


@pytest.fixture
def scene():
    scene = ss.Scene()
    scene.add(ss.Box((10, 10, 0.2)), name="floor")
    scene.add(ss.Mesh.cylinder(radius=0.3, height=2.0), pose=(2, 0, 1.1), name="post")
    scene.add(ss.Sphere(0.5), pose=(-2, 1, 1.1), name="ball")
    scene.add(ss.PointCloud(np.random.default_rng(0).normal(size=(50, 3)) * 0.1), pose=(-2, -2, 1), name="dust")
    scene.add(ss.Box((0.4, 0.4, 1.0)), pose=(0, 0, 3), name="tool")
    return scene


@pytest.fixture
def page(scene):
    with scene.show(scene["tool"], ss.Translate((0, 0, -5)), browser=False) as page:
        yield page


def test_loads_without_a_network_and_draws(page, visit):
    visitor = visit(page)
    visitor.reads("hit", "2.4 of 5", "vertex on face")
    colors = visitor.sees_other_than(visitor.picture().point(lambda _: 0)).getcolors(1 << 24)
    assert len(colors) > 200
    assert {tuple(color) for _, color in colors} != {(255, 255, 255)}


def test_a_control_changes_the_answer(page, scene, visit):
    visitor = visit(page)
    visitor.reads("2.4 of 5")
    visitor.field("by").nth(2).fill("-1")
    visitor.reads("free", "the whole motion, 1")
    visitor.field("by").nth(2).fill("-4")
    visitor.field("margin").fill("0.4")
    visitor.reads("2 of 4")
    visitor.field("motion").click()
    visitor.tab.get_by_role("option", name="turn", exact=True).click()
    visitor.field("margin").fill("0")
    visitor.field("about").nth(0).fill("1")
    visitor.field("angle").fill("10")
    visitor.reads("free", "the whole motion, 10\N{DEGREE SIGN}")
    visitor.field("axis").nth(2).fill("0")
    visitor.reads("no answer")


def test_dragging_the_mover_moves_it_and_asks_again(page, scene, visit):
    visitor = visit(page)
    visitor.reads("2.4 of 5")
    visitor.frames(5)
    start = scene["tool"].pose[:3, 3].copy()
    camera = visitor.client(page).camera
    size = page._stage.size
    grip = on_screen(camera, start + (0, 0, 0.9 * 0.15 * size))
    higher = on_screen(camera, start + (0, 0, 0.25 * size))
    mouse = visitor.tab.mouse
    mouse.move(*grip)
    visitor.frames(5)
    mouse.down()
    mouse.move(*higher, steps=5)
    mouse.up()
    expect(visitor.tab.get_by_text("2.4 of 5")).to_have_count(0)
    visitor.comes_to_read(lambda: f"{scene.sweep(scene['tool'], ss.Translate((0, 0, -5))).travel:.6g} of 5")
    moved = scene["tool"].pose[:3, 3] - start
    assert moved[2] > 0.1
    assert np.abs(moved[:2]).max() < 1e-6


def test_what_the_program_changes_is_seen(page, scene, visit):
    visitor = visit(page)
    visitor.reads("2.4 of 5")
    before = visitor.picture()
    with page.changing():
        scene.add(ss.Box((1, 1, 1)), pose=(0, 0, 0.6), name="step")
    visitor.reads("1.4 of 5", "step")
    before = visitor.sees_other_than(before)
    scene["post"].vertices = 2.0 * scene["post"].vertices
    page.update()
    before = visitor.sees_other_than(before)
    with page.changing():
        scene.remove(scene["step"])
        scene.remove(scene["tool"])
    visitor.reads("choose a mover, or click a body")


def test_two_visitors_and_one_that_dies(page, scene, visit):
    first, second = visit(page), visit(page)
    for each in (first, second):
        each.reads("2.4 of 5")
    first.field("by").nth(2).fill("-4")
    second.reads("2.4 of 4")
    first.tab.goto("about:blank")  # its connection breaks off
    with page.changing():
        scene["floor"].pose = (0, 0, 1)
    second.reads("1.4 of 4")
    second.field("by").nth(2).fill("-3")
    second.reads("1.4 of 3")
    third = visit(page)
    third.reads("1.4 of 3")


def test_a_hit_and_the_way_to_it(scene, visit):
    hit = scene.sweep(scene["tool"], ss.Translate((0, 0, -5)))
    with hit.show(browser=False) as page:
        visit(page).reads("hit", "2.4 of 5")


def test_a_hit_is_shown_as_it_is_and_asked_anew_after_a_change(scene, visit):
    hit = scene.sweep(scene["tool"], ss.Translate((0, 0, -5)), margin=0.4)
    with hit.show(browser=False) as page:
        visitor = visit(page)
        visitor.reads("2 of 5")
        page.update()
        visitor.reads("2.4 of 5")


def test_a_hit_of_several_movers_shows_them_all(scene, visit):
    movers = [scene["tool"], scene["ball"]]
    hit = scene.sweep(movers, ss.Translate((0, 0, -5)))
    assert hit.mover is scene["ball"]
    with hit.show(browser=False) as page:
        visitor = visit(page)
        visitor.reads("0.5 of 5", "ball", "one of 2 that move")
        expect(visitor.field("mover")).to_have_value("(2 bodies)")
        expected = np.array([body.pose[:3, 3] - (0, 0, hit.travel) for body in movers])
        assert ends(page) == pytest.approx(expected, abs=1e-6)
        visitor.field("by").nth(2).fill("-0.2")
        visitor.reads("free", "the whole motion, 0.2")
        assert ends(page)[:, 2] == pytest.approx(expected[:, 2] + 0.3, abs=1e-6)


def test_a_hit_of_several_joints_shows_the_robot_at_the_contact(visit):
    robot = ss.Robot(name="arm")
    robot.scene.add(ss.Box((0.2, 2, 1)), pose=(0, 1.5, 0), name="wall")
    robot.add("base", ss.Box((0.2, 0.2, 0.2)))
    upper = [(ss.Box((1.0, 0.1, 0.1)), (0.5, 0, 0))]
    robot.add("upper", upper, parent="base", joint=ss.Joint.revolute("shoulder", limits=(-3.0, 3.0)))
    robot.add("fore", upper, parent="upper", joint=ss.Joint.revolute("elbow", origin=(1, 0, 0), limits=(-2.0, 2.0)))
    hit = robot.sweep({"shoulder": 2.0, "elbow": 0.5})
    assert hit.motion is None
    with hit.show(browser=False) as page:
        visitor = visit(page)
        visitor.reads("stopped by contact", f"{hit.positions['elbow']:.6g}")
        assert robot.positions == {"shoulder": 0.0, "elbow": 0.0}
        robot.positions = hit.positions
        expected = np.array([robot.links[name].bodies[0].pose[:3, 3] for name in ("upper", "fore")])
        assert ends(page) == pytest.approx(expected, abs=1e-6)


def ends(page):
    """Where the last ghost of each mover is."""
    return np.array([each.handle.batched_positions[-1] for each in page._stage.view.ghosts._ghosts if each.handle.visible])


def test_a_square_has_the_color_of_its_body(page, scene, visit):
    visitor = visit(page)
    visitor.reads("2.4 of 5")
    red, green, blue = page._stage.bodies._nodes[scene["floor"].id].handle.color
    assert visitor.squares("floor") == [f"rgb({red}, {green}, {blue})"]


def test_dark_and_light(scene, visit):
    shades = []
    for dark in (False, True):
        with scene.show(browser=False, dark=dark) as page:
            visitor = visit(page)
            visitor.reads("hit")
            shades.append(visitor.picture().getpixel((5, 5)))
    assert min(shades[0]) > 200
    assert max(shades[1]) < 60


def test_names_from_files_are_texts(visit):
    scene = ss.Scene()
    name = "<img src=x onerror=alert(1)> {1+1} **a/b**"
    scene.add(ss.Box((1, 1, 1)), name=name)
    scene.add(ss.Box((1, 1, 1)), pose=(0, 0, 3), name=name.replace("a/b", "a"))
    with scene.show(scene.bodies[1], ss.Translate((0, 0, -5)), browser=False) as page:
        visitor = visit(page)
        visitor.reads("hit")
        expect(visitor.tab.get_by_text(name).filter(visible=True).first).to_be_visible()
        assert visitor.tab.locator("img[src=x]").count() == 0


def test_the_question_as_python_and_as_json(page, scene, visit, tmp_path):
    visitor = visit(page)
    visitor.open("Save")
    visitor.tab.get_by_role("button", name="Copy as Python").click()
    text = visitor.tab.locator("pre").inner_text()
    names = {"scene": scene}
    exec(text, names)
    assert names["hit"].travel == pytest.approx(2.4)
    visitor.tab.get_by_role("button", name="Close").click()
    with visitor.tab.expect_download() as found:
        visitor.tab.get_by_role("button", name="Answer as JSON").click()
    plain = json.loads(found.value.path().read_text())
    assert plain["obstacle"] == "floor"
    assert plain["travel"] == names["hit"].travel


def test_a_picture_and_a_page_without_a_server(page, visit, browser, tmp_path):
    visitor = visit(page)
    visitor.reads("2.4 of 5")
    visitor.open("Save")
    with visitor.tab.expect_download() as found:
        visitor.tab.get_by_role("button", name="Picture").click()
    found.value.save_as(tmp_path / "seen.png")
    assert len(Image.open(tmp_path / "seen.png").getcolors(1 << 24)) > 100
    with visitor.tab.expect_download(timeout=120_000) as found:
        visitor.tab.get_by_role("button", name="Animation").click()
    found.value.save_as(tmp_path / "motion.gif")
    with Image.open(tmp_path / "motion.gif") as gif:
        assert gif.n_frames > 10
    with visitor.tab.expect_download() as found:
        visitor.tab.get_by_role("button", name="Page as HTML").click()
    found.value.save_as(tmp_path / "page.html")
    page.close()
    tab = browser.new_context(viewport={"width": 800, "height": 600}, offline=True).new_page()
    asked = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto((tmp_path / "page.html").as_uri())
    expect(tab.locator("canvas").first).to_be_visible()
    for _ in range(100):
        if len(Image.open(io.BytesIO(tab.screenshot())).getcolors(1 << 24)) > 200:
            break
    else:
        raise AssertionError("the page without a server stays empty")
    assert all(url.startswith(("file:", "blob:", "data:")) for url in asked)
    tab.context.close()


def test_once_ends_with_the_last_visitor(scene, visit):
    with scene.show(browser=False, once=True) as page:
        visitor = visit(page)
        visitor.reads("hit")
        waiting = threading.Thread(target=page.wait)
        waiting.start()
        visitor.leave()
        waiting.join(60)
        assert not waiting.is_alive()


def test_the_command_serves_until_interrupted(tmp_path, visit):
    scene = ss.Scene()
    scene.add(ss.Box((4, 4, 0.2)), name="floor")
    scene.add(ss.Box((1, 1, 1)), pose=(0, 0, 2), name="tool")
    scene.save(tmp_path / "scene.npz")
    command = [sys.executable, "-m", "sweepscope", "view", str(tmp_path / "scene.npz"), "--no-browser", "--port", "8800"]
    running = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        line = running.stderr.readline()
        assert line.startswith("sweepscope: http://127.0.0.1:88")
        visitor = visit(SimpleNamespace(url=line.split()[1].rstrip(";")))
        visitor.reads("hit", f"{tmp_path / 'scene.npz'}: floor")
        visitor.leave()
        running.send_signal(signal.SIGINT)
        _, rest = running.communicate(timeout=60)
        assert rest == ""
        assert running.returncode == 0
    finally:
        running.kill()
        running.communicate()
