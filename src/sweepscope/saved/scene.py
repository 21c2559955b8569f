"""Scenes as a description and arrays, and back. What is read is checked before the scene is made."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import combinations_with_replacement
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..errors import InvalidGeometry, InvalidQuery, SweepscopeError
from ..formats.file_reader import Limits
from ..formats.scene import SceneFile, expecting, write_scene
from ..shapes import Shape, Volume
from ..shapes.given import can_deform
from ..world.filters import MOST_GROUPS
from ..world.identity import KEY, MOST_TOKENS, TOKEN, SceneIdentity, new_key
from ..world.store import Packed, Store
from ..world.world import body_kernels
from . import robots
from .fields import Fields, whole
from .shapes import POINTS, describe, restore

if TYPE_CHECKING:
    from ..shapes.voxel_surface import Range

_PAIRS = expecting((None, 2), "iu")
_TOKEN = re.compile(rf"[0-9a-f]{{{2 * TOKEN}}}")
_MOST_IDS = 2**62  # ids are 64-bit


class _Arrays(dict[str, NDArray[Any]]):
    """The arrays of a scene, by name."""

    def under(self, prefix: str) -> Callable[[str, NDArray[Any]], str]:
        """Return a function that stores arrays whose names begin with `prefix`, and returns the names."""

        def put(label: str, array: NDArray[Any]) -> str:
            name = f"{prefix}_{label}"
            self[name] = array
            return name

        return put


def save(store: Store, path: str | PathLike[str]) -> None:
    """Write all that a scene holds to a file."""
    packed = store.packed()
    arrays = _Arrays()
    surfaces = _surfaces(packed, store)
    numbers: dict[int, int] = {}  # by id of a Shape: bodies that share a shape share it in the file
    shapes: list[dict[str, Any]] = []
    bodies: list[dict[str, Any]] = []
    for k, entry in enumerate(store.entries.values()):
        number = numbers.setdefault(id(entry.shape), len(shapes))
        if number == len(shapes):
            with _saying(f"body {entry.name!r}"):
                shapes.append(describe(entry.shape, arrays.under(f"shape_{number}")))
            if entry.id in surfaces:
                shapes[-1]["surface"] = surfaces[entry.id]
        bodies.append({"name": entry.name, "group": entry.group, "shape": number})
        if entry.deformed:
            bodies[-1]["vertices"] = arrays.under(f"body_{k}")("vertices", packed.deformed[entry.id])
    places = {number: k for k, number in enumerate(packed.ids)}
    arrays["poses"] = packed.poses
    arrays["ignored"] = _pairs(packed)
    arrays["keys"] = np.frombuffer(b"".join(packed.keys), f"<u{KEY}")
    description = {
        "tolerance": store.scene.tolerance,
        "shapes": shapes,
        "bodies": bodies,
        "poses": "poses",
        **_groups(packed),
        "ignored": "ignored",
        "identity": {"scenes": [token.hex() for token in store.identity.saved], "bodies": "keys"},
        "robots": [robots.registration().describe(robot, places) for robot in store.robots.values()],
        **_history(packed),
    }
    write_scene(path, description, arrays)


def _surfaces(packed: Packed, store: Store) -> dict[int, Range]:
    """Return the index boxes of volumes that have a surface, by id of a body; one that has changed since has none."""
    found = {}
    for users, version, box in packed.volumes:
        for number in users:
            volume = store.entries[number].volume
            if box is not None and volume is not None and volume.version == version:
                found[number] = box
    return found


def _groups(packed: Packed) -> dict[str, Any]:
    """Return the groups, and which ignore each other."""
    groups, masks, *_ = packed.filters
    names = sorted(groups, key=lambda name: groups[name])
    ignored = [(names[a], names[b]) for a, b in combinations_with_replacement(range(len(names)), 2) if (masks[a] >> b) & 1]
    return {"groups": names[1:], "ignored_groups": ignored}


def _pairs(packed: Packed) -> NDArray[np.int64]:
    """Return the bodies that the user lets ignore each other, by their places in the file, shape (n, 2)."""
    places = {row: k for k, row in enumerate(packed.body_rows)}
    pairs = [(places[a], places[b]) for a, passed in packed.filters[2].items() for b in passed if a <= b]
    return np.array(sorted(pairs), np.int64).reshape(-1, 2)


def _history(packed: Packed) -> dict[str, Any]:
    """Return the ids, where bodies were removed."""
    if packed.ids == list(range(packed.next)):
        return {}
    return {"history": {"ids": packed.ids, "next_id": packed.next}}


class Loaded:
    """A file that was read and checked: `packed` is what the new scene holds, `finish` adds its robots."""

    def __init__(self, path: str | PathLike[str], limits: Limits | None) -> None:
        file = SceneFile(path, limits)
        self._path = file.path
        with _saying(str(file.path)):
            fields = Fields(file.description, "")
            described = fields.objects("shapes")
            shapes = [_shape(file, each) for each in described]
            surfaces = {id(shape): _surface(each, shape) for each, shape in zip(described, shapes, strict=True)}
            chosen = [shapes[each.whole("shape", len(shapes))] for each in fields.objects("bodies")]
            self._robots = fields.objects("robots")
            self.packed = _packed(file, fields, chosen, surfaces)

    def finish(self, store: Store) -> None:
        """Give a store that was filled its robots."""
        store.identity.loaded = bool(self.packed.identity.tokens)
        entries = list(store.entries.values())
        with _saying(str(self._path)):
            for each in self._robots:
                robots.registration().restore(store, each, entries)


def _shape(file: SceneFile, fields: Fields) -> Shape:
    with _saying(fields.where):
        return restore(fields, file.array)


def _surface(fields: Fields, volume: Shape) -> Range | None:
    """Return the index box of a volume that had a surface; None if there was none."""
    if "surface" not in fields:
        return None
    where = fields.place("surface")
    box = fields.items("surface")
    if not isinstance(volume, Volume) or len(box) != 6:
        raise InvalidGeometry(f"{where} is {checks.shown(box)}; expected the six numbers of an index box, of a volume")
    most = (*volume.resolution, *volume.resolution)
    i0, j0, k0, i1, j1, k1 = (whole(each, f"{where}[{k}]", n + 1) for k, (each, n) in enumerate(zip(box, most, strict=True)))
    return i0, j0, k0, i1, j1, k1


def _packed(file: SceneFile, fields: Fields, shapes: list[Shape], surfaces: Mapping[int, Range | None]) -> Packed:
    """Return all that the new scene is to hold; shapes: of each body; surfaces: what had one, by id of a Shape."""
    bodies = fields.objects("bodies")
    ids, following = _ids(fields, len(bodies))
    groups, masks = _filters(fields)
    names = _names(bodies)
    identity, keys = _identity(file, fields, len(bodies))
    return Packed(
        identity=identity,
        tolerance=checks.length(fields.value("tolerance"), "tolerance", InvalidQuery) if "tolerance" in fields else -1.0,
        next=following,
        rows=len(bodies),
        ids=ids,
        keys=keys,
        names=names,
        groups=[_group(each, groups) for each in bodies],
        body_rows=list(range(len(bodies))),
        versions=[0] * len(bodies),
        shapes=shapes,
        poses=_poses(file, fields, names),
        deformed={
            number: _vertices(file, each, shape)
            for number, each, shape in zip(ids, bodies, shapes, strict=True)
            if "vertices" in each
        },
        parted=[False] * len(bodies),
        filters=(groups, masks, _ignored(file, fields, len(bodies)), {}),
        volumes=_volumes(ids, shapes, surfaces),
    )


def _identity(file: SceneFile, fields: Fields, count: int) -> tuple[SceneIdentity, list[bytes]]:
    """Return the identity of the scene that was saved, and the keys of its bodies; new ones if the file has none."""
    if "identity" not in fields:
        return SceneIdentity(()), [new_key() for _ in range(count)]
    given = Fields(fields.value("identity"), "identity")
    tokens = given.items("scenes")
    if not 0 < len(tokens) < MOST_TOKENS:
        raise InvalidGeometry(f"identity.scenes: has {len(tokens)} tokens; expected 1 to {MOST_TOKENS - 1}")
    for k, token in enumerate(tokens):
        if not isinstance(token, str) or not _TOKEN.fullmatch(token):
            raise InvalidGeometry(f"identity.scenes[{k}] is {checks.shown(token)}; expected {2 * TOKEN} hexadecimal digits")
    keys = file.array(given.value("bodies"), "identity.bodies", expecting((count,), "u"))
    if keys.dtype.itemsize != KEY:
        raise InvalidGeometry(f"identity.bodies has dtype {keys.dtype}; expected uint{8 * KEY}")
    data = keys.astype(f"<u{KEY}").tobytes()
    return SceneIdentity(tuple(map(bytes.fromhex, tokens))), [data[k : k + KEY] for k in range(0, len(data), KEY)]


def _names(bodies: list[Fields]) -> list[str]:
    """Return the names of bodies; each is there once."""
    names: dict[str, str] = {}
    for each in bodies:
        name = each.text("name")
        if name in names:
            raise InvalidGeometry(f"{each.where} and {names[name]} are both called {checks.shown(name)}; names are unique")
        names[name] = each.where
    return list(names)


def _poses(file: SceneFile, fields: Fields, names: list[str]) -> NDArray[np.float64]:
    """Return the checked poses of all bodies, shape (n, 4, 4)."""
    given = file.array(fields.value("poses"), "poses", expecting((len(names), 4, 4), "f"))
    poses = np.array(given, np.float64, order="C")
    bad = body_kernels().first_not_rigid(poses, checks.LARGEST)
    if bad >= 0:
        for k in range(bad, len(names)):
            poses[k] = checks.pose(poses[k], f"body {names[k]!r}: pose")  # raises at once, and says what is wrong
    return poses


def _vertices(file: SceneFile, body: Fields, shape: Shape) -> NDArray[np.float64]:
    """Return the checked vertices of a deformed body."""
    where = body.place("vertices")
    if not can_deform(shape):
        raise InvalidGeometry(f"{where}: a {type(shape).__name__} has none of its own; only a Mesh or a PointCloud can deform")
    places = checks.points(file.array(body.value("vertices"), where, POINTS), where, InvalidGeometry)
    if len(places) != len(shape.vertices):
        raise InvalidGeometry(f"{where}: got {len(places)} for a shape of {len(shape.vertices)}")
    return places


def _filters(fields: Fields) -> tuple[dict[str, int], list[int]]:
    """Return the numbers of groups by name, and for each the bits of those that it ignores."""
    groups = {"": 0}
    for k, name in enumerate(fields.items("groups")):
        if not isinstance(name, str) or name in groups:
            raise InvalidGeometry(f"groups[{k}] is {checks.shown(name)}; expected a new name")
        groups[name] = len(groups)
    if len(groups) > MOST_GROUPS + 1:
        raise InvalidGeometry(f"groups: has {len(groups) - 1}; a scene has at most {MOST_GROUPS}")
    masks = [0] * len(groups)
    for k, pair in enumerate(fields.items("ignored_groups")):
        known = isinstance(pair, list) and len(pair) == 2 and all(isinstance(name, str) and name for name in pair)
        if not known or not all(name in groups for name in pair):
            raise InvalidGeometry(f"ignored_groups[{k}] is {checks.shown(pair)}; expected two names from groups")
        a, b = (groups[name] for name in pair)
        masks[a] |= 1 << b
        masks[b] |= 1 << a
    return groups, masks


def _group(body: Fields, groups: dict[str, int]) -> str:
    name = body.value("group", "")
    if not isinstance(name, str) or name not in groups:
        raise InvalidGeometry(f"{body.place('group')} is {checks.shown(name)}; expected a name from groups")
    return name


def _ignored(file: SceneFile, fields: Fields, count: int) -> dict[int, list[int]]:
    """Return, for a body, the bodies that it passes through, by their places in the file."""
    if "ignored" not in fields:
        return {}
    pairs = file.array(fields.value("ignored"), "ignored", _PAIRS)
    if len(pairs) and not (pairs.min() >= 0 and pairs.max() < count):
        raise InvalidGeometry(f"ignored: names body {max(pairs.max(), -pairs.min())} of {count} (0 .. {count - 1})")
    passed: dict[int, list[int]] = {}
    for a, b in pairs.tolist():
        passed.setdefault(a, []).append(b)
        passed.setdefault(b, []).append(a)
    return passed


def _ids(fields: Fields, count: int) -> tuple[list[int], int]:
    """Return the ids of bodies, and the next id."""
    if "history" not in fields:
        return list(range(count)), count
    history = Fields(fields.value("history"), "history")
    following = history.whole("next_id", _MOST_IDS)
    ids = history.wholes("ids", following)
    if len(ids) != count or ids != sorted(ids):
        raise InvalidGeometry(f"history: expected an id for each of {count} bodies, in rising order")
    return ids, following


def _volumes(
    ids: list[int], shapes: list[Shape], surfaces: Mapping[int, Range | None]
) -> list[tuple[list[int], int, Range | None]]:
    """Return, for each volume, the ids of its bodies, its version and the index box that had a surface."""
    users: dict[int, tuple[Volume, list[int]]] = {}
    for number, shape in zip(ids, shapes, strict=True):
        if isinstance(shape, Volume):
            users.setdefault(id(shape), (shape, []))[1].append(number)
    return [(numbers, volume.version, surfaces[id(volume)]) for volume, numbers in users.values()]


@contextmanager
def _saying(what: str) -> Iterator[None]:
    """Say in errors what they are about; some say it already."""
    try:
        yield
    except SweepscopeError as error:
        text = str(error)
        raise InvalidGeometry(text if text.startswith(what) else f"{what}: {text}") from None
