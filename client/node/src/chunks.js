// Results as they come: messages of columns, read into arrays.

import { methodOf } from "./connection.js";
import { WasmburstError } from "./errors.js";
import { ARRAY_OF_TYPE, FIELD_OF_TYPE, WORDS_OF_FIELD } from "./values.js";
import { bytesField, joined, takeOut } from "./wire.js";

const COLUMNS = 6; // of ReadResultsResponse
const FUEL = 2; // of ResultColumns
const WORDS = 5;

const fieldsOfShape = (shape) => shape.steps.flatMap((step) => step.values.map((value) => value.kind));

// Results of some instances, in the order in which they came. A row is one of them.
export class Chunk {
  constructor(columns, fuel, words) {
    this.ranges = columns.instances.map((one) => [Number(one.first), Number(one.count)]);
    this.shapes = columns.shapes; // InstanceResult: what rows have in common
    this.runs = columns.runs; // of rows: their shape, and how many
    this.extras = columns.extras;
    this.fuel = fuel;
    this.words = words; // of all rows, one after another
    this.fields = this.shapes.map(fieldsOfShape);
    this.width = this.fields.map((fields) => fields.reduce((sum, field) => sum + WORDS_OF_FIELD[field], 0));
    this.#check();
  }

  #check() {
    const words = this.runs.reduce((sum, run) => sum + this.width[run.shape] * run.rows, 0);
    const rows = this.runs.reduce((sum, run) => sum + run.rows, 0);
    const instances = this.ranges.reduce((sum, [, count]) => sum + count, 0);
    if (rows !== this.fuel.length || rows !== instances || words !== this.words.length) {
      throw new RangeError("columns of different lengths");
    }
  }

  get length() {
    return this.fuel.length;
  }

  // The instance of each row.
  instances() {
    const instances = new Float64Array(this.length);
    let row = 0;
    for (const [first, count] of this.ranges) {
      for (let i = 0; i < count; ++i) instances[row++] = first + i;
    }
    return instances;
  }

  // [row, shape, first word] of each row.
  *rows() {
    let row = 0;
    let at = 0;
    for (const run of this.runs) {
      for (let i = 0; i < run.rows; ++i, at += this.width[run.shape]) yield [row++, run.shape, at];
    }
  }

  get allReturned() {
    return this.shapes.every((shape) => shape.end === "RETURNED");
  }

  // Of rows that returned: their values of these types to their instances' places, an array for each type.
  put(types, arrays) {
    let at = 0; // in a row
    for (const [i, type] of types.entries()) {
      const size = WORDS_OF_FIELD[FIELD_OF_TYPE[type]];
      if (this.allReturned) this.#putColumn(type, at, arrays[i]);
      else this.#putRows(type, at, size, arrays[i]);
      at += size;
    }
  }

  // Every row is as wide as the others.
  #putColumn(type, at, array) {
    const size = WORDS_OF_FIELD[FIELD_OF_TYPE[type]];
    const width = this.width[0] ?? size;
    const words = width === size ? this.words : this.#picked(at, size, width);
    const values = new ARRAY_OF_TYPE[type](words.buffer, words.byteOffset, this.length);
    let row = 0;
    for (const [first, count] of this.ranges) {
      array.set(values.subarray(row, row + count), first);
      row += count;
    }
  }

  #picked(at, size, width) {
    const picked = new Uint32Array(this.length * size);
    for (let row = 0; row < this.length; ++row) {
      for (let i = 0; i < size; ++i) picked[row * size + i] = this.words[row * width + at + i];
    }
    return picked;
  }

  #putRows(type, at, size, array) {
    const instances = this.instances();
    const one = new Uint32Array(size);
    const value = new ARRAY_OF_TYPE[type](one.buffer);
    for (const [row, shape, first] of this.rows()) {
      if (this.shapes[shape].end !== "RETURNED") continue;
      for (let i = 0; i < size; ++i) one[i] = this.words[first + at + i];
      array[instances[row]] = value[0];
    }
  }
}

// A ReadResultsResponse, with `chunks` in place of its columns, and its size. Its packed numbers are taken
// out, and what is left is read by protobuf's library.
export function readMessage(data) {
  try {
    const [rest, found] = takeOut(data, [COLUMNS]);
    const packed = found.get(COLUMNS).map((columns) => takeOut(columns, [FUEL, WORDS]));
    const light = Buffer.concat([...rest, ...packed.flatMap(([left]) => bytesField(COLUMNS, left))]);
    const message = methodOf("Jobs.ReadResults").responseDeserialize(light);
    message.chunks = packed.map(
      ([, taken], i) =>
        new Chunk(message.columns[i], joined(taken.get(FUEL), BigUint64Array), joined(taken.get(WORDS), Uint32Array)),
    );
    message.size = data.length;
    return message;
  } catch (error) {
    throw new WasmburstError(
      "INTERNAL", `The daemon sent results whose columns do not fit together (${error.message}).`,
    );
  }
}
