"""Bodies and motions of the law of contact as the library takes them."""

from __future__ import annotations

import numpy as np

from sweepscope import Body, Box, Capsule, Mesh, Motion, Rotate, Scene, Screw, Shape, Sphere, Translate

from ..reference.contact_motions import ContactMotion
from ..reference.contact_shapes import ContactBody
from ..reference.convex_depth import Floats


def shape_of(body: ContactBody) -> Shape:
    """Return the shape of a body. A Box and a Sphere are centered: see `add_body`."""
    if body.box:
        return Box(np.ptp(body.vertices, axis=0))
    if len(body.faces):
        return Mesh(body.vertices, body.faces)
    return (
        Sphere(body.radius)
        if len(body.vertices) == 1
        else Capsule.from_segment(body.vertices[0], body.vertices[1], radius=body.radius)
    )


def add_body(scene: Scene, body: ContactBody, pose: Floats) -> tuple[Body, Floats]:
    """Add a body at a pose (4, 4). Return it, and the pose of its shape in it."""
    offset = np.eye(4)
    if body.box or len(body.vertices) == 1:
        offset[:3, 3] = 0.5 * (body.vertices.min(axis=0) + body.vertices.max(axis=0))
    return scene.add(shape_of(body), pose @ offset), offset


def motion_of(motion: ContactMotion) -> Motion:
    """Return the motion."""
    if motion.about is None:
        return Translate(motion.vector)
    if motion.slide:
        return Screw(motion.vector, motion.angle, slide=motion.slide, about=motion.about)
    return Rotate(motion.vector, motion.angle, about=motion.about)
