// A guest's module in V8 on all processors, warm: an instance in each worker.
//   node race_v8.mjs MODULE.wasm EXPORT SECONDS INSTANCES WORKERS RESULTS
// Workers take the next instance's number, over and over from 0 to INSTANCES, until SECONDS have
// passed and each was run once. Prints how many were run and in how many seconds; RESULTS gets the
// digests. A digest that changes is an error.
import {readFileSync, writeFileSync} from 'node:fs';
import {Worker, isMainThread, parentPort, workerData} from 'node:worker_threads';
import {fileURLToPath} from 'node:url';

const kNext = 0, kRan = 1, kDifferent = 2;
const kWarmSeconds = 0.3;  // V8 replaces its first code by optimised code in the background meanwhile
const now = () => Number(process.hrtime.bigint()) * 1e-9;

function work({module, name, shared, instances, seconds}) {
  const call = new WebAssembly.Instance(module).exports[name];
  const counts = new Int32Array(shared, 0, 3);
  const digests = new Int32Array(shared, 12, instances);
  const warm = now() + kWarmSeconds;
  for (let i = 0; now() < warm; ++i) digests[i % instances] = call(i % instances);
  parentPort.once('message', () => {
    const until = now() + seconds;
    while (true) {
      const turn = Atomics.add(counts, kNext, 1);
      if (turn >= instances && now() >= until) break;
      const at = turn % instances, digest = call(at);
      const before = Atomics.exchange(digests, at, digest);
      if (turn >= instances && before !== digest) Atomics.add(counts, kDifferent, 1);
      Atomics.add(counts, kRan, 1);
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

async function main([file, name, ...rest]) {
  const [seconds, instances, count] = rest.slice(0, 3).map(Number);
  const module = new WebAssembly.Module(readFileSync(file));
  const shared = new SharedArrayBuffer(12 + 4 * instances);
  const data = {module, name, shared, instances, seconds};
  const workers = Array.from({length: count},
    () => new Worker(fileURLToPath(import.meta.url), {workerData: data}));
  await answered(workers);
  const began = now(), done = answered(workers);
  for (const worker of workers) worker.postMessage('go');
  await done;
  const took = now() - began;
  const counts = new Int32Array(shared, 0, 3);
  if (counts[kDifferent] !== 0) throw new Error('a digest changed');
  writeFileSync(rest[3], new Uint8Array(shared, 12));
  console.log(`${counts[kRan]} ${took.toFixed(6)}`);
}

if (isMainThread) await main(process.argv.slice(2));
else work(workerData);
