// Runs a program as a job of a wasmburstd of ours, through wasmburstctl run.
import {execFile} from 'node:child_process';
import {mkdirSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';

import {outcomeOf} from './compare.mjs';

const kRunMs = 400_000;
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
  const said = await execute(daemon.ctl, argsOf(daemon, {module, run, engine, laid, to}));
  if (said.late) return {refused: `no result in ${kRunMs / 1000} s`};
  const result = resultIn(said.stdout);
  if (!result || !['RETURNED', 'EXITED', 'TRAPPED'].includes(result.end)) {
    const why = said.stderr.trim().split('\n').at(-1) || 'wasmburstctl printed no result';
    return {refused: result ? `the instance ended [${result.end}]` : why};
  }
  return {outcome: outcomeOfResult(result, folder), fuel: result.fuel};
}
