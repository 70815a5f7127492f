"""What goes wrong, as exceptions. Each says why (`reason`), in words, and what to do about it (`advice`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import grpc

from wasmburst._advice import ADVICE
from wasmburst.rpc import error_details_pb2, status_pb2

_REASON_OF_CODE = {
    grpc.StatusCode.INVALID_ARGUMENT: "INVALID_ARGUMENT",
    grpc.StatusCode.NOT_FOUND: "NOT_FOUND",
    grpc.StatusCode.CANCELLED: "CANCELLED",
    grpc.StatusCode.DEADLINE_EXCEEDED: "DEADLINE_EXCEEDED",
    grpc.StatusCode.UNAVAILABLE: "UNAVAILABLE",
    grpc.StatusCode.RESOURCE_EXHAUSTED: "LIMIT_TOO_HIGH",  # a message is too large
    grpc.StatusCode.UNAUTHENTICATED: "UNAUTHENTICATED",
    grpc.StatusCode.PERMISSION_DENIED: "PERMISSION_DENIED",
}


class WasmburstError(Exception):
    """An error of the daemon, of the way to it, or of what it was asked for."""

    def __init__(
        self,
        reason: str,
        message: str,
        details: Mapping[str, str] | None = None,
        retry_after: float | None = None,
    ) -> None:
        self.reason = reason
        """Stable, for programs: "ENTRY_POINT_NOT_FOUND"."""
        self.message = message
        self.advice: str = ADVICE.get(reason, "")
        """What to do about it, a sentence."""
        self.details = dict(details or {})
        """Which field, file or limit is meant."""
        self.retry_after = retry_after
        """Seconds after which the same may pass; None: it will not by itself."""
        super().__init__(f"{reason}: {message} {self.advice}".rstrip())

    @property
    def may_retry(self) -> bool:
        """Whether the same call may succeed later."""
        return self.retry_after is not None or self.reason in ("UNAVAILABLE", "DRAINING", "QUEUE_FULL")


class ConnectionFailed(WasmburstError):
    """The daemon cannot be reached, or the connection is not as asked for."""


class JobFailed(WasmburstError):
    """A job ended without results of all its instances."""


def invalid(message: str, **details: str) -> WasmburstError:
    return WasmburstError("INVALID_ARGUMENT", message, details)


def _details_in(call: grpc.RpcError) -> Iterator[tuple[str, bytes]]:
    metadata: Any = call.trailing_metadata() or ()
    for key, value in metadata:
        if key == "grpc-status-details-bin":
            for detail in status_pb2.Status.FromString(value).details:
                yield detail.type_url.rpartition(".")[2], detail.value


def error_of_call(call: grpc.RpcError, address: str) -> WasmburstError:
    """With the reason and the details that the daemon attached; without them, by gRPC's code."""
    reason, details, retry_after = "", {}, None
    for kind, value in _details_in(call):
        if kind == "ErrorInfo":
            info = error_details_pb2.ErrorInfo.FromString(value)
            reason, details = info.reason, dict(info.metadata)
        elif kind == "RetryInfo":
            delay = error_details_pb2.RetryInfo.FromString(value).retry_delay
            retry_after = delay.seconds + delay.nanos / 1e9
    message: str = call.details() or ""
    if reason:
        return WasmburstError(reason, message, details, retry_after)
    reason = _REASON_OF_CODE.get(call.code(), "INTERNAL")
    if reason == "UNAVAILABLE":
        return ConnectionFailed(reason, f"The daemon at [{address}] cannot be reached ({message}).")
    if reason == "DEADLINE_EXCEEDED":
        return ConnectionFailed(reason, f"The daemon at [{address}] did not answer in time.")
    return WasmburstError(reason, message)
