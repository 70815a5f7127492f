"""What needs no daemon: the encoding of columns, how a daemon is chosen, errors, progress."""

import io
import os
import pathlib
import re
import sys
import tempfile
import types
import unittest
from unittest import mock

import numpy as np

from wasmburst import Progress, WasmburstError, chunks, columns, endpoint, errors, host_calls, inputs, progress
from wasmburst.results import results_of_chunk
from wasmburst.v1 import host_calls_pb2, jobs_pb2, program_pb2, results_pb2
from wasmburst.wire import Parts
from wasmburst.values import F64, I32, I64, from_value, to_value, types_of_results

ROOT = pathlib.Path(__file__).resolve().parents[3]


def message(column: Parts) -> program_pb2.Column:
    return program_pb2.Column.FromString(b"".join(column))


class Columns(unittest.TestCase):
    def test_an_array_is_the_list_that_protobuf_would_write(self) -> None:
        column = message(columns.number_column(np.array([1, -2, 3]), I64, "x"))
        self.assertEqual(list(column.list.bits64), [1, 2**64 - 2, 3])
        column = message(columns.number_column([0.5, -0.0], F64, "x"))
        self.assertEqual(list(column.list.bits64), [0x3FE0000000000000, 0x8000000000000000])

    def test_a_range_is_a_rule(self) -> None:
        column = message(columns.number_column(range(7, 100, 3), I32, "x"))
        self.assertEqual((column.range.start.i32, column.range.step.i32), (7, 3))

    def test_integers_may_be_unsigned(self) -> None:
        column = message(columns.number_column([2**32 - 1], I32, "x"))
        self.assertEqual(list(column.list.bits32), [2**32 - 1])
        self.assertEqual(from_value(to_value(2**64 - 1, I64)), -1)

    def test_what_does_not_fit_is_named(self) -> None:
        for values, kind in (([2**32], I32), ([1.5], I64), (["a"], F64), ([[1]], I32), ("ab", I32)):
            with self.subTest(values=values), self.assertRaises(WasmburstError) as caught:
                columns.number_column(values, kind, "argument 0")
            self.assertIn("argument 0", str(caught.exception))

    def test_types_of_results(self) -> None:
        self.assertEqual(types_of_results("(i32, i64) -> i32"), [I32])
        self.assertEqual(types_of_results("() -> (i64, f64)"), [I64, F64])
        self.assertEqual(types_of_results("() -> ()"), [])
        self.assertIsNone(types_of_results("() -> externref"))


def returned(*values: object) -> results_pb2.InstanceResult:
    shape = results_pb2.InstanceResult(end=results_pb2.RETURNED, device="cpu0")
    step = shape.steps.add()
    for value in values:
        step.values.append(value)
    return shape


