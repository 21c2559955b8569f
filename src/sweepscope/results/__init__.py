"""Results of queries. Frames and units are in docs/conventions.md."""

from .clearance import Clearances
from .contacts import ContactPatch, Contacts
from .depth import PairDepth
from .gradient import HitGradient, HitGradients
from .hits import Feature, Hit, LinkHit, PairContact, SlideResult
from .ignores import IgnoredPair, IgnoresResult
from .images import ImageReading, Method
from .links import LinkHits, TrajectoryHit
from .many import Hits
from .motion_fit import MotionFit
from .near import Distances, PairDistance
from .overlap import OverlapResult
from .points import PointDistances
from .push_out import PushOutResult
from .rays import RayCrossings, RayHits
from .scopes import LookResult, LookResults, RadarReading, RadarReadings
from .sweep_all import Passage, SweepAllResult

__all__ = [
    "Clearances",
    "ContactPatch",
    "Contacts",
    "Distances",
    "Feature",
    "Hit",
    "HitGradient",
    "HitGradients",
    "Hits",
    "IgnoredPair",
    "IgnoresResult",
    "ImageReading",
    "LinkHit",
    "LinkHits",
    "LookResult",
    "LookResults",
    "Method",
    "MotionFit",
    "OverlapResult",
    "PairContact",
    "PairDepth",
    "PairDistance",
    "PointDistances",
    "Passage",
    "PushOutResult",
    "RadarReading",
    "RadarReadings",
    "RayCrossings",
    "RayHits",
    "SlideResult",
    "SweepAllResult",
    "TrajectoryHit",
]
