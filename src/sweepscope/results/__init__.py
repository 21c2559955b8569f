"""Results of queries. Frames and units are in docs/conventions.md."""

from .hits import Feature, Hit, LinkHit, PairContact, SlideResult
from .many import Hits
from .overlap import OverlapResult
from .push_out import PushOutResult
from .scopes import LookResult, LookResults, Method, RadarReading, RadarReadings

__all__ = [
    "Feature",
    "Hit",
    "Hits",
    "LinkHit",
    "LookResult",
    "LookResults",
    "Method",
    "OverlapResult",
    "PairContact",
    "PushOutResult",
    "RadarReading",
    "RadarReadings",
    "SlideResult",
]
