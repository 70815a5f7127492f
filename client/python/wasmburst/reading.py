"""The stream of a job's results, read on a thread of its own, and kept for all who want them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from wasmburst.chunks import Chunk, ResultsMessage, read_message
from wasmburst.connection import Connection
from wasmburst.errors import JobFailed, WasmburstError
from wasmburst.rpc import error_details_pb2
from wasmburst.v1 import jobs_pb2

_MOST_OWED = 1 << 20  # bytes that the daemon holds for a reader before it is told that they came


class ResultLog:
    """Chunks in the order in which they came. One thread adds, any may read."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._chunks: list[Chunk] = []
        self._ended = False
        self._error: BaseException | None = None

    def add(self, chunks: list[Chunk]) -> None:
        with self._changed:
            self._chunks.extend(chunks)
            self._changed.notify_all()

    def end(self, error: BaseException | None) -> None:
        with self._changed:
            self._ended, self._error = True, error
            self._changed.notify_all()

    def wait_for_chunk(self, index: int, timeout: float | None = None) -> Chunk | None:
        """None: there are no more. Raises why the job ended without all of them; TimeoutError."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._ended or index < len(self._chunks), timeout):
                raise TimeoutError
            if index < len(self._chunks):
                return self._chunks[index]
            if self._error is not None:
                raise self._error
            return None

    def chunks(self, timeout: float | None = None) -> Iterator[Chunk]:
        """All of them, those to come too. `timeout`: seconds for all together."""
        deadline = None if timeout is None else time.monotonic() + timeout
        index = 0
        while True:
            left = None if deadline is None else max(deadline - time.monotonic(), 0)
            chunk = self.wait_for_chunk(index, left)
            if chunk is None:
                return
            yield chunk
            index += 1


class ResultReader:
    """Reads the results of one job into a log, and tells of each message."""

    def __init__(self, connection: Connection, job: str, on_message: Callable[[Any], None]) -> None:
        self.log = ResultLog()
        self._connection = connection
        self._job = job
        self._on_message = on_message
        self._cursor = ""
        self._owed = 0
        self._last: Any = None  # the job at its end

    def run(self) -> Any:
        """Returns the job as it ended; the log has its results, and why there are no more."""
        try:
            for message in self._connection.stream(self._open):
                self._take(message)
            if self._last is None:
                raise WasmburstError("INTERNAL", "The results ended, but their job did not.")
            self.log.end(error_of_job(self._last))
            return self._last
        except BaseException as error:
            self.log.end(error)
            raise

    def _open(self) -> Any:
        request = jobs_pb2.ReadResultsRequest(name=self._job, cursor=self._cursor, follow=True, columns=True)
        return _Messages(self._connection.read_results(request, metadata=self._connection.metadata))

    def _take(self, message: ResultsMessage) -> None:
        self.log.add(message.chunks)
        self._cursor = message.head.cursor
        if message.head.HasField("job"):
            self._last = message.head.job
        self._on_message(message.head)
        if not message.chunks:
            return
        self._owed += message.size
        if not _end_acknowledges(message.head, self._owed):
            self._acknowledge()

    def _acknowledge(self) -> None:
        """A job whose results fill their limit waits for this. The next one says more, if it fails."""
        request = jobs_pb2.AcknowledgeResultsRequest(name=self._job, cursor=self._cursor)
        call = self._connection.jobs.AcknowledgeResults.future(
            request, timeout=5, metadata=self._connection.metadata
        )
        call.add_done_callback(lambda done: done.exception())
        self._owed = 0


class _Messages:
    """A stream of ReadResults, whose messages are read into arrays."""

    def __init__(self, call: Any) -> None:
        self._call = call

    def __iter__(self) -> Iterator[ResultsMessage]:
        return map(read_message, self._call)

    def cancel(self) -> None:
        self._call.cancel()


def _end_acknowledges(head: Any, owed: int) -> bool:
    """The daemon takes a stream that was read to its end for acknowledged."""
    all_ended = head.HasField("counts") and head.counts.finished == head.counts.instances
    return bool(head.HasField("job") or (all_ended and owed < _MOST_OWED))


def error_of_job(job: Any) -> JobFailed | None:
    """Why an ended job has not all its results; None: it has."""
    if job.state == jobs_pb2.Job.SUCCEEDED:
        return None
    if job.state == jobs_pb2.Job.CANCELLED:
        return JobFailed("CANCELLED", f"The job [{job.name}] was cancelled.")
    reason = next((one.reason for one in _infos(job.error)), "INTERNAL")
    return JobFailed(reason, f"The job [{job.name}] failed: {job.error.message}")


def _infos(status: Any) -> Iterator[Any]:
    for detail in status.details:
        if detail.type_url.endswith(".ErrorInfo"):
            yield error_details_pb2.ErrorInfo.FromString(detail.value)
