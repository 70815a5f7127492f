"""Imports of a module that Python functions answer."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Union

import grpc

from wasmburst.connection import Connection
from wasmburst.errors import WasmburstError, error_of_call, invalid
from wasmburst.modules import Module
from wasmburst.v1 import host_calls_pb2, jobs_pb2
from wasmburst.values import from_value, to_value, types_of_results

_LASTS = 5.0  # seconds after which a stream has made progress
_MOST_KEPT = 1 << 16  # answers that were sent and may have to be sent again
_LARGEST_ANSWER = 8 << 20
_BATCH = 1 << 20  # bytes of answers in a message, about


@dataclasses.dataclass(frozen=True)
class Bytes:
    """Memory that goes with a call: from the address that an argument has on. Arguments count from 0.

    As many bytes as another argument says, or `size`, or, with neither, up to the first zero byte.
    """

    pointer: int
    length: int | None = None
    size: int | None = None

    def message(self) -> Any:
        message = host_calls_pb2.CallBytes(pointer=self.pointer)
        if self.length is not None:
            message.length_argument = self.length
        elif self.size is not None:
            message.constant_length = self.size
        else:
            message.until_zero = True
        return message


@dataclasses.dataclass
class HostCall:
    """What a HostFunction is called with."""

    instance: int
    number: int
    args: tuple[int | float | bytes, ...]
    data: tuple[bytes, ...]
    """Memory, as HostFunction.reads says, in its order."""
    writes: list[tuple[int, bytes]] = dataclasses.field(default_factory=list)

    def write(self, pointer: int, data: bytes) -> None:
        """Writes to the guest's memory before the call returns."""
        self.writes.append((pointer, data))


@dataclasses.dataclass(frozen=True)
class HostFunction:
    """A function that is called with a HostCall, and may so read and write memory."""

    function: Callable[[HostCall], Any]
    reads: tuple[Bytes, ...] = ()


Import = Union[Callable[..., Any], HostFunction]
"""A function that is called with the import's arguments, or a HostFunction. What it returns is the
result: nothing, a number, or a tuple of several. What it raises traps the call."""


def bindings_of(imports: Mapping[str, Import]) -> list[Any]:
    bindings = []
    for name, one in imports.items():
        binding = jobs_pb2.Binding(**{"import": name})
        binding.host.SetInParent()
        if isinstance(one, HostFunction):
            binding.host.bytes.extend(read.message() for read in one.reads)
        elif not callable(one):
            raise invalid(f"The import [{name}] is given [{one!r}], which is no function.")
        bindings.append(binding)
    return bindings


class Answerer:
    """Calls the functions. Any thread."""

    def __init__(self, imports: Mapping[str, Import], module: Module) -> None:
        self._imports = dict(imports)
        self._results = {name: types_of_results(kind) for name, kind in module.imports.items()}

    def answer(self, call: Any) -> Any:
        name = getattr(call, "import")
        answer = host_calls_pb2.HostAnswer(instance=call.instance, number=call.number)
        try:
            returned, writes = self._run(name, call)
            self._fill(answer, name, returned)
            answer.writes.extend(host_calls_pb2.MemoryWrite(pointer=at, data=data) for at, data in writes)
            if answer.ByteSize() > _LARGEST_ANSWER:
                raise ValueError(f"the answer has more than {_LARGEST_ANSWER} bytes")
        except Exception as error:  # whatever a function raises traps its call
            answer.Clear()
            answer.instance, answer.number = call.instance, call.number
            answer.error = f"{type(error).__name__}: {error}"
        return answer

    def _run(self, name: str, call: Any) -> tuple[Any, list[tuple[int, bytes]]]:
        one = self._imports[name]
        args = tuple(from_value(value) for value in call.args)
        if not isinstance(one, HostFunction):
            return one(*args), []
        told = HostCall(call.instance, call.number, args, tuple(call.bytes))
        return one.function(told), told.writes

    def _fill(self, answer: Any, name: str, returned: Any) -> None:
        kinds = self._results.get(name)
        values = returned if isinstance(returned, tuple) else () if returned is None else (returned,)
        if kinds is None or len(values) != len(kinds):
            wanted = "unknown" if kinds is None else len(kinds)
            raise TypeError(f"the import {name} has {wanted} results, and the function returned {len(values)}")
        answer.results.extend(to_value(value, kind) for value, kind in zip(values, kinds))


