// A hostile or careless neighbour with access to the daemon's address, in Node's own gRPC client.
//   node attacker.mjs PACKAGES PROTO ADDRESS WASM PID PROGRAM
// WASM: collatz.wat of the README; PROGRAM: reader.wat.
// Prints a line for each check: "ok: NAME: FIGURES" or "FAILED: NAME: WHY".
import fs from 'node:fs';
import http2 from 'node:http2';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

const [packages, protoFolder, address, wasmFile, pid, programFile] = process.argv.slice(2);
const require = createRequire(path.join(packages, 'package.json'));
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const files = ['jobs', 'modules', 'admin'].map((name) => `wasmburst/v1/${name}.proto`);
const definition = loader.loadSync(files, {
  includeDirs: [protoFolder], longs: String, enums: String, defaults: true, oneofs: true,
});
const { wasmburst: { v1 } } = grpc.loadPackageDefinition(definition);
const options = { 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 };

function connect(extra = {}) {
  const all = { ...options, ...extra, 'grpc.use_local_subchannel_pool': 1 };
  const make = (Service) => new Service(address, grpc.credentials.createInsecure(), all);
  return { jobs: make(v1.Jobs), modules: make(v1.Modules), admin: make(v1.Admin) };
}
function call(client, method, request, seconds = 60) {
  return new Promise((resolve, reject) => {
    const deadline = Date.now() + seconds * 1000;
    client[method](request, { deadline }, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const residentMiB = () => {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)[1]) / 1024);
};

let failed = 0;
async function check(name, run) {
  try {
    console.log(`ok: ${name}: ${await run()}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED: ${name}: ${error.message}`);
  }
}
function must(holds, words) {
  if (!holds) throw new Error(words);
}

// A job of few instances, as a neighbour sends it: how long it takes, in milliseconds.
async function smallJob(client, module, placement, tenant = 'neighbour') {
  const began = Date.now();
  const stream = client.jobs.RunJob({
    moduleName: module,
    job: {
      steps: [{ call: { function: 'steps', args: [{ column: 0 }] } }],
      columns: [{ range: { start: { i64: '1' }, step: { i64: '1' } } }],
      instances: 5, placement, labels: { tenant },
    },
  }, { deadline: Date.now() + 20000 });
  let results = 0;
  for await (const message of stream) results += message.results?.results?.length ?? 0;
  must(results === 5, `${results} of 5 results`);
  return Date.now() - began;
}

const client = connect();
const wasm = fs.readFileSync(wasmFile);
const module = (await call(client.modules, 'CreateModule', { wasm })).name;
await smallJob(client, module, 'CPU');

// They are idle from here on; whether they lose their places is looked at last.
const idle = { began: Date.now(), uploads: [] };
for (let i = 0; i < 8; ++i) {
  const upload = client.modules.UploadModule(() => {});
  upload.on('error', () => {});
  upload.write({ data: Buffer.from([0, 0x61, 0x73, 0x6d]) });
  idle.uploads.push(upload);
}

await check('a compressed request of a gigabyte is refused and not unpacked', async () => {
  const before = residentMiB();
  const packed = connect({ 'grpc.default_compression_algorithm': 2 });
  const bomb = Buffer.alloc(1 << 30);
  let code = 0;
  try {
    await call(packed.modules, 'CreateModule', { wasm: bomb });
  } catch (error) {
    code = error.code;
  }
  must(code === grpc.status.UNIMPLEMENTED, `it ended with ${grpc.status[code]}`);
  const after = residentMiB();
  must(after - before < 128, `the daemon grew from ${before} to ${after} MiB`);
  return `peak ${before} -> ${after} MiB`;
});

const flood = [];
await check('results that nobody reads stop no other tenant', async () => {
  for (let i = 0; i < 8; ++i) {
    flood.push((await call(client.jobs, 'CreateJob', {
      job: {
        module,
        steps: [{ call: { function: 'steps', args: [{ column: 0 }] } }],
        columns: [{ range: { start: { i64: '1' }, step: { i64: '1' } } }],
        instances: 5000000, labels: { tenant: 'hog' },
      },
    })).name);
  }
  // Until more lie on the disk than memory may hold.
  let stored = 0;
  for (let i = 0; i < 300 && stored < 6000000; ++i) {
    await wait(200);
    stored = 0;
    for (const name of flood) stored += Number((await call(client.jobs, 'GetJob', { name })).counts.finished);
  }
  must(stored >= 6000000, `${stored} results in a minute`);
  const took = [];
  for (const placement of ['CPU', 'INTERPRETER', 'AUTO']) took.push(await smallJob(client, module, placement));
  took.push(await smallJob(client, module, 'AUTO', 'hog'));
  const most = residentMiB();
  must(most <= 1536, `the daemon had ${most} MiB`);
  return `${took.join(', ')} ms; ${stored} results, the daemon had ${most} MiB at most`;
});

await check('a reader gets what lies on the disk while more comes', async () => {
  const name = flood[0];
  let cursor = '';
  let results = 0;
  const stream = client.jobs.ReadResults({ name, follow: true });
  for await (const message of stream) {
    results += message.results.length;
    cursor = message.cursor;
    if (message.results.length > 0) await call(client.jobs, 'AcknowledgeResults', { name, cursor });
    if (results > 2000000) break;
  }
  stream.cancel();
  must(results > 2000000, `${results} results`);
  return `${results} results`;
});
for (const name of flood) await call(client.jobs, 'CancelJob', { name }).catch(() => {});

await check('beside a job that never ends a small one waits for a slice, not for a burst', async () => {
  // (module (func (export "forever") (loop (br 0))))
  const forever = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 7, 11, 1, 7,
    ...Buffer.from('forever'), 0, 0, 10, 9, 1, 7, 0, 3, 0x40, 12, 0, 11, 11]);
  const endless = (await call(client.modules, 'CreateModule', { wasm: forever })).name;
  const { name } = await call(client.jobs, 'CreateJob', {
    job: {
      module: endless, steps: [{ call: { function: 'forever' } }], instances: os.cpus().length,
      placement: 'CPU', labels: { tenant: 'endless' }, limits: { maxFuel: '1000000000000000000' },
    },
  });
  const fuelOf = async () => Number((await call(client.jobs, 'GetJob', { name })).usage.fuel);
  for (let i = 0; i < 100 && await fuelOf() === 0; ++i) await wait(50);
  const took = [];
  for (let i = 0; i < 15; ++i) took.push(await smallJob(client, module, 'CPU'));
  const running = await fuelOf();
  await call(client.jobs, 'CancelJob', { name });
  let ended = { state: '' };
  for (let i = 0; i < 100 && ended.state !== 'CANCELLED'; ++i) {
    await wait(20);
    ended = await call(client.jobs, 'GetJob', { name });
  }
  const median = took.sort((a, b) => a - b)[7];
  must(took[11] < 200, `small jobs took ${took.join(', ')} ms`);
  must(running > 0 && Number(ended.usage.fuel) >= running, `it used ${running}, then ${ended.usage.fuel}`);
  return `${median} ms at the median, ${took[14]} ms at worst; it had used ${ended.usage.fuel} instructions`;
});

