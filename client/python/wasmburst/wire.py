"""Packed numbers of protobuf messages as arrays, both ways, without a Python object for each.

Protobuf's own library for Python makes an object of each number. These functions write and read the
encoding itself, which is fixed: a field is a tag and, of bytes, a length, both as varints.
"""

from __future__ import annotations

from typing import Union

import numpy as np

from wasmburst.values import AnyArray

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


Parts = list[Union[bytes, memoryview]]
"""The bytes of a message, which are joined once, when it is sent."""


def size_of(parts: Parts) -> int:
    return sum(len(part) for part in parts)


def bytes_field(number: int, data: Parts) -> Parts:
    """A field that holds bytes or another message."""
    return [varint(number << 3 | _BYTES) + varint(size_of(data)), *data]


def _read_varint(data: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _end_of_field(data: memoryview, at: int, kind: int) -> tuple[int, int]:
    """Where the bytes of a field's content begin and end."""
    if kind == _BYTES:
        length, at = _read_varint(data, at)
        return at, at + length
    if kind == _FIXED32:
        return at, at + 4
    if kind == _FIXED64:
        return at, at + 8
    if kind == _VARINT:
        return at, _read_varint(data, at)[1]
    raise ValueError(f"a field of wire type {kind}")


def take_out(data: memoryview, taken: frozenset[int]) -> tuple[bytes, dict[int, list[memoryview]]]:
    """The message without the fields that are `taken`, and the bytes of these, which lie in `data`.

    ValueError, IndexError: it is no message.
    """
    found: dict[int, list[memoryview]] = {number: [] for number in taken}
    rest: list[memoryview] = []
    at = kept = 0  # `kept`: where the bytes begin that go to the rest
    while at < len(data):
        begin = at
        tag, at = _read_varint(data, at)
        first, at = _end_of_field(data, at, tag & 7)
        if at > len(data):
            raise ValueError("a field that ends behind its message")
        if tag >> 3 in found:
            found[tag >> 3].append(data[first:at])
            rest.append(data[kept:begin])
            kept = at
    rest.append(data[kept:])
    return b"".join(rest), found


def joined(parts: list[memoryview], dtype: str) -> AnyArray:
    """A packed field that came in one part or several. One part is not copied."""
    arrays = [np.frombuffer(part, dtype) for part in parts]
    if len(arrays) == 1:
        return arrays[0]
    return np.concatenate(arrays) if arrays else np.zeros(0, dtype)