class Ledger:
    """Calls that are with us, and their answers: a call that comes again is answered, not made, again."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: OrderedDict[tuple[int, int], Any] = OrderedDict()  # None: it is being answered

    def take(self, call: Any) -> tuple[bool, Any]:
        """Whether it is new; and its answer, where it is known."""
        key = (call.instance, call.number)
        with self._lock:
            if key in self._answers:
                return False, self._answers[key]
            self._answers[key] = None
            return True, None

    def put(self, answer: Any) -> None:
        with self._lock:
            key = (answer.instance, answer.number)
            self._answers.pop(key, None)
            self._answers[key] = answer
            while len(self._answers) > _MOST_KEPT and next(iter(self._answers.values())) is not None:
                self._answers.popitem(last=False)


class HostCallServer:
    """Answers the calls of one job until it has ended."""

    def __init__(self, connection: Connection, job: str, answerer: Answerer, workers: int) -> None:
        self._connection = connection
        self._job = job
        self._answerer = answerer
        self._pool = concurrent.futures.ThreadPoolExecutor(workers, thread_name_prefix="wasmburst calls")
        self._ledger = Ledger()
        self._outbox: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def run(self) -> None:
        """Returns when the job has ended; raises what keeps its calls from being answered."""
        attempt, is_reopened = 1, False
        try:
            while True:
                error, progressed = self._serve_stream()
                if error is None or error.reason == "JOB_TERMINAL" or _is_of_late_answer(error):
                    return
                if progressed:
                    attempt, is_reopened = 1, True
                # The daemon may not have seen yet that the stream before has broken.
                may_pass = error.reason == "UNAVAILABLE" or (is_reopened and error.reason == "HOST_CALLS_SERVED")
                if not may_pass or attempt >= self._connection.patience.attempts:
                    raise error
                if not self._connection.wait(self._connection.patience.pause(attempt)):
                    raise error
                attempt += 1
        finally:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def _serve_stream(self) -> tuple[WasmburstError | None, bool]:
        over = threading.Event()
        outbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._outbox = outbox
        opened, progressed = time.monotonic(), False
        call = self._connection.jobs.ServeHostCalls(
            self._requests(outbox, over), metadata=self._connection.metadata
        )
        try:
            for message in call:
                progressed |= len(message.calls) > 0 or time.monotonic() - opened > _LASTS
                for one in message.calls:
                    self._take(one)
            return None, progressed
        except grpc.RpcError as error:
            return error_of_call(error, self._connection.endpoint.address), progressed
        finally:
            over.set()
            outbox.put(None)

    def _take(self, call: Any) -> None:
        is_new, answer = self._ledger.take(call)
        if is_new:
            self._pool.submit(self._answer, call)
        elif answer is not None:
            self._outbox.put(answer)

    def _answer(self, call: Any) -> None:
        answer = self._answerer.answer(call)
        self._ledger.put(answer)
        self._outbox.put(answer)

    def _requests(self, outbox: queue.SimpleQueue[Any], over: threading.Event) -> Iterator[Any]:
        request = host_calls_pb2.ServeHostCallsRequest(job=self._job)
        yield request
        while not over.is_set():
            answers, size = [outbox.get()], 0
            while not outbox.empty() and size < _BATCH:
                answers.append(outbox.get())
                size += answers[-2].ByteSize() if answers[-2] is not None else 0
            request = host_calls_pb2.ServeHostCallsRequest(job=self._job)
            request.answers.extend(answer for answer in answers if answer is not None)
            if request.answers:
                yield request


def _is_of_late_answer(error: WasmburstError) -> bool:
    """An answer came after its call had ended, by its timeout or with its instance."""
    return error.reason == "INVALID_ARGUMENT" and error.details.get("field") == "answers"