class Chunks(unittest.TestCase):
    def message(self) -> jobs_pb2.ReadResultsResponse:
        message = jobs_pb2.ReadResultsResponse(cursor="c", counts=jobs_pb2.Counts(instances=9, finished=5))
        one = message.columns.add(fuel=[5, 6, 7, 8, 9], words=[1, 2**32 - 1, 2**32 - 1, 4, 5])
        one.instances.add(first=3, count=2)
        one.instances.add(first=0, count=3)
        one.shapes.append(returned(program_pb2.Value(i32=0)))
        one.shapes.append(returned(program_pb2.Value(i64=0)))
        one.shapes.append(results_pb2.InstanceResult(end=results_pb2.TRAPPED))
        for shape, rows in ((0, 1), (1, 1), (2, 1), (0, 1), (0, 1)):
            one.runs.add(shape=shape, rows=rows)
        one.extras.add(row=1, output=results_pb2.Output(name="stdout", data=b"hi"))
        return message

    def test_rows_are_what_columns_say(self) -> None:
        read = chunks.read_message(self.message().SerializeToString())
        self.assertEqual((read.head.cursor, read.head.counts.finished), ("c", 5))
        rows = list(results_of_chunk(read.chunks[0]))
        self.assertEqual([row.instance for row in rows], [3, 4, 0, 1, 2])
        self.assertEqual([row.values for row in rows], [(1,), (-1,), (), (4,), (5,)])
        self.assertEqual([row.fuel for row in rows], [5, 6, 7, 8, 9])
        self.assertEqual(rows[1].outputs, {"stdout": b"hi"})
        self.assertEqual([row.returned for row in rows], [True, True, False, True, True])

    def test_damaged_columns_are_an_error(self) -> None:
        for change in ("words", "fuel", "instances"):
            message = self.message()
            getattr(message.columns[0], change).pop()
            with self.subTest(change=change), self.assertRaises(WasmburstError) as caught:
                chunks.read_message(message.SerializeToString())
            self.assertEqual(caught.exception.reason, "INTERNAL")
        data = self.message().SerializeToString()
        with self.assertRaises(WasmburstError):
            chunks.read_message(data[:-3])

    def test_a_field_in_parts_is_one(self) -> None:
        halves = [results_pb2.ResultColumns(fuel=[1], words=[1]), results_pb2.ResultColumns(fuel=[2], words=[2])]
        rest = results_pb2.ResultColumns()
        rest.instances.add(first=0, count=2)
        rest.shapes.append(returned(program_pb2.Value(i32=0)))
        rest.runs.add(rows=2)
        data = halves[0].SerializeToString() + rest.SerializeToString() + halves[1].SerializeToString()
        chunk = chunks.read_chunk(memoryview(data))
        self.assertEqual(chunk.values([I32])[0].tolist(), [1, 2])


class Endpoints(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "wasmburst").mkdir()
        self.token = self.folder / "my.token"
        self.token.write_text("wbt_of_lab\n")
        self.token.chmod(0o600)
        (self.folder / "wasmburst/contexts.toml").write_text(
            f'current = "lab"\n[context.lab]\naddr = "tls://gpu1:7443"\ntoken_file = "{self.token}"\nca = "/ca.pem"\n'
            '[context.other]\naddr = "unix:///other.sock"\n'
        )
        self.environment = {"XDG_CONFIG_HOME": str(self.folder)}

    def choose(self, address: str = "", context: str = "", **variables: str) -> endpoint.Endpoint:
        return endpoint.choose_endpoint(address, context=context, environment=self.environment | variables)

    def test_the_order_is_that_of_wasmburstctl(self) -> None:
        self.assertEqual(endpoint.choose_endpoint(environment={}).address, endpoint.DEFAULT_ADDRESS)
        in_use = self.choose()
        self.assertEqual((in_use.address, in_use.token, in_use.ca), ("tls://gpu1:7443", "wbt_of_lab", "/ca.pem"))
        variable = self.choose(WASMBURST_ADDR="unix:///v.sock", WASMBURST_TOKEN="wbt_v")
        self.assertEqual((variable.address, variable.token), ("unix:///v.sock", "wbt_v"))
        self.assertEqual(self.choose(context="lab", WASMBURST_TOKEN="wbt_v").token, "wbt_of_lab")
        self.assertEqual(self.choose(context="other", WASMBURST_ADDR="unix:///v.sock").address, "unix:///other.sock")
        self.assertEqual(self.choose("unix:///a.sock", WASMBURST_ADDR="unix:///v.sock").token, "")

    def test_what_is_wrong_is_said(self) -> None:
        self.token.chmod(0o644)
        for words, call in (
            ("chmod 600", lambda: self.choose()),
            ("no context", lambda: self.choose(context="none")),
            ("none of unix", lambda: self.choose("http://a:1")),
            ("plain text", lambda: self.choose("tcp://10.0.0.1:1", WASMBURST_TOKEN="wbt_v")),
            ("holds no token", lambda: self.choose("unix:///a", WASMBURST_TOKEN="secret")),
        ):
            with self.subTest(words=words), self.assertRaises(WasmburstError) as caught:
                call()
            self.assertIn(words, str(caught.exception))

    def test_targets(self) -> None:
        for address, target in (
            ("tcp://127.0.0.1:5", "ipv4:127.0.0.1:5"),
            ("tls://gpu1:5", "dns:///gpu1:5"),
            ("tls://[::1]:5", "ipv6:[::1]:5"),
        ):
            self.assertEqual(endpoint.Endpoint(address).target, target)


