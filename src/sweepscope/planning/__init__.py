"""Motion planning for robots: validity of configurations and motions as planners ask for it, and plans made with OMPL."""

from .ompl_validity import motion_validator, space_information, state_validity_checker
from .plan import PlanResult, plan
from .shortcut import shortcut
from .validator import Validator

__all__ = [
    "PlanResult",
    "Validator",
    "motion_validator",
    "plan",
    "shortcut",
    "space_information",
    "state_validity_checker",
]
