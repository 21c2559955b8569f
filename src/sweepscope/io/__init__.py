"""Files: their content without a scene, and the limits under which they are read."""

from ..formats.file_reader import Limits
from .file_info import FileInfo, PartInfo, file_info

__all__ = ["FileInfo", "Limits", "PartInfo", "file_info"]
