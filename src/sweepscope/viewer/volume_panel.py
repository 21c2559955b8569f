"""The panel of volumes: a brush that adds and carves voxels, and the overlap of two volumes."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..motion import inverse
from ..queries.overlap import overlap
from ..shapes import Volume
from ..world.body import Body, entry_of
from . import words
from .colors import CONTACT, MOTION
from .history import Change
from .latest import Latest
from .stage import PageStage, from_client

_NONE = "(none)"
_OFF, _ADD, _CARVE = "off", "add", "carve"
_MOST_MARKED = 50_000  # voxels of an overlap that are drawn


def volumes_of(stage: PageStage) -> dict[str, Body]:
    """Return the bodies that are volumes, by name."""
    return {body.name: body for body in stage.scene.bodies if isinstance(entry_of(body).shape, Volume)}


class VolumePanel:
    """Edits volumes and shows where two overlap."""

    def __init__(self, stage: PageStage) -> None:
        self._stage = stage
        gui = stage.server.gui
        names = list(volumes_of(stage))
        size = float(f"{stage.size:.1g}")  # so that ends of the slider are short numbers
        self._edited = gui.add_dropdown("volume", tuple(names))
        self._mode = gui.add_dropdown("brush", (_OFF, _ADD, _CARVE), hint="Drag the ball to add or carve voxels")
        self._radius = gui.add_slider("radius", 0.0, 0.5 * size, 0.001 * size, 0.05 * size, hint="[length]")
        self._apply = gui.add_button("Apply here", disabled=True, hint="Use the brush where it is; choose add or carve first")
        self._edited_words = gui.add_html("")
        self._first = gui.add_dropdown("first", (_NONE, *names), initial_value=names[0])
        self._second = gui.add_dropdown("second", (_NONE, *names), initial_value=names[1] if len(names) > 1 else _NONE)
        self._words = gui.add_html("")
        where = volumes_of(stage)[names[0]].bounds
        place = np.nan_to_num(0.5 * where.sum(axis=0))
        scene = stage.server.scene
        self._gizmo = scene.add_transform_controls(
            "/brush", scale=0.1 * size, disable_rotations=True, depth_test=False, position=place, visible=False
        )
        self._ball = scene.add_icosphere("/brush/ball", radius=1.0, color=CONTACT, opacity=0.3, cast_shadow=False)
        self._ball.scale = self._radius.value
        self._shared = scene.add_point_cloud(
            "/answer/shared", np.zeros((0, 3)), CONTACT, point_size=0.01, point_shape="square", precision="float32"
        )
        self._brush = Latest(self._paint)
        self._gizmo.on_update(lambda _: self._brush())
        self._mode.on_update(self._on_brush)
        self._radius.on_update(self._on_brush)
        self._apply.on_click(lambda _: self._paint())
        for control in (self._first, self._second):
            control.on_update(lambda event: self._compare() if from_client(event) else None)
        stage.changed.append(self._compare)
        self._compare()

    def _on_brush(self, event: Any) -> None:
        if from_client(event):
            self._gizmo.visible = self._mode.value != _OFF
            self._apply.disabled = self._mode.value == _OFF
            self._stage.bodies.let_clicks_through(self._mode.value != _OFF, "brush")
            self._ball.scale = self._radius.value

    def _paint(self) -> None:
        """Add or carve the voxels whose centers lie in the brush, and tell how many."""
        with self._stage.lock, self._stage.server.atomic():
            body, mode = volumes_of(self._stage).get(self._edited.value), self._mode.value
            if body is None or mode == _OFF:
                self._edited_words.content = words.problem("choose a volume, and add or carve")
                return
            volume = entry_of(body).volume
            assert volume is not None
            back = inverse(body.pose)
            center = back[:3, :3] @ np.asarray(self._gizmo.position) + back[:3, 3]
            edit = carve(volume, center, self._radius.value, add=mode == _ADD)
            done = "added" if mode == _ADD else "carved"
            if edit is None:
                why = f"no voxel of {body.name} to be {done} has its center in the brush"
                self._edited_words.content = words.table("nothing changed", MOTION, [("", html.escape(why))])
                return
            self._stage.history.add(VoxelChange(f"brush on {body.name}", body.id, volume, edit))
            self._edited_words.content = words.table(done, MOTION, [("voxels", f"{len(edit.where):,}")])
            self._stage.update()

    def _compare(self) -> None:
        """Show the overlap of the two volumes."""
        with self._stage.lock:
            bodies = volumes_of(self._stage)
            first, second = bodies.get(self._first.value), bodies.get(self._second.value)
            if first is None or second is None or first is second:
                self._shared.visible = False
                self._words.content = words.problem("choose two volumes to compare")
                return
            found = overlap(first, second)
            volume = entry_of(first).volume
            assert volume is not None
            self._words.content = words.overlap_answer(found, (first.name, second.name))
            places = volume.center_of(found.voxels[:: max(1, -(-found.count // _MOST_MARKED))]) if found else np.zeros((0, 3))
            self._shared.points = (places @ first.pose[:3, :3].T + first.pose[:3, 3]).astype(np.float32)
            self._shared.point_size = 0.5 * min(volume.spacing)
            self._shared.visible = bool(found)


class Edit(NamedTuple):
    """Voxels that a brush has changed."""

    box: tuple[slice, ...]
    """The part of the volume that was written."""
    where: NDArray[np.intp]
    """Which voxels of the box changed: flat indices, shape (n,)."""
    before: NDArray[Any]
    """Their values before, shape (n,)."""
    after: Any
    """Their value now."""


class VoxelChange(Change):
    """A change of voxels that can be undone. body: id of the volume's body."""

    def __init__(self, name: str, body: int, volume: Volume, edit: Edit) -> None:
        super().__init__(
            name, ("voxels", body), lambda edits: _write(volume, edits), [(edit, edit.before)], [(edit, edit.after)]
        )
        self.size = edit.where.nbytes + edit.before.nbytes

    def merge(self, newer: Change) -> None:
        """Take in a later stroke on the same volume. The later one is undone first."""
        self.before, self.after = newer.before + self.before, self.after + newer.after
        self.size += newer.size


