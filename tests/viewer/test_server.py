"""The server without a browser: who may connect, what it reads, what it keeps, how it ends."""

import threading
import urllib.error
import urllib.request
from pathlib import PureWindowsPath
from types import SimpleNamespace

import numpy as np
import pytest
import viser
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

import sweepscope as ss
from sweepscope.viewer import serving, words
from sweepscope.viewer.display import display_of, pose_of, wxyz_of
from sweepscope.viewer.latest import Latest
from sweepscope.viewer.near_panel import NearPanel
from sweepscope.viewer.overlap_panel import OverlapPanel
from sweepscope.viewer.ray_panel import RayPanel
from sweepscope.viewer.serving import OnePage, address, allowed
from sweepscope.viewer.volume_panel import carve


def boxes():
    scene = ss.Scene()
    scene.add(ss.Box((4, 4, 0.2)), name="floor")
    scene.add(ss.Box((1, 1, 1)), pose=(0, 0, 2), name="tool")
    return scene


@pytest.fixture
def page():
    with boxes().show(browser=False, port=8900) as page:
        yield page


def connected(page, **options):
    """Whether the server talks to this client."""
    protocol = f"viser-v{viser.__version__}"
    with connect(page.url.replace("http", "ws"), subprotocols=[protocol], max_size=None, **options) as client:
        try:
            return len(client.recv(timeout=20)) > 0
        except ConnectionClosed:
            return False


def test_only_its_own_page_may_connect(page):
    assert connected(page, origin=page.url)
    assert connected(page)  # a program, not a browser
    assert not connected(page, origin="http://elsewhere.example")
    assert not connected(page, origin=page.url.replace("127.0.0.1", "localhost"))
    assert not connected(page, origin="null")


@pytest.mark.parametrize(
    ("origin", "asked", "host", "expected"),
    [
        (None, "127.0.0.1:8080", "127.0.0.1", True),
        ("http://127.0.0.1:8080", "127.0.0.1:8080", "127.0.0.1", True),
        ("http://localhost:8080", "localhost:8080", "127.0.0.1", True),
        ("http://localhost:8080", "127.0.0.1:8080", "127.0.0.1", False),
        ("http://127.0.0.1:8081", "127.0.0.1:8080", "127.0.0.1", False),
        ("http://evil.example:8080", "evil.example:8080", "127.0.0.1", False),  # DNS rebinding
        ("http://evil.example", "127.0.0.1:8080", "127.0.0.1", False),
        ("null", "127.0.0.1:8080", "127.0.0.1", False),
        ("http://robot:8080", "robot:8080", "0.0.0.0", True),
        ("http://evil.example:8080", "robot:8080", "0.0.0.0", False),
    ],
)
def test_origins(origin, asked, host, expected):
    assert allowed(origin, asked, host) is expected


@pytest.mark.parametrize(
    "path", ["/../../../../etc/passwd", "/%2e%2e/%2e%2e/__init__.py", "/..%5c..%5c__init__.py", "//etc/passwd"]
)
def test_no_other_file_is_read(page, path):
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(page.url + path)
    with caught.value as error:
        assert error.code == 404


def test_of_all_names_only_the_page_is_a_file():
    windows = PureWindowsPath("D:/site-packages/viser/client/build")
    assert windows / "C:/Windows/win.ini" == PureWindowsPath("C:/Windows/win.ini")  # why a folder is not enough
    root = OnePage(windows)
    assert root / "index.html" == windows / "index.html"
    for name in ("C:/Windows/win.ini", "c:secret", "other/index.html", "index.html:stream", ""):
        assert root / name == windows


def test_no_file_is_taken(page):
    taken = {kind.__name__ for kind in page._server._websock_server._incoming_handlers}
    assert "GuiUpdateMessage" in taken
    assert not {name for name in taken if name.startswith(("FileTransfer", "ShareUrl"))}


def test_a_port_that_is_taken(page):
    with boxes().show(browser=False, port=8900) as other:
        assert other.port != page.port == 8900
        assert other.url != page.url
        assert connected(other)
    assert connected(page)


