"""Text of the pages: names in `code` exist in the code, phrases that the style avoids do not occur, README stays short."""

import ast
import builtins
import fnmatch
import importlib
import keyword
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "benchmarks/README.md", "lab/README.md")]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
SOURCES = [path for name in ("src", "lab/src", "examples", "docs", "benchmarks") for path in (ROOT / name).rglob("*.py")]
FILES = [
    path.relative_to(ROOT).as_posix()
    for name in ("src", "lab", "tests", "examples", "docs", "benchmarks")
    for path in (ROOT / name).rglob("*")
    if "__pycache__" not in path.parts
] + [path.name for path in ROOT.iterdir()]

VARIABLES = {
    "arm": ["Robot"],
    "body": ["Body"],
    "deep": ["PairDepth"],
    "fan": ["Fan"],
    "fit": ["MotionFit"],
    "grasp": ["Grasp"],
    "hit": ["Hit", "LinkHit", "TrajectoryHit", "OverlapResult"],
    "manager": ["CollisionManager"],
    "motion": ["Motion", "Translate", "Rotate", "Screw"],
    "out": ["PushOutResult"],
    "page": ["Page"],
    "picture": ["Picture"],
    "radar": ["Radar"],
    "reading": ["RadarReading", "ImageReading"],
    "robot": ["Robot"],
    "scene": ["Scene"],
    "seen": ["LookResult"],
    "shape": ["Shape"],
    "slide": ["SlideResult"],
    "store": ["Store"],
    "swing": ["Swing"],
    "validator": ["Validator"],
    "view": ["View", "AngularView"],
    "volume": ["Volume"],
}
"""Names of variables in the pages, and the classes of what they stand for."""

FOREIGN = {
    "Akima1DInterpolator",
    "CheckConfigCollisionFree",
    "CheckConfigsCollisionFree",
    "CheckEdgeCollisionFree",
    "CheckEdgesCollisionFree",
    "CubicHermiteSpline",
    "CubicSpline",
    "InteractionGroups",
    "MeasureEdgeCollisionFree",
    "ParametrizeConstAccel",
    "ParametrizeSpline",
    "PchipInterpolator",
    "PinholeCameraIntrinsic",
    "PolyData",
    "PolynomialPath",
    "ProcessPoolExecutor",
    "PyBullet",
    "QueryPipeline",
    "RaycastingScene",
    "RealVectorStateSpace",
    "RigidTransform",
    "Rotation",
    "ShapeCastOptions",
    "SimplePath",
    "SplineInterpolator",
    "ThreadPoolExecutor",
    "TriangleMesh",
    "Trimesh",
    "UnivariateSplineInterpolator",
    "VoxelGrid",
    "compute_trajectory",
    "edge_step_size",
    "enabled",
    "environment",
    "fork",
    "getCameraImage",
    "getClosestPoints",
    "getContactPoints",
    "getOverlappingObjects",
    "isPathValid",
    "isStateValid",
    "loadURDF",
    "make_interp_spline",
    "max_time_of_impact",
    "min_distance_internal",
    "resetBasePositionAndOrientation",
    "resetJointState",
    "stop_at_penetration",
    "structref",
}
"""Names of other libraries."""
FOREIGN_ATTRIBUTES = {"create_from_depth_image"}
"""Attributes of classes of other libraries that have a class of the same name here."""

# Phrases of the style guide, as regular expressions, without regard to case.
PHRASES = [
    r"path of a stranger",
    r"\bstrangers?\b",
    r"which core does what",
    r"whose object is this",
    r"how does one see it",
    r"what their bodies say",
    r"\blearns? how they are\b",
    r"most who ask",
    r"it tells what happens",
    r"\bnasty\b",
    r"a crash never reads",
    r"at the rim of these rules",
    r"what touches and does not approach",
    r"sees its (own )?faces from no",
    r"begun in contact",
    r"in its mouth",
    r"what cannot be is refused",
    r"cannot refuse",
    r"to the letter",
    r"\bmend(s|ed|ing)?\b",
    r"\btold\b",
    r"expected a text",
    r"(?<!there )\b(is|are) (?-i:none)\b",
    r"(?<!there )\bis no (?!longer\b|more\b|less\b)\w",
    r"\bwho asks?\b",
]
CHECKED = [*PAGES, ROOT / "CHANGELOG.md", *sorted((ROOT / "src").rglob("*.py"))]
"""Files without these phrases."""


def named(path):
    return path.relative_to(ROOT).as_posix()


