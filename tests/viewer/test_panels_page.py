"""Robots, radars, recordings, volumes, predictions and shapes beside the scene."""

import math

import numpy as np
import pytest
from playwright.sync_api import expect
from sweepscope_lab.scenes.swinging import bat_and_ball

import sweepscope as ss
from sweepscope.cli.view import visual_of
from sweepscope.viewer.colors import CONTACT


def arm():
    """An arm of two links beside a wall: the shoulder stops where the forearm meets the wall."""
    robot = ss.Robot(name="arm")
    robot.scene.add(ss.Box((0.2, 2, 1)), pose=(0, 1.5, 0), name="wall")
    robot.add("base", ss.Box((0.2, 0.2, 0.2)))
    upper = [(ss.Box((1.0, 0.1, 0.1)), (0.5, 0, 0))]
    robot.add("upper", upper, parent="base", joint=ss.Joint.revolute("shoulder", limits=(-3.0, 3.0)))
    fore = [(ss.Capsule.from_segment((0, 0, 0), (0.8, 0, 0), radius=0.05), (0, 0, 0))]
    robot.add("fore", fore, parent="upper", joint=ss.Joint.revolute("elbow", origin=(1, 0, 0), limits=(-2.0, 2.0)))
    return robot


def test_a_joint_stops_at_contact(visit):
    robot = arm()
    expected = robot.sweep("shoulder", 3.0)
    assert expected.obstacle.name == "wall"
    with robot.show(browser=False) as page:
        visitor = visit(page)
        visitor.field("shoulder").last.fill("0.3")
        visitor.reads("free")
        before = visitor.picture()
        visitor.field("shoulder").last.fill("3")
        visitor.reads("stopped by contact")
        assert robot["shoulder"] == pytest.approx(expected.positions["shoulder"], abs=1e-9)
        value = visitor.field("shoulder").last
        expect(value).to_have_value(f"{robot['shoulder']:.{decimals(value)}f}")
        visitor.sees_other_than(before)
        asked = {link.name: link.bodies[0].pose for link in robot_at(shoulder=3.0).descendants("shoulder")}
        assert ghosts(page) == pytest.approx(np.array([asked["upper"][:3, 3], asked["fore"][:3, 3]]), abs=1e-6)
        lit = {body.name for body in robot.scene.bodies if color_of(page, body) == CONTACT}
        assert lit == {"wall", robot.links[expected.link].bodies[0].name}
        visitor.field("shoulder").last.fill("0.3")
        visitor.reads("free")
        assert len(ghosts(page)) == 0


def robot_at(**values):
    robot = arm()
    robot.positions = values
    return robot


def ghosts(page):
    """Where the last ghost of each body is, of those that are seen."""
    return np.array([each.handle.batched_positions[-1] for each in page._stage.view.ghosts._ghosts if each.handle.visible])


def color_of(page, body):
    return tuple(page._stage.bodies._nodes[body.id].handle.color)


def test_bars_follow_the_joints(visit):
    robot = arm()
    with robot.show(browser=False, sweep_all=True) as page:
        visitor = visit(page)
        for value in (0.0, -0.5):
            visitor.field("elbow").last.fill(str(value))
            upper = robot_at(elbow=value).sweep("shoulder", 3.0)
            visitor.reads(f"{upper.positions['shoulder']:.4g} {upper.link} meets wall")
            bar = visitor.tab.locator("svg[aria-label='free travel']").first
            start, wide = (float(bar.locator("rect").nth(1).get_attribute(name).rstrip("%")) for name in ("x", "width"))
            assert robot_at(elbow=value).sweep("shoulder", -3.0) is None
            assert start == 0.0
            assert start + wide == pytest.approx(100 * (upper.positions["shoulder"] + 3.0) / 6.0, abs=0.01)
            track = visitor.tab.locator(".mantine-Slider-track").first.bounding_box()
            drawn = bar.bounding_box()
            assert drawn["x"] == pytest.approx(track["x"], abs=2)  # below the slider, as wide as it
            assert drawn["width"] == pytest.approx(track["width"], abs=3)
        visitor.field("sweep all joints").uncheck()
        expect(visitor.tab.locator("svg[aria-label='free travel']").filter(visible=True)).to_have_count(0)


