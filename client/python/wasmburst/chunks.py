"""Results as they come: messages of columns, read into arrays."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import numpy as np

from wasmburst.errors import WasmburstError
from wasmburst.v1 import jobs_pb2, results_pb2
from wasmburst.values import WORDS_OF_KIND, AnyArray, dtype_of_type
from wasmburst.wire import joined, take_out

_COLUMNS = frozenset({6})  # of ReadResultsResponse
_FUEL, _WORDS = 2, 5  # of ResultColumns
_PACKED = frozenset({_FUEL, _WORDS})


@dataclasses.dataclass(frozen=True)
class Chunk:
    """Results of some instances, in the order in which they came."""

    ranges: list[tuple[int, int]]  # of instances: the first, and how many
    fuel: AnyArray
    words: AnyArray  # of all rows, one after another
    shapes: list[Any]  # InstanceResult: what rows have in common
    runs: list[tuple[int, int]]  # of rows: their shape, and how many
    extras: list[Any]  # ResultColumns.Extra

    def __len__(self) -> int:
        return len(self.fuel)

    @functools.cached_property
    def instances(self) -> AnyArray:
        return _expanded(self.ranges)

    @functools.cached_property
    def shape_of_row(self) -> AnyArray:
        shapes = np.array([shape for shape, _ in self.runs], np.int64)
        return np.repeat(shapes, np.array([rows for _, rows in self.runs], np.int64))

    @functools.cached_property
    def first_word(self) -> AnyArray:
        """Of each row."""
        width = np.array([_words_of(shape) for shape in self.shapes], np.int64)[self.shape_of_row]
        first: AnyArray = np.cumsum(width) - width
        return first

    @functools.cached_property
    def all_returned(self) -> bool:
        return all(shape.end == results_pb2.RETURNED for shape in self.shapes)

    def rows_that_returned(self) -> AnyArray:
        returned = np.array([shape.end == results_pb2.RETURNED for shape in self.shapes], np.bool_)
        rows: AnyArray = returned[self.shape_of_row]
        return rows

    def values(self, kinds: list[int]) -> list[AnyArray]:
        """Of rows that returned, whose values are of these types: an array for each."""
        if self.all_returned:
            table = self.words.reshape(len(self), -1) if kinds else self.words
        else:
            first = self.first_word[self.rows_that_returned()]
            width = sum(dtype_of_type(kind).itemsize // 4 for kind in kinds)
            table = self.words[first[:, None] + np.arange(width)]
        arrays, at = [], 0
        for kind in kinds:
            until = at + dtype_of_type(kind).itemsize // 4
            arrays.append(np.ascontiguousarray(table[:, at:until]).view(dtype_of_type(kind))[:, 0])
            at = until
        return arrays

    def put(self, array: AnyArray, to: AnyArray) -> None:
        """One of `values` to its instances' places."""
        if not self.all_returned:
            to[self.instances[self.rows_that_returned()]] = array
            return
        at = 0
        for first, count in self.ranges:
            to[first : first + count] = array[at : at + count]
            at += count


@dataclasses.dataclass(frozen=True)
class ResultsMessage:
    """A ReadResultsResponse: `head` is all of it but the columns."""

    head: Any
    chunks: list[Chunk]
    size: int

    @property
    def heartbeat(self) -> bool:
        return bool(self.head.heartbeat)


def _words_of(shape: Any) -> int:
    return sum(WORDS_OF_KIND[value.WhichOneof("kind")] for step in shape.steps for value in step.values)


def _expanded(ranges: list[tuple[int, int]]) -> AnyArray:
    first = np.array([first for first, _ in ranges], np.int64)
    count = np.array([count for _, count in ranges], np.int64)
    return np.arange(count.sum()) + np.repeat(first - np.cumsum(count) + count, count)


def read_chunk(data: memoryview) -> Chunk:
    rest, packed = take_out(data, _PACKED)
    columns = results_pb2.ResultColumns.FromString(rest)
    chunk = Chunk(
        ranges=[(one.first, one.count) for one in columns.instances],
        fuel=joined(packed[_FUEL], "<u8"),
        words=joined(packed[_WORDS], "<u4"),
        shapes=list(columns.shapes),
        runs=[(run.shape, run.rows) for run in columns.runs],
        extras=list(columns.extras),
    )
    words = sum(_words_of(chunk.shapes[shape]) * rows for shape, rows in chunk.runs)
    rows = sum(rows for _, rows in chunk.runs)
    instances = sum(count for _, count in chunk.ranges)
    if not rows == instances == len(chunk.fuel) or words != len(chunk.words):
        raise ValueError("columns of different lengths")
    return chunk


def read_message(data: bytes) -> ResultsMessage:
    """What a stream of ReadResults is read by, in the place of protobuf's library."""
    try:
        rest, columns = take_out(memoryview(data), _COLUMNS)
        chunks = [read_chunk(one) for one in columns[6]]
        return ResultsMessage(jobs_pb2.ReadResultsResponse.FromString(rest), chunks, len(data))
    except (ValueError, IndexError) as error:
        raise WasmburstError(
            "INTERNAL", f"The daemon sent results whose columns do not fit together ({error})."
        ) from error
