"""sweepscope sees a collision before it happens: exact continuous collision detection on live geometry."""

from .errors import InvalidGeometry, InvalidMotion, InvalidPose, InvalidQuery, SweepscopeError, UnknownBody
from .motion import Translate
from .radar import Radar, RadarSet
from .results import Feature, Hit, Reading, Sighting
from .scene import Body, Scene
from .scope import View
from .shapes import Box, Capsule, Mesh, PointCloud, Shape, Sphere

__version__ = "0.1.0"

__all__ = [
    "Body",
    "Box",
    "Capsule",
    "Feature",
    "Hit",
    "InvalidGeometry",
    "InvalidMotion",
    "InvalidPose",
    "InvalidQuery",
    "Mesh",
    "PointCloud",
    "Radar",
    "RadarSet",
    "Reading",
    "Scene",
    "Shape",
    "Sighting",
    "Sphere",
    "SweepscopeError",
    "Translate",
    "UnknownBody",
    "View",
]
