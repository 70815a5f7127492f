// The demo's rows in V8 on all processors, beside which its last line puts our rate.
//   node deploy/demo/v8.mjs MODULE.wasm ROWS BYTES PICTURE
// Each worker has an instance, and V8 has replaced its first code by optimised code before the clock
// starts. Prints "SECONDS WORKERS"; PICTURE gets the rows, BYTES each.
import {readFileSync, writeFileSync} from 'node:fs';
import {availableParallelism, cpus} from 'node:os';
import {Worker, isMainThread, parentPort, workerData} from 'node:worker_threads';
import {fileURLToPath} from 'node:url';

const kWarmSeconds = 0.5;
const now = () => Number(process.hrtime.bigint()) * 1e-9;

function work({module, next, picture, rows, bytes}) {
  const {row, memory} = new WebAssembly.Instance(module).exports;
  const turn = new Int32Array(next), all = new Uint8Array(picture);
  const warm = now() + kWarmSeconds;
  for (let y = 0; now() < warm; y = (y + 37) % rows) row(y);
  parentPort.once('message', () => {
    for (let y; (y = Atomics.add(turn, 0, 1)) < rows;) {
      all.set(new Uint8Array(memory.buffer, row(y), bytes), y * bytes);
    }
    parentPort.postMessage('done');
    parentPort.close();
  });
  parentPort.postMessage('ready');
}

const answered = (workers) =>
  Promise.all(workers.map((worker) => new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  })));

async function main([file, rows, bytes, target]) {
  const count = availableParallelism ? availableParallelism() : cpus().length;
  const data = {
    module: new WebAssembly.Module(readFileSync(file)),
    next: new SharedArrayBuffer(4),
    picture: new SharedArrayBuffer(rows * bytes),
    rows: Number(rows),
    bytes: Number(bytes),
  };
  const workers = Array.from({length: count},
    () => new Worker(fileURLToPath(import.meta.url), {workerData: data}));
  await answered(workers);
  const began = now(), done = answered(workers);
  for (const worker of workers) worker.postMessage('go');
  await done;
  console.log(`${(now() - began).toFixed(6)} ${count}`);
  writeFileSync(target, new Uint8Array(data.picture));
}

if (isMainThread) await main(process.argv.slice(2));
else work(workerData);
