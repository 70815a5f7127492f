// Jobs that run a program: a module with `main`, for WASI, once for each input.

import { readFileSync } from "node:fs";

import { bytesColumn } from "./columns.js";
import { invalid } from "./errors.js";
import { Job } from "./jobs.js";

const TRAPPED = 134; // as a shell says of a program that was aborted

export class ProgramResult {
  constructor(result) {
    const { stdout, stderr, ...files } = result.outputs;
    this.instance = result.instance;
    // The program's own; 134 where it did not end by itself (`result` says how).
    this.exitCode = result.end === "RETURNED" || result.end === "EXITED" ? result.exitCode : TRAPPED;
    this.stdout = stdout ?? Buffer.alloc(0);
    this.stderr = stderr ?? Buffer.alloc(0);
    this.files = files; // the output files that there were
    this.trap = result.trap;
    this.result = result;
  }
  get text() {
    return this.stdout.toString();
  }
}

// Iterate over it for what each instance left behind, in the order of the inputs.
export class RunJob extends Job {
  async *asCompleted() {
    for await (const one of this.results()) yield new ProgramResult(one);
  }

  async *[Symbol.asyncIterator]() {
    const waiting = new Map();
    let at = 0;
    for await (const one of this.asCompleted()) {
      waiting.set(one.instance, one);
      for (; waiting.has(at); ++at) {
        yield waiting.get(at);
        waiting.delete(at);
      }
    }
  }

  async result() {
    return (await super.result()).map((one) => new ProgramResult(one));
  }
}

const isContent = (content) =>
  typeof content === "string" || ArrayBuffer.isView(content) || content instanceof URL;

// A text, bytes, or a file by its URL (node:url's pathToFileURL).
function bytesOf(content) {
  if (typeof content === "string") return Buffer.from(content);
  if (content instanceof URL) return readFileSync(content);
  if (ArrayBuffer.isView(content)) return Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  throw invalid(`[${content}] is neither text, bytes nor a file's URL.`);
}

// The command of a job, its columns, and how many instances these are for.
export class CommandBuilder {
  columns = [];
  #instances = null;

  instances(asked) {
    if (asked !== undefined) this.#count(asked, "instances");
    return this.#instances ?? 1;
  }

  #count(count, what) {
    if (this.#instances !== null && this.#instances !== count) {
      throw invalid(`${what} is for [${count}] instances, and what stands before it for [${this.#instances}].`);
    }
    this.#instances = count;
  }

  // The same for all instances, or a list with one for each.
  #operand(content, what, before = "") {
    const whole = (one) => Buffer.concat([Buffer.from(before), bytesOf(one)]);
    if (isContent(content)) return { constant: whole(content) };
    const values = [...content].map(whole);
    this.#count(values.length, what);
    this.columns.push(bytesColumn(values));
    return { column: this.columns.length - 1 };
  }

  command(name, args, { stdin, env = {}, files = {}, outputs = [], seed = 0 }) {
    return {
      args: [name, ...args].map((arg, i) => this.#operand(arg, `args[${i - 1}]`)),
      standard_input: stdin === undefined ? undefined : this.#operand(stdin, "stdin"),
      environment: Object.entries(env).map(([key, value]) => this.#operand(value, `env.${key}`, `${key}=`)),
      own_files: Object.entries(files).map(([path, data]) => ({
        path: { constant: Buffer.from(path) },
        data: this.#operand(data, `files[${path}]`),
      })),
      output_files: outputs,
      seed: String(seed),
    };
  }
}
