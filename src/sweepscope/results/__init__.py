"""What is the answer? Results of queries. Frames and units are in docs/conventions.md."""

from .hits import Feature, Hit, LinkHit, Meeting, Slide
from .overlap import Overlap
from .scopes import METHODS, Method, Reading, Sighting

__all__ = ["METHODS", "Feature", "Hit", "LinkHit", "Meeting", "Method", "Overlap", "Reading", "Sighting", "Slide"]
