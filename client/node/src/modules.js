// Modules: files of WebAssembly that the daemon has.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { WasmburstError, invalid } from "./errors.js";

const CHUNK = 1 << 20;
const LARGEST_MESSAGE = 8 << 20; // longer modules go in chunks

// A module that the daemon has, and what it exports.
export class Module {
  constructor(message) {
    this.name = message.name; // "modules/sha256:..."
    this.functions = {}; // {params, results} by name
    for (const one of message.exports) {
      if (one.kind === "function") this.functions[one.name] = { params: one.params, results: one.results };
    }
    this.imports = {}; // of functions: "env.log", and the type in words
    for (const one of message.imports) {
      if (one.kind === "function") this.imports[`${one.module}.${one.name}`] = one.type;
    }
  }

  function(name) {
    if (Object.hasOwn(this.functions, name)) return this.functions[name];
    const known = Object.keys(this.functions).join(", ") || "none";
    throw new WasmburstError(
      "ENTRY_POINT_NOT_FOUND", `The module exports no function [${name}]; it exports ${known}.`,
    );
  }
}

function readSource(source) {
  let data = source;
  if (!ArrayBuffer.isView(source)) {
    try {
      data = readFileSync(source);
    } catch (error) {
      throw new WasmburstError("IO_ERROR", `The module [${source}] cannot be read (${error.code}).`);
    }
  }
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (!bytes.subarray(0, 4).equals(Buffer.from("\0asm"))) {
    throw invalid("What was given is no WebAssembly binary. `wat2wasm` (wabt) makes one of a text.");
  }
  return bytes;
}

// Sends a module once, as long as the daemon keeps it.
export class ModuleStore {
  #connection;
  #known = new Map();

  constructor(connection) {
    this.#connection = connection;
  }

  // A module's file (its path or URL), or its bytes.
  async push(source, again = false) {
    if (source instanceof Module) return source;
    const data = readSource(source);
    const digest = createHash("sha256").update(data).digest("hex");
    if (again || !this.#known.has(digest)) this.#known.set(digest, new Module(await this.#send(data)));
    return this.#known.get(digest);
  }

  #send(data) {
    if (data.length <= LARGEST_MESSAGE) return this.#connection.call("Modules.CreateModule", { wasm: data });
    return this.#connection.call("Modules.UploadModule", function* () {
      for (let at = 0; at < data.length; at += CHUNK) {
        yield { data: data.subarray(at, at + CHUNK), size_bytes: data.length };
      }
    });
  }
}
