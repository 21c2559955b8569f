"""Other methods, to compare with: speculative CCD, substeps, swept spheres, straight sweeps, bounding volumes."""

from .speculative import VARIANTS, Speculative
from .substeps import Substeps
from .swept import StraightSweep, SweptSphere

__all__ = ["VARIANTS", "Speculative", "StraightSweep", "Substeps", "SweptSphere"]
