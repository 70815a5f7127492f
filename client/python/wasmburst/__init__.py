"""WasmBurst: one WebAssembly module, many thousand times side by side, from Python.

    with wasmburst.Client() as client:
        steps = client.map("collatz.wasm", "steps", range(1, 1_000_001)).numpy()
        for one in client.run("words.wasm", stdin=["to be", "or not to be"]):
            print(one.text)
"""

from wasmburst.client import Client
from wasmburst.connection import Patience
from wasmburst.errors import ConnectionFailed, JobFailed, WasmburstError
from wasmburst.host_calls import Bytes, HostCall, HostFunction
from wasmburst.jobs import Job
from wasmburst.maps import MapJob
from wasmburst.modules import Function, Module
from wasmburst.programs import ProgramResult, RunJob
from wasmburst.progress import Progress
from wasmburst.results import InstanceFailed, Result, Trap

__all__ = [
    "Bytes",
    "Client",
    "ConnectionFailed",
    "Function",
    "HostCall",
    "HostFunction",
    "InstanceFailed",
    "Job",
    "JobFailed",
    "MapJob",
    "Module",
    "Patience",
    "ProgramResult",
    "Progress",
    "Result",
    "RunJob",
    "Trap",
    "WasmburstError",
]
