"""Exceptions. Each is a SweepscopeError and also the built-in exception that people expect; raised before anything changes.

The message is one line of bounded length.
"""

import errno

__all__ = [
    "ExecutorFailed",
    "GraphicsFailed",
    "InaccessibleFile",
    "InvalidGeometry",
    "InvalidIndex",
    "InvalidMotion",
    "InvalidPose",
    "InvalidQuery",
    "InvalidRobot",
    "InvalidType",
    "MissingFile",
    "MissingPackage",
    "NotFound",
    "SweepscopeError",
]

_BEGIN, _END = 500, 250  # characters that are kept of a longer message: the end says what to do


def _one_line(message: str) -> str:
    text = " ".join(message.split())
    if not text.isprintable():
        text = "".join(each if each.isprintable() else each.encode("unicode_escape", "surrogatepass").decode() for each in text)
    return text if len(text) <= _BEGIN + _END else f"{text[:_BEGIN]} ... {text[-_END:]}"


class SweepscopeError(Exception):
    """Base of all errors that sweepscope raises about what it was given."""

    def __init__(self, message: str) -> None:
        super().__init__(_one_line(message))

    def __str__(self) -> str:  # that of KeyError is a repr
        return str(self.args[0])


class InvalidGeometry(SweepscopeError, ValueError):
    """Vertices, faces, radii or the content of a file that do not make a shape."""


class InvalidRobot(SweepscopeError, ValueError):
    """Links, joints or the content of a file that do not make a robot."""


class InvalidPose(SweepscopeError, ValueError):
    """A pose that is not a finite rigid motion."""


class InvalidMotion(SweepscopeError, ValueError):
    """A motion that is not finite, has no direction, or is not supported by this call."""


class InvalidQuery(SweepscopeError, ValueError):
    """An argument or an option of a call that is out of range, of a wrong shape or count, or contradicts another."""


class InvalidType(SweepscopeError, TypeError):
    """An argument of a wrong type: a str where numbers are expected, a list where a Motion is expected."""


class InvalidIndex(SweepscopeError, IndexError):
    """An index that is out of range, or does not select rows of many answers or voxels of a volume."""


class NotFound(SweepscopeError, KeyError):
    """A name, an id or a body that is not in this scene or robot: it was removed, is in another one, or never existed."""


class MissingFile(SweepscopeError, FileNotFoundError):
    """A file or a folder that does not exist."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.errno = errno.ENOENT


class InaccessibleFile(SweepscopeError, OSError):
    """A file that cannot be read or written: it is a folder, there is no permission, the disk is full."""


class MissingPackage(SweepscopeError, ImportError):
    """A package that is needed for this call and is not installed; `name` is the package."""

    def __init__(self, message: str, *, name: str | None = None) -> None:
        super().__init__(message)
        self.name = name


class ExecutorFailed(SweepscopeError, RuntimeError):
    """The workers of an executor did not answer: they were lost, it was closed meanwhile, or they have another version."""


class GraphicsFailed(SweepscopeError, RuntimeError):
    """The graphics card cannot be used.

    OpenGL: its context was lost or did not start, memory is used up, or its version is too old. CUDA: there is no NVIDIA card,
    or it has too little memory.
    """
