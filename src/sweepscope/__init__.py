"""sweepscope sees a collision before it happens: exact continuous collision detection on live geometry."""

from . import _python as _python  # first: checks the version of Python
from . import drawing as drawing  # scenes and results learn how they are drawn
from . import viewer as viewer  # scenes, hits and robots learn how they are shown
from .bridges.collision_manager import CollisionManager
from .drawing.picture import Picture
from .errors import InvalidGeometry, InvalidMotion, InvalidPose, InvalidQuery, InvalidRobot, SweepscopeError, UnknownBody
from .io.door import Limits
from .motion import Motion, Rotate, Screw, Translate
from .pose import Pose
from .queries.fan import Fan
from .queries.overlap import overlap
from .queries.swing import Swing
from .queries.view import AngularView, View
from .radar.radar import Radar, RadarSet
from .results import Feature, Hit, LinkHit, Meeting, Overlap, PushOut, Reading, Sighting, Slide
from .robot.joint import Joint
from .robot.robot import Link, Robot
from .scene import Scene
from .shapes import Box, Capsule, Mesh, PointCloud, Shape, Sphere, Volume
from .shapes.file_info import FileInfo, PartInfo, file_info
from .world.body import Body

__version__ = "0.3.0"

__all__ = [
    "AngularView",
    "Body",
    "Box",
    "Capsule",
    "CollisionManager",
    "Fan",
    "Feature",
    "FileInfo",
    "Hit",
    "InvalidGeometry",
    "InvalidMotion",
    "InvalidPose",
    "InvalidQuery",
    "InvalidRobot",
    "Joint",
    "Limits",
    "Link",
    "LinkHit",
    "Meeting",
    "Mesh",
    "Motion",
    "Overlap",
    "PartInfo",
    "Picture",
    "PointCloud",
    "Pose",
    "PushOut",
    "Radar",
    "RadarSet",
    "Reading",
    "Robot",
    "Rotate",
    "Scene",
    "Screw",
    "Shape",
    "Sighting",
    "Slide",
    "Sphere",
    "SweepscopeError",
    "Swing",
    "Translate",
    "UnknownBody",
    "View",
    "Volume",
    "file_info",
    "overlap",
]
