"""What mkdocs does not do by itself: pages and files outside of docs/ join the site, and links lead there.

Links in all pages are those of the repository, so they work in an editor too. A link to a folder that is no page becomes text.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

ROOT = Path(__file__).parents[1]
PAGES = {
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/README.md": "benchmarks.md",
    "lab/README.md": "laboratory.md",
}
"""Pages outside of docs/, by path in the repository, and where they are in the site."""
_HOME = {"README.md": "index.md"}
_SOURCES = {there: here for here, there in PAGES.items()}

_LINK = re.compile(r"(!?)\[([^\[\]]*)\]\(([^)\s]+)\)")
_PROGRAM = re.compile(r"^\[[^\]]*\]\(([^)\s]+\.py)\)$", re.MULTILINE)
_DOCS = re.compile(r"docs/([\w/]+)\.md")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages outside of docs/, and all files that pages link to."""
    for here, there in PAGES.items():
        files.append(File.generated(config, there, content=(ROOT / here).read_text("utf-8")))
    for page in list(files.documentation_pages()):
        folder = posixpath.dirname(_path_of(page.src_uri))
        for _, _, target in _LINK.findall(page.content_string):
            path = _resolved(folder, target)
            there = path and _place_of(path)
            if path and there and there.startswith("repository/") and files.get_file_from_path(there) is None:
                files.append(File.generated(config, there, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links within the repository into links within the site. Below a line that links to a program, show the program."""
    here = page.file.src_uri
    folder = posixpath.dirname(_path_of(here))

    def linked(match: re.Match[str]) -> str:
        mark, label, target = match.groups()
        path = _resolved(folder, target)
        if path is None:
            return match[0]
        there = _place_of(path)
        if there is None:
            return label
        anchor = target.partition("#")[2]
        return f"{mark}[{label}]({posixpath.relpath(there, posixpath.dirname(here) or '.')}{'#' + anchor if anchor else ''})"

    def shown(match: re.Match[str]) -> str:
        path = _resolved(folder, match[1])
        return f"{match[0]}\n\n```python\n{(ROOT / path).read_text('utf-8')}```" if path else match[0]

    return _LINK.sub(linked, _PROGRAM.sub(shown, markdown))


def on_page_content(html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn `docs/NAME.md` in docstrings into links."""
    if not page.file.src_uri.startswith("reference/"):
        return html

    def linked(match: re.Match[str]) -> str:
        file = files.get_file_from_path(f"{match[1]}.md")
        if file is None:
            raise ValueError(f"{page.file.src_uri}: a docstring names {match[0]}, which does not exist")
        title = match[1].rpartition("/")[2].replace("_", " ")
        return f'<a href="{get_relative_url(file.url, page.url)}">{title}</a>'

    return _DOCS.sub(linked, html)


def _path_of(uri: str) -> str:
    """Return the path in the repository of a page of the site."""
    return _SOURCES.get(uri, f"docs/{uri}")


def _resolved(folder: str, target: str) -> str | None:
    """Return the path in the repository of a link's target; None for addresses and for places in the page itself."""
    path = target.partition("#")[0]
    if not path or ":" in path:
        return None
    path = posixpath.normpath(posixpath.join(folder, path))
    return path if (ROOT / path).exists() else None  # mkdocs reports what is missing


def _place_of(path: str) -> str | None:
    """Return where a file of the repository is in the site; None for a folder that is no page."""
    if (ROOT / path).is_dir():
        return f"{path.removeprefix('docs/')}/index.md" if (ROOT / path / "index.md").exists() else None
    there = {**PAGES, **_HOME}.get(path)
    if there is None:
        inside = path.startswith("docs/") and not path.endswith(".py")
        there = path.removeprefix("docs/") if inside else f"repository/{path}"
    return there
