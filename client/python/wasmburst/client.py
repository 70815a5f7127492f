"""Client: a daemon, and what it can be asked to do."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self, Union

from wasmburst.columns import Argument, counted, length_of, number_column
from wasmburst.connection import Connection, Patience
from wasmburst.endpoint import choose_endpoint
from wasmburst.errors import WasmburstError, invalid
from wasmburst.host_calls import Answerer, HostCallServer, Import, bindings_of
from wasmburst.inputs import create_job
from wasmburst.jobs import Job, JobHandle
from wasmburst.maps import MapJob
from wasmburst.modules import Function, Module, ModuleStore, Source
from wasmburst.programs import CommandBuilder, Each, RunJob
from wasmburst.v1 import admin_pb2, jobs_pb2, program_pb2, tenants_pb2
from wasmburst.wire import Parts

AnyModule = Union[Source, Module]
_MODULE_IS_GONE = ("MODULE_MISSING", "NOT_FOUND")


class Client:
    """A connection to wasmburstd. Any thread may use it; in a `with` it is closed at the end.

    Without arguments it is for the daemon that `wasmburstctl` would ask: WASMBURST_ADDR, the context in
    use, or this machine's own daemon. Jobs go on when a client is closed.
    """

    def __init__(
        self,
        address: str = "",
        *,
        context: str = "",
        token: str = "",
        token_file: str = "",
        ca: str = "",
        cert: str = "",
        key: str = "",
        server_name: str = "",
        patience: Patience = Patience(),
    ) -> None:
        endpoint = choose_endpoint(
            address,
            context=context,
            token=token,
            token_file=token_file,
            ca=ca,
            cert=cert,
            key=key,
            server_name=server_name,
        )
        self._connection = Connection(endpoint, patience)
        self._modules = ModuleStore(self._connection)

    @property
    def address(self) -> str:
        return self._connection.endpoint.address

    def module(self, source: AnyModule) -> Module:
        """Sends a module, unless this client has sent it before."""
        return self._modules.push(source)

    def map(
        self,
        module: AnyModule,
        function: str,
        *arguments: Argument,
        failed: Any = None,
        imports: Mapping[str, Import] | None = None,
        host_workers: int = 1,
        limits: Mapping[str, Any] | None = None,
        placement: str = "AUTO",
        labels: Mapping[str, str] | None = None,
        progress: bool = False,
    ) -> MapJob:
        """Calls an exported function once for each row of its arguments: numbers for all, or a list, range or array.

        `failed` stands in the place of values that instances did not bring; without it they raise.
        `imports` are functions that answer imports of the module ("env.price"). `limits` are those of
        jobs.proto, such as max_fuel.
        """
        columns = [counted(argument) for argument in arguments]
        pushed = self._modules.push(module)
        called = pushed.function(function)
        job = jobs_pb2.Job(instances=_rows(called, columns))
        step = job.steps.add().call
        step.function = function
        sent = []
        for i, (column, kind) in enumerate(zip(columns, called.params)):
            sent.append(number_column(column, kind, f"argument {i} of {function}"))
            step.args.append(program_pb2.Operand(column=i))
        _configure(job, limits, placement, labels)
        job.bindings.extend(bindings_of(imports or {}))
        begun = self._begin(module, job, sent)
        handle = MapJob(self._connection, begun, called.results, failed, progress)
        self._serve(handle, imports, pushed, host_workers)
        return handle

    def run(
        self,
        module: AnyModule,
        args: Sequence[Each] = (),
        *,
        stdin: Each | None = None,
        env: Mapping[str, Each] | None = None,
        files: Mapping[str, Each] | None = None,
        outputs: Sequence[str] = (),
        instances: int | None = None,
        imports: Mapping[str, Import] | None = None,
        host_workers: int = 1,
        seed: int = 0,
        limits: Mapping[str, Any] | None = None,
        placement: str = "AUTO",
        labels: Mapping[str, str] | None = None,
        progress: bool = False,
    ) -> RunJob:
        """Runs a program with `main` once for each element of the lists that it is given, else once.

        `stdin`, each of `args`, and the values of `env` and `files` are a text, bytes, a pathlib.Path or an
        open file for all instances, or a list of these. `outputs` are paths of files that it writes.
        """
        builder = CommandBuilder()
        builder.add([_program_name(module), *args], stdin, env or {}, files or {}, outputs)
        builder.command.seed = seed
        job = jobs_pb2.Job(instances=builder.instances(instances), command=builder.command)
        _configure(job, limits, placement, labels)
        job.bindings.extend(bindings_of(imports or {}))
        pushed = self._modules.push(module)
        handle = RunJob(self._connection, self._begin(module, job, builder.columns), progress)
        self._serve(handle, imports, pushed, host_workers)
        return handle

    def submit(self, job: Any, module: AnyModule | None = None, *, progress: bool = False) -> Job:
        """Begins a job that is written as a message of jobs.proto; `module` fills in its module."""
        if module is not None:
            return Job(self._connection, self._begin(module, job), progress).start()
        return Job(self._connection, create_job(self._connection, job), progress).start()

    def attach(self, name: str, *, progress: bool = False) -> Job:
        """A job that was begun elsewhere, by its name. Its results are read from the first that is kept."""
        full = name if name.startswith("jobs/") else f"jobs/{name}"
        request = jobs_pb2.GetJobRequest(name=full)
        return Job(self._connection, self._connection.call(self._connection.jobs.GetJob, request), progress).start()

    def server_info(self) -> Any:
        """ServerInfo of admin.proto."""
        return self._connection.call(self._connection.admin.GetServerInfo, admin_pb2.GetServerInfoRequest())

    def whoami(self) -> Any:
        """Who the daemon takes this client for: Caller of tenants.proto."""
        return self._connection.call(self._connection.tenants.GetCaller, tenants_pb2.GetCallerRequest())

    def _begin(self, module: AnyModule, job: Any, columns: Sequence[Parts] = ()) -> Any:
        """The job as accepted. A module that the daemon has dropped meanwhile is sent again."""
        job.module = self._modules.push(module).name
        try:
            return create_job(self._connection, job, columns)
        except WasmburstError as error:
            if error.reason not in _MODULE_IS_GONE or isinstance(module, Module):
                raise
            job.module = self._modules.push(module, again=True).name
            return create_job(self._connection, job, columns)

    def _serve(
        self, handle: JobHandle[Any], imports: Mapping[str, Import] | None, module: Module, workers: int
    ) -> None:
        handle.start()
        if imports:
            server = HostCallServer(self._connection, handle.name, Answerer(imports, module), workers)
            threading.Thread(target=_answer_calls, args=(server, handle), daemon=True).start()

    def close(self) -> None:
        """Ends what is read. Jobs go on; `attach` finds them again by their names."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _program_name(module: AnyModule) -> str:
    return os.path.basename(os.fspath(module)) if isinstance(module, (str, os.PathLike)) else "program.wasm"


