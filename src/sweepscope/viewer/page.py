"""A page in the browser that shows a scene and answers questions about it."""

from __future__ import annotations

import contextlib
import threading
import webbrowser
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import InvalidQuery, SweepscopeError
from ..motion import Motion
from ..results import Method, PairContact
from ..robot.robot import Robot
from ..scene import Scene
from ..shapes import Shape
from ..world.body import Body
from .backdrop import add_grid, add_lights
from .bodies import bounds_of
from .body_panel import BodyPanel
from .camera import ASPECT, FOV, aim, points_of_bodies, points_of_motion, size_of
from .colors import BODIES
from .meetings import Meetings
from .near_panel import NearPanel
from .overlap_panel import OverlapPanel
from .overlays import Overlay
from .playback import Playback, State, checked_recording
from .question import Asked, Question
from .radar_panel import RadarPanel
from .ray_panel import RayPanel
from .robot_panel import RobotPanel
from .save_panel import SavePanel
from .serving import address, start, stop
from .stage import PageStage
from .theme import Theme
from .toolbar import Toolbar
from .volume_panel import VolumePanel, volumes_of

_GRACE = 3.0  # seconds in which a visitor may load the page again before it counts as left


class Options(NamedTuple):
    """How a page is served, and what its panels start with: see `show`."""

    host: str
    port: int
    browser: bool
    dark: bool | None
    once: bool
    visuals: Mapping[str, Robot]
    sweep_all: bool
    pixels: tuple[int, int] | None
    method: Method