await check('long requests hold up no others', async () => {
  // 7 million empty steps: refused, but only once they are parsed.
  const steps = Buffer.alloc(14000000);
  for (let i = 0; i < steps.length; i += 2) steps[i] = 0x1a;
  const size = [];
  for (let n = steps.length; n; n = Math.floor(n / 128)) size.push((n & 127) | (n > 127 ? 128 : 0));
  const request = Buffer.concat([Buffer.from([0x1a, ...size]), steps]);
  const same = (bytes) => bytes;
  const calls = [];
  for (let i = 0; i < 6; ++i) {
    const stream = client.jobs.makeServerStreamRequest('/wasmburst.v1.Jobs/RunJob', same, same, request,
      { deadline: Date.now() + 3000 });
    stream.on('data', () => {});
    calls.push(new Promise((resolve) => stream.on('error', resolve).on('end', resolve)));
  }
  await wait(300);
  const other = connect();
  const began = Date.now();
  await call(other.admin, 'GetServerInfo', {});
  const info = Date.now() - began;
  const took = await smallJob(other, module, 'CPU');
  must(took < 3000 && info < 1000, `a small job took ${took} ms, server info ${info} ms`);
  await Promise.all(calls);
  return `a small job took ${took} ms, server info ${info} ms`;
});

await check('what waiting jobs link is bounded', async () => {
  const leb = (n) => { const out = []; do { out.push((n & 127) | (n > 127 ? 128 : 0)); n >>>= 7; } while (n); return out; };
  const section = (id, ...parts) => {
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
    return Buffer.concat([Buffer.from([id, ...leb(bytes.length)]), bytes]);
  };
  const data = Buffer.alloc(15 << 20, 1);
  const wide = Buffer.concat([Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]), section(5, [1, 0, ...leb(240)]),
    section(11, [1, 0, 0x41, 0, 0x0b, ...leb(data.length)], data)]);
  const library = (await call(client.modules, 'CreateModule', { wasm: wide })).name;
  const jobs = [];
  let refusal;
  for (let i = 0; i < 40 && !refusal; ++i) {
    await call(client.jobs, 'CreateJob', {
      job: {
        module, linked: [{ name: `library${i}`, module: library }],
        steps: [{ call: { function: 'steps', args: [{ column: 0 }] } }],
        columns: [{ range: { start: { i64: '1' }, step: { i64: '1' } } }],
        instances: 5000000, labels: { tenant: 'linker' },
      },
    }).then((job) => jobs.push(job.name), (error) => { refusal = error; });
  }
  const info = await call(client.admin, 'GetServerInfo', {});
  const took = await smallJob(client, module, 'INTERPRETER');
  for (const name of jobs) await call(client.jobs, 'CancelJob', { name }).catch(() => {});
  must(refusal?.code === grpc.status.RESOURCE_EXHAUSTED, `${jobs.length} jobs were taken; then ${refusal}`);
  must(refusal.details.includes('jobs.max_request_bytes'), refusal.details);
  must(Number(info.requestBytes) <= 1 << 29, `jobs hold ${info.requestBytes} bytes`);
  return `${jobs.length} jobs of 15 MiB, then refused; they hold ${info.requestBytes >> 20} MiB; another's small job took ${took} ms`;
});

