// WebAssembly's values and what the page's form says of them.
import type { ResultColumns, InstanceResult, Value } from "./types";

const scratch = new DataView(new ArrayBuffer(8));
const WORDS: Record<string, number> = { i32: 1, f32Bits: 1, i64: 2, f64Bits: 2, v128: 4 };

export function toValue(text: string, type: string): Value {
  const plain = text.trim();
  if (plain === "") throw new Error(`A value of type ${type.toLowerCase()} is missing.`);
  if (type === "I32" || type === "I64") {
    let whole: bigint;
    try {
      whole = BigInt(plain);
    } catch {
      throw new Error(`[${plain}] is no integer.`);
    }
    const bits = type === "I32" ? 32 : 64;
    if (whole < -(1n << BigInt(bits - 1)) || whole >= 1n << BigInt(bits)) throw new Error(`[${plain}] does not fit into an i${bits}.`);
    return type === "I32" ? { i32: Number(BigInt.asIntN(32, whole)) } : { i64: BigInt.asIntN(64, whole).toString() };
  }
  const number = Number(plain);
  if (Number.isNaN(number) && plain.toLowerCase() !== "nan") throw new Error(`[${plain}] is no number.`);
  if (type === "F32") {
    scratch.setFloat32(0, number);
    return { f32Bits: scratch.getUint32(0) };
  }
  if (type === "F64") {
    scratch.setFloat64(0, number);
    return { f64Bits: scratch.getBigUint64(0).toString() };
  }
  throw new Error(`Values of type ${type.toLowerCase()} cannot be given here.`);
}

function fromWords(field: string, words: number[], at: number): number {
  if (field === "i32") return words[at] | 0;
  if (field === "f32Bits") {
    scratch.setUint32(0, words[at]);
    return scratch.getFloat32(0);
  }
  scratch.setUint32(4, words[at]);
  scratch.setUint32(0, words[at + 1]);
  if (field === "f64Bits") return scratch.getFloat64(0);
  return field === "i64" ? Number(scratch.getBigInt64(0)) : NaN;
}

export interface Failure extends InstanceResult { number: number; text: string }
export const MOST_ROWS = 65_536;
const MOST_FAILURES = 500; // of which the first are shown, and those with a backtrace

// The first results of a job, at most MOST_ROWS, in arrays: a million objects would be too many.
export class Sample {
  rows = 0;
  instances = new Float64Array(1024);
  ends = new Uint8Array(1024); // index into `endNames`
  fuel = new Float64Array(1024);
  values: Float64Array[] = []; // of the calls' results, in their order; NaN: there is none
  endNames: string[] = [];
  failures: Failure[] = [];
  places = new Map<string, number>(); // "cpu0, full build": rows
  outputs: { instance: number; name: string; text: string }[] = [];

  // By their numbers; those whose calls are known come first.
  firstFailures(most: number) {
    const known = (failure: Failure) => (failure.backtrace?.length ? 0 : 1);
    return [...this.failures].sort((a, b) => known(a) - known(b) || a.number - b.number).slice(0, most);
  }

  // The rows of the lowest instances.
  firstRows(most: number) {
    return Array.from({ length: this.rows }, (_, row) => row).sort((a, b) => this.instances[a] - this.instances[b]).slice(0, most);
  }

  get full() {
    return this.rows >= MOST_ROWS;
  }

  add(columns: ResultColumns) {
    const first = this.rows;
    const numbers: number[] = [];
    for (const range of columns.instances ?? []) {
      const from = Number(range.first ?? 0);
      for (let i = 0; i < Number(range.count); ++i) numbers.push(from + i);
    }
    this.grow(Math.min(MOST_ROWS, first + numbers.length));
    let row = 0;
    let at = 0;
    for (const run of columns.runs ?? []) {
      const shape = columns.shapes![run.shape ?? 0];
      const fields = (shape.steps ?? []).flatMap((step) => (step.values ?? []).map((value) => Object.keys(value)[0]));
      const end = this.endNumber(shape.end);
      const place = `${shape.device ?? "?"}, ${shape.build === "INTERPRETED" ? "interpreted" : shape.build === "QUICK" ? "quick build" : "full build"}`;
      let taken = 0;
      for (let i = 0; i < run.rows; ++i, ++row) {
        const to = this.rows;
        const value = fields.map((field) => {
          const number = to < MOST_ROWS ? fromWords(field, columns.words ?? [], at) : 0;
          at += WORDS[field];
          return number;
        });
        if (to >= MOST_ROWS) continue;
        this.instances[to] = numbers[row];
        this.fuel[to] = Number(columns.fuel?.[row] ?? 0);
        this.ends[to] = end;
        for (let v = 0; v < value.length && v < 4; ++v) this.valueColumn(v)[to] = value[v];
        if (shape.end !== "RETURNED" && this.failures.length < MOST_FAILURES && !(shape.end === "EXITED" && !shape.exitCode)) {
          this.failures.push({ ...shape, number: numbers[row], fuel: columns.fuel?.[row], text: describe(shape) });
        }
        ++this.rows;
        ++taken;
      }
      this.places.set(place, (this.places.get(place) ?? 0) + taken);
    }
    for (const extra of columns.extras ?? []) {
      if (!extra.output || this.outputs.length >= 50) continue;
      const data = atob(extra.output.data ?? "").slice(0, 400);
      const text = new TextDecoder().decode(Uint8Array.from(data, (c) => c.charCodeAt(0)));
      this.outputs.push({ instance: numbers[extra.row ?? 0], name: extra.output.name, text });
    }
  }

  private endNumber(name: string) {
    const at = this.endNames.indexOf(name);
    return at >= 0 ? at : this.endNames.push(name) - 1;
  }
  private valueColumn(index: number) {
    while (this.values.length <= index) this.values.push(new Float64Array(this.instances.length).fill(NaN));
    return this.values[index];
  }
  private grow(rows: number) {
    if (rows <= this.instances.length) return;
    const room = Math.min(MOST_ROWS, Math.max(rows, 2 * this.instances.length));
    const larger = (old: Float64Array, fill: number) => {
      const array = new Float64Array(room).fill(fill);
      array.set(old);
      return array;
    };
    this.instances = larger(this.instances, 0);
    this.fuel = larger(this.fuel, 0);
    this.values = this.values.map((column) => larger(column, NaN));
    const ends = new Uint8Array(room);
    ends.set(this.ends);
    this.ends = ends;
  }
}

function describe(result: InstanceResult) {
  const trap = result.trap;
  if (!trap) return result.end === "EXITED" ? `exited with ${result.exitCode ?? 0}` : result.end.toLowerCase().replaceAll("_", " ");
  const where = trap.functionName || (trap.function === undefined || trap.function === 4294967295 ? "" : `function ${trap.function}`);
  const line = trap.file ? ` (${trap.file.split("/").pop()}:${trap.line})` : trap.offset ? ` at byte ${trap.offset}` : "";
  return `${trap.message}${where ? ` in ${where}` : ""}${line}`;
}
