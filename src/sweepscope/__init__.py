"""sweepscope sees a collision before it happens: exact continuous collision detection on live geometry."""

from .errors import InvalidGeometry, InvalidMotion, InvalidPose, InvalidQuery, InvalidRobot, SweepscopeError, UnknownBody
from .motion import Motion, Rotate, Screw, Translate
from .overlap import overlap
from .radar import Radar, RadarSet
from .results import Feature, Hit, LinkHit, Meeting, Overlap, Reading, Sighting
from .robot import Joint, Link, Robot
from .scene import Body, Scene
from .scope import AngularView, View
from .shapes import Box, Capsule, Fan, Mesh, PointCloud, Shape, Sphere, Volume
from .swing import Swing

__version__ = "0.1.0"

__all__ = [
    "AngularView",
    "Body",
    "Box",
    "Capsule",
    "Fan",
    "Feature",
    "Hit",
    "InvalidGeometry",
    "InvalidMotion",
    "InvalidPose",
    "InvalidQuery",
    "InvalidRobot",
    "Joint",
    "Link",
    "LinkHit",
    "Meeting",
    "Mesh",
    "Motion",
    "Overlap",
    "PointCloud",
    "Radar",
    "RadarSet",
    "Reading",
    "Robot",
    "Rotate",
    "Scene",
    "Screw",
    "Shape",
    "Sighting",
    "Sphere",
    "SweepscopeError",
    "Swing",
    "Translate",
    "UnknownBody",
    "View",
    "Volume",
    "overlap",
]