def _rows(called: Function, columns: list[Any]) -> int:
    if len(columns) != len(called.params):
        raise WasmburstError(
            "SIGNATURE_MISMATCH",
            f"The function [{called.name}] takes [{len(called.params)}] arguments, and [{len(columns)}] were given.",
        )
    lengths = {length for column in columns if (length := length_of(column)) is not None}
    if len(lengths) > 1:
        raise invalid(f"The arguments have different lengths: {sorted(lengths)}.")
    return lengths.pop() if lengths else 1


def _configure(
    job: Any, limits: Mapping[str, Any] | None, placement: str, labels: Mapping[str, str] | None
) -> None:
    if placement.upper() not in jobs_pb2.Placement.keys():
        raise invalid(f"The placement [{placement}] is none of auto, cpu, interpreter and gpu.")
    job.placement = jobs_pb2.Placement.Value(placement.upper())
    try:
        job.limits.CopyFrom(jobs_pb2.Limits(**(limits or {})))
    except (ValueError, TypeError) as error:
        raise invalid(f"The limits {dict(limits or {})} are not those of jobs.proto: {error}.") from error
    job.labels.update(labels or {})


def _answer_calls(server: HostCallServer, handle: JobHandle[Any]) -> None:
    try:
        server.run()
    except WasmburstError as error:
        handle.give_up(error)
