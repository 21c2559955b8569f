"""Errors about the input. Each is raised before anything changes, and is one line of bounded length."""

_BEGIN, _END = 500, 250  # characters that are kept of a longer message: the end says what to do


def _one_line(message: str) -> str:
    text = " ".join(message.split())
    if len(text) > _BEGIN + _END:
        text = f"{text[:_BEGIN]} ... {text[-_END:]}"
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape", "surrogatepass").decode() for each in text)


class SweepscopeError(ValueError):
    """Base of all errors that sweepscope raises about its input."""

    def __init__(self, message: str) -> None:
        super().__init__(_one_line(message))


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
