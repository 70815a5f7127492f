"""What instances leave behind, one by one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from wasmburst.chunks import Chunk
from wasmburst.v1 import results_pb2
from wasmburst.values import WORDS_OF_KIND, from_value


@dataclasses.dataclass(frozen=True)
class Trap:
    code: str
    """ "DIVIDE_BY_ZERO"."""
    message: str
    function: str
    """Its name, or its index where the module has no names."""
    offset: int
    file: str
    line: int
    host_error: str


@dataclasses.dataclass(frozen=True)
class Result:
    """One instance. How it ended is no error of the job."""

    instance: int
    end: str
    """ "RETURNED", "TRAPPED", "EXITED", "OUT_OF_FUEL"... (results.proto)."""
    values: tuple[int | float | bytes, ...]
    """Of all calls, in their order."""
    outputs: dict[str, bytes]
    fuel: int
    """Instructions of WebAssembly, exactly."""
    exit_code: int
    trap: Trap | None
    memory_pages: int
    attempt: int
    device: str

    @property
    def returned(self) -> bool:
        return self.end == "RETURNED"

    def describe(self) -> str:
        """How it ended, in words."""
        if self.trap is not None:
            where = f" in {self.trap.function}" if self.trap.function else ""
            why = f" ({self.trap.host_error})" if self.trap.host_error else ""
            return f"instance {self.instance} trapped{where}: {self.trap.message}{why}"
        if self.end == "EXITED":
            return f"instance {self.instance} exited with {self.exit_code}"
        return f"instance {self.instance} ended {self.end} after {self.fuel} instructions"


class InstanceFailed(Exception):
    """An instance brought no value: `result` says how it ended."""

    def __init__(self, result: Result) -> None:
        self.result = result
        super().__init__(result.describe())


def _trap_of(shape: Any) -> Trap | None:
    if not shape.HasField("trap"):
        return None
    trap = shape.trap
    in_no_function = trap.function == 0xFFFFFFFF
    name = trap.function_name or ("" if in_no_function else f"function {trap.function}")
    return Trap(trap.code, trap.message, name, trap.offset, trap.file, trap.line, trap.host_error)


def _values_of(shape: Any, words: Any) -> Iterator[int | float | bytes]:
    at = 0
    for step in shape.steps:
        for value in step.values:
            kind = value.WhichOneof("kind")
            data = words[at : at + WORDS_OF_KIND[kind]].tobytes()
            at += WORDS_OF_KIND[kind]
            if kind == "v128":
                yield data
            else:
                setattr(value, kind, int.from_bytes(data, "little", signed=kind in ("i32", "i64")))
                yield from_value(value)


def result_of_row(chunk: Chunk, row: int, outputs: dict[str, bytes]) -> Result:
    shape = chunk.shapes[int(chunk.shape_of_row[row])]
    return Result(
        instance=int(chunk.instances[row]),
        end=results_pb2.End.Name(shape.end),
        values=tuple(_values_of(shape, chunk.words[int(chunk.first_word[row]) :])),
        outputs=outputs,
        fuel=int(chunk.fuel[row]),
        exit_code=shape.exit_code,
        trap=_trap_of(shape),
        memory_pages=shape.memory_pages,
        attempt=shape.attempt,
        device=shape.device,
    )


def results_of_chunk(chunk: Chunk) -> Iterator[Result]:
    outputs: dict[int, dict[str, bytes]] = {}
    for extra in chunk.extras:
        if extra.HasField("output"):
            outputs.setdefault(extra.row, {})[extra.output.name] = extra.output.data
    for row in range(len(chunk)):
        yield result_of_row(chunk, row, outputs.get(row, {}))


def failures_of_chunk(chunk: Chunk) -> Iterator[Result]:
    for row in np.flatnonzero(~chunk.rows_that_returned()):
        yield result_of_row(chunk, int(row), {})
