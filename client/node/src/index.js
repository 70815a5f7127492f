// WasmBurst from Node: a daemon, and what it can be asked to do.

import path from "node:path";

import { counted, lengthOf, numberColumn } from "./columns.js";
import { Connection } from "./connection.js";
import { chooseEndpoint } from "./endpoint.js";
import { WasmburstError, invalid } from "./errors.js";
import { HostCallServer, bindingsOf } from "./host_calls.js";
import { createJob } from "./inputs.js";
import { Job } from "./jobs.js";
import { MapJob } from "./maps.js";
import { Module, ModuleStore } from "./modules.js";
import { CommandBuilder, RunJob } from "./programs.js";

export { Range, range } from "./columns.js";
export { ConnectionFailed, InstanceFailed, JobFailed, WasmburstError } from "./errors.js";
export { HostFunction } from "./host_calls.js";
export { ProgramResult } from "./programs.js";
export { Result } from "./results.js";
export { Job, MapJob, Module, RunJob };

const MODULE_IS_GONE = ["MODULE_MISSING", "NOT_FOUND"];
const PLACEMENTS = ["AUTO", "CPU", "INTERPRETER", "GPU"];

function rowsOf(name, params, columns) {
  if (columns.length !== params.length) {
    throw new WasmburstError(
      "SIGNATURE_MISMATCH",
      `The function [${name}] takes [${params.length}] arguments, and [${columns.length}] were given.`,
    );
  }
  const lengths = new Set(columns.map(lengthOf).filter((length) => length !== null));
  if (lengths.size > 1) throw invalid(`The arguments have different lengths: ${[...lengths].join(", ")}.`);
  return [...lengths][0] ?? 1;
}

function configured(job, { placement = "AUTO", limits = {}, labels = {}, imports = {} }) {
  const where = placement.toUpperCase();
  if (!PLACEMENTS.includes(where)) {
    throw invalid(`The placement [${placement}] is none of auto, cpu, interpreter and gpu.`);
  }
  return { ...job, placement: where, limits, labels, bindings: bindingsOf(imports) };
}

const nameOf = (module) => (typeof module === "string" ? path.basename(module) : "program.wasm");

// A connection to wasmburstd. Without options it is for the daemon that wasmburstctl would ask.
export class Client {
  #connection;
  #modules;

  constructor(options = {}) {
    const chosen = typeof options === "string" ? { address: options } : options;
    this.#connection = new Connection(chooseEndpoint(chosen), chosen.patience);
    this.#modules = new ModuleStore(this.#connection);
  }

  get address() {
    return this.#connection.endpoint.address;
  }

  // Sends a module, unless this client has sent it before.
  module(source) {
    return this.#modules.push(source);
  }

  // Calls an exported function once for each row of its arguments.
  async map(module, name, args, options = {}) {
    const columns = args.map(counted);
    const pushed = await this.#modules.push(module);
    const called = pushed.function(name);
    const instances = rowsOf(name, called.params, columns);
    const sent = columns.map((column, i) => numberColumn(column, called.params[i], `argument ${i} of ${name}`));
    const call = { function: name, args: columns.map((_, column) => ({ column })) };
    const job = await this.#begin(module, configured({ instances, steps: [{ call }] }, options), sent);
    return this.#serve(new MapJob(this.#connection, job, called.results, options), options.imports, pushed);
  }

  // Runs a program with `main` once for each element of the lists that it is given, else once.
  async run(module, args = [], options = {}) {
    const builder = new CommandBuilder();
    const command = builder.command(nameOf(module), args, options);
    const pushed = await this.#modules.push(module);
    const wanted = configured({ instances: builder.instances(options.instances), command }, options);
    const job = await this.#begin(module, wanted, builder.columns);
    return this.#serve(new RunJob(this.#connection, job, options), options.imports, pushed);
  }

  // Begins a job that is written as a message of jobs.proto; `module` fills in its module.
  async submit(job, module, options = {}) {
    const begun = module ? await this.#begin(module, job) : await createJob(this.#connection, job);
    return new Job(this.#connection, begun, options);
  }

  // A job that was begun elsewhere, by its name.
  async attach(name, options = {}) {
    const full = name.startsWith("jobs/") ? name : `jobs/${name}`;
    return new Job(this.#connection, await this.#connection.call("Jobs.GetJob", { name: full }), options);
  }

  serverInfo() {
    return this.#connection.call("Admin.GetServerInfo", {});
  }

  // Who the daemon takes this client for.
  whoami() {
    return this.#connection.call("Tenants.GetCaller", {});
  }

  // The job as accepted. A module that the daemon has dropped meanwhile is sent again.
  async #begin(module, job, columns = []) {
    const begin = async (again) =>
      createJob(this.#connection, { ...job, module: (await this.#modules.push(module, again)).name }, columns);
    try {
      return await begin(false);
    } catch (error) {
      if (!MODULE_IS_GONE.includes(error.reason) || module instanceof Module) throw error;
      return begin(true);
    }
  }

  #serve(job, imports, module) {
    if (imports) {
      const server = new HostCallServer(this.#connection, job.name, imports, module);
      server.run().catch((error) => job.giveUp(error).catch(() => {}));
    }
    return job;
  }

  // Ends what is read. Jobs go on; `attach` finds them again by their names.
  close() {
    this.#connection.close();
  }
}
