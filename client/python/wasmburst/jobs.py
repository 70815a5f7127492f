"""Jobs that were begun: futures of their results."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Generator, Iterator
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from wasmburst.connection import Connection
from wasmburst.errors import JobFailed
from wasmburst.progress import Progress, View, choose_view
from wasmburst.reading import ResultReader, error_of_job
from wasmburst.results import Result, results_of_chunk
from wasmburst.v1 import jobs_pb2

Outcome = TypeVar("Outcome")


def _progress_of(name: str, job: Any, counts: Any) -> Progress:
    failed = counts.finished - counts.returned - counts.exited
    state = jobs_pb2.Job.State.Name(job.state)
    return Progress(name, state, counts.instances, counts.finished, failed, job.waiting_for)


class JobHandle(concurrent.futures.Future[Outcome], Generic[Outcome]):
    """A job of the daemon, as a future of concurrent.futures, which can be awaited too.

    Its results are read on a thread of its own from the beginning, and kept while the handle is. In a
    `with` it is cancelled at the end, unless it has ended; so it is by an interrupt while it is waited for.
    """

    def __init__(self, connection: Connection, job: Any, progress: bool = False) -> None:
        super().__init__()
        self.name: str = job.name
        self.instances: int = job.instances
        self._connection = connection
        self._job = job
        self._progress = _progress_of(job.name, job, job.counts)
        self._why_cancelled: BaseException | None = None
        self._view: View | None = choose_view(self._progress) if progress else None
        self._reader = ResultReader(connection, job.name, self._hear)
        self._log = self._reader.log
        self._thread = threading.Thread(target=self._read, name=f"wasmburst {job.name}", daemon=True)

    def start(self) -> Self:
        """Begins to read its results; the client calls it, once."""
        self._thread.start()
        return self

    # What the thread does.

    def _read(self) -> None:
        try:
            self._job = self._reader.run()
            self._progress = _progress_of(self.name, self._job, self._job.counts)
        except BaseException as error:
            self._settle(error)
        else:
            self._settle(error_of_job(self._job))
        self._show(last=True)

    def _settle(self, error: BaseException | None) -> None:
        error = self._why_cancelled or error
        if isinstance(error, JobFailed) and error.reason == "CANCELLED":
            super().cancel()
            self.set_running_or_notify_cancel()
            return
        self.set_running_or_notify_cancel()
        if error is not None:
            self.set_exception(error)
        else:
            self.set_result(None)  # type: ignore[arg-type]  # `result` makes it when it is asked for

    def _hear(self, head: Any) -> None:
        if head.HasField("job"):
            self._job = head.job
        if head.HasField("counts"):
            job = self._job if head.HasField("job") else jobs_pb2.Job(state=jobs_pb2.Job.RUNNING)
            self._progress = _progress_of(self.name, job, head.counts)
        self._show(last=False)

    def _show(self, last: bool) -> None:
        """A terminal or a notebook that is gone does not end what is read."""
        if self._view is None:
            return
        try:
            (self._view.close if last else self._view.show)(self._progress)
        except Exception:
            self._view = None

    # What callers do.

    def _outcome(self) -> Outcome:
        """What `result` gives, of a job that has ended well."""
        raise NotImplementedError

    def result(self, timeout: float | None = None) -> Outcome:
        """Waits for the end. Raises what went wrong; TimeoutError after `timeout` seconds, and the job goes on."""
        try:
            super().result(timeout)
        except KeyboardInterrupt:
            self.cancel()
            raise
        return self._outcome()

    def join(self, timeout: float | None = None) -> None:
        """Waits until nothing is read for it any more, and its progress is shown no more."""
        self._thread.join(timeout)

    def results(self) -> Iterator[Result]:
        """Each instance's result as it comes, failed ones too."""
        for chunk in self._chunks():
            yield from results_of_chunk(chunk)

    def _chunks(self) -> Iterator[Any]:
        try:
            yield from self._log.chunks()
        except KeyboardInterrupt:
            self.cancel()
            raise
        except JobFailed as error:
            if error.reason == "CANCELLED":
                raise concurrent.futures.CancelledError(error.message) from error
            raise

    def cancel(self) -> bool:
        """Asks the daemon to end the job. False: it has ended already. Results that came stay."""
        if self.done():
            return False
        answer = self._connection.call(self._connection.jobs.CancelJob, jobs_pb2.CancelJobRequest(name=self.name))
        return bool(answer.state in (jobs_pb2.Job.CANCELLING, jobs_pb2.Job.CANCELLED))

    def give_up(self, error: BaseException) -> None:
        """Cancels the job for a reason that its result then raises: nobody answers its calls any more."""
        self._why_cancelled = error
        self.cancel()

    def running(self) -> bool:
        return not self.done()

    @property
    def progress(self) -> Progress:
        return self._progress

    @property
    def job(self) -> Any:
        """The Job message (jobs.proto): of an ended job as it ended, else as the daemon says now."""
        if self.done():
            return self._job
        return self._connection.call(self._connection.jobs.GetJob, jobs_pb2.GetJobRequest(name=self.name))

    def delete(self) -> None:
        """Has the daemon forget the ended job and its results. Those that came stay here."""
        self._connection.call(self._connection.jobs.DeleteJob, jobs_pb2.DeleteJobRequest(name=self.name))

    def __await__(self) -> Generator[Any, None, Outcome]:
        return asyncio.wrap_future(self).__await__()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.done() and not self._connection.is_closed:
            self.cancel()

    def _repr_html_(self) -> str:
        return self._progress._repr_html_()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._progress}>"


class Job(JobHandle[list[Result]]):
    """A job of any kind: its result is each instance's, by the instances' order."""

    def __iter__(self) -> Iterator[Result]:
        return self.results()

    def _outcome(self) -> list[Result]:
        return sorted(self.results(), key=lambda one: one.instance)
