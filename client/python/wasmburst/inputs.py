"""Jobs that are too long for a message: their longest columns go first, by themselves."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from wasmburst.connection import Connection
from wasmburst.errors import WasmburstError
from wasmburst.v1 import inputs_pb2, jobs_pb2, program_pb2
from wasmburst.wire import Parts, bytes_field, size_of

_CHUNK = 1 << 20
_LARGEST_REQUEST = 8 << 20  # below the daemon's smallest sensible limit
_SMALL = 1024  # a column of so few bytes stays
_ATTEMPTS = 3  # inputs that no job uses yet may have to make room for others'
_BYTES_A_SECOND = 1 << 20  # a line that is slower is too slow for uploads


def columns_to_upload(sizes: Sequence[int], most: int) -> list[int]:
    """The fewest columns without which the others have at most so many bytes: the longest ones."""
    left, chosen = sum(sizes), []
    for size, index in sorted(((size, i) for i, size in enumerate(sizes)), reverse=True):
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


def request_bytes(request: Any, columns: Sequence[Parts]) -> bytes:
    """A CreateJobRequest with these columns besides: where a field comes twice, protobuf joins both."""
    fields = [part for column in columns for part in bytes_field(4, column)]  # Job.columns
    return b"".join([request.SerializeToString(), *bytes_field(1, fields)])  # CreateJobRequest.job


def create_job(
    connection: Connection, job: Any, columns: Sequence[Parts] = (), most: int = _LARGEST_REQUEST
) -> Any:
    """The job as it was accepted: once, however often the call is made. `columns` come after the job's own."""
    sent = [[column.SerializeToString()] for column in job.columns] + list(columns)
    large = {i: b"".join(sent[i]) for i in columns_to_upload([size_of(one) for one in sent], most)}
    request = jobs_pb2.CreateJobRequest(request_id=uuid.uuid4().hex)
    request.job.MergeFrom(job)
    del request.job.columns[:]
    for attempt in range(1, _ATTEMPTS + 1):
        for index, data in large.items():
            uploaded = program_pb2.UploadedColumn(input=upload_input(connection, data))
            sent[index] = [program_pb2.Column(uploaded=uploaded).SerializeToString()]
        try:
            return connection.call(connection.create_job, request_bytes(request, sent))
        except WasmburstError as error:
            is_gone = error.reason == "NOT_FOUND" and "input" in error.details.values()
            if not (large and is_gone) or attempt == _ATTEMPTS:
                raise
    raise AssertionError("unreachable")
