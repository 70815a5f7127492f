"""Jobs that are too long for a message: their longest columns go first, by themselves."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator
from typing import Any

from wasmburst.connection import Connection
from wasmburst.errors import WasmburstError
from wasmburst.v1 import inputs_pb2, jobs_pb2

_CHUNK = 1 << 20
_LARGEST_REQUEST = 8 << 20  # below the daemon's smallest sensible limit
_SMALL = 1024  # a column of so few bytes stays
_ATTEMPTS = 3  # inputs that no job uses yet may have to make room for others'
_BYTES_A_SECOND = 1 << 20  # a line that is slower is too slow for uploads


def columns_to_upload(job: Any, most: int) -> list[int]:
    """The fewest columns without which the job has at most so many bytes: the longest ones."""
    sizes = sorted(((column.ByteSize(), i) for i, column in enumerate(job.columns)), reverse=True)
    left, chosen = job.ByteSize(), []
    for size, index in sizes:
        if left <= most or size <= _SMALL:
            break
        left -= size
        chosen.append(index)
    return sorted(chosen)


def upload_input(connection: Connection, data: bytes) -> str:
    """The name of the input, which is sent unless the daemon has it."""
    sha256 = hashlib.sha256(data).hexdigest()
    name = f"inputs/sha256:{sha256}"
    try:
        connection.call(connection.inputs.GetInput, inputs_pb2.GetInputRequest(name=name))
        return name
    except WasmburstError as error:
        if error.reason != "NOT_FOUND":
            raise

    def parts() -> Iterator[Any]:
        yield inputs_pb2.UploadInputRequest(data=data[:_CHUNK], sha256=sha256, size_bytes=len(data))
        for at in range(_CHUNK, len(data), _CHUNK):
            yield inputs_pb2.UploadInputRequest(data=data[at : at + _CHUNK])

    timeout = connection.patience.timeout + len(data) / _BYTES_A_SECOND
    connection.call(connection.inputs.UploadInput, parts, timeout)
    return name


def create_job(connection: Connection, job: Any, most: int = _LARGEST_REQUEST) -> Any:
    """The job as it was accepted: once, however often the call is made."""
    large = {i: job.columns[i].SerializeToString() for i in columns_to_upload(job, most)}
    request = jobs_pb2.CreateJobRequest(job=job, request_id=uuid.uuid4().hex)
    for attempt in range(1, _ATTEMPTS + 1):
        for index, data in large.items():
            request.job.columns[index].uploaded.input = upload_input(connection, data)
        try:
            return connection.call(connection.jobs.CreateJob, request)
        except WasmburstError as error:
            is_gone = error.reason == "NOT_FOUND" and "input" in error.details.values()
            if not (large and is_gone) or attempt == _ATTEMPTS:
                raise
    raise AssertionError("unreachable")