await check('file sets that lie hurt no other instance, and commands are bounded', async () => {
  const program = (await call(client.modules, 'CreateModule', { wasm: fs.readFileSync(programFile) })).name;
  // A root with one file [a] of four bytes.
  const image = Buffer.alloc(133);
  [0x53464257, 1, 2, 1].forEach((number, i) => image.writeUInt32LE(number, 4 * i));
  [32n, 128n].forEach((number, i) => image.writeBigUInt64LE(number, 16 + 8 * i));
  [0, 0, 3, 1, 1, 0].forEach((number, i) => image.writeUInt32LE(number, 32 + 4 * i));
  [0, 1, 4, 0, 4, 0, 129, 0].forEach((number, i) => image.writeUInt32LE(number, 80 + 4 * i));
  image.write('a1234', 128);
  const images = [image];
  for (let at = 0; at < 128; at += 4) {
    for (const lie of [0, 1, 2, 0x7fffffff, 0xffffffff]) {
      images.push(Buffer.from(image));
      images.at(-1).writeUInt32LE(lie, at);
    }
    images.push(image.subarray(0, at));
  }
  const job = (command) => ({ columns: [{ bytes: { values: images } }], instances: images.length, command });
  const stream = client.jobs.RunJob({ moduleName: program, job: job({ files: { column: 0 } }) });
  const ends = {};
  let sound;
  for await (const message of stream) {
    for (const result of message.results?.results ?? []) {
      ends[result.end] = (ends[result.end] ?? 0) + 1;
      if (result.instance === '0') sound = result;
    }
  }
  must(sound?.end === 'EXITED' && sound.exitCode === 0, `the sound image gives ${sound?.end} ${sound?.exitCode}`);
  must(ends.EXITED === images.length, JSON.stringify(ends));
  const many = Array(1025).fill({ constant: Buffer.from('x') });
  const refusal = await call(client.jobs, 'CreateJob', { job: { module: program, ...job({ args: many }) } })
    .then(() => undefined, (error) => error);
  must(refusal?.code === grpc.status.INVALID_ARGUMENT, `1,025 arguments: ${refusal}`);
  must(refusal.details.includes('job.command.args'), refusal.details);
  return `${images.length} images, every instance ended by itself`;
});

