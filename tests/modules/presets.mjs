// Libraries called by --call-as, beside what their own JavaScript answers in Node:
//   node presets.mjs --build FOLDER --npm FOLDER
// On the interpreter, which needs no kernels: presets make steps, and engines are compared by run.mjs.
// Last line: presets: P of T as in Node.
import {execFile} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {parseArgs, promisify} from 'node:util';

import {hex} from './in_node.mjs';
import {Daemon} from './in_daemon.mjs';
import {each, messages} from './inputs.mjs';

const execute = promisify(execFile);
const {values: options} = parseArgs({options: {build: {type: 'string'}, npm: {type: 'string'}}});
const npm = (path) => join(resolve(options.npm), path);
const work = mkdtempSync(join(tmpdir(), 'wb_presets_'));
const library = (path) => import(npm(`node_modules/${path}`));

// One of more than a buffer of hash-wasm's.
const inputs = [...messages.slice(0, 24), new Uint8Array(40000).fill(7)];
const names = ['you', '', 'Jürgen', '日本語', '🦋', 'a "quoted" text', 'tab\tline'];
const lists = [[1, 2, 3], [], [-5], each((i, r) => r.below(1 << 20))];
const elements = (type, all) => ['--arg', `elements:${type}:[${all.map((list) => `[${list}]`)}]`];
const bytesOf = (array) => hex(new Uint8Array(array.buffer ?? array, array.byteOffset,
  array.byteLength));

function writeInputs() {
  mkdirSync(join(work, 'in'));
  inputs.forEach((bytes, i) => writeFileSync(join(work, 'in', String(i).padStart(3, '0')), bytes));
  writeFileSync(join(work, 'names.jsonl'), names.map((name) => `${JSON.stringify({name})}\n`).join(''));
}

const files = ['--each-file', join(work, 'in/*')];
const texts = ['--arg', `bytes:@${join(work, 'names.jsonl')}:name`];

// {name, args: of job run, file first; wanted: of each instance, as `shown` tells it}
async function hashCases() {
  const hashes = await library('hash-wasm/dist/index.esm.js');
  const rows = [['sha1', 20, [], (m) => hashes.sha1(m)],
    ['sha3', 32, ['--arg', '256', '--arg', '6'], (m) => hashes.sha3(m, 256)],
    ['xxhash64', 8, [], (m) => hashes.xxhash64(m, 0, 0)]];
  return Promise.all(rows.map(async ([name, bytes, numbers, answer]) => ({
    name: `hash-wasm ${name}`,
    args: [npm(`hash-wasm/${name}.wasm`), '--call-as', 'hash-wasm', ...files, ...numbers,
      '--read', `digest=${bytes}`],
    wanted: await Promise.all(inputs.map(answer)),
  })));
}

async function rustCases() {
  const rust = await library('@webbuf/blake3/dist/rs-webbuf_blake3-inline-base64/webbuf_blake3.js');
  const called = (call) => [npm('webbuf-blake3.wasm'), '--bind', './webbuf_blake3_bg.js.*=trap',
    '--call', call, '--call-as', 'wasm-bindgen'];
  const key = new Uint8Array(32).fill(9);
  return [
    {name: 'wasm-bindgen Vec<u8>', args: [...called('blake3_hash'), ...files],
      wanted: inputs.map((m) => hex(rust.blake3_hash(m)))},
    {name: 'wasm-bindgen two slices',
      args: [...called('blake3_mac'), '--arg', `hex:${hex(key)}`, ...texts],
      wanted: names.map((name) => hex(rust.blake3_mac(key, new TextEncoder().encode(name))))},
  ];
}

async function scriptModule() {
  const {instantiate} = await import(npm('as-presets.js'));
  return instantiate(new WebAssembly.Module(readFileSync(npm('as-presets.wasm'))), {});
}

const scriptCalled = (call, preset, ...args) =>
  [npm('as-presets.wasm'), '--call', call, '--call-as', preset, ...args];

