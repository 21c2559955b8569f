"""What is the answer? Results of queries. Frames and units are in docs/conventions.md."""

from .hits import Feature, Hit, LinkHit, Meeting, Slide
from .overlap import Overlap
from .push_out import PushOut
from .scopes import METHODS, Method, Reading, Sighting

__all__ = ["METHODS", "Feature", "Hit", "LinkHit", "Meeting", "Method", "Overlap", "PushOut", "Reading", "Sighting", "Slide"]
