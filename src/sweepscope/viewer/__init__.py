"""The viewer: a page in the browser, by viser, which is imported only when something is shown."""

from . import show as show  # scenes, hits and robots learn how they are shown
