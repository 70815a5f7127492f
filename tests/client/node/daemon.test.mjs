// The package against the real daemon.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import test, { after } from "node:test";
import { pathToFileURL } from "node:url";

import { CALLER, GUEST, PROGRAM, all, ctl, cuttingProxy, part, wasmburst } from "./harness.mjs";

const { Client, HostFunction, InstanceFailed, range } = wasmburst;
const client = new Client();
after(() => client.close());

function temporaryFolder(t) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "wb_node_"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

function collatz(n) {
  let steps = 0;
  for (; n > 1; ++steps) n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}

test("values come in the order of the inputs", async () => {
  const job = await client.map(GUEST, "steps", [range(1, 20001)]);
  const expected = Array.from({ length: 20000 }, (_, i) => collatz(i + 1));
  assert.deepEqual(await all(job), expected);
  assert.deepEqual(await job.result(), Int32Array.from(expected));
  assert.equal(new Map(await all(job.asCompleted())).get(26), collatz(27));
  assert.equal(job.progress.finished, 20000);
});

test("each type", async () => {
  const value = async (name, ...args) => (await client.map(GUEST, name, args)).result();
  assert.deepEqual(await value("double", [3, -4, 2 ** 31 - 1]), Int32Array.of(6, -8, -2));
  assert.deepEqual(await value("add", [2n ** 62n, -1], 2n ** 62n), BigInt64Array.of(-(2n ** 63n), 2n ** 62n - 1n));
  assert.deepEqual(await value("half32", [1.5, -0]), Float32Array.of(0.75, -0));
  assert.deepEqual(await value("half", new Float64Array([NaN, 1])), Float64Array.of(NaN, 0.5));
  assert.deepEqual(await value("both", range(-1, 1)), [BigInt64Array.of(-1n, 0n), Float64Array.of(-1, 0)]);
  assert.deepEqual(await all(await client.map(GUEST, "both", [[7]])), [[7n, 7]]);
  assert.deepEqual(await all(await client.map(GUEST, "none", [[1, 2]])), [[], []]);
});

test("an instance that traps throws where its value would stand, unless a value stands there", async () => {
  const job = await client.map(GUEST, "divide", [6, [1, 2, 0, 3]]);
  const values = job[Symbol.asyncIterator]();
  assert.deepEqual([(await values.next()).value, (await values.next()).value], [6, 3]);
  await assert.rejects(values.next(), /instance 2 trapped in divide: integer divide by zero/);
  await assert.rejects(job.result(), InstanceFailed);
  assert.deepEqual((await all(job.failures())).map((one) => one.trap.code), ["DIVIDE_BY_ZERO"]);
  const filled = await client.map(GUEST, "divide", [6, [1, 0, 3]], { failed: -1 });
  assert.deepEqual(await all(filled), [6, -1, 2]);
  assert.deepEqual(await filled.result(), Int32Array.of(6, -1, 2));
});

test("wrong calls are refused with advice", async () => {
  for (const [reason, call] of [
    ["ENTRY_POINT_NOT_FOUND", () => client.map(GUEST, "step", [1])],
    ["SIGNATURE_MISMATCH", () => client.map(GUEST, "steps", [1, 2])],
    ["INVALID_ARGUMENT", () => client.map(GUEST, "add", [[1, 2], [1, 2, 3]])],
    ["INVALID_ARGUMENT", () => client.map(GUEST, "double", [1], { placement: "moon" })],
    ["IMPORT_NOT_PROVIDED", () => client.map(CALLER, "cost", [1, 2])],
    ["NOT_FOUND", () => client.attach("01M7XB4YXR6WQHK65DXYC5HA18")],
  ]) {
    await assert.rejects(call, (error) => error.reason === reason && error.message.endsWith(error.advice), reason);
  }
});

test("long columns are uploaded", async () => {
  const { createJob } = await part("inputs.js");
  const { Connection } = await part("connection.js");
  const { numberColumn } = await part("columns.js");
  const connection = new Connection({ address: client.address, token: "" });
  const module = (await client.module(GUEST)).name;
  const job = { module, instances: 50_000, steps: [{ call: { function: "double", args: [{ column: 0 }] } }] };
  const column = numberColumn(Int32Array.from({ length: 50_000 }, (_, i) => i), "I32", "x");
  const begun = await createJob(connection, job, [column], 100_000);
  const results = await (await client.attach(begun.name)).result();
  assert.ok(results.every((one) => one.values[0] === one.instance * 2));
  connection.close();
});

test("a module that was deleted is sent again", async () => {
  ctl("module", "rm", (await client.module(GUEST)).name);
  assert.deepEqual(await all(await client.map(GUEST, "double", [1])), [2]);
});

test("a job is cancelled, by its method and by a signal", async () => {
  const job = await client.map(GUEST, "forever", [range(0, 10)]);
  assert.equal(await job.cancel(), true);
  await assert.rejects(job.result(), { reason: "CANCELLED" });
  assert.equal(await job.cancel(), false);
  const abort = new AbortController();
  const other = await client.map(GUEST, "forever", [[1]], { signal: abort.signal });
  abort.abort();
  await assert.rejects(other.ended, { reason: "CANCELLED" });
});

