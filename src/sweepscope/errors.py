"""Errors about the input. Each is raised before anything changes."""


class SweepscopeError(ValueError):
    """Base of all errors that sweepscope raises about its input."""


class InvalidGeometry(SweepscopeError):
    """Vertices, faces, radii or a file that do not make a shape."""


class InvalidRobot(SweepscopeError):
    """Links, joints or a file that do not make a robot."""


class InvalidPose(SweepscopeError):
    """A pose that is not a finite rigid motion."""


class InvalidMotion(SweepscopeError):
    """A motion that is not finite, or has no direction."""


class InvalidQuery(SweepscopeError):
    """An option of a query that is out of range."""


class UnknownBody(SweepscopeError):
    """A body that is not in this scene: it was removed, is in another scene, or never existed."""
