"""What can be wrong with what was given. Every error is raised before anything changes."""


class SweepscopeError(ValueError):
    """Base of all errors that sweepscope raises about its input."""


class InvalidGeometry(SweepscopeError):
    """Vertices, faces, radii or a file that cannot be a shape."""


class InvalidRobot(SweepscopeError):
    """Links and joints that do not make a robot, or a file that does not hold one."""


class InvalidPose(SweepscopeError):
    """A pose that is not a finite rigid motion."""


class InvalidMotion(SweepscopeError):
    """A motion that is not finite, or has no direction."""


class InvalidQuery(SweepscopeError):
    """An option of a query that is out of range."""


class UnknownBody(SweepscopeError):
    """A body that is not in this scene: removed, of another scene, or never there."""