class Others(unittest.TestCase):
    def test_every_reason_has_advice(self) -> None:
        named = re.findall(r'^WB_ERROR\(\w+, "(\w+)"', (ROOT / "compiler/base/errors.def").read_text(), re.MULTILINE)
        self.assertEqual(sorted(errors.ADVICE), sorted(named))

    def test_the_longest_columns_are_uploaded(self) -> None:
        sizes = [2000, 9000, 10, 5000]
        self.assertEqual(inputs.columns_to_upload(sizes, 1 << 20), [])
        self.assertEqual(inputs.columns_to_upload(sizes, 8000), [1])
        self.assertEqual(inputs.columns_to_upload(sizes, 1), [0, 1, 3])

    def test_columns_that_are_bytes_stand_behind_those_of_the_job(self) -> None:
        request = jobs_pb2.CreateJobRequest(job=jobs_pb2.Job(instances=2), request_id="r")
        data = inputs.request_bytes(request, [columns.bytes_column([b"a", b""]), columns.number_column(7, I32, "x")])
        read = jobs_pb2.CreateJobRequest.FromString(data)
        self.assertEqual((read.request_id, read.job.instances), ("r", 2))
        self.assertEqual(list(read.job.columns[0].bytes.values), [b"a", b""])
        self.assertEqual(read.job.columns[1].constant.i32, 7)

    def test_a_call_that_comes_again_is_not_made_again(self) -> None:
        ledger = host_calls.Ledger()
        call = host_calls_pb2.HostCall(instance=1, number=0)
        self.assertEqual(ledger.take(call), (True, None))
        self.assertEqual(ledger.take(call), (False, None))
        answer = host_calls_pb2.HostAnswer(instance=1, number=0, error="no")
        ledger.put(answer)
        self.assertEqual(ledger.take(call), (False, answer))

    def test_progress_is_shown_in_one_line_and_as_html(self) -> None:
        file = io.StringIO()
        view = progress.TerminalView(file)
        view.show(Progress("jobs/a", "RUNNING", 10, 5, 2))
        view.close(Progress("jobs/a", "FAILED", 10, 6, 0))
        lines = file.getvalue().split("\r")
        self.assertEqual(lines[1], "jobs/a RUNNING: 5 of 10 instances, 2 failed")
        self.assertEqual(len(lines[2].rstrip("\n")), len(lines[1]))
        self.assertIn('<progress value="5" max="10">', Progress("a<b", "RUNNING", 10, 5, 0)._repr_html_())
        self.assertIn("a&lt;b", Progress("a<b", "RUNNING", 10, 5, 0)._repr_html_())

    def test_in_a_notebook_it_is_shown_again_in_its_place(self) -> None:
        display = types.ModuleType("IPython.display")
        handle = mock.Mock()
        display.display = mock.Mock(return_value=handle)  # type: ignore[attr-defined]
        ipython = types.ModuleType("IPython")
        ipython.get_ipython = lambda: mock.Mock(kernel=object())  # type: ignore[attr-defined]
        first, last = Progress("jobs/a", "QUEUED", 10, 0, 0), Progress("jobs/a", "SUCCEEDED", 10, 10, 0)
        with mock.patch.dict(sys.modules, {"IPython": ipython, "IPython.display": display}):
            view = progress.choose_view(first)
            assert view is not None
            for _ in range(3):  # no more often than people see
                view.show(first)
            view.close(last)
        display.display.assert_called_once_with(first, display_id=True)
        self.assertEqual(handle.update.call_args_list, [mock.call(first), mock.call(last)])

    def test_modules_that_are_none_are_refused_here(self) -> None:
        from wasmburst.modules import read_source

        with self.assertRaisesRegex(WasmburstError, "wat2wasm"):
            read_source(b"(module)")
        with self.assertRaisesRegex(WasmburstError, "cannot be read"):
            read_source(os.devnull + "/none")


if __name__ == "__main__":
    unittest.main()
