"""Radars: the free travel of a body, read from pictures of what lies ahead; and the same from depth images as data."""

from ..queries.view import AngularView
from ..results import ImageReading, RadarReading, RadarReadings
from .images import depths_from_buffer, read_images
from .radar import Radar, RadarSet

__all__ = [
    "AngularView",
    "ImageReading",
    "Radar",
    "RadarReading",
    "RadarReadings",
    "RadarSet",
    "depths_from_buffer",
    "read_images",
]
