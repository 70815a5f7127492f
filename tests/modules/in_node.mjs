// Runs a row of the table in Node's WebAssembly: a fresh instance for each input.
// The outcome of an instance, here and in in_daemon.mjs:
//   {ends: 'returned' or the trap's code, step: in which it trapped, steps: of each step before that
//    the values its call returned, as texts; outputs: {name: hexadecimal digits}}
import {readFileSync} from 'node:fs';

// V8's words for the specification's traps.
const trapWords = [
  ['unreachable', 'UNREACHABLE'],
  ['memory access out of bounds', 'OUT_OF_BOUNDS_MEMORY'],
  ['divide by zero', 'DIVIDE_BY_ZERO'],
  ['remainder by zero', 'DIVIDE_BY_ZERO'],
  ['divide result unrepresentable', 'INTEGER_OVERFLOW'],
  ['float unrepresentable in integer range', 'INVALID_CONVERSION'],
  ['Maximum call stack size exceeded', 'STACK_EXHAUSTED'],
  ['table index is out of bounds', 'UNDEFINED_ELEMENT'],
  ['null function or function signature mismatch', 'INDIRECT_CALL'],
];

export const hex = (bytes) => Buffer.from(bytes).toString('hex');

// Values as texts that two engines can be compared by.
export const valueText = (value) => (Object.is(value, -0) ? '-0' : String(value));

function trapCode(error) {
  const known = trapWords.find(([words]) => error.message.includes(words));
  if (!known) throw error;
  return known[1];
}

class Run {
  // `hosts`: {import name: module}, what the module imports from.
  constructor(row, module, hosts, index) {
    this.row = row;
    this.index = index;
    this.hosts = Object.fromEntries(Object.entries(hosts).map(([name, host]) =>
      [name, new WebAssembly.Instance(host).exports]));
    this.exports = new WebAssembly.Instance(module, this.hosts).exports;
    this.values = [];  // of each step
    this.outputs = {};
    this.outputBytes = 0;
  }

  operand(operand) {
    if (typeof operand !== 'object') return operand;
    const value = operand.column !== undefined
      ? this.row.columns[operand.column].values[this.index]
      : this.values[operand.result[0]][operand.result[1]];
    return operand.add === undefined ? value : value + operand.add;
  }

  memory() {
    const memory = Object.values(this.exports).find((e) => e instanceof WebAssembly.Memory);
    return new Uint8Array(memory.buffer);
  }

  // A place in memory, as the daemon checks it.
  bytes(pointer, length) {
    const memory = this.memory();
    const at = this.operand(pointer) >>> 0;
    if (at + length > memory.length) throw new Error('memory access out of bounds');
    return memory.subarray(at, at + length);
  }

  step({call, module, args = [], write, read}) {
    if (call) {
      const exports = module ? this.hosts[module] : this.exports;
      const value = exports[call](...args.map((a) => this.operand(a)));
      return value === undefined ? [] : [value];
    }
    if (write) {
      const data = this.row.columns[write.column].values[this.index];
      this.bytes(write.pointer, data.length).set(data);
      return [];
    }
    const length = this.operand(read.length) >>> 0;
    const offset = this.outputBytes;
    this.outputs[read.output] = hex(this.bytes(read.pointer, length));
    this.outputBytes += length;
    return [offset, length];
  }

  outcome() {
    let ends = 'returned';
    for (const step of this.row.steps) {
      try {
        this.values.push(this.step(step));
      } catch (error) {
        ends = trapCode(error);
        break;
      }
    }
    const shown = (values, step) => (this.row.steps[step].call ? values.map(valueText) : []);
    return {ends, step: this.values.length, steps: this.values.map(shown), outputs: this.outputs};
  }
}

// One outcome for each instance. `hosts`: {import name: file}.
export function runInNode(row, file, hosts, instances) {
  const compiled = (path) => new WebAssembly.Module(readFileSync(path));
  const module = compiled(file);
  const hostModules = Object.fromEntries(Object.entries(hosts).map(([name, path]) =>
    [name, compiled(path)]));
  return Array.from({length: instances}, (_, i) =>
    new Run(row, module, hostModules, i).outcome());
}