class Page:
    """A page in the browser that shows a scene. `Scene.show`, `Hit.show` and `Robot.show` return one; it is served at once.

    Visitors change the scene: dragging moves a body, sliders move joints, brushes change voxels. A program that changes the
    scene while the page is open does so in `with page.changing():`, or calls `page.update()` afterwards. As a context manager,
    a page is closed at the end. All methods but `wait` and `close` raise `InvalidQuery` once the page is closed.
    """

    def __init__(self, scene: Scene, asked: Asked, options: Options) -> None:
        self._closed = threading.Event()
        self._stopped = False
        self._server = start(options.host, options.port)
        self._port: int = self._server.get_port()
        self._url = address(options.host, self._port)
        try:
            self._begin(scene, asked, options.dark)
            if options.browser:
                webbrowser.open(self._url)  # it starts while the panels are made
            self._add_panels(asked, options)
        except BaseException:
            stop(self._server)
            raise
        if options.once:
            self._server.on_client_disconnect(self._on_leave)

    def _begin(self, scene: Scene, asked: Asked, dark: bool | None) -> None:
        gui = self._server.gui
        bounds, points = bounds_of(scene), _first_points(scene, asked)
        self._theme = Theme(self._server, dark, lambda client: add_grid(client.scene, bounds, True))
        gui.set_panel_label("sweepscope")
        gui.main_panel.dock_right()  # beside the scene, not over it
        add_lights(self._server.scene)
        add_grid(self._server.scene, bounds, bool(dark))
        camera = self._server.initial_camera
        camera.fov, camera.near, camera.far = FOV, 1e-3 * size_of(points), 1e3 * size_of(bounds)
        aim(camera, points, FOV, ASPECT)
        self._stage = PageStage(self._server, scene, size_of(points))
        self._playback: Playback | None = None
        self._meetings: Meetings | None = None
        self._overlays: Any = None

    def _add_panels(self, asked: Asked, options: Options) -> None:
        stage = self._stage
        with self._server.atomic():  # visitors that are there already get all tabs at once
            Toolbar(stage, self._fit)
            self._tabs = self._server.gui.add_tab_group()
            if asked.movers or asked.hit:  # the question comes first
                self._add_question(asked)
            for name, robot in stage.scene.robots.items():
                with self._tabs.add_tab(name):
                    RobotPanel(stage, robot, options.visuals.get(name), options.sweep_all)
            if not (asked.movers or asked.hit):
                self._add_question(asked)
            with self._tabs.add_tab("Bodies"):
                BodyPanel(stage)
            with self._tabs.add_tab("Near"):
                NearPanel(stage, self._question)
            with self._tabs.add_tab("Overlaps"):
                OverlapPanel(stage, self._question)
            with self._tabs.add_tab("Ray"):
                RayPanel(stage, self._question)
            with self._tabs.add_tab("Radar"):
                self._radar = RadarPanel(stage, self._question, options.pixels, options.method)
            if volumes_of(stage):
                with self._tabs.add_tab("Volumes"):
                    VolumePanel(stage)
            with self._tabs.add_tab("Save"):
                self._save = SavePanel(stage, self._question, self._theme)
        self._server.on_client_connect(self._on_visit)

    def _add_question(self, asked: Asked) -> None:
        with self._tabs.add_tab("Ask"):
            self._question = Question(self._stage, asked, self._fit)

    def _fit(self, client: Any) -> None:
        """Move a visitor's camera to what is asked."""
        if client is not None:
            with self._stage.lock, client.atomic():
                aim(client.camera, self._question.points(), client.camera.fov, client.camera.aspect)

    def _on_visit(self, client: Any) -> None:
        """Move the camera back, once, for a visitor whose window is narrow. The panel narrows it after the visit began."""
        waiting = [client]

        def check(camera: Any) -> None:
            if waiting and camera.aspect < ASPECT:
                self._fit(waiting.pop())

        client.camera.on_update(check)
        check(client.camera)

    @property
    def url(self) -> str:
        """Address of the page, such as "http://127.0.0.1:8080"."""
        return self._url

    @property
    def port(self) -> int:
        """Port of the page: another one than the one that was asked for if that was taken."""
        return self._port

    @property
    def scene(self) -> Scene:
        """The scene on the page."""
        return self._stage.scene

    def update(self) -> None:
        """Draw what the program has changed in the scene, and answer the question again."""
        self._check_open()
        self._stage.update()

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        """Return a context in which the program may change the scene: visitors wait, and the page is updated at its end."""
        self._check_open()
        with self._stage.lock:
            yield
            self._stage.update()

    def play(self, frames: Sequence[Mapping[Body, State]], *, rate: float = 30.0) -> None:
        """Show a recording, with buttons to play, pause and step, and a slider of frames. It replaces the last recording.

        frames: for each frame, the state of the bodies that differ from the frame before: a pose (4, 4) or a position (3,), its
        vertices (n, 3), a Shape that it becomes, or a pair of a pose and one of the last two. rate: frames in a second, 0.1 to
        1000. Only the page changes, not the scene. The question stays: its answer is about the scene.
        """
        self._check_open()
        recording = checked_recording(self._stage, frames, rate)
        self._question.drop_default()
        if self._playback is None:
            with self._tabs.add_tab("Play"):
                self._playback = Playback(self._stage)
        self._playback.load(*recording)

    def predict(self, motions: Mapping[Body, Motion], horizon: float, *, margin: float = 0.0) -> list[PairContact]:
        """Show which bodies will meet, with a slider of time; return the contacts. It replaces the last prediction.

        Arguments and result: as for `Scene.predict`. Only the page changes, not the scene.
        """
        self._check_open()
        with self._stage.lock:
            found = self.scene.predict(motions, horizon, margin=margin)
        self._question.drop_default()
        if self._meetings is None:
            with self._tabs.add_tab("Meetings"):
                self._meetings = Meetings(self._stage)
        self._meetings.load(motions, horizon, found)
        return found

    def overlay(self, name: str, shape: Shape, poses: Sequence[ArrayLike], *, color: int = 0, visible: bool = True) -> None:
        """Draw a shape that is not in the scene, such as a Fan, at one pose or several, with a switch in the tab Shapes.

        name: of the switch. poses: at least one, each (4, 4) or a position (3,), world. color: number of the color; there are
        five, then they repeat. visible: whether it is switched on.
        """
        self._check_open()
        overlay = Overlay(self._stage, name, shape, poses, BODIES[color % len(BODIES)], visible)
        if self._overlays is None:
            self._overlays = self._tabs.add_tab("Shapes")
        with self._overlays:
            overlay.add_switch()

    def html(self) -> str:
        """Return the scene as an HTML file that needs no server. It can be viewed from all sides; it answers no questions."""
        self._check_open()
        return self._save.page()

    def wait(self) -> None:
        """Wait until the page is closed: by Ctrl-C, by `close` on another thread or, with `once`, by its last visitor."""
        with contextlib.suppress(KeyboardInterrupt):
            while not self._closed.wait(0.2):  # so short that Ctrl-C comes through on every system
                pass
        self.close()

    def close(self) -> None:
        """Stop serving. Closing a closed page does nothing."""
        self._closed.set()
        if not self._stopped:
            self._stopped = True
            for each in self._stage.closing:
                each()
            stop(self._server)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Page of {self.scene!r}: {'closed' if self._closed.is_set() else self._url}>"

    def _check_open(self) -> None:
        if self._closed.is_set():
            raise InvalidQuery("the page is closed; call show() for another one")

    def _on_leave(self, _: Any) -> None:
        """Close if no visitor comes back."""
        if not self._closed.wait(_GRACE) and not self._server.get_clients():
            self._closed.set()


def _first_points(scene: Scene, asked: Asked) -> NDArray[np.float64]:
    """Return places that the camera shows first [length], shape (n, 3), world: the way of the movers, else the subject."""
    if asked.movers and asked.motion is not None:
        hit = asked.hit
        if hit is None:
            with contextlib.suppress(SweepscopeError):  # the panel shows why
                hit = scene.sweep(asked.movers, asked.motion, margin=asked.margin, resting=asked.resting)
        return points_of_motion(asked.movers, asked.motion, 1.0 if hit is None else hit.time)
    return points_of_bodies(asked.subject or scene.bodies)
