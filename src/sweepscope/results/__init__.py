"""Results of queries. Frames and units are in docs/conventions.md."""

from .hits import Feature, Hit, LinkHit, PairContact, SlideResult
from .overlap import OverlapResult
from .push_out import PushOutResult
from .scopes import METHODS, LookResult, Method, RadarReading

__all__ = [
    "METHODS",
    "Feature",
    "Hit",
    "LinkHit",
    "LookResult",
    "Method",
    "OverlapResult",
    "PairContact",
    "PushOutResult",
    "RadarReading",
    "SlideResult",
]