def _write(volume: Volume, edits: Sequence[tuple[Edit, Any]]) -> None:
    """Give the voxels of each edit their values."""
    for edit, values in edits:
        box = volume[edit.box]
        box.flat[edit.where] = values
        volume[edit.box] = box


def carve(volume: Volume, center: Any, radius: float, *, add: bool) -> Edit | None:
    """Add or remove the voxels whose centers lie within `radius` [length] of a point, local; return what changed, or None."""
    low, high = volume.voxel_at(center - radius), volume.voxel_at(center + radius) + 1
    low, high = np.clip(low, 0, volume.resolution), np.clip(high, 0, volume.resolution)
    if (low >= high).any():
        return None
    box = tuple(slice(int(a), int(b)) for a, b in zip(low, high, strict=True))
    places = np.stack(np.meshgrid(*(np.arange(a, b) for a, b in zip(low, high, strict=True)), indexing="ij"), axis=-1)
    inside = ((volume.center_of(places) - center) ** 2).sum(axis=-1) <= radius * radius
    values = volume[box]
    after = _opaque(volume, values.dtype) if add else 0
    where = np.flatnonzero(inside & (values != after))
    if not len(where):
        return None
    edit = Edit(box, where, values.flat[where], after)
    _write(volume, [(edit, after)])
    return edit


def _opaque(volume: Volume, kind: np.dtype[Any]) -> Any:
    """Return an opacity of this type that is above the threshold."""
    if kind.kind == "b":
        return True
    if kind.kind in "iu":
        return np.iinfo(kind).max
    return max(1.0, 2.0 * volume.threshold)
