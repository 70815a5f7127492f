"""The package against the real daemon."""

import asyncio
import concurrent.futures
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

import notebook
import numpy as np
from harness import CALLER, GUEST, PROGRAM, DaemonTest

import wasmburst
from wasmburst import inputs, reading
from wasmburst.v1 import jobs_pb2, program_pb2


def collatz(n: int) -> int:
    steps = 0
    while n > 1:
        n, steps = (3 * n + 1 if n % 2 else n // 2), steps + 1
    return steps


class Map(DaemonTest):
    def test_values_come_in_the_order_of_the_inputs(self) -> None:
        job = self.client.map(GUEST, "steps", range(1, 20001))
        self.assertEqual(list(job), [collatz(n) for n in range(1, 20001)])
        self.assertEqual(job.numpy().tolist(), list(job))
        self.assertEqual(np.asarray(job).dtype, np.int32)
        self.assertEqual(dict(job.as_completed()), {i: value for i, value in enumerate(job)})
        self.assertEqual((len(job), job.progress.finished), (20000, 20000))

    def test_each_type(self) -> None:
        for function, arguments, expected, dtype in (
            ("double", [[3, -4, 2**31 - 1]], [6, -8, -2], "int32"),
            ("add", [np.array([2**62, -1]), 2**62], [-(2**63), 2**62 - 1], "int64"),
            ("half32", [[1.5, -0.0]], [0.75, -0.0], "float32"),
            ("half", [np.linspace(0, 1, 3)], [0.0, 0.25, 0.5], "float64"),
        ):
            values = self.client.map(GUEST, function, *arguments).numpy()
            self.assertEqual((values.tolist(), values.dtype), (expected, np.dtype(dtype)), function)
        self.assertTrue(np.isnan(self.client.map(GUEST, "half", [float("nan")]).numpy()[0]))

    def test_several_results_and_none(self) -> None:
        both = self.client.map(GUEST, "both", range(-1, 2))
        self.assertEqual(list(both), [(-1, -1.0), (0, 0.0), (1, 1.0)])
        self.assertEqual(both.numpy()["r1"].tolist(), [-1.0, 0.0, 1.0])
        self.assertEqual(list(self.client.map(GUEST, "none", [1, 2])), [(), ()])

    def test_no_rows_and_one(self) -> None:
        self.assertEqual(list(self.client.map(GUEST, "double", 21)), [42])
        with self.assertRaises(wasmburst.WasmburstError) as caught:
            self.client.map(GUEST, "double", [])
        self.assertEqual(caught.exception.reason, "INVALID_ARGUMENT")

    def test_an_instance_that_traps_raises_where_its_value_would_stand(self) -> None:
        job = self.client.map(GUEST, "divide", 6, [1, 2, 0, 3])
        values = iter(job)
        self.assertEqual([next(values), next(values)], [6, 3])
        with self.assertRaisesRegex(wasmburst.InstanceFailed, "instance 2 trapped in divide: integer divide by zero"):
            next(values)
        with self.assertRaises(wasmburst.InstanceFailed) as caught:
            job.numpy()
        self.assertEqual(caught.exception.result.trap.code, "DIVIDE_BY_ZERO")
        self.assertEqual([one.instance for one in job.failures()], [2])
        self.assertEqual(dict(job.as_completed()), {0: 6, 1: 3, 3: 2})

    def test_or_a_value_stands_there(self) -> None:
        job = self.client.map(GUEST, "divide", 6, [1, 0, 3], failed=-1)
        self.assertEqual(list(job), [6, -1, 2])
        self.assertEqual(job.numpy().tolist(), [6, -1, 2])
        short = self.client.map(GUEST, "forever", range(3), failed=7, limits={"max_fuel": 1000})
        self.assertEqual(list(short), [7, 7, 7])
        self.assertTrue((short.fuel() > 1000).all())

    def test_wrong_calls_are_refused_with_advice(self) -> None:
        for reason, call in (
            ("ENTRY_POINT_NOT_FOUND", lambda: self.client.map(GUEST, "step", 1)),
            ("SIGNATURE_MISMATCH", lambda: self.client.map(GUEST, "steps", 1, 2)),
            ("INVALID_ARGUMENT", lambda: self.client.map(GUEST, "add", [1, 2], [1, 2, 3])),
            ("INVALID_ARGUMENT", lambda: self.client.map(GUEST, "double", 1, placement="moon")),
            ("INVALID_ARGUMENT", lambda: self.client.map(GUEST, "double", 1, limits={"fuel": 1})),
            ("IMPORT_NOT_PROVIDED", lambda: self.client.map(CALLER, "cost", 1, 2)),
            ("LIMIT_TOO_HIGH", lambda: self.client.map(GUEST, "double", range(2**31 - 1))),
            ("NOT_FOUND", lambda: self.client.attach("01M7XB4YXR6WQHK65DXYC5HA18")),
        ):
            with self.subTest(reason=reason), self.assertRaises(wasmburst.WasmburstError) as caught:
                call()
            self.assertEqual(caught.exception.reason, reason)
            self.assertIn(caught.exception.advice, str(caught.exception))
            self.assertTrue(caught.exception.advice)

    def test_long_columns_are_uploaded_once(self) -> None:
        numbers = np.arange(50_000, dtype=np.int64)
        with mock.patch.object(inputs.create_job, "__defaults__", ((), 100_000)):
            values = [self.client.map(GUEST, "add", numbers, numbers * 2).numpy() for _ in range(2)]
        for one in values:
            self.assertTrue((one == numbers * 3).all())
        self.assertGreaterEqual(self.client.server_info().inputs, 2)

    def test_a_module_that_was_deleted_is_sent_again(self) -> None:
        self.client.map(GUEST, "double", 1).result()
        ctl = pathlib.Path(os.environ["WASMBURST_CTL"])
        subprocess.run([ctl, "module", "rm", self.client.module(GUEST).name], check=True, capture_output=True)
        self.assertEqual(list(self.client.map(GUEST, "double", 1)), [2])

    def test_a_table_of_arrow_needs_pyarrow(self) -> None:
        job = self.client.map(GUEST, "double", range(3))
        with mock.patch.dict(sys.modules, {"pyarrow": None}):
            with self.assertRaisesRegex(wasmburst.WasmburstError, "pyarrow"):
                job.arrow()
        pyarrow = mock.Mock()  # Debian has none
        with mock.patch.dict(sys.modules, {"pyarrow": pyarrow}):
            job.arrow()
            self.client.map(GUEST, "both", [3]).arrow()
        given = [{name: column.tolist() for name, column in call.args[0].items()} for call in pyarrow.table.mock_calls]
        self.assertEqual(given, [{"r0": [0, 2, 4]}, {"r0": [3], "r1": [3.0]}])


class Futures(DaemonTest):
    def test_jobs_are_futures(self) -> None:
        jobs = [self.client.map(GUEST, "double", [n]) for n in range(5)]
        heard = threading.Event()
        jobs[0].add_done_callback(lambda job: heard.set())
        done, waiting = concurrent.futures.wait(jobs, timeout=60)
        self.assertEqual((len(done), len(waiting)), (5, 0))
        self.assertEqual([job.result().tolist() for job in jobs], [[0], [2], [4], [6], [8]])
        self.assertTrue(heard.wait(60))
        self.assertEqual(jobs[0].job.state, jobs_pb2.Job.SUCCEEDED)
        jobs[0].delete()

    def test_jobs_are_awaited(self) -> None:
        async def both() -> list[list[int]]:
            jobs = self.client.map(GUEST, "double", [1]), self.client.map(GUEST, "double", [2])
            return [one.tolist() for one in await asyncio.gather(*jobs)]

        self.assertEqual(asyncio.run(both()), [[2], [4]])

    def test_a_job_that_is_cancelled_says_so(self) -> None:
        job = self.client.map(GUEST, "forever", range(10))
        with self.assertRaises(TimeoutError):
            job.result(timeout=0.05)
        self.assertTrue(job.running())
        self.assertTrue(job.cancel())
        with self.assertRaises(concurrent.futures.CancelledError):
            job.result(timeout=60)
        self.assertTrue(job.cancelled())
        self.assertFalse(job.cancel())
        with self.assertRaises(concurrent.futures.CancelledError):
            list(job)

    def test_the_end_of_a_with_cancels(self) -> None:
        with self.client.map(GUEST, "forever", [1]) as job:
            pass
        concurrent.futures.wait([job], timeout=60)
        self.assertTrue(job.cancelled())

    def test_an_interrupt_cancels(self) -> None:
        job = self.client.map(GUEST, "forever", [1])
        with mock.patch.object(concurrent.futures.Future, "result", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                job.result()
        concurrent.futures.wait([job], timeout=60)
        self.assertTrue(job.cancelled())
        job = self.client.map(GUEST, "forever", [1])
        with mock.patch.object(reading.ResultLog, "wait_for_chunk", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                list(job)
        concurrent.futures.wait([job], timeout=60)
        self.assertTrue(job.cancelled())

    def test_a_job_goes_on_when_its_client_is_closed(self) -> None:
        with wasmburst.Client() as other:
            name = other.map(GUEST, "steps", range(1, 1001)).name
        again = self.client.attach(name)
        self.assertEqual([one.values for one in again.result(60)], [(collatz(n),) for n in range(1, 1001)])

    def test_a_closed_client_calls_nothing(self) -> None:
        self.client.close()
        with self.assertRaises(wasmburst.ConnectionFailed):
            self.client.server_info()

    def test_a_daemon_that_is_not_there(self) -> None:
        patience = wasmburst.Patience(attempts=2, first_pause=0.01)
        with wasmburst.Client("unix:///nowhere/daemon.sock", patience=patience) as client:
            with self.assertRaisesRegex(wasmburst.ConnectionFailed, "cannot be reached"):
                client.server_info()

    def test_a_stream_goes_on_where_it_broke(self) -> None:
        path, proxy = self.cutting_proxy(200_000)
        with wasmburst.Client(f"unix://{path}") as client:
            job = client.map(GUEST, "double", range(50_000))
            self.assertTrue((job.numpy(60) == np.arange(50_000) * 2).all())
            self.assertEqual(sum(1 for _ in job.results()), 50_000)  # none came twice
        self.assertEqual(proxy.cuts, 1)

    def test_progress_is_shown(self) -> None:
        shown = io.StringIO()
        shown.isatty = lambda: True  # type: ignore[method-assign]
        with mock.patch("sys.stderr", shown):
            job = self.client.map(GUEST, "double", range(100), progress=True)
            job.result(60)
            job.join(60)
        self.assertTrue(shown.getvalue().endswith(f"{job.name} SUCCEEDED: 100 of 100 instances\n"), shown.getvalue())

    def test_a_token_is_who_asks_by_a_unix_socket_and_by_tls(self) -> None:
        ctl = os.environ["WASMBURST_CTL"]
        with tempfile.TemporaryDirectory() as folder:
            file = f"{folder}/lab.token"
            create = [ctl, "token", "create", "--tenant", "lab", "--role", "submitter", "--out", file]
            subprocess.run(create, check=True, capture_output=True)
            tls = os.environ["WASMBURST_TLS"]
            for how in ({}, {"address": tls, "ca": os.environ["WASMBURST_CA"]}):
                with wasmburst.Client(token_file=file, **how) as client:
                    self.assertEqual(client.whoami().tenant, "lab")
                    self.assertEqual(list(client.map(GUEST, "double", [4])), [8])
            patience = wasmburst.Patience(attempts=1)
            with wasmburst.Client(tls, token_file=file, patience=patience) as client:  # an authority that nobody trusts
                with self.assertRaises(wasmburst.ConnectionFailed):
                    client.whoami()


class Programs(DaemonTest):
    def test_a_program_for_each_input(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "three")
            file.write_bytes(b"of a file")
            stdin = ["text", b"bytes", file, io.BytesIO(b"an open file")]
            said = list(self.client.run(PROGRAM, ["echo"], stdin=stdin))
        self.assertEqual([one.text for one in said], ["text", "bytes", "of a file", "an open file"])
        self.assertEqual([one.exit_code for one in said], [7] * 4)
        self.assertEqual(said[0].stderr, b"to the error stream\n")

    def test_arguments_files_and_outputs(self) -> None:
        job = self.client.run(PROGRAM, ["copy"], files={"in.txt": ["one", "two"]}, outputs=["out.txt"])
        self.assertEqual([one.files for one in job], [{"out.txt": b"one"}, {"out.txt": b"two"}])
        job = self.client.run(PROGRAM, [["echo", "trap"]], stdin="x")
        first, second = job.result(60)
        self.assertEqual((first.text, first.exit_code), ("x", 7))
        self.assertEqual((second.exit_code, second.trap.code), (134, "UNREACHABLE"))

    def test_lists_of_different_lengths_are_refused(self) -> None:
        with self.assertRaisesRegex(wasmburst.WasmburstError, "stdin is for"):
            self.client.run(PROGRAM, [["a", "b"]], stdin=["x"])

    def test_a_job_that_is_written_as_a_message(self) -> None:
        job = jobs_pb2.Job(instances=2)
        start, step = program_pb2.Value(i32=5), program_pb2.Value(i32=1)
        job.columns.add(range=program_pb2.Range(start=start, step=step))
        call = job.steps.add().call
        call.function = "double"
        call.args.add(column=0)
        results = self.client.submit(job, GUEST).result(60)
        self.assertEqual([(one.end, one.values) for one in results], [("RETURNED", (10,)), ("RETURNED", (12,))])


class Notebook(unittest.TestCase):
    def test_the_example_says_what_it_keeps(self) -> None:
        root = pathlib.Path(__file__).resolve().parents[3]
        kept = json.loads((root / "deploy/examples/python/collatz.ipynb").read_text())
        self.assertEqual(notebook.differences(kept), [])


class HostCalls(DaemonTest):
    def imports(self, **others: object) -> dict[str, object]:
        return {"env.price": lambda thing, rate: thing * rate, "env.shout": lambda at, length: 0} | others

    def test_functions_of_python_answer(self) -> None:
        job = self.client.map(CALLER, "cost", range(50), 4, imports=self.imports(), host_workers=2)
        self.assertEqual(list(job), [float(n) for n in range(50)])

    def test_they_read_and_write_memory(self) -> None:
        def shout(call: wasmburst.HostCall) -> int:
            self.assertEqual(call.data, (b"be",))
            call.write(call.args[0], call.data[0].upper())
            return len(call.data[0])

        function = wasmburst.HostFunction(shout, reads=(wasmburst.Bytes(0, length=1),))
        job = self.client.map(CALLER, "loud", range(3), imports=self.imports(**{"env.shout": function}))
        self.assertEqual(list(job), [ord("B") + ord("E")] * 3)

    def test_each_call_is_made_once_also_where_the_stream_breaks(self) -> None:
        path, proxy = self.cutting_proxy(30_000)
        things: list[int] = []

        def price(thing: int, rate: float) -> float:
            things.append(thing)
            return 1.0

        with wasmburst.Client(f"unix://{path}") as client:
            job = client.map(CALLER, "cost", range(3000), 1, imports=self.imports(**{"env.price": price}))
            self.assertEqual(job.numpy(120).tolist(), [1.0] * 3000)
        self.assertEqual(proxy.cuts, 1)
        self.assertEqual(sorted(things), list(range(3000)))

    def test_what_a_function_raises_traps_its_call(self) -> None:
        def price(thing: int, rate: float) -> object:
            if thing == 1:
                raise ValueError("not for sale")
            return "free" if thing == 2 else 1.0

        job = self.client.map(CALLER, "cost", range(4), 1, failed=-1, imports=self.imports(**{"env.price": price}))
        self.assertEqual(list(job), [1.0, -1.0, -1.0, 1.0])
        failed = {one.instance: one.trap.host_error for one in job.failures()}
        self.assertEqual(failed[1], "ValueError: not for sale")
        self.assertIn("[free]", failed[2].replace("'", ""))


if __name__ == "__main__":
    unittest.main()