test("a job goes on when its client is closed", async () => {
  const other = new Client();
  const { name } = await other.map(GUEST, "double", [range(0, 1000)]);
  other.close();
  await assert.rejects(other.serverInfo(), { reason: "CANCELLED" });
  const results = await (await client.attach(name)).result();
  assert.deepEqual(results.map((one) => one.values[0]), Array.from({ length: 1000 }, (_, i) => i * 2));
});

test("a daemon that is not there", async () => {
  const nowhere = new Client({ address: "unix:///nowhere/daemon.sock", patience: { attempts: 2, firstPause: 10 } });
  await assert.rejects(nowhere.serverInfo(), /cannot be reached/);
  nowhere.close();
});

async function clientThatIsCut(t, cutAfter) {
  const file = path.join(temporaryFolder(t), "proxy.sock");
  const proxy = await cuttingProxy(file, client.address.slice("unix://".length), cutAfter);
  const other = new Client(`unix://${file}`);
  t.after(() => (other.close(), proxy.server.close()));
  return { proxy, other };
}

test("each call is made once, also where the stream breaks", async (t) => {
  const { proxy, other } = await clientThatIsCut(t, 30_000);
  const things = [];
  const price = (thing) => things.push(thing) && 1;
  const imports = { "env.price": price, "env.shout": () => 0 };
  const job = await other.map(CALLER, "cost", [range(0, 3000), 1], { imports });
  assert.deepEqual(await job.result(), new Float64Array(3000).fill(1));
  assert.equal(proxy.cuts, 1);
  assert.deepEqual(things.sort((one, two) => one - two), Array.from({ length: 3000 }, (_, i) => i));
});

test("a stream goes on where it broke", async (t) => {
  const { proxy, other } = await clientThatIsCut(t, 200_000);
  const job = await other.map(GUEST, "double", [range(0, 50_000)]);
  assert.ok((await job.result()).every((value, i) => value === 2 * i));
  assert.equal((await all(job.results())).length, 50_000); // none came twice
  assert.equal(proxy.cuts, 1);
});

test("progress is told; a token is who asks, by TLS too", async (t) => {
  const file = path.join(temporaryFolder(t), "lab.token");
  ctl("token", "create", "--tenant", "lab", "--role", "submitter", "--out", file);
  const lab = new Client({ tokenFile: file });
  t.after(() => lab.close());
  assert.equal((await lab.whoami()).tenant, "lab");
  const { WASMBURST_TLS: address, WASMBURST_CA: ca } = process.env;
  const far = new Client({ address, ca, tokenFile: file });
  t.after(() => far.close());
  assert.equal((await far.whoami()).tenant, "lab");
  const told = [];
  const job = await lab.map(GUEST, "double", [range(0, 100)], { onProgress: (progress) => told.push(progress) });
  assert.equal((await job.ended).state, "SUCCEEDED");
  assert.equal(told.at(-1).finished, 100);
  await job.delete();
});

test("a program for each input", async (t) => {
  const file = path.join(temporaryFolder(t), "three");
  writeFileSync(file, "of a file");
  const stdin = ["text", Buffer.from("bytes"), pathToFileURL(file)];
  const said = await all(await client.run(PROGRAM, ["echo"], { stdin }));
  assert.deepEqual(said.map((one) => one.text), ["text", "bytes", "of a file"]);
  assert.deepEqual(said.map((one) => one.exitCode), [7, 7, 7]);
  assert.equal(said[0].stderr.toString(), "to the error stream\n");
  const files = { "in.txt": ["one", "two"] };
  const copies = await all(await client.run(PROGRAM, ["copy"], { files, outputs: ["out.txt"] }));
  assert.deepEqual(copies.map((one) => one.files["out.txt"].toString()), ["one", "two"]);
  const [trapped] = await (await client.run(PROGRAM, ["trap"])).result();
  assert.deepEqual([trapped.exitCode, trapped.trap.code], [134, "UNREACHABLE"]);
  await assert.rejects(client.run(PROGRAM, [["a", "b"]], { stdin: ["x"] }), /stdin is for/);
});

test("functions answer imports, and read and write memory", async () => {
  const shout = new HostFunction(
    (call) => {
      call.write(call.args[0], call.data[0].toString().toUpperCase());
      return call.data[0].length;
    },
    { reads: [{ pointer: 0, length: 1 }] },
  );
  const price = async (thing, rate) => {
    if (thing === 1) throw new Error("not for sale");
    return thing * rate;
  };
  const imports = { "env.price": price, "env.shout": shout };
  const cost = await client.map(CALLER, "cost", [range(0, 50), 4], { imports, failed: -1 });
  assert.deepEqual(await cost.result(), Float64Array.from({ length: 50 }, (_, i) => (i === 1 ? -1 : i)));
  assert.equal((await all(cost.failures()))[0].trap.hostError, "Error: not for sale");
  const loud = await client.map(CALLER, "loud", [range(0, 3)], { imports });
  assert.deepEqual(await loud.result(), Int32Array.of(135, 135, 135));
});

test("a job that is written as a message", async () => {
  const job = {
    instances: 2,
    columns: [{ range: { start: { i32: 5 }, step: { i32: 1 } } }],
    steps: [{ call: { function: "double", args: [{ column: 0 }] } }],
  };
  const results = await (await client.submit(job, GUEST)).result();
  assert.deepEqual(results.map((one) => [one.end, ...one.values]), [["RETURNED", 10], ["RETURNED", 12]]);
});