await check('calls that compile do not hold up jobs', async () => {
  // A long module: one function of many additions.
  const leb = (n) => { const out = []; do { out.push((n & 127) | (n > 127 ? 128 : 0)); n >>>= 7; } while (n); return out; };
  const body = [0, 0x20, 0];
  for (let i = 0; i < 150000; ++i) body.push(0x41, i & 63, 0x6a);
  body.push(0x0b);
  const section = (id, bytes) => [id, ...leb(bytes.length), ...bytes];
  const long = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...section(1, [1, 0x60, 1, 0x7f, 1, 0x7f]),
    ...section(3, [1, 0]), ...section(7, [1, 1, 0x66, 0, 0]), ...section(10, [1, ...leb(body.length), ...body])]);
  const calls = [];
  for (let i = 0; i < 20; ++i) calls.push(call(client.modules, 'CompileModule', { wasm: long }, 30).catch(() => {}));
  await wait(100);
  const other = connect();
  const took = await smallJob(other, module, 'CPU');
  const began = Date.now();
  await call(other.admin, 'GetServerInfo', {});
  const info = Date.now() - began;
  must(took < 3000 && info < 1000, `a small job took ${took} ms, server info ${info} ms`);
  await Promise.all(calls);
  return `a small job took ${took} ms, server info ${info} ms`;
});

await check('streams that are opened and reset do not fill the log', async () => {
  const log = fs.readlinkSync(`/proc/${pid}/fd/2`);
  const before = fs.statSync(log).size;
  const session = http2.connect('http://localhost', { createConnection: () => net.connect(address.slice('unix:'.length)) });
  session.on('error', () => {});
  let streams = 0;
  const began = Date.now();
  while (streams < 6000 && Date.now() - began < 10000) {
    for (let i = 0; i < 200; ++i) {
      const stream = session.request({ ':method': 'POST', ':path': '/wasmburst.v1.Admin/GetServerInfo',
        'content-type': 'application/grpc', te: 'trailers' });
      stream.on('error', () => {});
      stream.end(Buffer.alloc(5));
      stream.close(http2.constants.NGHTTP2_CANCEL);
      streams += 1;
    }
    await wait(1);
  }
  session.destroy();
  const took = await smallJob(connect(), module, 'CPU');
  await wait(1200); // until what was left out is said
  const said = fs.readFileSync(log).subarray(before).toString().split('\n');
  const limited = said.some((line) => line.includes('log_limited'));
  must(limited && said.length < streams / 2, `${streams} streams left ${said.length} lines in the log`);
  return `${streams} streams, ${said.length} lines; a small job took ${took} ms`;
});

await check('uploads that send nothing lose their place', async () => {
  let done = false;
  // What came before may have taken longer on a busy machine.
  const until = Math.max(idle.began + 90_000, Date.now() + 30_000);
  while (!done && Date.now() < until) {
    done = await new Promise((resolve) => {
      const upload = client.modules.UploadModule((error) => resolve(!error));
      upload.on('error', () => {});
      upload.write({ data: wasm });
      upload.end();
    });
    if (!done) await wait(1000);
  }
  const seconds = Math.round((Date.now() - idle.began) / 1000);
  for (const upload of idle.uploads) upload.cancel();
  must(done, 'no upload was taken for 90 s');
  return `after ${seconds} s at most`;
});

process.exit(failed === 0 ? 0 : 1);
