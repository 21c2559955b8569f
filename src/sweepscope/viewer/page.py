"""A page in the browser that shows a scene and answers questions about it."""

from __future__ import annotations

import contextlib
import threading
import webbrowser
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self

from numpy.typing import ArrayLike

from ..errors import InvalidQuery
from ..motion import Motion
from ..results import Method, PairContact
from ..robot.robot import Robot
from ..scene import Scene
from ..shapes import Shape
from ..world.body import Body
from .backdrop import set_up
from .colors import BODIES
from .meetings import Meetings
from .overlays import Overlay
from .playback import Playback, State, checked_recording
from .question import Asked, Question
from .radar_panel import RadarPanel
from .robot_panel import RobotPanel
from .save_panel import SavePanel
from .serving import address, start, stop
from .stage import PageStage
from .volume_panel import VolumePanel, volumes_of

_GRACE = 3.0  # seconds that a page may be away, to be loaded again, before it counts as closed


class Options(NamedTuple):
    """How a page is served, and what its panels begin with. `show` says what each is."""

    host: str
    port: int
    browser: bool
    dark: bool
    once: bool
    visuals: Mapping[str, Robot]
    sweep_all: bool
    pixels: int | None
    method: Method


class Page:
    """A page that shows a scene; it is served from the start. `scene.show()` returns one.

    The page changes the scene where a visitor does: dragging moves a body, sliders move joints, brushes change voxels. Programs
    that change the scene at the same time do so in `with page.changing():`, or call `page.update()` after it.
    """

    def __init__(self, scene: Scene, asked: Asked, options: Options) -> None:
        self._closed = threading.Event()
        self._stopped = False
        self._server = start(options.host, options.port)
        self._url = address(options.host, self._server.get_port())
        self.wanted_port = options.port
        """The port that was asked for."""
        try:
            self._begin(scene, options.dark)
            if options.browser:
                webbrowser.open(self._url)  # it starts while the panels are made
            self._add_panels(asked, options)
        except BaseException:
            stop(self._server)
            raise
        if options.once:
            self._server.on_client_disconnect(self._on_leave)

    def _begin(self, scene: Scene, dark: bool) -> None:
        gui = self._server.gui
        gui.configure_theme(dark_mode=dark, show_logo=False, show_share_button=False, control_width="medium")
        gui.set_panel_label("sweepscope")
        gui.main_panel.dock_right()  # beside the scene, not over it
        set_up(self._server, scene, dark)
        self._stage = PageStage(self._server, scene)
        self._playback: Playback | None = None
        self._meetings: Meetings | None = None
        self._overlays: Any = None

    def _add_panels(self, asked: Asked, options: Options) -> None:
        stage = self._stage
        with self._server.atomic():  # who has come already sees all tabs at once
            self._tabs = self._server.gui.add_tab_group()
            if asked.movers or asked.hit:  # what was asked for comes first
                self._add_question(asked)
            for name, robot in stage.scene.robots.items():
                with self._tabs.add_tab(name):
                    RobotPanel(stage, robot, options.visuals.get(name), options.sweep_all)
            if not (asked.movers or asked.hit):
                self._add_question(asked)
            with self._tabs.add_tab("Radar"):
                RadarPanel(stage, self._question, options.pixels, options.method)
            if volumes_of(stage):
                with self._tabs.add_tab("Volumes"):
                    VolumePanel(stage)
            with self._tabs.add_tab("Save"):
                self._save = SavePanel(stage, self._question, options.dark)

    def _add_question(self, asked: Asked) -> None:
        with self._tabs.add_tab("Ask"):
            self._question = Question(self._stage, asked)

    @property
    def url(self) -> str:
        """Its address."""
        return self._url

    @property
    def scene(self) -> Scene:
        """The scene."""
        return self._stage.scene

    @property
    def moved(self) -> bool:
        """Whether the port was taken, so that the page has another one."""
        return self._server.get_port() != self.wanted_port

    def update(self) -> None:
        """Show what the program has changed in the scene, and answer again."""
        self._check_open()
        self._stage.update()

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        """Keep visitors from asking while the program changes the scene; then update the page."""
        self._check_open()
        with self._stage.lock:
            yield
            self._stage.update()

    def play(self, frames: Sequence[Mapping[Body, State]], *, rate: float = 30.0) -> None:
        """Show a recording, with buttons to play, pause and step, and a slider of frames. It replaces the one before.

        frames: what differs in each: a pose (4, 4) or a position (3,) of a body, its vertices (n, 3), a Shape that it becomes,
        or a pose and one of these two. Only the page changes, not the scene. rate: frames in a second.
        """
        self._check_open()
        recording = checked_recording(self._stage, frames, rate)
        self._question.rest()
        if self._playback is None:
            with self._tabs.add_tab("Play"):
                self._playback = Playback(self._stage)
        self._playback.load(*recording)

    def predict(self, motions: Mapping[Body, Motion], horizon: float, *, margin: float = 0.0) -> list[PairContact]:
        """Show which bodies will meet, as `Scene.predict` finds them, with a slider of time; return the meetings.

        It replaces the prediction before.
        """
        self._check_open()
        with self._stage.lock:
            found = self.scene.predict(motions, horizon, margin=margin)
        self._question.rest()
        if self._meetings is None:
            with self._tabs.add_tab("Meetings"):
                self._meetings = Meetings(self._stage)
        self._meetings.load(motions, horizon, found)
        return found

    def overlay(self, name: str, shape: Shape, poses: Sequence[ArrayLike], *, color: int = 0, visible: bool = True) -> None:
        """Draw a shape beside the scene, at one pose or several, with a switch: a Fan, a box around a motion.

        color: number of the color; there are six.
        """
        self._check_open()
        overlay = Overlay(self._stage, name, shape, poses, BODIES[color % len(BODIES)], visible)
        if self._overlays is None:
            self._overlays = self._tabs.add_tab("Shapes")
        with self._overlays:
            overlay.add_switch()

    def html(self) -> str:
        """Return the scene as a page that needs no server: it can be looked at from all sides, not asked."""
        self._check_open()
        return self._save.page()

    def wait(self) -> None:
        """Wait until the page is closed, by Ctrl-C, by `close` on another thread, or with `once` by its last visitor."""
        with contextlib.suppress(KeyboardInterrupt):
            while not self._closed.wait(0.2):  # so short that Ctrl-C comes through on every system
                pass
        self.close()

    def close(self) -> None:
        """Stop serving. Closing twice is no error."""
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
            raise InvalidQuery("the page is closed; show() makes another one")

    def _on_leave(self, _: Any) -> None:
        """Close if nobody comes back."""
        if not self._closed.wait(_GRACE) and not self._server.get_clients():
            self._closed.set()
