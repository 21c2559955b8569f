"""Container of binary glTF: a header, then chunks of JSON and of numbers."""

from __future__ import annotations

from .. import checks


def unpacked(content: bytes) -> tuple[bytes, memoryview | None]:
    """Return the JSON of a .glb, and its binary chunk, None if there is none; raise ValueError with what is wrong."""
    if len(content) < 12 or content[:4] != b"glTF":
        raise ValueError("does not begin as a .glb does; is it a .gltf?")
    version, length = (int.from_bytes(content[k : k + 4], "little") for k in (4, 8))
    if version != 2:
        raise ValueError(f"is glTF {version}; accepted: glTF 2")
    if length != len(content):
        raise ValueError(f"its header promises {length} bytes, it has {len(content)}: it is cut short, or something follows")
    chunks: dict[bytes, memoryview] = {}
    view, begin = memoryview(content), 12
    while begin < len(content):
        if begin + 8 > len(content):
            raise ValueError(f"{len(content) - begin} bytes follow its last chunk; expected none")
        size, kind = int.from_bytes(content[begin : begin + 4], "little"), content[begin + 4 : begin + 8]
        if begin + 8 + size > len(content):
            raise ValueError(f"its chunk at byte {begin} has {size} bytes; {len(content) - begin - 8} are left")
        if not chunks and kind != b"JSON":
            raise ValueError(f"its first chunk is {checks.shown(kind)}; expected b'JSON'")
        if kind in chunks and kind in (b"JSON", b"BIN\0"):
            raise ValueError(f"has two chunks {checks.shown(kind)}; accepted: one")
        chunks.setdefault(kind, view[begin + 8 : begin + 8 + size])
        begin += 8 + size
    if not chunks:
        raise ValueError("has no chunks; expected JSON")
    return bytes(chunks[b"JSON"]), chunks.get(b"BIN\0")
