// Imports of a module that functions answer.

import { status as codes } from "@grpc/grpc-js";

import { errorOfCall, invalid } from "./errors.js";
import { fromValue, toValue, typesOfResults } from "./values.js";

const LASTS = 5000; // milliseconds after which a stream has made progress
const MOST_KEPT = 1 << 16; // answers that were sent and may have to be sent again

// A function that is called with {instance, number, args, data, write(pointer, bytes)}. `reads`: memory that goes
// with each call, as `data`: {pointer: ARGUMENT} with `length: ARGUMENT` or `size: BYTES`, else up to a zero byte.
export class HostFunction {
  constructor(call, { reads = [] } = {}) {
    this.call = call;
    this.reads = reads;
  }
}

function bytesOfRead({ pointer, length, size }) {
  if (length !== undefined) return { pointer, length_argument: length };
  return size !== undefined ? { pointer, constant_length: size } : { pointer, until_zero: true };
}

export function bindingsOf(imports) {
  return Object.entries(imports).map(([name, one]) => {
    if (typeof one !== "function" && !(one instanceof HostFunction)) {
      throw invalid(`The import [${name}] is given [${one}], which is no function.`);
    }
    return { import: name, host: { bytes: (one.reads ?? []).map(bytesOfRead) } };
  });
}

function resultsOf(name, types, returned) {
  const values = returned === undefined ? [] : Array.isArray(returned) ? returned : [returned];
  if (types === null || values.length !== types.length) {
    throw new TypeError(`the import ${name} has ${types?.length} results, and the function returned ${values.length}`);
  }
  return values.map((value, i) => toValue(value, types[i]));
}

// Answers the calls of one job until it has ended.
export class HostCallServer {
  #connection;
  #job;
  #imports;
  #types;
  #answers = new Map(); // by instance and number; null: it is being answered
  #stream = null;

  constructor(connection, job, imports, module) {
    this.#connection = connection;
    this.#job = job;
    this.#imports = imports;
    this.#types = Object.fromEntries(
      Object.entries(module.imports).map(([name, type]) => [name, typesOfResults(type)]),
    );
  }

  // Ends when the job has; throws what keeps its calls from being answered.
  async run() {
    let isReopened = false;
    for (let attempt = 1; ; ++attempt) {
      const { error, progressed } = await this.#serveStream();
      const isLate = error?.reason === "INVALID_ARGUMENT" && error.details.field === "answers";
      if (!error || error.reason === "JOB_TERMINAL" || isLate) return;
      if (progressed) {
        attempt = 1;
        isReopened = true;
      }
      // The daemon may not have seen yet that the stream before has broken.
      const mayPass = error.reason === "UNAVAILABLE" || (isReopened && error.reason === "HOST_CALLS_SERVED");
      if (!mayPass || attempt >= this.#connection.patience.attempts) throw error;
      await this.#connection.wait(this.#connection.pauseAfter(attempt));
    }
  }

  async #serveStream() {
    const opened = Date.now();
    let progressed = false;
    const stream = (this.#stream = this.#connection.openDuplex("Jobs.ServeHostCalls"));
    stream.write({ job: this.#job });
    try {
      for await (const { calls } of stream) {
        progressed ||= calls.length > 0 || Date.now() - opened > LASTS;
        for (const call of calls) this.#take(call);
      }
      return { error: null, progressed };
    } catch (error) {
      if (error.code === codes.CANCELLED) return { error: null, progressed };
      return { error: errorOfCall(error, this.#connection.endpoint.address), progressed };
    } finally {
      this.#stream = null;
      stream.cancel();
    }
  }

  #take(call) {
    const key = `${call.instance}.${call.number}`;
    const answer = this.#answers.get(key);
    if (answer) this.#send(answer);
    if (answer !== undefined) return;
    this.#answers.set(key, null);
    this.#answer(call).then((made) => {
      this.#answers.delete(key);
      this.#answers.set(key, made);
      this.#forget();
      this.#send(made);
    });
  }

  #forget() {
    for (const [key, answer] of this.#answers) {
      if (this.#answers.size <= MOST_KEPT || answer === null) return;
      this.#answers.delete(key);
    }
  }

  // Where the stream broke meanwhile the call comes again, and is given this answer.
  #send(answer) {
    this.#stream?.write({ job: this.#job, answers: [answer] });
  }

  async #answer(call) {
    const { instance, number } = call;
    try {
      const writes = [];
      const returned = await this.#run(call, writes);
      return { instance, number, writes, results: resultsOf(call.import, this.#types[call.import] ?? null, returned) };
    } catch (error) {
      return { instance, number, error: String(error) }; // it traps the call
    }
  }

  #run(call, writes) {
    const one = this.#imports[call.import];
    const args = call.args.map(fromValue);
    if (typeof one === "function") return one(...args);
    const write = (pointer, data) => writes.push({ pointer, data: Buffer.from(data) });
    return one.call({ instance: Number(call.instance), number: Number(call.number), args, data: call.bytes, write });
  }
}
