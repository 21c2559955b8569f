"""What is the answer? Results of queries. Frames and units are in docs/conventions.md."""

from .hits import Feature, Hit, LinkHit, Meeting, Slide
from .overlap import Overlap
from .scopes import Reading, Sighting

__all__ = ["Feature", "Hit", "LinkHit", "Meeting", "Overlap", "Reading", "Sighting", "Slide"]