def decimals(field):
    return len(field.input_value().partition(".")[2])


def test_visual_shapes_are_switched_apart(visit):
    robot, looks = arm(), ss.Robot(name="arm")
    looks.add("base", ss.Sphere(0.3))
    looks.add("upper", ss.Box((1, 0.3, 0.3)), parent="base", joint=ss.Joint.revolute("shoulder", limits=(-3.0, 3.0)))
    looks.add("fore", None, parent="upper", joint=ss.Joint.revolute("elbow", limits=(-2.0, 2.0)))
    with robot.show(browser=False, visuals={"arm": looks}) as page:
        visitor = visit(page)
        visitor.field("shoulder").last.fill("0.3")
        visitor.reads("free")
        both = visitor.picture()
        visitor.field("visual shapes").uncheck()
        bare = visitor.sees_other_than(both)
        visitor.field("collision shapes").check()
        visitor.sees_other_than(bare)
        assert looks["shoulder"] == 0.3
        visitor.field("visual shapes").check()
        visitor.field("elbow").last.fill("-0.5")
        visitor.reads("free")
        hit = robot.sweep("shoulder", 3.0)
        visitor.field("shoulder").last.fill("3")
        visitor.reads("stopped by contact")
        assert hit.link == "upper"
        (look,) = [page._stage.server.scene.get_handle_by_name("/visual/arm\N{DIVISION SLASH}upper")]
        assert tuple(look.color) == CONTACT


def test_a_robots_file_brings_both_kinds_of_shapes(visit, tmp_path):
    shapes = "<visual><geometry><sphere radius='0.3'/></geometry></visual><collision><geometry><box size='1 .1 .1'/></geometry></collision>"
    joint = "<joint name='hinge' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/><limit lower='-1' upper='1'/></joint>"
    path = tmp_path / "door.urdf"
    path.write_text(f"<robot name='door'><link name='a'>{shapes}</link><link name='b'>{shapes}</link>{joint}</robot>")
    robot = ss.Robot.load(path)
    visual = visual_of(path, robot.name)
    assert {type(body.shape) for body in visual.bodies} == {ss.Sphere}
    with robot.show(browser=False, visuals={"door": visual}, sweep_all=True) as page:
        visitor = visit(page)
        visitor.reads("-1 limit", "1 limit")
        expect(visitor.field("visual shapes")).to_be_checked()
        expect(visitor.field("collision shapes")).not_to_be_checked()


def images(visitor):
    return visitor.tab.locator("img[src^='blob:']").evaluate_all("all => all.map(each => each.src)")


def test_pictures_of_a_radar_follow_the_pixels(visit):
    scene = ss.Scene()
    scene.add(ss.Mesh.sphere(1.0), name="ball")
    star = scene.add(ss.Box((1, 1, 1)), pose=(0, 0, 4), name="box")
    with scene.show(star, ss.Translate((0, 0, -8)), browser=False) as page:
        visitor = visit(page)
        visitor.open("Radar")
        visitor.reads("off")
        visitor.field("on").check()
        visitor.reads("radar: contact")
        visitor.tab.wait_for_function("() => document.querySelectorAll('img[src^=\"blob:\"]').length >= 4")
        before = images(visitor)
        visitor.field("pixels").first.fill("20")
        visitor.tab.wait_for_function(
            "before => { const now = [...document.querySelectorAll('img[src^=\"blob:\"]')].map(e => e.src);"
            " return now.length === before.length && now.every((src, k) => src !== before[k]) }",
            arg=before,
        )


