"""Jobs that call one function for each row: their values in order, as they come, or as an array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from wasmburst.chunks import Chunk
from wasmburst.connection import Connection
from wasmburst.errors import WasmburstError
from wasmburst.jobs import JobHandle
from wasmburst.results import InstanceFailed, Result, failures_of_chunk
from wasmburst.values import NAME_OF_TYPE, AnyArray, dtype_of_type

_PART = 1 << 16  # values that are made Python's at a time


def dtype_of(kinds: list[int]) -> np.dtype[Any]:
    """Of one result its own; of several a record with the fields r0, r1..."""
    each = [dtype_of_type(kind) for kind in kinds]
    return each[0] if len(each) == 1 else np.dtype([(f"r{i}", one) for i, one in enumerate(each)])


class MapJob(JobHandle[AnyArray]):
    """Iterate over it for the values in the order of the inputs, or take all as an array.

    An instance that traps or has no fuel left has no value. Iteration and arrays raise InstanceFailed
    for it, unless `failed` was given: what stands in the place of its value.
    """

    def __init__(
        self, connection: Connection, job: Any, kinds: list[int], failed: Any = None, progress: bool = False
    ) -> None:
        super().__init__(connection, job, progress)
        self._kinds = kinds
        self._failed = failed
        self._dtype = dtype_of(kinds)

    def _put(self, chunk: Chunk, values: AnyArray) -> None:
        """The chunk's values to their places."""
        if not chunk.all_returned and self._failed is not None:
            values[chunk.instances[~chunk.rows_that_returned()]] = self._failed
        for i, array in enumerate(chunk.values(self._kinds)):
            chunk.put(array, values if len(self._kinds) == 1 else values[f"r{i}"])

    def numpy(self, timeout: float | None = None) -> AnyArray:
        """All values, by the inputs' order."""
        return self.result(timeout)

    def _outcome(self) -> AnyArray:
        values = np.zeros(self.instances, self._dtype)
        for chunk in self._chunks():
            if self._failed is None and not chunk.all_returned:
                raise InstanceFailed(next(failures_of_chunk(chunk)))
            self._put(chunk, values)
        return values

    def arrow(self, timeout: float | None = None) -> Any:
        """All values as a table of Arrow, a column for each result. It needs pyarrow."""
        try:
            import pyarrow
        except ImportError as error:
            raise WasmburstError(
                "INVALID_ARGUMENT", "A table of Arrow needs the package [pyarrow], which is not installed."
            ) from error
        values = self.result(timeout)
        if values.dtype.names is None:
            return pyarrow.table({"r0": values})
        return pyarrow.table({name: values[name] for name in values.dtype.names})

    def as_completed(self) -> Iterator[tuple[int, Any]]:
        """(instance, value) as they come. A failed instance is left out, unless `failed` was given."""
        for chunk in self._chunks():
            rows = chunk.rows_that_returned()
            arrays = [array.tolist() for array in chunk.values(self._kinds)]
            count = int(rows.sum())
            values = arrays[0] if len(arrays) == 1 else zip(*arrays) if arrays else [()] * count
            yield from zip(chunk.instances[rows].tolist(), values)
            if self._failed is not None:
                for instance in chunk.instances[~rows].tolist():
                    yield instance, self._failed

    def failures(self) -> Iterator[Result]:
        """Instances without a value, as they come."""
        for chunk in self._chunks():
            yield from failures_of_chunk(chunk)

    def fuel(self) -> AnyArray:
        """Instructions of each instance, by the inputs' order."""
        fuel = np.zeros(self.instances, np.uint64)
        for chunk in self._chunks():
            fuel[chunk.instances] = chunk.fuel
        return fuel

    def __array__(self, dtype: Any = None) -> AnyArray:
        return self.result() if dtype is None else self.result().astype(dtype)

    def __len__(self) -> int:
        return self.instances

    def __iter__(self) -> Iterator[Any]:
        values = np.zeros(self.instances, self._dtype)
        here = np.zeros(self.instances, np.bool_)
        failures: dict[int, Result] = {}
        at = 0  # the next to be given
        for chunk in self._chunks():
            if self._failed is None and not chunk.all_returned:
                failures.update((one.instance, one) for one in failures_of_chunk(chunk))
            self._put(chunk, values)
            _mark(chunk, here, list(failures))
            until = _end_of_run(here, at)
            for begin in range(at, until, _PART):
                yield from values[begin : min(begin + _PART, until)].tolist()
            at = until
            if at in failures:
                raise InstanceFailed(failures[at])

    def __repr__(self) -> str:
        names = ", ".join(NAME_OF_TYPE[kind] for kind in self._kinds)
        return f"<MapJob of {names}: {self._progress}>"


def _mark(chunk: Chunk, here: AnyArray, but: list[int]) -> None:
    for first, count in chunk.ranges:
        here[first : first + count] = True
    here[but] = False


def _end_of_run(here: AnyArray, at: int) -> int:
    """The first place from `at` on that is not there yet."""
    while at < len(here):
        part = here[at : at + _PART]
        if not part.all():
            return at + int(part.argmin())
        at += len(part)
    return at
