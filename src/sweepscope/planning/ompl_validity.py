"""OMPL 2: state validity checkers and motion validators that ask a Validator. OMPL is imported when they are made."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from .. import checks
from ..errors import InvalidQuery, InvalidType, MissingPackage, NotFound
from ..robot.robot import tree_of
from .validator import Validator

SpaceInformation = Any
"""An ompl.base.SpaceInformation. OMPL is an optional dependency, which is not installed where types are checked."""
StateValidityChecker = Any
"""An ompl.base.StateValidityChecker."""
MotionValidator = Any
"""An ompl.base.MotionValidator."""
Bounds = Mapping[str, tuple[float, float]]
"""Lowest and highest position by joint: [radians] or [length]."""


def ompl_modules() -> tuple[Any, Any, Any]:
    """Return `ompl.base`, `ompl.geometric` and `ompl.util`."""
    try:
        return import_module("ompl.base"), import_module("ompl.geometric"), import_module("ompl.util")
    except ImportError:
        raise MissingPackage('plans need OMPL 2: pip install "sweepscope[plan]"', name="ompl") from None


def state_validity_checker(si: SpaceInformation, validator: Validator) -> StateValidityChecker:
    """Return an `ompl.base.StateValidityChecker`: a state is valid if its configuration is free.

    si: an `ompl.base.SpaceInformation` of real vectors, a number for each of `validator.joints`. The attribute `checked` of
    the result counts the states.
    """
    return _classes()[0](_checked(si, validator), validator)


def motion_validator(si: SpaceInformation, validator: Validator) -> MotionValidator:
    """Return an `ompl.base.MotionValidator`: a motion is valid if the straight motion of the joints is proven free.

    si: as in `state_validity_checker`. The attribute `checked` of the result counts the motions. OMPL 2.0 does not let Python
    return the last valid state: planners that ask for it take a blocked motion as blocked from its start.
    """
    return _classes()[1](_checked(si, validator), validator)


def space_information(validator: Validator, *, bounds: Bounds | None = None) -> SpaceInformation:
    """Return an `ompl.base.SpaceInformation` that is set up: a real vector space with the validator's checks.

    bounds: {joint: (lowest, highest)}, within the limits of the joints, which are the default. A revolute joint without limits
    gets -pi to pi; a prismatic one needs bounds.
    """
    base, _, _ = ompl_modules()
    ranges = bounds_of(validator, bounds)
    space = base.RealVectorStateSpace(len(ranges))
    limits = base.RealVectorBounds(len(ranges))
    for k, (low, high) in enumerate(ranges):
        limits.setLow(k, low)
        limits.setHigh(k, high)
    space.setBounds(limits)
    si = base.SpaceInformation(space)
    si.setStateValidityChecker(state_validity_checker(si, validator))
    si.setMotionValidator(motion_validator(si, validator))
    si.setup()
    return si


def bounds_of(validator: Validator, bounds: Bounds | None) -> list[tuple[float, float]]:
    """Return the checked bounds of each joint of a validator."""
    if bounds is not None and not isinstance(bounds, Mapping):
        raise InvalidType(f"bounds: expected {{joint: (lowest, highest)}}, got {checks.shown(bounds)}")
    given = dict(bounds or {})
    for name in given:
        if name not in validator.joints:
            raise NotFound(f"bounds: {checks.shown(name)} is not planned for; joints: {checks.listed(validator.joints)}")
    ranges = []
    for name in validator.joints:
        joint = validator.robot.joints[name]
        low, high = tree_of(validator.robot).reach(name)
        if name in given:
            pair = checks.items(given[name], f"bounds[{name!r}]", "(lowest, highest)")
            if len(pair) != 2:
                raise InvalidQuery(f"bounds[{name!r}]: got {checks.amount(len(pair), 'number')}; accepted: (lowest, highest)")
            least, most = (checks.number(each, f"bounds[{name!r}]", InvalidQuery) for each in pair)
            if not low <= least < most <= high:
                raise InvalidQuery(
                    f"bounds[{name!r}] are {least:.9g} to {most:.9g}; accepted: rising, within {low:.9g} to {high:.9g}"
                )
            low, high = least, most
        elif joint.kind == "revolute" and low == -math.inf and high == math.inf:
            low, high = -math.pi, math.pi
        if math.isinf(low) or math.isinf(high):
            raise InvalidQuery(f"joint {name!r} has limits {low:g} to {high:g}; give bounds={{{name!r}: (lowest, highest)}}")
        if not low < high:
            raise InvalidQuery(f"joint {name!r} can only be at {low:.9g}; leave it out of joints")
        ranges.append((low, high))
    return ranges


def _checked(si: SpaceInformation, validator: Validator) -> SpaceInformation:
    """Return the space information, or raise if its space does not fit."""
    base, _, _ = ompl_modules()
    if not isinstance(validator, Validator):
        raise InvalidType(f"validator: expected a Validator, got {checks.shown(validator)}")
    if not isinstance(si, base.SpaceInformation):
        raise InvalidType(f"si: expected an ompl.base.SpaceInformation, got {checks.shown(si)}")
    space, count = si.getStateSpace(), len(validator.joints)
    if not isinstance(space, base.RealVectorStateSpace) or space.getDimension() != count:
        raise InvalidQuery(f"si: accepted: of a RealVectorStateSpace({count}), one number for each joint of the validator")
    return si


@cache
def _classes() -> tuple[Any, Any]:
    """Return the subclasses of OMPL's classes."""
    base, _, _ = ompl_modules()

    class StateChecker(base.StateValidityChecker):
        """Valid is free."""

        def __init__(self, si: SpaceInformation, validator: Validator) -> None:
            super().__init__(si)
            self._validate, self._axes = validator.validate, range(len(validator.joints))
            self.checked = 0

        def isValid(self, state: Any) -> bool:  # noqa: N802  (OMPL's name)
            self.checked += 1
            return bool(self._validate(np.array([state[k] for k in self._axes])))

    class MotionChecker(base.MotionValidator):
        """Valid is proven free, from end to end."""

        def __init__(self, si: SpaceInformation, validator: Validator) -> None:
            super().__init__(si)
            self._validate, self._axes = validator.validate_motion, range(len(validator.joints))
            self.checked = 0

        def checkMotion(self, a: Any, b: Any) -> bool:  # noqa: N802  (OMPL's name)
            self.checked += 1
            return bool(self._validate(np.array([a[k] for k in self._axes]), np.array([b[k] for k in self._axes])))

    return StateChecker, MotionChecker
