"""The way to a daemon: calls that are tried again, and streams that go on where they broke."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import grpc

from wasmburst.endpoint import Endpoint
from wasmburst.errors import ConnectionFailed, WasmburstError, error_of_call
from wasmburst.v1 import (
    admin_pb2_grpc,
    inputs_pb2_grpc,
    jobs_pb2,
    jobs_pb2_grpc,
    modules_pb2_grpc,
    tenants_pb2_grpc,
)

_LARGEST_MESSAGE = 64 << 20
_LONGEST_PAUSE = 5.0
_CHANNEL_OPTIONS = [
    ("grpc.max_receive_message_length", _LARGEST_MESSAGE),
    ("grpc.enable_http_proxy", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 5000),
    ("grpc.use_local_subchannel_pool", 1),
]


@dataclasses.dataclass(frozen=True)
class Patience:
    """How calls are tried again."""

    timeout: float = 60.0  # seconds of a call, repetitions included
    attempts: int = 5  # of a call, or of a stream that makes no progress
    first_pause: float = 0.2  # seconds; it doubles up to 5

    def pause(self, attempt: int) -> float:
        return min(self.first_pause * 2.0 ** (attempt - 1), _LONGEST_PAUSE)


def _read_pem(path: str) -> bytes | None:
    if not path:
        return None
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise WasmburstError("IO_ERROR", f"The file [{path}] cannot be read ({error.strerror}).") from error


def _open_channel(endpoint: Endpoint) -> Any:
    if not endpoint.is_tls:
        return grpc.insecure_channel(endpoint.target, _CHANNEL_OPTIONS)
    credentials = grpc.ssl_channel_credentials(
        _read_pem(endpoint.ca), _read_pem(endpoint.key), _read_pem(endpoint.cert)
    )
    options = list(_CHANNEL_OPTIONS)
    if endpoint.server_name:
        options.append(("grpc.ssl_target_name_override", endpoint.server_name))  # type: ignore[arg-type]
    return grpc.secure_channel(endpoint.target, credentials, options)


class Connection:
    """Any thread may use it."""

    def __init__(self, endpoint: Endpoint, patience: Patience) -> None:
        self.endpoint = endpoint
        self.patience = patience
        self.channel = _open_channel(endpoint)
        self.metadata = [("authorization", f"Bearer {endpoint.token}")] if endpoint.token else []
        self.modules = modules_pb2_grpc.ModulesStub(self.channel)
        self.inputs = inputs_pb2_grpc.InputsStub(self.channel)
        self.jobs = jobs_pb2_grpc.JobsStub(self.channel)
        # Of messages that are bytes already (wire.py).
        self.create_job = self.channel.unary_unary(
            "/wasmburst.v1.Jobs/CreateJob",
            request_serializer=bytes,
            response_deserializer=jobs_pb2.Job.FromString,
        )
        self.read_results = self.channel.unary_stream(
            "/wasmburst.v1.Jobs/ReadResults",
            request_serializer=jobs_pb2.ReadResultsRequest.SerializeToString,
            response_deserializer=bytes,
        )
        self.admin = admin_pb2_grpc.AdminStub(self.channel)
        self.tenants = tenants_pb2_grpc.TenantsStub(self.channel)
        self._closed = threading.Event()

    @property
    def is_closed(self) -> bool:
        return self._closed.is_set()

    def close(self) -> None:
        """Ends all calls under way and to come."""
        self._closed.set()
        self.channel.close()

    def wait(self, seconds: float) -> bool:
        """False: it was closed meanwhile."""
        return not self._closed.wait(seconds)

    def check_open(self) -> None:
        if self.is_closed:
            raise ConnectionFailed("CANCELLED", "The client is closed.")

    def call(self, method: Any, request: Any, timeout: float | None = None) -> Any:
        """A call of one answer; `request` is a message, or a function that gives the messages of an upload."""
        deadline = time.monotonic() + (self.patience.timeout if timeout is None else timeout)
        attempt = 1
        while True:
            self.check_open()
            try:
                left = max(deadline - time.monotonic(), 0.001)
                sent = request() if callable(request) else request
                return method(sent, timeout=left, metadata=self.metadata)
            except grpc.RpcError as error:
                again = error.code() == grpc.StatusCode.UNAVAILABLE and attempt < self.patience.attempts
                pause = self.patience.pause(attempt)
                if not again or time.monotonic() + pause > deadline or not self.wait(pause):
                    raise error_of_call(error, self.endpoint.address) from error
                attempt += 1

    def stream(self, open_stream: Callable[[], Any]) -> Iterator[Any]:
        """The messages of a stream, which is opened again after a break: `open_stream` says from where on.

        A heartbeat gives no attempts back, unless the stream has lasted a while.
        """
        attempt = 1
        while True:
            self.check_open()
            opened = time.monotonic()
            call = open_stream()
            try:
                for message in call:
                    if not message.heartbeat or time.monotonic() - opened > _LONGEST_PAUSE:
                        attempt = 1
                    yield message
                return
            except grpc.RpcError as error:
                again = error.code() == grpc.StatusCode.UNAVAILABLE and attempt < self.patience.attempts
                if not again or not self.wait(self.patience.pause(attempt)):
                    raise error_of_call(error, self.endpoint.address) from error
                attempt += 1
            finally:
                call.cancel()
