"""Exact continuous collision detection: what a moving body hits, when and where, on meshes that may change."""

from . import _python as _python  # first: checks the version of Python
from . import bridges, drawing, errors, fan, io, planning, radar, results, viewer
from .errors import SweepscopeError
from .fit import fit_motion
from .motion import Motion, Rotate, Screw, Translate
from .motions import Motions
from .pose import Pose
from .queries.camera import PinholeCamera
from .queries.overlap import overlap
from .queries.overlap_many import overlap_many
from .queries.view import View
from .results import Hit, Hits, LinkHit, PairContact
from .robot.joint import Joint
from .robot.robot import Link, Robot
from .robot.trajectory import Trajectory
from .scene import Scene
from .shapes import Box, Capsule, Mesh, PointCloud, Shape, Sphere, Volume
from .world.body import Body

__version__ = "0.3.0"

__all__ = [
    "Body",
    "Box",
    "Capsule",
    "Hit",
    "Hits",
    "Joint",
    "Link",
    "LinkHit",
    "Mesh",
    "Motion",
    "Motions",
    "PairContact",
    "PinholeCamera",
    "PointCloud",
    "Pose",
    "Robot",
    "Rotate",
    "Scene",
    "Screw",
    "Shape",
    "Sphere",
    "SweepscopeError",
    "Trajectory",
    "Translate",
    "View",
    "Volume",
    "bridges",
    "drawing",
    "errors",
    "fan",
    "fit_motion",
    "io",
    "overlap",
    "overlap_many",
    "planning",
    "radar",
    "results",
    "viewer",
]


def __dir__() -> list[str]:
    """Return the public names."""
    return [*__all__, "__doc__", "__file__", "__name__", "__path__", "__version__"]
