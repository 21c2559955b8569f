"""Other methods, to compare with: the thesis' tests, speculative CCD, substeps, swept spheres, straight sweeps, volumes."""

from .published_fan import PublishedFan
from .speculative import VARIANTS, Speculative
from .substeps import Substeps
from .swept import StraightSweep, SweptSphere

__all__ = ["VARIANTS", "PublishedFan", "Speculative", "StraightSweep", "Substeps", "SweptSphere"]
