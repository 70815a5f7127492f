// Runs a program as a job of a wasmburstd of ours, through wasmburstctl run.
import {execFile} from 'node:child_process';
import {appendFileSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {pathToFileURL} from 'node:url';

import {outcomeOf} from './compare.mjs';
import {hostPath} from './runs.mjs';

const kRunMs = 1_000_000;  // with the build of its pipeline
// Of a build without a GPU's device, cuda and metal are refused.
const kPlacements = {
  interpreter: 'interpreter', cpu: 'cpu', cuda: 'gpu', metal: 'gpu', 'metal-standin': 'gpu',
};

export const kEngines = Object.keys(kPlacements);

function execute(program, args) {
  return new Promise((resolve) => {
    execFile(program, args, {timeout: kRunMs, maxBuffer: 1 << 28}, (error, stdout, stderr) =>
      resolve({stdout, stderr, late: error?.killed ?? false}));
  });
}

// The one place that knows wasmburstctl's flags. `to`: the files that it writes.
function argsOf(daemon, {module, run, engine, laid, to}) {
  return ['--addr', daemon.address, '-q', '-o', 'jsonl', 'run', module,
    '--placement', kPlacements[engine], '--stdin', join(laid, 'stdin'),
    '--files', join(laid, 'root'), '--stdout-to', to.stdout, '--stderr-to', to.stderr,
    ...Object.entries(run.env ?? {}).flatMap(([name, text]) => ['--env', `${name}=${text}`]),
    ...(run.outputs ?? []).flatMap((path) =>
      ['--output-file', path, '--output-to', join(to.files, path)]),
    '--', ...(run.args ?? [])];
}

// A row of calls, which a process of ours answers by `run.host`; its lines go to standard output's
// file.
async function callsArgsOf(daemon, {module, run, engine, folder, to}) {
  const host = hostPath(run.host);
  const {spans} = await import(pathToFileURL(host));
  const program = `${folder}.program.json`;  // beside what is compared
  writeFileSync(program, JSON.stringify(run.program));
  for (const path of [to.stdout, to.stderr]) writeFileSync(path, '');
  const words = [process.execPath, join(import.meta.dirname, 'host_child.mjs'), host, to.stdout];
  return ['--addr', daemon.address, '-q', '-o', 'jsonl', 'job', 'run', module,
    '--placement', kPlacements[engine], '--program', program,
    ...Object.entries(spans).flatMap(([name, [pointer, length]]) =>
      ['--bind', `${name}=host:bytes(${pointer},${length})`]),
    '--host', words.map((word) => `'${word}'`).join(' ')];
}

// As calls_child.mjs ends its standard output.
function addValues(result, file) {
  if (result.end === 'TRAPPED') return;
  appendFileSync(file, `${JSON.stringify(result.steps.map((step) => step.values))}\n`);
}

function resultIn(stdout) {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{')).map(JSON.parse);
  return lines.find((line) => line.end);
}

// Files are written for programs that end by themselves; of others the result has the texts.
function outcomeOfResult(result, folder) {
  const trapped = result.end === 'TRAPPED';
  const end = trapped ? {trap: result.trap?.code ?? ''} : {exit: Number(result.exit_code ?? 0)};
  const outcome = outcomeOf(end, folder);
  for (const name of ['stdout', 'stderr']) {
    outcome.outputs[name] ??= Buffer.from(result.outputs?.[name]?.text ?? '');
  }
  return outcome;
}

// `laid`: what layOut made; `folder`: for what comes out. Answers {outcome, fuel} or {refused}.
export async function runInDaemon(daemon, {module, run, engine, laid, folder}) {
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  const to = {stdout: join(folder, 'stdout'), stderr: join(folder, 'stderr'),
    files: join(folder, 'files')};
  for (const path of run.outputs ?? []) mkdirSync(dirname(join(to.files, path)), {recursive: true});
  const args = run.program ? await callsArgsOf(daemon, {module, run, engine, folder, to})
    : argsOf(daemon, {module, run, engine, laid, to});
  const said = await execute(daemon.ctl, args);
  if (said.late) return {refused: `no result in ${kRunMs / 1000} s`};
  const result = resultIn(said.stdout);
  if (!result || !['RETURNED', 'EXITED', 'TRAPPED'].includes(result.end)) {
    const why = said.stderr.trim().split('\n').at(-1) || 'wasmburstctl printed no result';
    return {refused: result ? `the instance ended [${result.end}]` : why};
  }
  if (run.program) addValues(result, to.stdout);
  return {outcome: outcomeOfResult(result, folder), fuel: result.fuel};
}
