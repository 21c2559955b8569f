"""Computes gradients of hits: gives a contact to the kernel, as numbers. Not in `gradient`, because this imports the kernel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from struct import Struct
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InvalidQuery
from ..kernels import layout as at
from ..kernels.contact.gradient import gradients
from ..motion import Screw, Translate, Turn, orbit_of
from .gradient import REASONS, HitGradient, HitGradients

if TYPE_CHECKING:
    from ..shapes import Volume
    from ..world.snapshot import FoundContact
    from .hits import Hit

_COLUMNS: tuple[slice | int, ...] = (
    slice(at.GRADIENT_MOVER, at.GRADIENT_OBSTACLE),
    slice(at.GRADIENT_OBSTACLE, at.GRADIENT_VECTOR),
    slice(at.GRADIENT_VECTOR, at.GRADIENT_AXIS),
    slice(at.GRADIENT_AXIS, at.GRADIENT_ANGLE),
    at.GRADIENT_ANGLE,
    at.GRADIENT_SLIDE,
    slice(at.GRADIENT_ABOUT, at.GRADIENT),
)
_CONTACT = Struct(f"{at.HIT_CONTACT}d")
_NO_VERTEX = -1.0
_NOWHERE = (0.0, 0.0, 0.0)
_NO_ORBIT = (0.0,) * 8  # behind the vector of a translation


def gradient_of(hit: Hit) -> HitGradient:
    """Answer `Hit.gradient`."""
    found, contact = _contact_of(hit)
    row: Any = np.empty((1, at.HIT_CONTACT))
    _CONTACT.pack_into(row, 0, *contact)
    out = np.empty((1, at.GRADIENT))
    gradients(found.table, row, found.tolerance, out)
    answer = out[0]
    status = int(answer[at.GRADIENT_STATUS])
    mover, obstacle, vector, axis, angle, slide, about = [answer[column] for column in _COLUMNS]
    slide = float(slide) if type(hit.motion) is Screw else math.nan
    return HitGradient(mover, obstacle, vector, axis, float(angle), slide, about, status == 0, REASONS[status])


def gradients_of(hits: Sequence[Hit | None], shape: tuple[int, ...]) -> HitGradients:
    """Answer `Hits.gradient`: of the hits of rows of some leading shape; None: the row is free."""
    out = np.full((len(hits), at.GRADIENT), np.nan)
    known = [k for k, hit in enumerate(hits) if hit is not None]
    asked = [_contact_of(hit) for hit in hits if hit is not None]
    if asked:
        found, rows = asked[-1][0], np.empty((len(asked), at.GRADIENT))
        gradients(found.table, np.array([contact for _, contact in asked]), found.tolerance, rows)
        out[known] = rows
    out[[k for k, hit in enumerate(hits) if hit is None or type(hit.motion) is not Screw], at.GRADIENT_SLIDE] = np.nan
    status = out[:, at.GRADIENT_STATUS]
    reasons = np.full(len(hits), "free", f"<U{max(map(len, REASONS))}")
    reasons[known] = np.array(REASONS)[status[known].astype(np.int64)]
    arrays = [*[out[:, column] for column in _COLUMNS], status == 0.0, reasons]
    return HitGradients(*[array.reshape(shape + array.shape[1:]) for array in arrays])


def _contact_of(hit: Hit) -> tuple[FoundContact, tuple[float, ...]]:
    """Return the two bodies of a hit, and its row of numbers."""
    motion = hit.motion
    if motion is None:
        raise InvalidQuery(
            "hit: it has no motion of its own, so its time has no gradient: several joints move, or it is of a later leg of a "
            "slide"
        )
    found = hit._snapshot.contact_of(hit.mover, hit.obstacle)  # noqa: SLF001  (both are parts of one result)
    if type(motion) is Translate:
        path: tuple[float, ...] = (0.0, *motion.vector, *_NO_ORBIT)
    else:
        assert isinstance(motion, Turn)
        path = (-1.0 if motion.angle < 0.0 else 1.0, *orbit_of(motion).tolist())
    feature = hit.features[0]
    vertex, place = _NO_VERTEX, _NOWHERE
    if feature.vertices:
        vertex = float(feature.vertices[0])
    elif found.volume is not None and feature.voxel is not None:
        place = _lowest_corner(found.volume, feature.voxel, hit.normal @ hit.pose[:3, :3])
    contact = (
        *hit.normal.tolist(), *hit.point.tolist(), hit.time, *path, *found.shapes, hit.overlapping, vertex, *place,
        *found.start.ravel().tolist()[:12], *found.other.ravel().tolist()[:12],
    )  # fmt: skip
    return found, contact


def _lowest_corner(volume: Volume, voxel: tuple[int, int, int], up: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return the corner of a voxel that is lowest along a direction, local."""
    corner = np.array(voxel) + (up < 0.0)
    x, y, z = (np.array(volume.origin) + corner * np.array(volume.spacing)).tolist()
    return x, y, z