@pytest.mark.parametrize(
    "options", [{"host": "no.such.host.invalid"}, {"host": "192.0.2.1"}, {"port": 0}, {"port": "http"}, {"port": 70000}]
)
def test_bad_addresses(options):
    with pytest.raises((ss.errors.InvalidQuery, ss.errors.InvalidType), match=next(iter(options))):
        boxes().show(browser=False, **options)


def test_bad_movers():
    with pytest.raises(ss.errors.NotFound):
        boxes().show(boxes()["tool"], browser=False)


def test_addresses():
    assert address("127.0.0.1", 80) == "http://127.0.0.1:80"
    assert address("0.0.0.0", 81) == "http://localhost:81"
    assert address("::1", 82) == "http://[::1]:82"


def test_closing_ends_it(page):
    page.close()
    page.close()
    page.wait()
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(page.url)
    assert "closed" in repr(page)


def test_a_closed_page_says_so(page):
    tool, box = page.scene["tool"], ss.Box((1, 1, 1))
    page.close()
    for call in (
        page.update,
        page.html,
        lambda: page.play([{tool: (0, 0, 1)}]),
        lambda: page.predict({tool: ss.Translate((0, 0, -1))}, 5),
        lambda: page.overlay("box", box, [np.eye(4)]),
        lambda: page.changing().__enter__(),
    ):
        with pytest.raises(ss.errors.InvalidQuery, match="the page is closed"):
            call()


def test_two_robots_hide_their_own_shapes():
    scene, looks = ss.Scene(), {}
    for k, name in enumerate("ab"):
        for each in (ss.Robot(scene, (0, 2 * k, 0), name=name), looks.setdefault(name, ss.Robot(name=name))):
            each.add("base", ss.Box((1, 1, 1)))
    with scene.show(browser=False, visuals=looks) as page:
        seen = [page._stage.bodies._nodes[body.id].handle.visible for body in scene.bodies]
        assert seen == [False, False]


def test_margin_and_resting_are_checked():
    with pytest.raises(ss.errors.InvalidQuery, match="margin"):
        boxes().show(browser=False, margin=-1)
    with pytest.raises(ss.errors.InvalidQuery, match="resting"):
        boxes().show(browser=False, resting="maybe")


@pytest.mark.parametrize(
    ("pixels", "expected"), [(64, (64, 64)), ((64, 64), (64, 64)), ((64, 48), (64, 48)), (np.array((30, 20)), (30, 20))]
)
def test_pixels_are_a_number_or_columns_and_rows(pixels, expected):
    with boxes().show(browser=False, pixels=pixels) as page:
        assert settled(page, lambda: page._radar._images["mask"].image.shape[:2]) is not None
        assert tuple(page._radar._pixels.value) == expected
        rows, columns, _ = page._radar._images["mask"].image.shape
        assert rows * expected[0] == columns * expected[1]


@pytest.mark.parametrize("pixels", [0, (64,), (64, 0), "64", 6.5, (1, 2, 3), True])
def test_bad_pixels(pixels):
    with pytest.raises((ss.errors.InvalidQuery, ss.errors.InvalidType), match="pixels"):
        boxes().show(browser=False, pixels=pixels)


def settled(page, value):
    """Wait until the radar has drawn; return the value."""
    page._radar.look.close()  # waits for the work that was asked for
    page._radar._work()
    return value()


def test_a_recording_leaves_the_question_as_it_is():
    scene = boxes()
    tool, motion = scene["tool"], ss.Translate((0, 0, -5))
    for start in (lambda page: page.play([{tool: (0, 0, 1)}]), lambda page: page.predict({tool: motion}, 5)):
        with scene.show(tool, motion, browser=False, pixels=20) as page:
            start(page)
            assert page._question.movers == (tool,)
            assert page._question.motion() == motion
            assert page._question.problem is None
            assert page._question.hit.travel == pytest.approx(1.4)
            assert settled(page, lambda: page._radar._folder.visible)


