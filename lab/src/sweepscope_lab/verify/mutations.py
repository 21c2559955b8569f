"""Spoil files: bits, bytes, numbers and names, as broken programs, broken disks and hostile people do."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable

import numpy as np

Rng = np.random.Generator

_MOST = 8_000_000  # bytes of a spoiled file
_NUMBERS = (
    b"-1", b"0", b"1", b"3", b"1e999", b"-1e400", b"99999999999", b"100000000", b"nan", b"inf", b"4294967296", b"-2147483649",
    b"18446744073709551616", b"1e-320", b"0.5", b"", b"true", b"null", b"[]", b"1_0", b"0x10", b"65536",
)  # fmt: skip
_WORDS = (
    b"../x", b"/etc/passwd", b"file:///etc/passwd", b"http://127.0.0.1/x", b"%00a.bin", b"a\nb", b"\xff\xfe", b"x" * 30_000,
    b"", b"package:///x", b"package://../x", b"data:,", b"data:application/octet-stream;base64,AAAA", b"#", b"\xed\xb2\x80",
)  # fmt: skip
_EXTREMES = (0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7F800000, 0x7FC00000, 100_000_000, 255)
_NUMBER = re.compile(rb"-?\d+(\.\d+)?([eE][+-]?\d+)?")
_WORD = re.compile(rb"\"[^\"\n]{0,80}\"|(?<=>)[^<>\n]{1,60}(?=<)")


def _slice(rng: Rng, size: int) -> tuple[int, int]:
    begin = int(rng.integers(0, size + 1))
    return begin, min(size, begin + int(rng.integers(1, 1 + max(1, min(size, 10 ** int(rng.integers(1, 4)))))))


def _bits(rng: Rng, data: bytes) -> bytes:
    spoiled = bytearray(data)
    for _ in range(int(rng.integers(1, 9))):
        spoiled[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))
    return bytes(spoiled)


def _bytes(rng: Rng, data: bytes) -> bytes:
    begin, end = _slice(rng, len(data))
    return data[:begin] + rng.integers(0, 256, end - begin, np.uint8).tobytes() + data[end:]


def _cut(rng: Rng, data: bytes) -> bytes:
    return data[: int(rng.integers(len(data)))]


def _removed(rng: Rng, data: bytes) -> bytes:
    begin, end = _slice(rng, len(data))
    return data[:begin] + data[end:]


def _repeated(rng: Rng, data: bytes) -> bytes:
    begin, end = _slice(rng, len(data))
    times = int(rng.choice([1, 1, 1, 10, 1000, 100_000]))
    return (data[:end] + data[begin:end] * min(times, _MOST // max(1, end - begin)) + data[end:])[:_MOST]


def _moved(rng: Rng, data: bytes) -> bytes:
    begin, end = _slice(rng, len(data))
    rest = data[:begin] + data[end:]
    at = int(rng.integers(len(rest) + 1))
    return rest[:at] + data[begin:end] + rest[at:]


def _replaced(pattern: re.Pattern[bytes], others: tuple[bytes, ...], quotes: bytes) -> Callable[[Rng, bytes], bytes]:
    def spoil(rng: Rng, data: bytes) -> bytes:
        places = [found.span() for found in pattern.finditer(data[:100_000])]
        if not places:
            return _bits(rng, data)
        begin, end = places[int(rng.integers(len(places)))]
        quote = quotes if data[begin : begin + 1] == quotes else b""
        return data[:begin] + quote + others[int(rng.integers(len(others)))] + quote + data[end:]

    return spoil


def _extreme(rng: Rng, data: bytes) -> bytes:
    at = int(rng.integers(max(1, len(data) - 3)))
    value = _EXTREMES[int(rng.integers(len(_EXTREMES)))]
    return data[:at] + value.to_bytes(4, ("little", "big")[int(rng.integers(2))]) + data[at + 4 :]


_WAYS = (
    _bits,
    _bytes,
    _cut,
    _removed,
    _repeated,
    _moved,
    _extreme,
    _replaced(_NUMBER, _NUMBERS, b""),
    _replaced(_NUMBER, _NUMBERS, b""),
    _replaced(_NUMBER, _NUMBERS, b""),
    _replaced(_WORD, _WORDS, b'"'),
)


def spoiled(rng: Rng, data: bytes) -> bytes:
    """Return the bytes of a file after one to three changes. Members of an archive are changed inside, most often."""
    if data[:2] == b"PK" and rng.random() < 0.8:
        return _in_archive(rng, data)
    for _ in range(int(rng.integers(1, 4))):
        data = _WAYS[int(rng.integers(len(_WAYS)))](rng, data) or b"\n"
    return data


def _in_archive(rng: Rng, data: bytes) -> bytes:
    """Spoil one member, and pack all again with sums that fit."""
    made = io.BytesIO()
    kinds = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2)
    with zipfile.ZipFile(io.BytesIO(data)) as box, zipfile.ZipFile(made, "w", kinds[int(rng.integers(4))]) as other:
        names = box.namelist()
        chosen = names[int(rng.integers(len(names)))]
        for name in names:
            content = box.read(name)
            other.writestr(name, spoiled(rng, content) if name == chosen and content[:2] != b"PK" else content)
    return made.getvalue()
