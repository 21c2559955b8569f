"""The chapters of the book, in order."""

from __future__ import annotations

from . import fan, grasp, radar, rolling, volume
from .result import Chapter

CHAPTERS: dict[str, Chapter] = {
    one.name: one for one in (radar.CHAPTER, grasp.CHAPTER, rolling.CHAPTER, volume.CHAPTER, fan.CHAPTER)
}