def test_a_question_that_nobody_asked_ends_with_a_recording():
    scene = boxes()
    with scene.show(browser=False, pixels=20) as page:
        assert page._question.movers == (scene["tool"],)
        assert settled(page, lambda: page._radar._folder.visible)
        page.play([{scene["tool"]: (0, 0, 1)}])
        assert page._question.movers == ()
        page._radar._work()
        assert not page._radar._folder.visible  # no old pictures beside "no answer"
        assert "choose a mover" in page._radar._words.content


def test_a_viser_without_the_attributes_that_the_origin_check_needs():
    server = serving.start(port=8950)
    del server._websock_server._live_connections
    with pytest.raises(ss.errors.MissingPackage, match=r'no origin check: pip install "viser>=1\.1,<1\.2"'):
        serving._refuse_other_origins(server, serving.LOCAL)
    with pytest.raises(urllib.error.URLError):  # it is not served
        urllib.request.urlopen("http://127.0.0.1:8950")


def test_every_question_as_python_is_the_same_question():
    scene = boxes()
    motions = (
        ss.Translate((0.1, 0.2, -5)),
        ss.Rotate((1, 0, 0.5), 2.0, about=(0, 2, 1)),
        ss.Screw((0, 0, 1), 0.3, slide=-4.0, about=(1, 0, 0)),
    )
    for motion in motions:
        names = {"scene": scene}
        exec(words.python([scene["tool"]], motion, 0.01, "hit"), names)
        assert names["motion"] == motion
        assert names["hit"].time == scene.sweep(scene["tool"], motion, margin=0.01, resting="hit").time
        exec(words.python([scene["tool"]], motion, 0.01, "hit", everything=True), names)
        assert names["found"].as_dict() == scene.sweep_all(scene["tool"], motion, margin=0.01, resting="hit").as_dict()


def test_nothing_is_kept_of_a_thousand_edits(page):
    scene, buffer = page.scene, page._server._websock_server._broadcast_buffer
    counts, threads = [], threading.active_count()
    rng = np.random.default_rng(0)
    for k in range(1000):
        with page.changing():
            scene["tool"].pose = rng.normal(size=3)
            scene["floor"].shape = ss.Box((4, 4, 0.1 + 0.1 * (k % 3)))
            if k % 2:
                scene.remove(scene["guest"])
            else:
                scene.add(ss.Sphere(0.1), rng.normal(size=3), name="guest")
        if k in (99, 999):
            counts.append((len(buffer.message_from_id), len(page._stage.bodies._nodes)))
    assert counts[0] == counts[1]
    assert threading.active_count() <= threads


def test_nothing_is_kept_of_marks(page):
    scene, buffer = page.scene, page._server._websock_server._broadcast_buffer
    panels = [kind(page._stage, page._question) for kind in (NearPanel, OverlapPanel, RayPanel)]
    near, overlaps, ray = panels
    for switch in (near._nearest, near._contacts, overlaps._on, ray._on):
        switch.value = True
    near._margin.value = overlaps._limit.value = 9.0
    counts = []
    for k in range(60):
        with page.changing():
            scene["tool"].pose = (0, 0, 2 + 0.1 * (k % 5))
        for panel in panels:
            panel._work()
        if k in (9, 59):
            counts.append(len(buffer.message_from_id))
    assert counts[0] == counts[1]
    near._nearest.value = near._contacts.value = False
    near._work()
    assert not any(handle.visible for handle in near._near._handles.values())
    assert not any(handle.visible for handle in near._touching._handles.values())


def test_a_pair_of_a_body_that_is_gone(page):
    scene = page.scene
    panel = OverlapPanel(page._stage, page._question)
    panel._on.value, panel._limit.value = True, 9.0
    panel._work()
    ((label, pair),) = panel._pairs.items()
    assert label == "1: floor, tool"
    assert pair.distance == pytest.approx(1.4)
    with page.changing():
        scene.remove(scene["tool"])
    panel._which.value = label
    panel._on_choice(SimpleNamespace(client_id=0, client=None))
    panel._work()
    assert panel._which.options == ("(none)",)
    assert "0 pairs overlap" in panel._words.content
    assert not page._stage.bodies._lit
    panel._on.value, panel._limit.value = True, -1.0
    panel._work()
    assert "no answer" in panel._words.content