def test_a_recording_scrubs_and_steps(visit):
    scene = ss.Scene()
    scene.add(ss.Box((4, 4, 0.1)), name="floor")
    ball = scene.add(ss.Mesh.sphere(0.5, rows=8, sections=8), pose=(0, 0, 1), name="ball")
    flat = ball.vertices * (1.5, 1.5, 0.5)
    frames = [{ball: (x, 0, 1)} for x in np.linspace(-1.5, 1.5, 9)] + [{ball: (np.eye(4), flat)}]
    with scene.show(browser=False) as page:
        page.play(frames, rate=200.0)
        visitor = visit(page)
        visitor.open("Play")
        visitor.reads("frame 1 of 10")
        first = visitor.picture()
        visitor.field("frame").last.fill("8")
        visitor.reads("frame 9 of 10")
        second = visitor.sees_other_than(first)
        visitor.tab.get_by_role("button", name="next", exact=True).click()
        visitor.reads("frame 10 of 10")
        visitor.sees_other_than(second)
        visitor.tab.get_by_role("button", name="first", exact=True).click()
        visitor.reads("frame 1 of 10")
        visitor.tab.get_by_role("button", name="Play", exact=True).click()
        visitor.reads("frame 10 of 10")
        assert np.array_equal(ball.pose[:3, 3], (0, 0, 1))  # the scene has not changed
        page.play([{scene["floor"]: (0, 0, z)} for z in (0.1, 0.2, 0.3)])
        visitor.reads("frame 1 of 3")
        visitor.field("frame").last.fill("2")
        visitor.reads("frame 3 of 3")
        assert np.array_equal(page._stage.bodies._nodes[ball.id]._pose, ball.pose)  # the first recording is forgotten
        assert visitor.tab.get_by_role("tab", name="Play").count() == 1


def test_a_brush_carves_and_the_overlap_follows(visit):
    scene = ss.Scene()
    scene.add(ss.Volume(np.ones((8, 8, 8), bool)), name="block")
    scene.add(ss.Volume(np.ones((4, 4, 4), bool)), pose=(6, 2, 2), name="plug")
    block = scene["block"].shape
    with scene.show(browser=False) as page:
        visitor = visit(page)
        visitor.open("Volumes")
        visitor.reads("overlap", "32 of the first")
        visitor.field("radius").last.fill("3.5")
        visitor.field("brush").click()
        visitor.tab.get_by_role("option", name="carve", exact=True).click()
        visitor.tab.get_by_role("button", name="Apply here").click()
        visitor.reads("16 of the first")  # of the two layers, the nearer one lies within 3.5 of the middle
        centers = block.center_of(np.argwhere(np.ones((8, 8, 8))))
        assert block.count == (np.linalg.norm(centers - 4, axis=1) > 3.5).sum()


def test_meetings_move_bodies_in_time(visit):
    scene = ss.Scene()
    left = scene.add(ss.Box((4, 0.2, 0.1)), name="left")
    right = scene.add(ss.Box((0.2, 4, 0.1)), pose=(2.5, 0, 0), name="right")
    with scene.show(browser=False) as page:
        motions = {left: ss.Rotate((0, 0, 1), 0.2), right: ss.Rotate((0, 0, 1), -0.21, about=(2.5, 0, 0))}
        (meeting,) = page.predict(motions, 300)
        visitor = visit(page)
        visitor.open("Meetings")
        visitor.reads("1 contacts, by time from now", f"{meeting.time:.4g}")
        before = visitor.picture()
        visitor.field("go to").click()
        visitor.tab.get_by_role("option", name="1: left, right").click()
        visitor.sees_other_than(before)
        turn = ss.Rotate((0, 0, 1), 0.2 * meeting.time).at()
        assert np.allclose(page._stage.bodies._nodes[left.id]._pose, turn)
        assert visitor.squares("left") == visitor.squares("right") == ["rgb(213, 94, 0)"]
        assert page.predict({left: ss.Translate((-1, 0, 0))}, 10) == []
        visitor.reads("0 contacts, by time from now")
        assert visitor.tab.get_by_role("tab", name="Meetings").count() == 1


def test_fans_beside_a_swing(visit):
    case = bat_and_ball()
    scene = ss.Scene()
    bat = scene.add(case.mover, case.pose, name="bat")
    for target in case.targets:
        scene.add(target.shape, target.pose, name=target.name)
    with scene.show(bat, case.motion, browser=False) as page:
        fan = ss.fan.Fan.enclosing(
            case.mover, case.pose, axis=case.motion.axis, angle=case.motion.angle, about=case.motion.about
        )
        page.overlay("enclosing fan", fan, [np.eye(4)], visible=False)
        visitor = visit(page)
        hit = scene.sweep(bat, case.motion)
        visitor.reads("hit", f"{math.degrees(hit.travel):.6g}\N{DEGREE SIGN} of 110\N{DEGREE SIGN}")
        visitor.open("Shapes")
        before = visitor.picture()
        visitor.field("enclosing fan").check()
        visitor.sees_other_than(before)
