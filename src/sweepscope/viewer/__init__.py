"""Interactive browser viewer, built on viser, which is imported only when something is shown."""

from . import show as show  # registers the page
from .page import Page

__all__ = ["Page"]