async function scriptCases() {
  const script = await scriptModule();
  const called = scriptCalled;
  const typed = (Type) => lists.map((list) => Type.from(list));
  return [
    {name: 'as-string', args: called('greet', 'as-string', ...texts), wanted: names.map(script.greet)},
    {name: 'as-string, half a pair', args: called('half', 'as-string', ...texts),
      wanted: names.map((name) => script.half(name).replace(/^[\ud800-\udfff]$/, '\ufffd (2)'))},
    {name: 'as-array i32', args: called('doubled', 'as-array', ...elements('i32', lists)),
      wanted: typed(Int32Array).map((list) => bytesOf(script.doubled(list)))},
    {name: 'as-array f64',
      args: called('scaled', 'as-array', ...elements('f64', lists), '--arg', '0.1'),
      wanted: typed(Float64Array).map((list) => bytesOf(script.scaled(list, 0.1)))},
    {name: 'as-array view', args: called('tail', 'as-array', ...files),
      wanted: inputs.map((bytes) => bytesOf(script.tail(bytes)))},
    {name: 'as-array twice, a number',
      args: called('sum', 'as-array', ...elements('u16', [[1, 65535], [7]]),
        ...elements('u16', [[3], []]), '--plain-result'),
      wanted: [script.sum([1, 65535], [3]), script.sum([7], [])].map(String)},
    {name: 'as-array under the collector',
      args: called('busy', 'as-array', ...elements('i32', [[1, 2, 3], [-7]])),
      wanted: [[1, 2, 3], [-7]].map((list) => bytesOf(script.busy(list)))},
    {name: 'as-buffer StaticArray',
      args: called('reversed', 'as-buffer', ...elements('i16', [[1, -2, 3], [4]])),
      wanted: [[1, -2, 3], [4]].map((list) => bytesOf(Int16Array.from(script.reversed(list))))},
    {name: 'as-buffer ArrayBuffer', args: called('front', 'as-buffer', ...files),
      wanted: inputs.map((bytes) => bytesOf(script.front(bytes.slice().buffer)))},
  ];
}

// AssemblyScript's Array<T>, which grows and has a class of its own for each T.
async function arrayCases() {
  const script = await scriptModule();
  const called = (call, ...args) => scriptCalled(call, 'as-dynamic-array', ...args);
  const numbers = [[1, 65535], [7]];
  return [
    {name: 'as-dynamic-array i32', args: called('turned', ...elements('i32', lists)),
      wanted: lists.map((list) => bytesOf(Int32Array.from(script.turned(list))))},
    {name: 'as-dynamic-array that grows',
      args: called('grown', ...elements('f64', lists), '--arg', '0.1'),
      wanted: lists.map((list) => bytesOf(Float64Array.from(script.grown(list, 0.1))))},
    {name: 'as-dynamic-array of bytes to i64',
      args: called('squares', ...elements('u8', [[1, 255, 3], [7]])),
      wanted: [[1, 255, 3], [7]].map((list) => bytesOf(BigInt64Array.from(script.squares(list))))},
    {name: 'as-dynamic-array, files', args: called('squares', ...files, '--output-limit', '1M'),
      wanted: inputs.map((bytes) =>
        bytes.length ? bytesOf(BigInt64Array.from(script.squares([...bytes]))) : 'TRAPPED')},
    {name: 'as-dynamic-array twice, a number',
      args: called('difference', ...elements('u16', numbers), ...elements('u16', [[3]]),
        '--plain-result'),
      wanted: numbers.map((list) => String(script.difference(list, [3])))},
  ];
}