def test_frames_are_checked(page):
    tool = page.scene["tool"]
    for frames, said in (
        ([], "frames is empty"),
        ([3], r"frames\[0\]"),
        ([{tool: (0, 0, 1)}, {boxes()["tool"]: (0, 0, 1)}], r"frames\[1\].*is in another scene"),
        ([{tool: np.zeros((5, 5))}], "accepted"),
    ):
        with pytest.raises((ss.errors.InvalidQuery, ss.errors.InvalidType, ss.errors.NotFound), match=said):
            page.play(frames)


def test_latest_does_the_last_and_loses_none():
    done, value = [], [0]
    gate = threading.Event()

    def work():
        gate.wait()
        done.append(value[0])

    latest = Latest(work)
    first = threading.Thread(target=latest)
    first.start()
    for k in range(1, 100):
        value[0] = k
        latest()  # returns at once: the first thread is at it
    gate.set()
    first.join()
    assert done[-1] == 99
    assert len(done) <= 2


def test_quaternions(rng):
    for _ in range(200):
        pose = ss.Rotate(rng.normal(size=3), rng.uniform(-7, 7), about=rng.normal(size=3)).at()
        assert np.allclose(pose_of(wxyz_of(pose), pose[:3, 3]), pose, atol=1e-12)


def test_capsules_are_drawn_where_they_are(rng):
    for _ in range(20):
        low, high, radius = rng.normal(size=3), rng.normal(size=3), rng.uniform(0.1, 1)
        drawn = display_of(ss.Capsule.from_segment(low, high, radius=radius)).vertices
        along = np.clip((drawn - low) @ (high - low) / ((high - low) @ (high - low)), 0, 1)
        gaps = np.linalg.norm(drawn - low - along[:, None] * (high - low), axis=1)
        assert np.allclose(gaps, radius)


@pytest.mark.parametrize("alpha", [np.zeros((6, 6, 6), bool), np.zeros((6, 6, 6), np.uint8), np.zeros((6, 6, 6), np.float32)])
def test_a_brush_adds_and_carves(alpha):
    volume = ss.Volume(alpha, spacing=0.5, threshold=0 if alpha.dtype == bool else 0.5)
    assert carve(volume, np.full(3, 1.5), 0.8, add=True)
    centers = volume.center_of(np.argwhere(volume.occupied))
    assert volume.count == (np.linalg.norm(volume.center_of(np.argwhere(np.ones((6, 6, 6)))) - 1.5, axis=1) <= 0.8).sum()
    assert (np.linalg.norm(centers - 1.5, axis=1) <= 0.8).all()
    assert not carve(volume, np.full(3, 50.0), 0.8, add=True)
    assert carve(volume, np.full(3, 1.5), 5.0, add=False)
    assert volume.empty


def test_a_scene_without_bodies_and_one_far_away():
    with ss.Scene().show(browser=False) as page:
        assert connected(page)
    scene = ss.Scene()
    scene.add(ss.Box((1, 1, 1)), pose=(1e8, 0, 0), name="far")
    scene.add(ss.Volume(np.zeros((2, 2, 2))), name="empty")
    scene.add(ss.Capsule.from_segment((0, 0, 0), (0, 0, 0), radius=0.0), name="point")
    with scene.show(browser=False) as page:
        assert connected(page)


def test_what_is_no_motion_and_no_pose():
    scene = ss.Scene()
    scene.add(ss.Box((1, 1, 1)), name="tool")
    with pytest.raises(ss.errors.InvalidType, match="expected a Translate, Rotate or Screw, got 3"):
        scene.show(scene["tool"], 3, browser=False)
    with scene.show(browser=False) as page, pytest.raises(ss.errors.InvalidQuery, match="poses are empty"):
        page.overlay("fan", ss.Box((1, 1, 1)), [])
