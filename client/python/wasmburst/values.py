"""WebAssembly's values and types, and Python's numbers."""

from __future__ import annotations

import struct
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from wasmburst.errors import invalid
from wasmburst.v1 import program_pb2

Number = Union[int, float]
AnyArray = npt.NDArray[Any]

I32: int = program_pb2.I32
I64: int = program_pb2.I64
F32: int = program_pb2.F32
F64: int = program_pb2.F64
V128: int = program_pb2.V128

TYPE_NAMED = {"i32": I32, "i64": I64, "f32": F32, "f64": F64, "v128": V128}
NAME_OF_TYPE = {kind: name for name, kind in TYPE_NAMED.items()}
DTYPE_OF_TYPE: dict[int, np.dtype[Any]] = {
    I32: np.dtype("<i4"),
    I64: np.dtype("<i8"),
    F32: np.dtype("<f4"),
    F64: np.dtype("<f8"),
}


def dtype_of_type(kind: int) -> np.dtype[Any]:
    """Of a value in an array."""
    return np.dtype("V16") if kind == V128 else DTYPE_OF_TYPE[kind]


WORDS_OF_KIND = {"i32": 1, "f32_bits": 1, "i64": 2, "f64_bits": 2, "v128": 4}
"""Words of 32 bits, by the field of Value."""


def _wrapped(number: int, bits: int, what: str) -> int:
    if not -(1 << (bits - 1)) <= number < 1 << bits:
        raise invalid(f"The {what} [{number}] does not fit into an i{bits}.")
    return number - (1 << bits) if number >= 1 << (bits - 1) else number


def to_value(number: Any, kind: int, what: str = "value") -> Any:
    """A Value message of that type. Integers may be signed or unsigned."""
    value = program_pb2.Value()
    try:
        if kind in (I32, I64):
            whole = number.__index__()
            if kind == I32:
                value.i32 = _wrapped(whole, 32, what)
            else:
                value.i64 = _wrapped(whole, 64, what)
        elif kind == F32:
            value.f32_bits = int(np.float32(number).view(np.uint32))
        elif kind == F64:
            value.f64_bits = int(np.float64(number).view(np.uint64))
        elif kind == V128 and len(bytes(number)) == 16:
            value.v128 = bytes(number)
        else:
            raise TypeError
    except (TypeError, ValueError, AttributeError) as error:
        name = NAME_OF_TYPE.get(kind, "reference")
        raise invalid(f"The {what} [{number!r}] is not of the type {name}.") from error
    return value


def from_value(value: Any) -> int | float | bytes:
    """What a Value holds: a signed integer, a float, or the 16 bytes of a v128."""
    kind = value.WhichOneof("kind")
    if kind == "i32":
        return int(value.i32)
    if kind == "i64":
        return int(value.i64)
    if kind == "f32_bits":
        return float(struct.unpack("<f", struct.pack("<I", value.f32_bits))[0])
    if kind == "f64_bits":
        return float(struct.unpack("<d", struct.pack("<Q", value.f64_bits))[0])
    return bytes(value.v128)


def types_of_results(function_type: str) -> list[int] | None:
    """Of "(i32, i64) -> i32" (ModuleImport.type); None: of a type that no value can be written of."""
    names = function_type.rpartition(" -> ")[2].replace("(", " ").replace(")", " ").replace(",", " ").split()
    if any(name not in TYPE_NAMED for name in names):
        return None
    return [TYPE_NAMED[name] for name in names]