class Names:
    """All names of the code: identifiers, functions and classes, and the attributes of each class."""

    def __init__(self):
        self.callables = set(dir(builtins)) | FOREIGN
        self.identifiers = self.callables | set(keyword.kwlist)
        self.classes = {}
        self.bases = {}
        for path in SOURCES:
            self.identifiers |= {path.stem, *path.relative_to(ROOT).parts}
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                self._read(node)
        for name in ("pyproject.toml", "lab/pyproject.toml", "Makefile"):
            self.identifiers |= set(re.findall(r"[A-Za-z_]\w*", (ROOT / name).read_text("utf-8")))

    def _read(self, node):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self.identifiers.add(node.name)
            self.callables.add(node.name)
        if isinstance(node, ast.ClassDef):
            self.bases.setdefault(node.name, set()).update(each.id for each in node.bases if isinstance(each, ast.Name))
            self.classes.setdefault(node.name, set()).update(_attributes(node))
        for field in ("id", "attr", "arg", "name", "asname"):
            if isinstance(value := getattr(node, field, None), str):
                self.identifiers.add(value.rpartition(".")[2])
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 400:
            self.identifiers |= set(re.findall(r"[A-Za-z_]\w*", node.value)) if node.value.count(" ") < 1 else set()

    def attributes(self, name):
        """The attributes of a class, those of its bases too."""
        found, todo = set(), [name]
        while todo:
            each = todo.pop()
            found |= self.classes.get(each, set())
            todo += self.bases.get(each, ())
        return found

    def unknown(self, code):
        """The names in a span of code that do not exist."""
        code = code.strip()
        if re.fullmatch(r"[\w./*-]+(/|\.(py|md|toml|yml))", code):
            return [] if _is_file(code) else [code]
        code = re.sub(r"\"[^\"]*\"|'[^']*'", "''", code)
        if re.fullmatch(r"[A-Za-z_]\w*", code):
            return [] if code in self.identifiers else [code]
        dotted = re.findall(r"(?<![\w.)\]'/])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?!\w)", code)
        called = re.findall(r"(?<![\w.\]])([A-Za-z_]\w*)\(", code)
        given = re.findall(r"[(,] ?([a-z_]\w*)=(?!=)", code)
        return (
            [each for each in dotted if not self._is_dotted(each)]
            + [each for each in called if each not in self.callables]
            + [each for each in given if each not in self.identifiers]
        )

    def _is_dotted(self, name):
        root, first, *_ = name.split(".")
        if name.endswith((".json", ".npz", ".urdf", ".xacro")):  # a file of the user
            return True
        if root in ("ss", "sweepscope", "sweepscope_lab"):
            return _resolves(name)
        owners = VARIABLES.get(root, [root] if root in self.classes else [])
        return not owners or first in FOREIGN_ATTRIBUTES or any(first in self.attributes(each) for each in owners)


def _attributes(cls):
    for node in ast.walk(cls):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id
        elif isinstance(node, ast.Assign):
            yield from (each.id for each in node.targets if isinstance(each, ast.Name))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
            yield node.attr


def _is_file(name):
    wanted = name.rstrip("/")
    if "NAME" in wanted or wanted.startswith((".", "/")):
        return True
    return any(fnmatch.fnmatch(each, wanted) or fnmatch.fnmatch(each, f"*/{wanted}") for each in FILES)


def _resolves(name):
    parts = name.split(".")
    parts[0] = {"ss": "sweepscope"}.get(parts[0], parts[0])
    thing = importlib.import_module(parts[0])
    for k, part in enumerate(parts[1:], 1):
        if not hasattr(thing, part):
            try:
                importlib.import_module(".".join(parts[: k + 1]))
            except ImportError:
                return part in getattr(thing, "__annotations__", {}) or name == "sweepscope.commands"  # an entry point group
        thing = getattr(thing, part)
    return True


@pytest.fixture(scope="module")
def names():
    return Names()


def spans(path):
    """Spans of `code` in a page, outside of blocks."""
    text = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    return [each for each in re.findall(r"`([^`\n]+)`", text) if not each.startswith(("sweepscope ", "pip ", "make ", "-"))]


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_names_in_pages_exist(path, names):
    assert sorted({f"`{code}`: {each}" for code in spans(path) for each in names.unknown(code)}) == []


def test_names_that_do_not_exist_are_found(names):
    for code in (
        "settled(store.arena, kernel)",
        "Scene.sweeps",
        "scene.swept(body)",
        "ss.Radar",
        "sweepscope.warm.warmest()",
        "kernels/nowhere.py",
        "io/door.py",
        "robot.moving",
        "Mesh.of(x)",
        "walker_of_old",
        "scene.sweep(body, marginal=1)",
    ):
        assert names.unknown(code), code
    assert sum(len(spans(path)) for path in PAGES) > 1000


def test_layers_in_architecture_are_those_of_import_linter():
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    drawn = re.search(r"^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[1].split("\n")[:-1]
    contract = re.search(r"^layers = \[\n(.*?)^\]$", (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE | re.DOTALL)[1]
    layers = [re.sub(r"sweepscope\.", "", each) for each in re.findall(r'"([^"]*)"', contract) if "__main__" not in each]
    assert [sorted(each.split(", ")) for each in drawn] == [sorted(re.split(r" [|:] ", each)) for each in layers]


@pytest.mark.parametrize("path", CHECKED, ids=named)
def test_avoided_phrases_do_not_occur(path):
    lines = path.read_text("utf-8").splitlines()
    found = [
        f"line {number}: {match[0]!r}"
        for number, line in enumerate(lines, 1)
        for phrase in PHRASES
        for match in re.finditer(phrase, line, re.IGNORECASE)
    ]
    assert found == []


def test_readme_is_short():
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(text.split()) <= 700
    rows = [line for line in text.splitlines() if line.startswith("|")]
    cells = [cell.strip() for row in rows for cell in row.strip("|").split("|")]
    assert len(cells) >= 30
    assert [cell for cell in cells if len(cell) > 120] == []
