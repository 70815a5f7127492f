"""What instances are given, as columns: one value of each instance, one for all, or a rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from typing import Any, Union

import numpy as np

from wasmburst.errors import invalid
from wasmburst.v1 import program_pb2
from wasmburst.values import DTYPE_OF_TYPE, F32, F64, I32, I64, NAME_OF_TYPE, AnyArray, to_value
from wasmburst.wire import Parts, bytes_field

Argument = Union[int, float, range, AnyArray, Iterable[Any]]
"""Of a function: a number for all instances, or numbers, one for each."""


def _is_number(argument: Any) -> bool:
    return isinstance(argument, (int, float, np.number))


def length_of(argument: Any) -> int | None:
    """How many instances it is for; None: for any number of them."""
    return None if _is_number(argument) else len(argument)


def counted(argument: Argument) -> Any:
    """The argument, in a form that has a length."""
    if _is_number(argument) or isinstance(argument, (range, np.ndarray, Sequence)):
        return argument
    if hasattr(argument, "__array__"):
        return np.asarray(argument)
    return argument if isinstance(argument, Sized) else list(argument)  # type: ignore[arg-type]


def _whole_array(values: Any, kind: int) -> AnyArray:
    array = values if isinstance(values, np.ndarray) else np.array(values if len(values) else [0][:0])
    if array.size == 0:
        return np.zeros(0, DTYPE_OF_TYPE[kind])
    if array.dtype.kind not in "iub":
        raise ValueError
    bits = 32 if kind == I32 else 64
    if int(array.min()) < -(1 << (bits - 1)) or int(array.max()) >= 1 << bits:
        raise ValueError
    return array.astype(DTYPE_OF_TYPE[kind], copy=False)


def to_array(values: Any, kind: int, what: str) -> AnyArray:
    """The values as an array of the type's own width; integers may be unsigned."""
    try:
        if kind in (I32, I64):
            array = _whole_array(values, kind)
        else:
            array = np.asarray(values, DTYPE_OF_TYPE[kind])
    except (TypeError, ValueError, OverflowError, KeyError) as error:
        name = NAME_OF_TYPE.get(kind, "reference")
        raise invalid(f"The {what} has values that are not of the type {name}.") from error
    if array.ndim != 1:
        raise invalid(f"The {what} is an array of [{array.ndim}] dimensions, not of one.")
    return array


def list_column(array: AnyArray, kind: int) -> Parts:
    """A column of an array's values: the array's own bytes are what is sent."""
    field = 2 if kind in (I32, F32) else 3  # ValueList.bits32 and bits64
    data = np.ascontiguousarray(array).data.cast("B") if array.size else b""
    head = program_pb2.ValueList(type=kind).SerializeToString()
    return bytes_field(2, [head, *bytes_field(field, [data])])  # Column.list


def range_column(values: range, kind: int) -> Parts:
    column = program_pb2.Column()
    column.range.start.CopyFrom(to_value(values.start, kind))
    column.range.step.CopyFrom(to_value(values.step, kind))
    return [column.SerializeToString()]


def number_column(argument: Any, kind: int, what: str) -> Parts:
    """What `counted` gave, as the bytes of a Column message."""
    if _is_number(argument):
        return [program_pb2.Column(constant=to_value(argument, kind, what)).SerializeToString()]
    if isinstance(argument, range) and kind in (I32, I64):
        if len(argument) > 0:
            for end in (argument[0], argument[-1]):
                to_value(end, kind, what)
        return range_column(argument, kind)
    if kind not in (I32, I64, F32, F64):
        raise invalid(f"The {what} is of the type {NAME_OF_TYPE.get(kind, 'reference')}, which no column has.")
    return list_column(to_array(argument, kind, what), kind)


def bytes_column(values: Iterable[bytes]) -> Parts:
    each = [part for value in values for part in bytes_field(1, [value])]  # BytesList.values
    return bytes_field(4, each)  # Column.bytes
