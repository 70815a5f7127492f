"""Jobs that run a program: a module with `main`, for WASI, once for each input."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, Union

from wasmburst.columns import bytes_column
from wasmburst.errors import invalid
from wasmburst.jobs import JobHandle
from wasmburst.results import Result, Trap
from wasmburst.v1 import command_pb2
from wasmburst.wire import Parts

_TRAPPED = 134  # as a shell says of a program that was aborted

Content = Union[str, bytes, pathlib.Path, BinaryIO]
"""A text (in UTF-8), bytes, a file by its pathlib.Path, or an open file."""
Each = Union[Content, Iterable[Content]]
"""The same for all instances, or one for each."""


@dataclasses.dataclass(frozen=True)
class ProgramResult:
    instance: int
    exit_code: int
    """The program's own; 134 where it did not end by itself (`result` says how)."""
    stdout: bytes
    stderr: bytes
    files: dict[str, bytes]
    """The output files that there were."""
    result: Result

    @property
    def text(self) -> str:
        """Standard output, as UTF-8."""
        return self.stdout.decode()

    @property
    def trap(self) -> Trap | None:
        return self.result.trap


def program_result(result: Result) -> ProgramResult:
    ended = result.end in ("RETURNED", "EXITED")
    outputs = dict(result.outputs)
    return ProgramResult(
        instance=result.instance,
        exit_code=result.exit_code if ended else _TRAPPED,
        stdout=outputs.pop("stdout", b""),
        stderr=outputs.pop("stderr", b""),
        files=outputs,
        result=result,
    )


class RunJob(JobHandle[list[ProgramResult]]):
    """Iterate over it for what each instance left behind, in the order of the inputs."""

    def as_completed(self) -> Iterator[ProgramResult]:
        return map(program_result, self.results())

    def __iter__(self) -> Iterator[ProgramResult]:
        waiting: dict[int, ProgramResult] = {}
        at = 0
        for one in self.as_completed():
            waiting[one.instance] = one
            while at in waiting:
                yield waiting.pop(at)
                at += 1

    def __len__(self) -> int:
        return self.instances

    def _outcome(self) -> list[ProgramResult]:
        return sorted(self.as_completed(), key=lambda one: one.instance)


def _bytes_of(content: Any) -> bytes:
    if isinstance(content, str):
        return content.encode()
    if isinstance(content, (bytes, bytearray, memoryview)):
        return bytes(content)
    if isinstance(content, pathlib.Path):
        return content.read_bytes()
    if hasattr(content, "read"):
        data = content.read()
        return data.encode() if isinstance(data, str) else bytes(data)
    raise invalid(f"[{content!r}] is neither text, bytes, a pathlib.Path nor an open file.")


class CommandBuilder:
    """The command of a job, its columns, and how many instances these are for."""

    def __init__(self) -> None:
        self.command = command_pb2.Command()
        self.columns: list[Parts] = []
        self._instances: int | None = None

    def instances(self, asked: int | None) -> int:
        if asked is not None:
            self._count(asked, "instances")
        return 1 if self._instances is None else self._instances

    def _count(self, count: int, what: str) -> None:
        if self._instances is not None and self._instances != count:
            raise invalid(f"{what} is for [{count}] instances, and what stands before it for [{self._instances}].")
        self._instances = count

    def operand(self, content: Each, what: str, before: bytes = b"") -> Any:
        if isinstance(content, (str, bytes, bytearray, memoryview, pathlib.Path)) or hasattr(content, "read"):
            return command_pb2.BytesOperand(constant=before + _bytes_of(content))
        values = [before + _bytes_of(one) for one in content]
        self._count(len(values), what)
        self.columns.append(bytes_column(values))
        return command_pb2.BytesOperand(column=len(self.columns) - 1)

    def add(
        self,
        args: Sequence[Each],
        stdin: Each | None,
        env: Mapping[str, Each],
        files: Mapping[str, Each],
        outputs: Sequence[str],
    ) -> None:
        for i, arg in enumerate(args):
            self.command.args.append(self.operand(arg, f"args[{i}]"))
        if stdin is not None:
            self.command.standard_input.CopyFrom(self.operand(stdin, "stdin"))
        for name, value in env.items():
            self.command.environment.append(self.operand(value, f"env[{name}]", f"{name}=".encode()))
        for path, data in files.items():
            own = command_pb2.OwnFile(data=self.operand(data, f"files[{path}]"))
            own.path.constant = path.encode()
            self.command.own_files.append(own)
        self.command.output_files.extend(outputs)
