"""Results as they come: messages of columns, read into arrays."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from wasmburst.errors import WasmburstError
from wasmburst.v1 import jobs_pb2, results_pb2
from wasmburst.values import DTYPE_OF_TYPE, V128, WORDS_OF_KIND, AnyArray
from wasmburst.wire import joined, take_out

_COLUMNS = frozenset({6})  # of ReadResultsResponse
_FUEL, _WORDS = 2, 5  # of ResultColumns
_PACKED = frozenset({_FUEL, _WORDS})


@dataclasses.dataclass(frozen=True)
class Chunk:
    """Results of some instances, in the order in which they came."""

    instances: AnyArray
    fuel: AnyArray
    words: AnyArray  # of all rows, one after another
    shapes: list[Any]  # InstanceResult: what rows have in common
    shape_of_row: AnyArray
    first_word: AnyArray  # of each row
    extras: list[Any]  # ResultColumns.Extra

    def __len__(self) -> int:
        return len(self.instances)

    def rows_that_returned(self) -> AnyArray:
        returned = np.array([shape.end == results_pb2.RETURNED for shape in self.shapes], np.bool_)
        return returned[self.shape_of_row]

    def only(self, rows: AnyArray) -> Chunk:
        """Those rows, without their outputs."""
        if rows.all():
            return self
        return dataclasses.replace(
            self,
            instances=self.instances[rows],
            fuel=self.fuel[rows],
            shape_of_row=self.shape_of_row[rows],
            first_word=self.first_word[rows],
            extras=[],
        )

    def values(self, kinds: list[int], rows: AnyArray) -> list[AnyArray]:
        """Of rows whose values are of these types, an array for each."""
        first = self.first_word[rows]
        arrays, at = [], 0
        for kind in kinds:
            dtype = np.dtype("V16") if kind == V128 else DTYPE_OF_TYPE[kind]
            count = dtype.itemsize // 4
            places = first[:, None] + np.arange(at, at + count) if count > 1 else first + at
            arrays.append(self.words[places].view(dtype).reshape(len(first)))
            at += count
        return arrays


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


def _instances_of(ranges: Any) -> AnyArray:
    if len(ranges) == 1:
        return np.arange(ranges[0].first, ranges[0].first + ranges[0].count, dtype=np.uint64)
    first = np.array([one.first for one in ranges], np.uint64)
    count = np.array([one.count for one in ranges], np.int64)
    within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return np.repeat(first, count) + within.astype(np.uint64)


def read_chunk(data: memoryview) -> Chunk:
    rest, packed = take_out(data, _PACKED)
    columns = results_pb2.ResultColumns.FromString(rest)
    rows = np.array([run.rows for run in columns.runs], np.int64)
    shape_of_row = np.repeat(np.array([run.shape for run in columns.runs], np.int64), rows)
    width = np.array([_words_of(shape) for shape in columns.shapes], np.int64)
    ends = np.cumsum(width[shape_of_row])
    chunk = Chunk(
        instances=_instances_of(columns.instances),
        fuel=joined(packed[_FUEL], "<u8"),
        words=joined(packed[_WORDS], "<u4"),
        shapes=list(columns.shapes),
        shape_of_row=shape_of_row,
        first_word=ends - width[shape_of_row],
        extras=list(columns.extras),
    )
    words = int(ends[-1]) if len(ends) else 0
    if not len(chunk.instances) == len(chunk.fuel) == len(shape_of_row) or words != len(chunk.words):
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
