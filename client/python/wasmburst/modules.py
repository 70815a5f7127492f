"""Modules: files of WebAssembly that the daemon has."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import pathlib
from collections.abc import Iterator
from typing import Any, Union

from wasmburst.connection import Connection
from wasmburst.errors import WasmburstError, invalid
from wasmburst.v1 import modules_pb2
from wasmburst.values import NAME_OF_TYPE

Source = Union[str, "os.PathLike[str]", bytes]
"""A module's file, or its bytes."""

_CHUNK = 1 << 20
_LARGEST_MESSAGE = 8 << 20  # longer modules go in chunks


def _names(kinds: list[int]) -> str:
    return ", ".join(NAME_OF_TYPE.get(kind, "reference") for kind in kinds)


@dataclasses.dataclass(frozen=True, repr=False)
class Function:
    name: str
    params: list[int]
    results: list[int]

    def __repr__(self) -> str:
        return f"<{self.name}({_names(self.params)}) -> ({_names(self.results)})>"


@dataclasses.dataclass(frozen=True)
class Module:
    """A module that the daemon has, and what it exports."""

    name: str
    """ "modules/sha256:..."."""
    functions: dict[str, Function]
    imports: dict[str, str]
    """Of functions: "env.log" and its type in words."""

    def function(self, name: str) -> Function:
        if name not in self.functions:
            known = ", ".join(self.functions) or "none"
            raise WasmburstError(
                "ENTRY_POINT_NOT_FOUND", f"The module exports no function [{name}]; it exports {known}."
            )
        return self.functions[name]


def read_source(source: Source) -> bytes:
    if isinstance(source, bytes):
        data = source
    else:
        try:
            data = pathlib.Path(source).read_bytes()
        except OSError as error:
            raise WasmburstError(
                "IO_ERROR", f"The module [{os.fspath(source)}] cannot be read ({error.strerror})."
            ) from error
    if not data.startswith(b"\0asm"):
        raise invalid(
            "What was given is no WebAssembly binary. `wat2wasm` (wabt) makes one of a text.",
            field="module",
        )
    return data


def _module_of(message: Any) -> Module:
    functions = {
        one.name: Function(one.name, list(one.params), list(one.results))
        for one in message.exports
        if one.kind == "function"
    }
    imports = {f"{one.module}.{one.name}": one.type for one in message.imports if one.kind == "function"}
    return Module(message.name, functions, imports)


class ModuleStore:
    """Sends a module once, as long as the daemon keeps it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known: dict[bytes, Module] = {}

    def push(self, source: Source | Module, again: bool = False) -> Module:
        if isinstance(source, Module):
            return source
        data = read_source(source)
        digest = hashlib.sha256(data).digest()
        if again or digest not in self._known:
            self._known[digest] = _module_of(self._send(data))
        return self._known[digest]

    def _send(self, data: bytes) -> Any:
        stub = self._connection.modules
        if len(data) <= _LARGEST_MESSAGE:
            return self._connection.call(stub.CreateModule, modules_pb2.CreateModuleRequest(wasm=data))

        def parts() -> Iterator[Any]:
            for at in range(0, len(data), _CHUNK):
                yield modules_pb2.UploadModuleRequest(data=data[at : at + _CHUNK], size_bytes=len(data))

        return self._connection.call(stub.UploadModule, parts)
