// Builds a manifest's module with Debian's compilers, or AssemblyScript's, in a folder of its own.
import {createHash} from 'node:crypto';
import {
  copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync,
} from 'node:fs';
import {join} from 'node:path';

import {command} from './command.mjs';

const kHere = import.meta.dirname;
const kBuildMs = 400_000;
const kCommonFlags = [
  '--target=wasm32-wasi', '-O2', '-w', '-DNDEBUG', '-D_WASI_EMULATED_SIGNAL',
  '-D_WASI_EMULATED_PROCESS_CLOCKS', '-Wl,--strip-debug', '-Wl,-z,stack-size=262144',
];
const kCommonLibraries = ['-lwasi-emulated-signal', '-lwasi-emulated-process-clocks'];

function filesUnder(folder) {
  return readdirSync(folder).sort().flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });
}

// Of all that shapes a module, but the compilers.
function keyOf(manifest, archives) {
  const {runs, what, ...shapes} = manifest;
  const hash = createHash('sha256').update(JSON.stringify([shapes, archives]));
  const ours = ['include', 'c', 'rust', 'as'].flatMap((part) => filesUnder(join(kHere, part)));
  for (const file of [...ours, join(kHere, 'build.mjs')]) hash.update(readFileSync(file));
  return hash.digest('hex');
}

// For bash with extglob. PROGRAMS is this folder; the work folder is the current one.
function compileLine(manifest, out) {
  const files = manifest.files.join(' ');
  const flags = manifest.flags.join(' ');
  switch (manifest.language) {
    case 'c':
      return `clang-14 ${kCommonFlags.join(' ')} -I"$PROGRAMS/include" ${flags} ${files} ` +
        `${manifest.libraries.join(' ')} ${kCommonLibraries.join(' ')} -o ${out}`;
    case 'c++':
      return `clang++-14 ${kCommonFlags.join(' ')} -fno-exceptions ${flags} ${files} ` +
        `${manifest.libraries.join(' ')} ${kCommonLibraries.join(' ')} -o ${out}`;
    case 'rust':
      // Debian's, which has the target; another one may stand before it in PATH.
      return `/usr/bin/rustc --target wasm32-wasi -O -C linker=wasm-ld-14 ${flags} ${files} ` +
        `-o ${out}`;
    case 'assemblyscript':
      return `node node_modules/assemblyscript/bin/asc.js ${flags} ${files} -O2 --outFile ${out}`;
    default:
      return `cp ${manifest.module} ${out}`;
  }
}

// Archives have one folder at their top, or say with `strip` that they have none.
async function unpack({file, strip = 1}, folder) {
  mkdirSync(folder, {recursive: true});
  await command('tar',
    ['-xf', file, '-C', folder, `--strip-components=${strip}`, '--no-same-owner'],
    {timeout: kBuildMs});
}

// `folder`: of all builds, kept. `archives`: {file, strip} of the manifest's sources, by name.
// Answers {module, work}. Throws why it cannot be built.
export async function build(manifest, folder, archives) {
  const work = join(folder, 'work', manifest.name);
  const module = join(folder, 'modules', `${manifest.name}.wasm`);
  const mark = join(folder, 'modules', `${manifest.name}.key`);
  const key = keyOf(manifest, archives);
  mkdirSync(join(folder, 'modules'), {recursive: true});
  if (existsSync(module) && existsSync(mark) && readFileSync(mark, 'utf8') === key) {
    return {module, work};
  }
  rmSync(mark, {force: true});
  rmSync(work, {recursive: true, force: true});
  mkdirSync(work, {recursive: true});
  for (const [name, archive] of Object.entries(archives)) await unpack(archive, join(work, name));
  const lines = ['set -e', 'shopt -s extglob', ...manifest.prepare,
    compileLine(manifest, 'out.wasm')];
  await command('bash', ['-c', lines.join('\n')],
    {cwd: work, env: {PROGRAMS: kHere}, timeout: kBuildMs});
  copyFileSync(join(work, 'out.wasm'), module);
  writeFileSync(mark, key);
  return {module, work};
}
