// What instances leave behind, one by one.

import { WORDS_OF_FIELD, fromWords } from "./values.js";

const NOWHERE = 0xffffffff;

export class Result {
  constructor(chunk, row, shapeIndex, firstWord, instance, outputs) {
    const shape = chunk.shapes[shapeIndex];
    this.instance = instance;
    this.end = shape.end; // "RETURNED", "TRAPPED", "EXITED", "OUT_OF_FUEL"... (results.proto)
    this.values = []; // of all calls, in their order
    for (const field of chunk.fields[shapeIndex]) {
      this.values.push(fromWords(field, chunk.words, firstWord));
      firstWord += WORDS_OF_FIELD[field];
    }
    this.outputs = outputs; // bytes by name
    this.fuel = chunk.fuel[row]; // a bigint
    this.exitCode = shape.exit_code;
    this.trap = shape.trap ? trapOf(shape.trap) : null;
    this.memoryPages = shape.memory_pages;
    this.attempt = shape.attempt;
    this.device = shape.device;
  }

  get returned() {
    return this.end === "RETURNED";
  }

  // How it ended, in words.
  describe() {
    const who = `instance ${this.instance}`;
    if (this.trap) {
      const where = this.trap.function ? ` in ${this.trap.function}` : "";
      const why = this.trap.hostError ? ` (${this.trap.hostError})` : "";
      return `${who} trapped${where}: ${this.trap.message}${why}`;
    }
    if (this.end === "EXITED") return `${who} exited with ${this.exitCode}`;
    return `${who} ended ${this.end} after ${this.fuel} instructions`;
  }
}

function trapOf(trap) {
  const index = trap.function === NOWHERE ? "" : `function ${trap.function}`;
  return {
    code: trap.code,
    message: trap.message,
    function: trap.function_name || index,
    offset: trap.offset,
    file: trap.file,
    line: trap.line,
    hostError: trap.host_error,
  };
}

// `wanted`: whether a result of that end is made.
export function* resultsOf(chunk, wanted = () => true) {
  const outputs = new Map();
  for (const { row, output } of chunk.extras) {
    if (!output) continue;
    if (!outputs.has(row)) outputs.set(row, {});
    outputs.get(row)[output.name] = output.data;
  }
  const instances = chunk.instances();
  for (const [row, shape, first] of chunk.rows()) {
    if (!wanted(chunk.shapes[shape].end)) continue;
    yield new Result(chunk, row, shape, first, instances[row], outputs.get(row) ?? {});
  }
}

export const failuresOf = (chunk) => (chunk.allReturned ? [] : resultsOf(chunk, (end) => end !== "RETURNED"));
