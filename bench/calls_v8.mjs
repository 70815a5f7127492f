// Runs an export of a number in V8, warm, and prints nanoseconds: one line per pass of the calls.
//   node calls_v8.mjs MODULE.wasm EXPORT FIRST STEP CALLS PASSES
// A pass calls EXPORT(FIRST), EXPORT(FIRST + STEP) ...; the sum of the results is checked.
import {readFileSync} from 'node:fs';

const [file, name, ...numbers] = process.argv.slice(2);
const [first, step, calls, passes] = numbers.map(Number);
const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)));
const call = instance.exports[name];

function pass() {
  let sum = 0;
  for (let i = 0; i < calls; ++i) sum = (sum + call(first + i * step)) | 0;
  return sum;
}

// Warm: V8 replaces its first code by optimised code in the background meanwhile.
const expected = pass();
const warm = process.hrtime.bigint() + 500_000_000n;
while (process.hrtime.bigint() < warm) pass();
for (let i = 0; i < passes; ++i) {
  const began = process.hrtime.bigint();
  const sum = pass();
  console.log(String(process.hrtime.bigint() - began));
  if (sum !== expected) throw new Error(`a pass gave ${sum}, not ${expected}`);
}
