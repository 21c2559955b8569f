"""Numbers of glTF 2.0: buffers, the views of them, and the accessors that say what they hold.

Offsets and counts are compared as Python's whole numbers, which do not overflow, before an array is made. Numbers as the file
holds them are a view of its bytes.
"""

from __future__ import annotations

import binascii
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from .file_reader import FileReader
from .json_tree import Item, JsonTree

_TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_ACCEPTED = "5120, 5121, 5122, 5123, 5125, 5126"
_WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
_DATA = re.compile(r"data:[^,]{0,200};base64,", re.IGNORECASE)
_MESHOPT = ("EXT_meshopt_compression", "KHR_meshopt_compression")
_LONGEST = 4096  # characters of a file's name
_PADDING = 3  # bytes that may follow a buffer in a .glb


class GltfNumbers:
    """Reads accessors. Buffers are read when they are first used, once each.

    binary: the binary chunk of a .glb; None if there is none.
    """

    def __init__(self, reader: FileReader, tree: JsonTree, binary: memoryview | None) -> None:
        self._door = reader
        self._tree = tree
        self._binary = binary
        self._buffers: dict[int, memoryview] = {}
        self._files: dict[str, bytes] = {}

    def count(self, index: int, user: str) -> int:
        """Return how many elements an accessor declares; user: where it is used."""
        return self._tree.at("accessors", index, user).whole("count")

    def has_data(self, index: int, user: str) -> bool:
        """True if an accessor has numbers of its own; without them, all are 0."""
        accessor = self._tree.at("accessors", index, user)
        return accessor.has("bufferView") or accessor.has("sparse")

    def vectors(self, index: int, kind: str, user: str, rows: NDArray[np.int64] | None = None) -> NDArray[np.float64]:
        """Return the elements of an accessor, shape (n, 3) for the kind "VEC3"; rows: which ones, None for all."""
        accessor = self._tree.at("accessors", index, user)
        raw = self._elements(accessor, kind, packed=False)
        if rows is not None:
            raw = raw[rows]
        if raw.dtype.kind == "f":
            finite = np.isfinite(raw)
            if not finite.all():
                row, column = np.argwhere(~finite)[0]
                place = row if rows is None else rows[row]
                raise accessor.fault(f"element {place} has {raw[row, column]} at {column}; accepted: finite numbers")
        values = raw.astype(np.float64, order="C")
        if raw.dtype.kind != "f" and accessor.flag("normalized", False):
            if raw.dtype.itemsize == 4:
                raise accessor.fault("is normalized, of componentType 5125; accepted: 5120 to 5123, or normalized false")
            values /= np.iinfo(raw.dtype).max
            np.maximum(values, -1.0, out=values)
        return values

    def corners(self, index: int, among: int, user: str) -> NDArray[np.unsignedinteger[Any]]:
        """Return the indices of an accessor, shape (n,), all below `among`."""
        accessor = self._tree.at("accessors", index, user)
        if accessor.flag("normalized", False):
            raise accessor.fault("holds indices and is normalized; indices are not: remove it")
        return self._indices(accessor, self._elements(accessor, "SCALAR", packed=True)[:, 0], among)

    def _indices(self, holder: Item, values: NDArray[Any], among: int) -> NDArray[np.unsignedinteger[Any]]:
        if values.dtype.kind != "u":
            raise holder.fault(f"componentType is {holder.whole('componentType')}; accepted for indices: 5121, 5123, 5125")
        # The largest number of a type means a restart to graphics cards: the format does not allow it.
        most = min(among, int(np.iinfo(values.dtype).max))
        if len(values) and values.max() >= most:
            place = int(np.argmax(values >= most))
            raise holder.fault(f"index {place} is {values[place]}; accepted: below {most}, as there are {among} elements")
        return values

    def _elements(self, accessor: Item, kind: str, *, packed: bool) -> NDArray[Any]:
        """Return the elements as the file holds them; packed: whether they follow each other without gaps."""
        given = accessor.values.get("type")
        if given != kind:
            raise accessor.fault(f"type is {checks.shown(given)}; expected {kind}")
        dtype, width, count = _dtype(accessor), _WIDTHS[kind], accessor.whole("count")
        sparse = accessor.child("sparse")
        if sparse is not None or not accessor.has("bufferView"):
            size = count * width * dtype.itemsize
            self._door.unfold(size, f"{self._tree.file}: {accessor.where}: its {count} elements, which lack data of their own,")
        if accessor.has("bufferView"):
            values = self._view(accessor, dtype, (count, width), packed=packed)
        else:
            values = np.broadcast_to(np.zeros(width, dtype), (count, width))
        return values if sparse is None else self._replaced(values, sparse)

    def _replaced(self, values: NDArray[Any], sparse: Item) -> NDArray[Any]:
        """Return a copy of elements, with those of a sparse accessor in place of some."""
        count = sparse.whole("count")
        if count > len(values):
            raise sparse.fault(f"count is {count}; accepted: up to {len(values)}, the accessor's own")
        holders = sparse.child("indices"), sparse.child("values")
        if holders[0] is None or holders[1] is None:
            raise sparse.fault("lacks indices or values; expected both")
        rows = self._view(holders[0], _dtype(holders[0]), (count, 1), packed=True)[:, 0]
        rows = self._indices(holders[0], rows, len(values))
        falls = rows[1:] <= rows[:-1]
        if falls.any():
            place = int(np.argmax(falls))
            raise holders[0].fault(f"index {place + 1} is {rows[place + 1]} after {rows[place]}; they must increase")
        copy = np.array(values)
        copy[rows] = self._view(holders[1], values.dtype, (count, values.shape[1]), packed=True)
        return copy

    def _view(self, holder: Item, dtype: np.dtype[Any], shape: tuple[int, int], *, packed: bool) -> NDArray[Any]:
        """Return elements in a buffer; holder: the object that names the buffer view."""
        index = holder.index("bufferView", "bufferViews")
        if index is None:
            raise holder.fault("has no bufferView")
        view = self._tree.at("bufferViews", index, holder.where)
        count, width = shape
        size = width * dtype.itemsize
        stride = view.whole("byteStride", 0) or size
        if stride < size or (packed and stride != size):
            accepted = f"{size}, without gaps" if packed else f"from {size}"
            raise view.fault(f"byteStride is {stride}; accepted for these elements: {accepted}")
        start, length = holder.whole("byteOffset", 0), view.whole("byteLength")
        need = start + stride * (count - 1) + size if count else start
        if need > length:
            raise view.fault(f"has {length} bytes; {count} elements need {need}: it is cut short, or the count is wrong")
        data = self._buffer(view)
        begin = view.whole("byteOffset", 0)
        if begin + length > len(data):
            raise view.fault(f"ends at byte {begin + length} of buffers[{view.whole('buffer')}], which has {len(data)}")
        if count == 0:
            return np.empty(shape, dtype)
        return np.ndarray(shape, dtype, data, begin + start, (stride, dtype.itemsize))

    def _buffer(self, view: Item) -> memoryview:
        index = view.index("buffer", "buffers")
        if index is None:
            raise view.fault("has no buffer")
        if index not in self._buffers:
            buffer = self._tree.at("buffers", index)
            length = buffer.whole("byteLength")
            uri = buffer.text("uri")
            data = memoryview(self._named(buffer, uri)) if uri is not None else self._chunk(buffer, view, length)
            if len(data) < length:
                raise buffer.fault(f"byteLength is {length}, its data has {len(data)} bytes: it is cut short; export it again")
            self._buffers[index] = data[:length]
        return self._buffers[index]

    def _chunk(self, buffer: Item, view: Item, length: int) -> memoryview:
        """Return the data of a buffer without a name: the binary chunk of a .glb, for the first one."""
        stands_in = _compressed(buffer)
        if view.values["buffer"] or self._binary is None or stands_in:
            by = stands_in or _compressed(view)
            needs = f"it is compressed by {by}: export it without" if by else "export it again"
            raise buffer.fault(f"has neither uri nor binary chunk, so there is no data; {needs}")
        if len(self._binary) > length + _PADDING:
            raise buffer.fault(
                f"byteLength is {length}, the binary chunk has {len(self._binary)} bytes; accepted: up to {_PADDING} more"
            )
        return self._binary

    def _named(self, buffer: Item, uri: str) -> bytes:
        if uri[:5].lower() == "data:":
            return self._decoded(buffer, uri)
        if len(uri) > _LONGEST or not _is_unicode(uri):
            raise buffer.fault(f"uri is {checks.shown(uri)}, which is not a file name")
        if uri not in self._files:
            self._files[uri] = self._door.read_named(uri, self._tree.file)
        return self._files[uri]

    def _decoded(self, buffer: Item, uri: str) -> bytes:
        found = _DATA.match(uri)
        if found is None:
            raise buffer.fault(f"uri is {checks.shown(uri)}; accepted: data:application/octet-stream;base64,...")
        self._door.unfold(3 * len(uri) // 4, f"{self._tree.file}: {buffer.where}")
        try:
            return binascii.a2b_base64(uri[found.end() :], strict_mode=True)
        except ValueError as error:  # characters that are not base64's, or too few of them
            raise buffer.fault(f"uri is not valid base64: {error}") from None


def _compressed(item: Item) -> str | None:
    """Return the extension that compresses a buffer or a view; None if there is none."""
    extensions = item.child("extensions")
    return None if extensions is None else next((name for name in _MESHOPT if extensions.has(name)), None)


def _dtype(holder: Item) -> np.dtype[Any]:
    code = holder.whole("componentType")
    if code not in _TYPES:
        raise holder.fault(f"componentType is {code}; accepted: {_ACCEPTED}")
    return np.dtype(_TYPES[code])


def _is_unicode(text: str) -> bool:
    """False for a text with half a character, which JSON can spell but no file name can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
