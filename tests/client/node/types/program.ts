// A program of TypeScript with every name of the package: its types are checked, and it is run.
// A line under @ts-expect-error is one that must not pass.

import {
  Client, ConnectionFailed, HostFunction, InstanceFailed, Job, JobFailed, MapJob, Module, ProgramResult, Range, Result,
  RunJob, WasmburstError, range,
} from "wasmburst";
import type {
  Answer, Argument, CallOptions, ClientOptions, Content, Each, HostCall, Import, JobOptions, MapOptions, Progress, Read,
  RunOptions, Source, Trap, Value, ValueArray,
} from "wasmburst";

export interface Guests { guest: string; caller: string; program: string }
type Check = (what: boolean, words: string) => void;

async function calls(client: Client, source: Source, check: Check) {
  const module: Module = await client.module(source);
  const { params, results } = module.functions["both"];
  check(params.join() === "I32" && results.join() === "I64,F64", `both takes ${params} and gives ${results}`);
  const said: Progress[] = [];
  const common: JobOptions = { onProgress: (progress) => said.push(progress), signal: new AbortController().signal };
  const options: MapOptions = { ...common, failed: -1, limits: { max_fuel: 1_000_000 }, placement: "auto", labels: { of: "types" } };
  const numbers: Range = range(0, 6, 2);
  check(numbers.start === 0 && numbers.step === 2 && numbers.length === 3 && numbers.at(2) === 4, "a range");
  const argument: Argument = numbers;
  const job: MapJob = await client.map(module, "double", [argument], options);
  const values: (Value | Value[])[] = [];
  for await (const value of job) values.push(value);
  check(values.join() === "0,4,8", `twice the numbers are ${values}`);
  const array: ValueArray | ValueArray[] = await job.result();
  check(array instanceof Int32Array && array.length === 3, "values of i32 are an Int32Array");
  for await (const [row, value] of job.asCompleted()) check(value === 4 * row, `row ${row} is ${value}`);
  for await (const one of job.failures()) check(false, one.describe());
  check(job.done && job.progress.finished === 3 && said.at(-1)?.state === "SUCCEEDED", "progress of an ended job");
  const big = await (await client.map(source, "add", [new BigInt64Array([1n, 2n]), 3n])).result();
  check(big instanceof BigInt64Array && big[1] === 5n, "values of i64 are a BigInt64Array");
}

async function results(client: Client, source: Source, check: Check) {
  const message = { instances: 1, steps: [{ call: { function: "divide", args: [{ constant: { i32: 1 } }, { constant: { i32: 0 } }] } }] };
  const job: Job = await client.submit(message, source);
  const again: Job = await client.attach(job.name);
  check(again.name === job.name && job.instances === 1, "a job is found by its name");
  for await (const one of job) {
    check(one instanceof Result && one.end === "TRAPPED" && !one.returned, one.describe());
    const trap: Trap | null = one.trap;
    check(trap?.code === "DIVIDE_BY_ZERO" && typeof trap.offset === "number", `the trap is ${trap?.code}`);
    check(typeof one.fuel === "bigint" && one.values.length === 0 && one.attempt === 1, "fuel is a bigint");
    check(typeof one.memoryPages === "number" && one.device !== "" && one.exitCode === 0, "where it ran");
    check(Object.keys(one.outputs).length === 0 && one.instance === 0, "no output");
    check(new InstanceFailed(one).result === one && new ProgramResult(one).exitCode === 134, "made of a result");
  }
  for await (const one of job.results()) check(one.instance === 0, "the one instance");
  check((await job.result()).length === 1, "all results");
  check((await job.ended)["state"] === "SUCCEEDED" && (await job.get())["name"] === job.name, "its message");
  check(!(await job.cancel()), "an ended job is not cancelled");
  await again.ended;
  await job.delete();
}

