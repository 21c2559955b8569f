"""Glass: bodies that hide the movers or a contact are drawn as glass, also the movers themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..world.body import Body
from .arrangement import arrange_at
from .paint import depth_range

if TYPE_CHECKING:
    from .camera import Camera
    from .stage import PictureStage

_Array = NDArray[np.float64]
_Poses = Sequence[_Array]

_START = (160, 120)  # pixels of a look at what hides the movers at their start
_CONTACT = (32, 32)  # pixels of a look at what hides a contact
_WINDOW = 0.12  # of the picture's height: what is looked at around a contact
_HIDDEN_START = 0.75  # share of the movers: if more of them is hidden at the start, what hides them is glass
_HIDDEN_CONTACT = 0.5  # the same for the part of the movers around a contact
_MARK = 0.022  # of the picture's height: diameter of the mark of a contact
_MARK_PIXELS = (12, 12)  # pixels of a look at what the movers hide of a mark
_LAYERS = 16  # bodies in front of each other that are looked through


def glass_of(
    stage: PictureStage,
    camera: Camera,
    movers: Sequence[Body],
    start: _Poses,
    contacts: Sequence[tuple[_Array, _Poses]] = (),
) -> list[Body]:
    """Return the bodies that hide the movers at their start, or at a contact the part of the movers around it.

    start: poses of the movers, world. contacts: for each the point, shape (3,), and the poses of the movers.
    """
    glass: list[Body] = []
    if not movers:
        return glass
    _look_through(stage, replace(camera, size=_START), movers, start, _HIDDEN_START, glass)
    for point, poses in contacts:
        right, up, _ = camera.to_view(point)
        middle = camera.origin + right * camera.frame[0] + up * camera.frame[1]
        window = replace(camera, origin=middle, height=_WINDOW * camera.height, size=_CONTACT)
        _look_through(stage, window, movers, poses, _HIDDEN_CONTACT, glass)
    return glass


def _look_through(
    stage: PictureStage, camera: Camera, movers: Sequence[Body], poses: _Poses, most: float, glass: list[Body]
) -> None:
    """Add to the glass, layer by layer, what hides more than a share of the movers at poses."""
    alone = arrange_at(stage.scene, movers, poses)
    ranges = [depth_range(each.bodies, camera.frame[2], camera.origin) for each in (stage.arrangement, alone)]
    near = max(min(low for low, _ in ranges) - camera.pixel, camera.near)
    far = max(high for _, high in ranges) + camera.pixel
    if not near < far:
        return
    view = camera.view(near, far)
    mine, ids, _, _ = alone.look(view, camera.size)
    shown = ids >= 0
    for _ in range(_LAYERS):
        rest = stage.arrangement.without([*movers, *glass])
        depth, ids, _, _ = rest.look(view, camera.size)
        hidden = shown & (ids >= 0) & (depth < mine - camera.pixel)
        if hidden.sum() <= most * shown.sum():
            return
        glass.extend(rest.bodies[k].body for k in np.unique(ids[hidden]).tolist())


def movers_in_front(camera: Camera, movers: Sequence[Body], start: _Poses, points: Sequence[_Array]) -> list[Body]:
    """Return the movers that hide more than half of the mark of a contact while they are at their start.

    start: poses of the movers, world. points: contacts, shape (3,) each.
    """
    found: list[Body] = []
    if not movers:
        return found
    alone = arrange_at(movers[0].scene, movers, start)
    low, high = depth_range(alone.bodies, camera.frame[2], camera.origin)
    near = max(low - camera.pixel, camera.near)
    for point in points:
        right, up, depth = camera.to_view(point)
        far = min(high, depth - 2.0 * camera.pixel)  # nearer than the point, by more than the picture resolves
        if not near < far:
            continue
        middle = camera.origin + right * camera.frame[0] + up * camera.frame[1]
        view = replace(camera, origin=middle, height=_MARK * camera.height, size=_MARK_PIXELS).view(near, far)
        for _ in range(_LAYERS):
            rest = alone.without(found)
            _, ids, _, seen = rest.look(view, _MARK_PIXELS)
            if 2 * (ids >= 0).sum() <= ids.size:
                break
            found.extend(rest.bodies[k].body for k in seen)
    return found
