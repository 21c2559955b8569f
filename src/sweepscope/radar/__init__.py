"""Radars: the free travel of a body, read from pictures of what lies ahead."""

from ..queries.view import AngularView
from ..results import RadarReading, RadarReadings
from .radar import Radar, RadarSet

__all__ = ["AngularView", "Radar", "RadarReading", "RadarReadings", "RadarSet"]
