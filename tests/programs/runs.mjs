// Lays out what a run is given, and runs it in Node: the reference.
import {spawn} from 'node:child_process';
import {
  closeSync, copyFileSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, rmSync,
  writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';

const kHere = import.meta.dirname;
const kRunMs = 120_000;

// Of the module in hosts/ that answers a run's calls.
export const hostPath = (name) => join(kHere, 'hosts', `${name}.mjs`);

// Writes a file of a run: of inputs/, of the sources, or an earlier run's output.
function writeContent(content, path, {work, expected, generated}) {
  mkdirSync(dirname(path), {recursive: true});
  if (typeof content === 'string') return writeFileSync(path, content);
  if (content.text !== undefined) return writeFileSync(path, content.text);
  if (content.source !== undefined) {
    return cpSync(join(work, content.source), path, {recursive: true});
  }
  if (content.run !== undefined) {
    return copyFileSync(
      join(expected, content.run, 'output', content.output ?? 'stdout'), path);
  }
  const own = join(kHere, 'inputs', content.input);
  return copyFileSync(existsSync(own) ? own : join(generated, content.input), path);
}

// Makes FOLDER/root (the program's "/"), FOLDER/stdin and FOLDER/output. `places`: {work, expected,
// generated}.
export function layOut(run, folder, places) {
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(join(folder, 'root'), {recursive: true});
  mkdirSync(join(folder, 'output'), {recursive: true});
  for (const [path, content] of Object.entries(run.files ?? {})) {
    writeContent(content, join(folder, 'root', path), places);
  }
  writeContent(run.stdin ?? '', join(folder, 'stdin'), places);
}

function waitFor(process) {
  return new Promise((resolve, reject) => {
    process.on('error', reject);
    process.on('exit', (code, signal) => resolve(code ?? signal));
  });
}

// Runs in a folder that layOut made. Leaves output/stdout, output/stderr and the output files, and
// answers {exit} or {trap}.
export async function runInNode(name, run, module, folder) {
  const spec = join(folder, 'spec.json');
  const report = join(folder, 'end.json');
  writeFileSync(spec, JSON.stringify(run.program
    ? {module, host: hostPath(run.host), program: run.program, report}
    : {module, args: [`${name}.wasm`, ...(run.args ?? [])],
      env: run.env ?? {}, root: join(folder, 'root'), report}));
  const child = run.program ? 'calls_child.mjs' : 'wasi_child.mjs';
  const streams = [openSync(join(folder, 'stdin'), 'r'),
    openSync(join(folder, 'output/stdout'), 'w'), openSync(join(folder, 'output/stderr'), 'w')];
  const ended = await waitFor(spawn(process.execPath,
    ['--no-warnings', join(kHere, child), spec], {stdio: streams, timeout: kRunMs}));
  streams.forEach(closeSync);
  if (!existsSync(report)) {
    const said = readFileSync(join(folder, 'output/stderr'), 'utf8');
    const line = said.split('\n').find((line) => /Error/.test(line)) ?? `ended with [${ended}]`;
    throw new Error(`Node did not run it: ${line}`);
  }
  for (const path of run.outputs ?? []) {
    const made = join(folder, 'root', path);
    if (!existsSync(made)) continue;
    mkdirSync(dirname(join(folder, 'output', 'files', path)), {recursive: true});
    copyFileSync(made, join(folder, 'output', 'files', path));
  }
  return JSON.parse(readFileSync(report, 'utf8'));
}
