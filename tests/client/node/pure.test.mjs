// What needs no daemon: the encoding of columns, how a daemon is chosen, errors.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";

import { part } from "./harness.mjs";

const { numberColumn, range, Range } = await part("columns.js");
const { chooseEndpoint, readContexts, targetOf } = await part("endpoint.js");
const { columnsToUpload, requestBytes } = await part("inputs.js");
const { readMessage } = await part("chunks.js");
const { resultsOf } = await part("results.js");
const { fromValue, toValue, typesOfResults } = await part("values.js");
const { methodOf } = await part("connection.js");
const { bytesField } = await part("wire.js");

// What the daemon reads of a column that is bytes.
function read(column) {
  const bytes = requestBytes({ request_id: "r", job: { instances: 2 } }, [column.parts]);
  return methodOf("Jobs.CreateJob").requestDeserialize(bytes).job.columns[0];
}

test("an array is the list that protobuf would write", () => {
  const column = read(numberColumn([1, -2n, 2 ** 53 - 1], "I64", "x"));
  assert.equal(column.list.type, "I64");
  assert.deepEqual(column.list.bits64, ["1", (2n ** 64n - 2n).toString(), (2 ** 53 - 1).toString()]);
  assert.deepEqual(read(numberColumn(new Float32Array([0.5]), "F32", "x")).list.bits32, [0x3f000000]);
  assert.deepEqual(read(numberColumn([2 ** 32 - 1], "I32", "x")).list.bits32, [2 ** 32 - 1]);
});

test("a range is a rule", () => {
  const column = numberColumn(range(7, 100, 3), "I32", "x").object;
  assert.deepEqual([column.range.start.i32, column.range.step.i32], [7, 3]);
  assert.deepEqual([range(0, 10, 3).length, range(3, 0, -1).length, range(5, 5).length], [4, 3, 0]);
  assert.throws(() => new Range(0, 1.5), /integers/);
});

test("what does not fit is named", () => {
  for (const [values, type] of [[[2 ** 32], "I32"], [[1.5], "I64"], [["a"], "I32"], [[1], "V128"]]) {
    assert.throws(() => numberColumn(values, type, "argument 0"), /argument 0/);
  }
  assert.equal(fromValue({ kind: "i64", ...toValue(2n ** 64n - 1n, "I64") }), -1n);
  assert.deepEqual(typesOfResults("() -> (i64, f64)"), ["I64", "F64"]);
  assert.equal(typesOfResults("() -> externref"), null);
});

const value = (field) => ({ end: "RETURNED", steps: [{ values: [{ [field]: 0 }] }] });
const message = () => ({
  cursor: "c",
  counts: { instances: 9, finished: 5 },
  columns: [
    {
      instances: [{ first: 3, count: 2 }, { first: 0, count: 3 }],
      fuel: [5, 6, 7, 8, 9],
      shapes: [value("i32"), value("i64"), { end: "TRAPPED" }],
      runs: [[0, 1], [1, 1], [2, 1], [0, 2]].map(([shape, rows]) => ({ shape, rows })),
      words: [1, 2 ** 32 - 1, 2 ** 32 - 1, 4, 5],
      extras: [{ row: 1, output: { name: "stdout", data: Buffer.from("hi") } }],
    },
  ],
});
const serialised = (one) => methodOf("Jobs.ReadResults").responseSerialize(one);

test("rows are what columns say", () => {
  const whole = readMessage(serialised(message()));
  assert.deepEqual([whole.cursor, whole.counts.finished], ["c", "5"]);
  const rows = [...resultsOf(whole.chunks[0])];
  assert.deepEqual(rows.map((row) => row.instance), [3, 4, 0, 1, 2]);
  assert.deepEqual(rows.map((row) => row.values), [[1], [-1n], [], [4], [5]]);
  assert.deepEqual(rows.map((row) => row.fuel), [5n, 6n, 7n, 8n, 9n]);
  assert.equal(rows[1].outputs.stdout.toString(), "hi");
});

test("damaged columns are an error", () => {
  for (const field of ["words", "fuel", "instances"]) {
    const damaged = message();
    damaged.columns[0][field].pop();
    assert.throws(() => readMessage(serialised(damaged)), { reason: "INTERNAL" }, field);
  }
  assert.throws(() => readMessage(serialised(message()).subarray(0, -3)), { reason: "INTERNAL" });
  assert.throws(() => readMessage(Buffer.concat(bytesField(6, bytesField(5, [Buffer.alloc(3)])))), { reason: "INTERNAL" });
});

test("the longest columns are uploaded", () => {
  const sizes = [2000, 9000, 10, 5000];
  assert.deepEqual(columnsToUpload(sizes, 1 << 20), []);
  assert.deepEqual(columnsToUpload(sizes, 8000), [1]);
  assert.deepEqual(columnsToUpload(sizes, 1), [0, 1, 3]);
});

test("every reason has advice", () => {
  const named = readFileSync(process.env.WASMBURST_ERRORS, "utf8").match(/(?<=^WB_ERROR\(\w+, ")\w+/gm);
  const file = path.join(process.env.WASMBURST_NODE, "generated/advice.json");
  assert.deepEqual(Object.keys(JSON.parse(readFileSync(file, "utf8"))), named);
});

test("the daemon is chosen as wasmburstctl chooses", (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "wb_node_"));
  t.after(() => rmSync(folder, { recursive: true }));
  const token = path.join(folder, "my.token");
  writeFileSync(token, "wbt_of_lab\n", { mode: 0o600 });
  mkdirSync(path.join(folder, "wasmburst"));
  const text = `# names\ncurrent = 'lab'\n\n[context.lab]\naddr = 'tls://gpu1:7443'\ntoken_file = "${token}"\n
[context.'a.b']\naddr = 'unix:///other.sock'\n`;
  writeFileSync(path.join(folder, "wasmburst/contexts.toml"), text);
  const choose = (options, variables) => chooseEndpoint(options, { XDG_CONFIG_HOME: folder, ...variables });
  assert.equal(chooseEndpoint({}, {}).address, "unix:///run/wasmburst/wasmburstd.sock");
  assert.equal(choose({}).token, "wbt_of_lab");
  const variable = choose({}, { WASMBURST_ADDR: "unix:///v.sock", WASMBURST_TOKEN: "wbt_v" });
  assert.deepEqual([variable.address, variable.token], ["unix:///v.sock", "wbt_v"]);
  assert.equal(choose({ context: "lab" }, { WASMBURST_TOKEN: "wbt_v" }).token, "wbt_of_lab");
  assert.equal(choose({ context: "a.b" }, { WASMBURST_ADDR: "unix:///v.sock" }).address, "unix:///other.sock");
  assert.equal(choose({ address: "unix:///a" }, {}).token, "");
  chmodSync(token, 0o644);
  assert.throws(() => choose({}), /chmod 600/);
  assert.throws(() => choose({ context: "none" }), /no context/);
  assert.throws(() => choose({ address: "http://a:1" }), /none of unix/);
  assert.throws(() => choose({ address: "tcp://10.0.0.1:1" }, { WASMBURST_TOKEN: "wbt_v" }), /plain text/);
  assert.throws(() => readContexts("addr = 1\n", "f"), /f:1:/);
  assert.equal(targetOf("tls://[::1]:5"), "ipv6:[::1]:5");
});
