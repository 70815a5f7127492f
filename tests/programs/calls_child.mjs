// Runs a row of calls in Node: node calls_child.mjs SPEC.json. Its standard streams are ours.
// SPEC: {module, host, program, report}; the report says {exit: 0} or {trap}. Standard output has the
// host's lines, then the values of each step.
import {readFileSync, writeFileSync} from 'node:fs';
import {pathToFileURL} from 'node:url';

const spec = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const {columns, steps} = spec.program;
const host = await import(pathToFileURL(spec.host));
const module = new WebAssembly.Module(readFileSync(spec.module));

const memory = (at, length) => Buffer.from(exports.memory.buffer, at >>> 0, length >>> 0);

function imported({module: from, name}) {
  const full = `${from}.${name}`;
  return (...args) => {
    const span = host.spans[full];
    const bytes = span ? [Buffer.from(memory(args[span[0]], args[span[1]]))] : [];
    const {results, line} = host.answer({import: full, args, bytes});
    process.stdout.write(`${line}\n`);
    return results[0];
  };
}

const imports = {};
for (const item of WebAssembly.Module.imports(module)) {
  (imports[item.module] ??= {})[item.name] = imported(item);
}
const {exports} = new WebAssembly.Instance(module, imports);
const columnOf = (name) => Buffer.from(columns[name].values[0], 'utf8');
const values = [];

function valueOf(operand) {
  if (typeof operand !== 'object') return operand;
  if (operand.column_length !== undefined) return columnOf(operand.column_length).length;
  return values[operand.result[0]][operand.result[1]];
}

function run({call, args = [], write}) {
  if (write) {
    const bytes = columnOf(write.column);
    bytes.copy(memory(valueOf(write.pointer), bytes.length));
    return [];
  }
  const value = exports[call](...args.map(valueOf));
  return value === undefined ? [] : [value];
}

let end = {exit: 0};
try {
  for (const step of steps) values.push(run(step));
} catch (error) {
  if (!(error instanceof WebAssembly.RuntimeError) && !(error instanceof RangeError)) throw error;
  end = {trap: error.message};
}
if (end.trap === undefined) process.stdout.write(`${JSON.stringify(values)}\n`);
writeFileSync(spec.report, JSON.stringify(end));
