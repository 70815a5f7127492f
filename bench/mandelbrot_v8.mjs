// Runs the demo's module in V8, warm, and prints nanoseconds: one line per pass over the rows.
//   node mandelbrot_v8.mjs MODULE.wasm FIRST STEP PASSES
// A pass calls row(FIRST), row(FIRST + STEP) ... below 1024 and copies each row's bytes out.
import {readFileSync} from 'node:fs';

const [file, first, step, passes] = process.argv.slice(2);
const rows = [];
for (let y = Number(first); y < 1024; y += Number(step)) rows.push(y);
const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)));
const rowBytes = 8192;

function pass() {
  const outputs = [];
  for (const y of rows) {
    const at = instance.exports.row(y);
    outputs.push(new Uint8Array(instance.exports.memory.buffer).slice(at, at + rowBytes));
  }
  return outputs;
}

// Warm: V8 replaces its first code by optimised code in the background meanwhile.
const warm = process.hrtime.bigint() + 500_000_000n;
while (process.hrtime.bigint() < warm) pass();
for (let i = 0; i < Number(passes); ++i) {
  const began = process.hrtime.bigint();
  pass();
  console.log(String(process.hrtime.bigint() - began));
}