async function programs(client: Client, source: Source, check: Check) {
  const content: Content = "text";
  const each: Each = [content, new TextEncoder().encode("bytes")];
  const options: RunOptions = { stdin: each, env: { NAME: "value" }, files: {}, outputs: ["out.txt"], instances: 2, seed: 7n };
  const job: RunJob = await client.run(source, ["echo"], options);
  for await (const one of job) {
    check(one instanceof ProgramResult && one.text === ["text", "bytes"][one.instance], one.text);
    check(one.exitCode === 7 && one.stdout.length > 0 && one.stderr.length > 0 && one.trap === null, "how it ended");
    check(Object.keys(one.files).length === 0 && one.result.end === "EXITED", `it ended ${one.result.end}`);
  }
  let count = 0;
  for await (const one of job.asCompleted()) count += one.text.length;
  check(count === 9 && (await job.result()).length === 2, `${count} letters`);
}

async function imports(client: Client, source: Source, check: Check) {
  const reads: Read[] = [{ pointer: 0, length: 1 }];
  const shout = new HostFunction((call: HostCall) => {
    check(call.instance >= 0 && call.number >= 0 && call.data.length === 1, "what a call has");
    call.write(Number(call.args[0]), "LOUD");
    return call.data[0].length;
  }, { reads });
  const price: Import = async (thing: number, rate: number): Promise<Answer> => thing * rate;
  const options: CallOptions = { imports: { "env.price": price, "env.shout": shout } };
  check((await client.module(source)).imports["env.price"] !== undefined, "the module's imports");
  const cost = await (await client.map(source, "cost", [range(0, 3), 4], options)).result();
  check(cost instanceof Float64Array && cost[2] === 2, `what two cost is ${cost}`);
  const loud = await (await client.map(source, "loud", [0], options)).result();
  check(loud instanceof Int32Array, "a function that reads and writes memory");
}

async function errors(client: Client, guest: Source, check: Check) {
  const nowhere: ClientOptions = { address: "unix:///nowhere/daemon.sock", patience: { attempts: 1, timeout: 1000, firstPause: 1 } };
  const away = new Client(nowhere);
  const failed = await away.serverInfo().then(() => null, (error: unknown) => error);
  check(failed instanceof ConnectionFailed && failed.mayRetry && failed.advice !== "", "nobody answers");
  away.close();
  const refused = await client.map(guest, "no such", []).then(() => null, (error: unknown) => error);
  check(refused instanceof WasmburstError && refused.reason === "ENTRY_POINT_NOT_FOUND" && refused.retryAfter === null, "a wrong name");
  const made = new JobFailed("CANCELLED", "Nobody wants it.", { job: "none" }, 2);
  check(made.details["job"] === "none" && made.retryAfter === 2 && made.mayRetry, "an error that is made");
}

export async function main(guests: Guests, check: Check) {
  const client = new Client();
  const { tenant, role } = await client.whoami();
  check(client.address !== "" && typeof tenant === "string" && role !== "", "who asks");
  check(typeof (await client.serverInfo())["version"] === "string", "who answers");
  await calls(client, guests.guest, check);
  await results(client, guests.guest, check);
  await programs(client, guests.program, check);
  await imports(client, guests.caller, check);
  await errors(client, guests.guest, check);
  client.close();
}

// What the types refuse. Nobody calls it.
export async function refused(client: Client) {
  // @ts-expect-error: no such option
  new Client({ adress: "unix:///run/daemon.sock" });
  // @ts-expect-error: no such place
  await client.map("guest.wasm", "double", [1], { placement: "moon" });
  // @ts-expect-error: a text is no argument of a function
  await client.map("guest.wasm", "double", ["1"]);
  // @ts-expect-error: a number is no argument of a program
  await client.run("program.wasm", [1]);
  // @ts-expect-error: modules come from the daemon
  new Module();
  // @ts-expect-error: a result stays as it is
  for await (const one of await client.attach("01")) one.instance = 7;
  const job = await client.run("program.wasm");
  // @ts-expect-error: only calls have values
  job.failures();
  // @ts-expect-error: a range is of numbers
  range("a", "b");
}
