"""A page in the browser that shows a scene and answers questions about it."""

from __future__ import annotations

import contextlib
import threading
import webbrowser
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from .. import checks
from ..errors import InvalidMotion, InvalidQuery
from ..motion import Motion
from ..results import Hit, Meeting, Method
from ..robot.robot import Robot
from ..scene import Scene, store_of
from ..shapes import Shape
from ..world.body import Body
from .bodies import bounds_of
from .colours import BODIES
from .meetings import Meetings
from .overlays import Overlay
from .playback import Playback, State
from .question import Asked, Question
from .radar_panel import RadarPanel
from .robot_panel import RobotPanel
from .save_panel import SavePanel
from .serving import LOCAL, PORT, Server, address, start, stop
from .stage import Stage
from .volume_panel import VolumePanel, volumes_of

_GRACE = 3.0  # seconds that a page may be away, to be loaded again, before it counts as closed
_GRID = 15  # lines of the grid, each way


class Page:
    """A page that shows a scene; it is served from the start. `scene.show()` returns one.

    mover, motion: the question to begin with; by default the smallest body is pushed down, if there are no robots and no
    volumes. host, port: where it is served, by default to this machine alone; if the port is taken, on the next free one.
    browser: whether to open it. dark: dark colours. once: whether `wait` ends when the last visitor has left. visuals: robots
    with visual shapes, by the name of the robot that they are drawn for. sweep_all: write the free travel of each joint beside
    its slider. margin, resting: as in `Scene.sweep`. pixels, method: of the radar.

    The page changes the scene where a visitor does: dragging moves a body, sliders move joints, brushes change voxels. Programs
    that change the scene at the same time do so in `with page.changing():`, or call `page.update()` after it.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        mover: Body | None = None,
        motion: Motion | None = None,
        host: str = LOCAL,
        port: int = PORT,
        browser: bool = True,
        dark: bool = False,
        once: bool = False,
        visuals: Mapping[str, Robot] | None = None,
        sweep_all: bool = False,
        margin: float = 0.0,
        resting: Literal["free", "hit"] = "free",
        pixels: int = 50,
        method: Method = "sampled",
    ) -> None:
        store = store_of(scene)
        if mover is not None:
            store.check(mover, "mover")
        if motion is not None and not isinstance(motion, Motion):
            raise InvalidMotion(f"motion: expected a Translate, Rotate or Screw, got {checks.shown(motion)}")
        self._closed = threading.Event()
        self._stopped = False
        self._server = start(host, port)
        try:
            self._begin(scene, dark)
            self._add_panels(Asked(mover, motion, margin, resting, pixels, method), visuals or {}, sweep_all, dark)
        except BaseException:
            stop(self._server)
            raise
        self._url = address(host, self._server.get_port())
        self.wanted_port = port
        """The port that was asked for."""
        if once:
            self._server.on_client_disconnect(self._on_leave)
        if browser:
            webbrowser.open(self._url)

    def _begin(self, scene: Scene, dark: bool) -> None:
        gui = self._server.gui
        gui.configure_theme(dark_mode=dark, show_logo=False, show_share_button=False, control_width="medium")
        gui.set_panel_label("sweepscope")
        gui.main_panel.dock_right()  # beside the scene, not over it
        _set_up(self._server, scene, dark)
        self._stage = Stage(self._server, scene)
        self._playback: Playback | None = None
        self._overlays: Any = None
        self._tabs = gui.add_tab_group()

    def _add_panels(self, asked: Asked, visuals: Mapping[str, Robot], sweep_all: bool, dark: bool) -> None:
        stage, tabs = self._stage, self._tabs
        for name, robot in stage.scene.robots.items():
            with tabs.add_tab(name):
                RobotPanel(stage, robot, visuals.get(name), sweep_all)
        with tabs.add_tab("Ask"):
            self._question = Question(stage, asked)
        with tabs.add_tab("Radar"):
            RadarPanel(stage, self._question, asked)
        if volumes_of(stage):
            with tabs.add_tab("Volumes"):
                VolumePanel(stage)
        with tabs.add_tab("Save"):
            self._save = SavePanel(stage, self._question, dark)

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
        self._stage.update()

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        """Keep visitors from asking while the program changes the scene; then update the page."""
        with self._stage.lock:
            yield
            self._stage.update()

    def mark(self, hit: Hit) -> None:
        """Show a hit whose motion is not known: its bodies, its point and its normal."""
        self._question.mark(hit)

    def play(self, frames: Sequence[Mapping[Body, State]], *, rate: float = 30.0) -> None:
        """Add a recording, with buttons to play, pause and step, and a slider of frames.

        frames: what differs in each: a pose (4, 4) or a position (3,) of a body, its vertices (n, 3), a Shape that it becomes,
        or a pose and one of these two. Only the page changes, not the scene. rate: frames in a second.
        """
        if self._playback is not None:
            raise InvalidQuery("play: the page has a recording already")
        self._question.rest()
        with self._tabs.add_tab("Play"):
            self._playback = Playback(self._stage, frames, rate)

    def predict(self, motions: Mapping[Body, Motion], horizon: float, *, margin: float = 0.0) -> list[Meeting]:
        """Show which bodies will meet, as `Scene.predict` finds them, with a slider of time; return the meetings."""
        self._question.rest()
        with self._tabs.add_tab("Meetings"):
            return Meetings(self._stage, motions, horizon, margin).found

    def overlay(self, name: str, shape: Shape, poses: Sequence[ArrayLike], *, colour: int = 0, visible: bool = True) -> None:
        """Draw a shape beside the scene, at one pose or several, with a switch: a Fan, a box around a motion.

        colour: number of the colour; there are six.
        """
        if self._overlays is None:
            self._overlays = self._tabs.add_tab("Shapes")
        with self._overlays:
            Overlay(self._stage, name, shape, poses, BODIES[colour % len(BODIES)], visible)

    def html(self) -> str:
        """Return the scene as a page that needs no server: it can be looked at from all sides, not asked."""
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

    def _on_leave(self, _: Any) -> None:
        """Close if nobody comes back."""
        if not self._closed.wait(_GRACE) and not self._server.get_clients():
            self._closed.set()


def _set_up(server: Server, scene: Scene, dark: bool) -> None:
    """Put the camera where it sees the whole scene, and plain lights and a grid that are quick to draw without a GPU too."""
    low, high = bounds_of(scene)
    middle, size = 0.5 * (low + high), float(np.linalg.norm(high - low)) or 1.0
    camera = server.initial_camera
    camera.look_at = middle
    camera.position = middle + size * np.array((0.6, -0.75, 0.5))
    camera.near, camera.far = 1e-3 * size, 1e3 * size
    server.scene.configure_environment_map(None)
    server.scene.configure_default_lights(cast_shadow=False)
    server.scene.add_light_ambient("/light", intensity=2.0)
    ticks = np.linspace(-0.7, 0.7, _GRID) * size
    ends = np.full(_GRID, 0.7 * size)
    flat = np.zeros(_GRID)
    along = np.stack((np.stack((ticks, -ends, flat), axis=1), np.stack((ticks, ends, flat), axis=1)), axis=1)
    lines = np.concatenate((along, along[..., [1, 0, 2]]))
    below = (middle[0], middle[1], low[2] - 2e-3 * size)
    shade = (70, 70, 70) if dark else (200, 200, 200)
    server.scene.add_line_segments("/grid", lines, shade, thickness=1.0, thickness_units="screen", position=below)
