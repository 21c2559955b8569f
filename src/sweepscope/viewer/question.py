"""The panel of the question: a mover and a motion. It answers after every change."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import SweepscopeError
from ..motion import Motion, Rotate, Screw, Translate, Turn
from ..results import Hit, LinkHit, SweepAllResult
from ..world.body import Body, entry_of
from . import words
from .camera import points_of_bodies, points_of_motion, sees, size_of
from .colors import MOTION
from .display import pose_of, wxyz_of
from .ghosts import moved_poses
from .history import Change
from .latest import Latest
from .passages import Passages
from .stage import PageStage, from_client

KINDS = ("push", "turn", "screw")
_NONE = "(none)"
_GIZMO = 0.15  # length of its arrows, as a share of what is looked at


class Asked(NamedTuple):
    """The question to start with."""

    movers: tuple[Body, ...] = ()
    """By default the smallest body."""
    motion: Motion | None = None
    margin: float = 0.0
    resting: Literal["free", "hit"] = "free"
    hit: Hit | None = None
    """The answer, if it is known. It is shown as it is: it may have ignored bodies."""
    subject: tuple[Body, ...] = ()
    """The bodies to look at if nothing is asked; by default all."""


class Question:
    """Asks `scene.sweep` for movers and one motion, and shows the answer. fit: moves a visitor's camera to what is asked."""

    def __init__(self, stage: PageStage, asked: Asked, fit: Callable[[Any], None]) -> None:
        self._stage = stage
        self._fit = fit
        self._together = asked.movers
        self._subject = asked.subject
        self._known = asked.hit
        motion = asked.motion
        self.hit: Hit | None = None
        """The last answer."""
        self.problem: str | None = "no question was asked yet"
        """Why there is no answer; None if there is one."""
        self.size = stage.size
        """Diagonal of what is asked about [length]; marks are sized by it."""
        self.answered: list[Callable[[], None]] = []
        """Called after each answer, outside of the lock."""
        self._dragged = False
        self._drawn = False
        self._sized_for: tuple[str, bool] | None = None
        gui = stage.server.gui
        begin = asked.movers or (() if asked.hit else default_movers(stage.scene.bodies))
        self._chosen = _label(begin)
        self._by_default = not asked.movers
        mover_hint = "Or click a body"
        self._mover = gui.add_dropdown("mover", self._labels(), initial_value=self._chosen, hint=mover_hint)
        self._kind = gui.add_dropdown("motion", KINDS, initial_value=_kind_of(motion))
        size = stage.size
        step = 10.0 ** math.floor(math.log10(size) - 2.0)
        vector = motion.vector if isinstance(motion, Translate) else (0.0, 0.0, -float(f"{size:.2g}"))
        turn = motion if isinstance(motion, Turn) else Screw((0.0, 0.0, 1.0), 0.5 * math.pi, slide=0.0)
        self._by = gui.add_vector3("by", vector, step=step, hint="Straight motion [length]")
        self._axis = gui.add_vector3("axis", turn.axis, step=0.1, hint="Direction of the axis, right-handed")
        self._angle = gui.add_number("angle", math.degrees(turn.angle), step=1.0, hint="[degrees]")
        about = cast("tuple[float, float, float]", getattr(turn, "about", (0.0, 0.0, 0.0)))
        self._about = gui.add_vector3("about", about, step=step, hint="A point on the axis [length]")
        self._slide = gui.add_number("slide", turn.slide, step=step, hint="Along the axis [length]")
        self._margin = gui.add_number("margin", float(asked.margin), min=0.0, step=step, hint="Distance to keep [length]")
        touching = "Whether touching without approaching is a hit"
        self._resting = gui.add_dropdown("resting", ("free", "hit"), initial_value=asked.resting, hint=touching)
        self._trail = gui.add_checkbox("trail", True, hint="Ghosts and paths on the way")
        self._passages = Passages(stage, self._ask_on_change)
        self._words = gui.add_html("")
        self.ask = Latest(self._work)
        for control in (self._by, self._axis, self._angle, self._about, self._slide, self._margin, self._resting, self._trail):
            control.on_update(self._on_change)
        self._mover.on_update(self._on_mover)
        self._kind.on_update(self._on_kind)
        self._gizmo = stage.server.scene.add_transform_controls("/gizmo", scale=_GIZMO * size, depth_test=False, visible=False)
        self._gizmo.on_update(self._on_drag)
        self._show_fields()
        stage.changed.append(self._refresh)
        stage.bodies.clicked.append(self._on_click)
        self.ask()

    @property
    def movers(self) -> tuple[Body, ...]:
        """The movers; empty if none is chosen."""
        label = self._mover.value
        if label == _NONE:
            return ()
        return self._together if label == _label(self._together) else (self._stage.scene[label],)

    @property
    def everything(self) -> SweepAllResult | None:
        """All that the last answer found on the way; None if only the first contact was asked for."""
        return self._passages.found

    def motion(self) -> Motion:
        """Return the motion; raises if the fields do not describe one."""
        if self._kind.value == "push":
            return Translate(self._by.value)
        angle = math.radians(self._angle.value)
        if self._kind.value == "turn":
            return Rotate(self._axis.value, angle, about=self._about.value)
        return Screw(self._axis.value, angle, slide=self._slide.value, about=self._about.value)

    def options(self) -> dict[str, Any]:
        """Return margin and resting, as `scene.sweep` takes them."""
        return {"margin": self._margin.value, "resting": cast('Literal["free", "hit"]', self._resting.value)}

    def _labels(self) -> tuple[str, ...]:
        """Return what can be moved."""
        scene, several = self._stage.scene, self._together
        together = (_label(several),) if len(several) > 1 and all(body in scene for body in several) else ()
        return (_NONE, *together, *(body.name for body in scene.bodies))

    def points(self) -> NDArray[np.float64]:
        """Return places that a camera must show [length], shape (n, 3), world: the way of the movers.

        If nobody has asked, those of the subject.
        """
        movers = () if self._by_default else self.movers
        if movers and self.problem is None:
            return points_of_motion(movers, self.motion(), self._passages.shown(self.hit)[1])
        subject = [body for body in self._subject if body in self._stage.scene]
        return points_of_bodies(movers or subject or self._stage.scene.bodies)

    def _on_change(self, event: Any) -> None:
        if from_client(event):
            self._ask_on_change()

    def _ask_on_change(self) -> None:
        self._by_default = False
        self.ask()

    def _on_mover(self, event: Any) -> None:
        if from_client(event):
            self._choose(self._mover.value)
            self._stage.bodies.hide_name()
            if event.client is not None and not sees(event.client.camera, self.points()):
                self._fit(event.client)

    def _on_click(self, body: Body) -> None:
        """Make the body that was clicked the mover. Links are moved by their joints, so they do not become one."""
        with self._stage.lock:
            if body in self._stage.scene and not entry_of(body).holder:
                self._mover.value = body.name
                self._choose(body.name)

    def _choose(self, label: str) -> None:
        """Ask about another mover; this can be undone."""
        self._by_default = False
        with self._stage.lock:
            if label != self._chosen:
                self._stage.history.add(Change(f"choice of {label}", None, self._set_mover, self._chosen, label))
                self._chosen = label
        self.ask()

    def _set_mover(self, label: str) -> None:
        """Set the mover without a record; no mover if it has been removed."""
        self._chosen = label if label in self._labels() else _NONE
        self._mover.value = self._chosen
        self._stage.bodies.hide_name()

    def _on_kind(self, event: Any) -> None:
        if from_client(event):
            self._show_fields()
            self._by_default = False
            self.ask()

    def _on_drag(self, event: Any) -> None:
        if event.phase == "start":
            return  # nothing has moved yet
        self._by_default = False
        self._dragged = True
        self.ask()

    def _show_fields(self) -> None:
        """Show the fields of the chosen kind of motion."""
        kind = self._kind.value
        self._by.visible = kind == "push"
        self._axis.visible = self._angle.visible = self._about.visible = kind != "push"
        self._slide.visible = kind == "screw"

    def _refresh(self) -> None:
        """The scene has changed: bodies may be gone."""
        labels = self._labels()
        if labels != self._mover.options:
            kept = self._mover.value if self._mover.value in labels else _NONE
            self._mover.options = labels
            self._mover.value = self._chosen = kept
        self.ask()

    def _work(self) -> None:
        """Ask, and show the answer."""
        with self._stage.lock, self._stage.server.atomic():
            self._answer()
        for each in self.answered:
            each()

    def _answer(self) -> None:
        stage, movers = self._stage, self.movers
        self.hit, self.problem = self._known, None
        self._known = None
        self._passages.forget()
        stage.bodies.mark_movers(movers)
        if isinstance(self.hit, LinkHit) and self.hit.motion is None:
            self._show_path(self.hit)
            return
        if not movers:
            self.problem = "choose a mover"
            self._gizmo.visible = False
            hint = "choose a mover, or click a body"
            self._words.content = words.table(checks.amount(len(stage.scene), "body", "bodies"), MOTION, [("", hint)])
            if self._drawn:  # if not, the marks belong to another panel
                self._drawn = False
                self._show((), None)
            return
        self._hold(movers)
        self._drawn = True
        try:
            motion = self.motion()
            if self.hit is None:
                self.hit = self._passages.sweep(movers, motion, self.options())
        except SweepscopeError as error:
            self.problem = str(error)
            self._show((), None)
            self._words.content = words.problem(self.problem)
            return
        self._show(movers, motion)
        self._resize()
        self._words.content = words.answer(self.hit, motion) + self._passages.words(motion)

    def _resize(self) -> None:
        """Size gizmo and contact by what is asked; only for another mover, so that they do not change during a drag."""
        if self._sized_for != (self._chosen, self._by_default):
            self._sized_for = self._chosen, self._by_default
            self.size = size_of(self.points())
            self._gizmo.scale = _GIZMO * self.size
            self._stage.view.resize(self.size)

    def _hold(self, movers: tuple[Body, ...]) -> None:
        """Move the mover to the gizmo if it was dragged, or else the gizmo to the mover.

        Links are moved by their joints instead; several movers stay where they are.
        """
        mover, free = movers[0], len(movers) == 1 and not entry_of(movers[0]).holder
        dragged, self._dragged = self._dragged, False
        self._gizmo.visible = free
        if dragged and free:
            before = mover.pose
            mover.pose = pose_of(self._gizmo.wxyz, self._gizmo.position)
            if not np.array_equal(mover.pose, before):
                name, key = f"move of {mover.name}", ("pose", mover.id)
                self._stage.history.add(Change(name, key, lambda pose: self._set_pose(mover, pose), before, mover.pose))
            self._stage.bodies.place(mover, mover.pose)
        else:
            self._gizmo.position = mover.pose[:3, 3]
            self._gizmo.wxyz = wxyz_of(mover.pose)

    def _set_pose(self, body: Body, pose: Any) -> None:
        """Move a body; one that was removed, or belongs to a robot now, stays."""
        if body in self._stage.scene and not entry_of(body).holder:
            body.pose = pose

    def _show(self, movers: tuple[Body, ...], motion: Motion | None) -> None:
        view, (hit, time, lit) = self._stage.view, self._passages.shown(self.hit)
        view.contact(None if hit is None else hit.point, None if hit is None else hit.normal)
        if motion is None or not self._trail.value:
            view.hide_motion()
        else:
            view.motion(movers, motion, time)
        self._stage.bodies.light(lit)

    def _show_path(self, hit: LinkHit) -> None:
        """Show a hit of several joints, which is not a single motion: the robot's ghost at the contact."""
        self._drawn = True
        self.problem = "several joints move at once; use robot.sweep"
        self._show((), None)
        self._stage.view.ghosts.show(moved_poses(self._stage.scene.robots[entry_of(hit.mover).holder], hit.positions))
        self._words.content = words.path_answer(hit)

    def drop_default(self) -> None:
        """Ask nothing if the page chose the question by itself. A question that somebody asked stays."""
        if self._by_default:
            self._mover.value = self._chosen = _NONE
            self.ask()


def _label(movers: tuple[Body, ...]) -> str:
    """Return the name of movers in the list."""
    if not movers:
        return _NONE
    return movers[0].name if len(movers) == 1 else f"({len(movers)} bodies)"


def _kind_of(motion: Motion | None) -> str:
    if motion is None or isinstance(motion, Translate):
        return "push"
    return "screw" if isinstance(motion, Screw) else "turn"


def default_movers(bodies: tuple[Body, ...]) -> tuple[Body, ...]:
    """Return the smallest body, as the most likely mover; empty with robots or volumes, which have panels of their own."""
    if any(entry_of(body).holder or entry_of(body).volume is not None for body in bodies):
        return ()
    sizes = {body: float(np.linalg.norm(np.ptp(body.bounds, axis=0))) for body in bodies if not body.shape.empty}
    return (min(sizes, key=sizes.__getitem__),) if sizes else ()
