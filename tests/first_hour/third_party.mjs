// A client that nobody here wrote: Node's own gRPC library and the files of proto/, nothing else. It asks
// whether the daemon is well, what it serves, uploads a module in parts, runs it and reads the results.
//   node third_party.mjs PACKAGES PROTO ADDRESS WASM [TOKEN]
// WASM: collatz.wat of the README. Prints "ok: NAME" or "FAILED: NAME: WHY" for each check.
import fs from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

const [packages, protoFolder, address, wasmFile, token] = process.argv.slice(2);
const require = createRequire(path.join(packages, 'package.json'));
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const files = [
  'wasmburst/v1/jobs.proto', 'wasmburst/v1/modules.proto', 'wasmburst/v1/tenants.proto',
  'grpc/health/v1/health.proto', 'grpc/reflection/v1/reflection.proto',
];
const loaded = grpc.loadPackageDefinition(loader.loadSync(files, {
  includeDirs: [protoFolder], longs: String, enums: String, defaults: true, oneofs: true,
}));
const { v1 } = loaded.wasmburst;
const make = (Service) => new Service(address, grpc.credentials.createInsecure());
const jobs = make(v1.Jobs);
const modules = make(v1.Modules);
const metadata = new grpc.Metadata();
if (token) metadata.set('authorization', `Bearer ${token}`);
const deadline = () => ({ deadline: Date.now() + 60_000 });

const unary = (client, method, request) => new Promise((resolve, reject) => {
  client[method](request, metadata, deadline(),
    (error, answer) => (error ? reject(error) : resolve(answer)));
});
const messages = (stream) => new Promise((resolve, reject) => {
  const all = [];
  stream.on('data', (message) => all.push(message));
  stream.on('error', reject);
  stream.on('end', () => resolve(all));
});
async function check(name, work) {
  try {
    const wrong = await work();
    console.log(wrong === undefined ? `ok: ${name}` : `FAILED: ${name}: ${wrong}`);
  } catch (error) {
    console.log(`FAILED: ${name}: ${error.message}`);
  }
}
const unless = (is, words) => (is ? undefined : words);

await check('another client: health', async () => {
  const health = make(loaded.grpc.health.v1.Health);
  const answer = await unary(health, 'Check', { service: 'wasmburst.v1.Jobs' });
  return unless(answer.status === 'SERVING', answer.status);
});

await check('another client: reflection names the services', async () => {
  const stream = make(loaded.grpc.reflection.v1.ServerReflection).ServerReflectionInfo(metadata, deadline());
  stream.write({ listServices: '' });
  stream.end();
  const [answer] = await messages(stream);
  const names = answer.listServicesResponse.service.map((service) => service.name);
  const wanted = ['Admin', 'Inputs', 'Jobs', 'Modules', 'Tenants'].map((name) => `wasmburst.v1.${name}`);
  return unless(wanted.every((name) => names.includes(name)), names.join(' '));
});

const wasm = fs.readFileSync(wasmFile);
let module;
await check('another client: a module in parts', async () => {
  module = await new Promise((resolve, reject) => {
    const stream = modules.UploadModule(metadata, deadline(),
      (error, answer) => (error ? reject(error) : resolve(answer)));
    for (let at = 0; at < wasm.length; at += 100) stream.write({ data: wasm.subarray(at, at + 100) });
    stream.end();
  });
  const digest = createHash('sha256').update(wasm).digest('hex');
  return unless(module.name === `modules/sha256:${digest}`, module.name);
});

let job;
await check('another client: a job', async () => {
  const range = { start: { i64: '25' }, step: { i64: '1' } };
  job = await unary(jobs, 'CreateJob', {
    job: {
      module: module.name, instances: '3', columns: [{ range }],
      steps: [{ call: { function: 'steps', args: [{ column: 0 }] } }],
    },
  });
  return unless(job.name.startsWith('jobs/'), job.name);
});

await check('another client: its results', async () => {
  const answers = await messages(jobs.ReadResults({ name: job.name, follow: true }, metadata, deadline()));
  const results = answers.flatMap((answer) => answer.results);
  results.sort((a, b) => Number(a.instance) - Number(b.instance));
  const values = results.map((result) => result.steps[0].values[0].i32).join(' ');
  const ended = answers.at(-1).job?.state;
  return unless(values === '23 10 111' && ended === 'SUCCEEDED', `${values} ${ended}`);
});

await check('another client: its results in columns', async () => {
  const answers = await messages(jobs.ReadResults({ name: job.name, follow: true, columns: true }, metadata, deadline()));
  const rows = answers.flatMap((answer) => answer.columns.flatMap((columns) => {
    const instances = columns.instances.flatMap(({ first, count }) =>
      Array.from({ length: Number(count) }, (_, i) => Number(first) + i));
    return instances.map((instance, row) => ({ instance, value: columns.words[row] | 0 }));
  }));
  rows.sort((a, b) => a.instance - b.instance);
  const values = rows.map((row) => row.value).join(' ');
  return unless(values === '23 10 111' && answers.every((answer) => answer.results.length === 0), values);
});

await check('another client: who it is', async () => {
  const caller = await unary(make(v1.Tenants), 'GetCaller', {});
  return unless(caller.name.includes(':') && caller.role !== 'ROLE_UNSPECIFIED', JSON.stringify(caller));
});

await check('another client: a mistake is told as one', async () => {
  try {
    await unary(jobs, 'GetJob', { name: 'jobs/none' });
  } catch (error) {
    return unless(error.code === grpc.status.INVALID_ARGUMENT, `${error.code} ${error.message}`);
  }
  return 'no error';
});
