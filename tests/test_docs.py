"""Pages are true: their code runs and prints what the page shows; their commands, make targets and links exist.

```python blocks of README.md, docs/*.md and docs/lab/*.md: the blocks of a page run in order, in one namespace, in an empty
folder. The output of a block must equal its comments `# prints ...`, line by line. Blocks write the files that they need.

Commands are found in all other blocks, and in `code` within the text: each `sweepscope COMMAND --flag ...` must exist.
"""

import contextlib
import inspect
import io
import operator
import re
from pathlib import Path

import pytest
import typer
from sweepscope_lab.cli import bench, papers, verify
from sweepscope_lab.cli.commands import register

import sweepscope
from sweepscope.cli.main import app

ROOT = Path(__file__).parents[1]
RUN = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/lab").glob("*.md"))]
GL, GPU = ROOT / "docs/gl.md", ROOT / "docs/gpu.md"
FOLDERS = [path for name in ("design", "reference") for path in sorted((ROOT / "docs" / name).glob("*.md"))]
TEXTS = [*RUN, ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", ROOT / "lab/README.md", *FOLDERS]
WORDS = {"bench": tuple(bench._TITLES), "papers": papers.PAPERS, "verify": (*verify.PROOFS, *verify.PROOFS_ELSEWHERE)}

_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SAID = re.compile(r"# prints (.*)$", re.MULTILINE)
_COMMAND = re.compile(r"^sweepscope(?: .*(?:\n +.*)*)", re.MULTILINE)


def named(path):
    return path.relative_to(ROOT).as_posix()


def blocks(path, *languages):
    """The texts of a page's blocks in these languages, each with the number of its first line."""
    text = path.read_text("utf-8")
    found = [(text.count("\n", 0, m.start(2)), m[1], m[2]) for m in _BLOCK.finditer(text)]
    return [(line, code) for line, language, code in found if language in languages]


@pytest.mark.slow
@pytest.mark.parametrize("path", [path for path in RUN if path not in (GL, GPU) and blocks(path, "python")], ids=named)
def test_python_blocks(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "docs"}
    for line, code in blocks(path, "python"):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * line + code, str(path), "exec"), names)  # lines are those of the page
        assert printed.getvalue().splitlines() == _SAID.findall(code), f"{path.name}, block at line {line}"


@pytest.mark.gl
def test_python_blocks_that_draw_with_opengl(tmp_path, monkeypatch):
    test_python_blocks(GL, tmp_path, monkeypatch)


@pytest.mark.cuda
def test_python_blocks_that_need_a_card(tmp_path, monkeypatch):
    test_python_blocks(GPU, tmp_path, monkeypatch)


def test_there_are_blocks():
    assert sum(len(blocks(path, "python")) for path in RUN) >= 15


def known_commands():
    """Every command by name, "simulate roll" too, with its flags."""
    lab = typer.Typer()
    register(lab)
    todo = [("", typer.main.get_command(each)) for each in (app, lab)]
    flags = {}
    while todo:
        name, command = todo.pop()
        flags[name] = {flag for each in command.params for flag in (*each.opts, *each.secondary_opts)} | {"--help", "-h"}
        todo += [(f"{name} {key}".strip(), each) for key, each in getattr(command, "commands", {}).items()]
    return flags


def commands(path):
    """The command lines of a page, comments and brackets taken off."""
    found = [m[0] for _, code in blocks(path, "", "sh") for m in _COMMAND.finditer(code)]
    found += re.findall(r"`(sweepscope [^`]*)`", _BLOCK.sub("", path.read_text("utf-8")))
    return [re.sub(r"#.*", "", each).translate(str.maketrans("[]", "  ")) for each in found]


@pytest.mark.parametrize("path", [path for path in TEXTS if commands(path)], ids=named)
def test_commands(path):
    known = known_commands()
    for line in commands(path):
        words = line.split()[1:]
        if words[0].startswith("-"):
            name = ""
        else:
            # `sweepscope look ...` is one command, `sweepscope simulate roll` another; "a|b" stands for both.
            name = next((each for each in (" ".join(words[:2]), words[0]) if each in known), None)
        assert name is not None, f"{line}: no such command"
        unknown = [word for word in words if word.startswith("--") and word.rstrip(".,;") not in known[name]]
        assert not unknown, f"{line}: has no {unknown}"
        if name in WORDS and len(words) > 1 and not words[1].startswith("-"):
            assert set(words[1].split("|")) <= set(WORDS[name]), line


def test_commands_are_found():
    assert sum(len(commands(path)) for path in TEXTS) >= 30


@pytest.mark.parametrize("path", TEXTS, ids=named)
def test_links_and_make_targets(path):
    text = path.read_text("utf-8")
    links = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    assert [target for target in links if target and not (path.parent / target).exists()] == []
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    used = re.findall(r"`make ([\w-]+)`", text) + re.findall(r"^make ([\w-]+)", text, re.MULTILINE)
    assert [name for name in used if name not in targets] == []


def public(package):
    """The classes and functions of a package, by the names in its `__all__` or without an underscore; subpackages too."""
    found = []
    for name in getattr(package, "__all__", [name for name in vars(package) if not name.startswith("_")]):
        thing = getattr(package, name)
        if inspect.ismodule(thing):
            found += public(thing)
        elif inspect.isclass(thing) or inspect.isfunction(thing):
            found.append(thing)
    return found


def test_the_reference_has_every_public_name_once():
    pages = [path.read_text("utf-8") for path in sorted((ROOT / "docs/reference").glob("*.md"))]
    names = [name for page in pages for name in re.findall(r"^::: sweepscope\.([\w.]+)$", page, re.MULTILINE)]
    things = [operator.attrgetter(name)(sweepscope) for name in names]
    assert len({id(thing) for thing in things}) == len(things) > 40
    assert {thing.__qualname__ for thing in public(sweepscope)} == {thing.__qualname__ for thing in things}


def test_every_page_is_in_the_site():
    nav = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    pages = set(re.findall(r"([\w/]+\.md)$", nav, re.MULTILINE))
    assert sorted(path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")) == sorted(
        pages - {"architecture.md", "benchmarks.md", "changelog.md", "contributing.md", "laboratory.md"}  # see docs/hooks.py
    )


def test_docstrings_name_pages_that_exist():
    named = {
        name for path in (ROOT / "src").rglob("*.py") for name in re.findall(r"docs/([\w/]+\.md)", path.read_text("utf-8"))
    }
    assert len(named) >= 4
    assert [name for name in named if not (ROOT / "docs" / name).exists()] == []