async function jsonLines(daemon, args) {
  const {stdout} = await execute(daemon.ctl, ['--addr', daemon.address, '-q', ...args],
    {maxBuffer: 1 << 26});
  return stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

// The output of an instance, its end where it did not return, or the value of its last call that has one.
function shown(result) {
  if (result.end !== 'RETURNED') return result.end;
  const output = Object.values(result.outputs ?? {})[0];
  if (!output) return result.steps.map(({values}) => values).filter((v) => v.length).at(-1).join(' ');
  if (output.text === undefined) return Buffer.from(output.base64, 'base64').toString('hex');
  return output.text + (output.undecodable_bytes ? ` (${output.undecodable_bytes})` : '');
}

const on = ['--placement', 'interpreter', '--ordered', '-o', 'jsonl'];
const same = (got, wanted) => JSON.stringify(got) === JSON.stringify(wanted);

async function runCase(daemon, {args, wanted}) {
  const got = (await jsonLines(daemon, ['job', 'run', ...args, ...on])).map(shown);
  return same(got, wanted) ? '' : `gives ${JSON.stringify(got)}\n  not ${JSON.stringify(wanted)}`;
}

const lineOf = (marker) => readFileSync(npm('as-presets.ts'), 'utf8').split('\n')
  .findIndex((line) => line.includes(`// ${marker}`)) + 1;

// A trap has the line that the compiler's source map has, and its caller too.
async function runTrap(daemon) {
  const [result] = await jsonLines(daemon, ['job', 'run', npm('as-presets.wasm'), '--source-map',
    npm('as-presets.wasm.map'), '--call', 'divide', '--call-as', 'as-array', '--arg',
    'elements:i32:[7,0]', ...on]);
  const places = [result.trap, ...(result.backtrace ?? []).slice(0, 2)]
    .map(({file, line}) => `${file}:${line}`);
  const wanted = ['line of the trap', 'line of the trap', 'line of the call']
    .map((marker) => `./as-presets/as-presets.ts:${lineOf(marker)}`);
  return same(places, wanted) ? '' : `says ${places}, not ${wanted}`;
}

// A job's declared texts are texts in each form, for whoever reads its results.
async function runForms(daemon) {
  const run = async (...args) => (await execute(daemon.ctl, ['--addr', daemon.address, ...args])).stdout;
  const said = [];
  for (const form of ['table', 'csv', 'jsonl']) {
    const job = (await run('-q', 'job', 'submit', npm('as-presets.wasm'), '--call', 'greet',
      '--call-as', 'as-string', '--arg', 'text:Zoë', '--placement', 'interpreter')).trim();
    const printed = await run('-q', 'job', 'results', job, '--follow', '-o', form);
    if (!printed.includes('Grüße, Zoë 🦋')) said.push(`-o ${form}: ${printed}`);
  }
  return said.join('\n');
}

// The command that `module inspect` prints is one that runs.
async function runInspected(daemon) {
  const [module] = await jsonLines(daemon, ['module', 'inspect', npm('as-presets.wasm'), '-o', 'jsonl']);
  const commands = module.commands.map(({command}) => command).filter((c) => c.includes(' doubled '));
  const typed = commands.find((command) => command.includes('--call-as as-array'));
  if (!typed) return `prints ${commands}`;
  const {stdout} = await execute('bash', ['-c', `${typed} -o jsonl --placement interpreter`],
    {env: {...process.env, WASMBURST_ADDR: daemon.address,
      PATH: `${join(daemon.ctl, '..')}:${process.env.PATH}`}});
  const got = shown(JSON.parse(stdout.split('\n')[0]));
  const wanted = bytesOf(Int32Array.of(2, 4, 6));
  return got === wanted ? '' : `${typed}\n  gives ${got}, not ${wanted}`;
}

async function main() {
  writeInputs();
  const daemon = await Daemon.start({build: options.build, folder: join(work, 'daemon'),
    cache: join(work, 'cache'), sliceFuel: 0});
  let equal = 0, all = 0;
  const judge = async (name, run) => {
    let difference;
    try {
      difference = await run();
    } catch (error) {
      difference = (error.stderr || error.stack).trim();
    }
    ++all;
    if (!difference) ++equal;
    console.log(difference ? `DIFFERS ${name}: ${difference}` : `ok ${name}`);
  };
  try {
    const cases = [...await hashCases(), ...await rustCases(), ...await scriptCases(),
      ...await arrayCases()];
    for (const one of cases) await judge(one.name, () => runCase(daemon, one));
    await judge('a source map', () => runTrap(daemon));
    await judge('texts in every form', () => runForms(daemon));
    await judge('the command of module inspect', () => runInspected(daemon));
  } finally {
    await daemon.stop();
    rmSync(work, {recursive: true, force: true});
  }
  console.log(`presets: ${equal} of ${all} as in Node`);
  return equal === all ? 0 : 1;
}

process.exitCode = await main();
