// Puts a program's runs, with what came of them in Node, into a folder that a machine without Node,
// compilers and registries can run (packed.sh).
import {copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

export const kPackScript = join(import.meta.dirname, 'packed.sh');

const words = (list) => list.map((word) => `${word}\0`).join('');

// `end`: {exit} or {trap}; `laid`: what layOut made; `output`: what Node left, stdout, stderr and files/.
export function packRun(pack, {name, module, run, runName, end, laid, output}) {
  const folder = join(pack, 'runs', name, runName);
  rmSync(folder, {recursive: true, force: true});
  mkdirSync(folder, {recursive: true});
  mkdirSync(join(pack, 'modules'), {recursive: true});
  copyFileSync(module, join(pack, 'modules', `${name}.wasm`));
  cpSync(join(laid, 'root'), join(folder, 'root'), {recursive: true});
  copyFileSync(join(laid, 'stdin'), join(folder, 'stdin'));
  cpSync(output, join(folder, 'expected'), {recursive: true});
  writeFileSync(join(folder, 'end'), end.trap === undefined ? `EXITED ${end.exit}\n` : 'TRAPPED\n');
  writeFileSync(join(folder, 'args'), words(run.args ?? []));
  writeFileSync(join(folder, 'env'), words(
    Object.entries(run.env ?? {}).map(([key, value]) => `${key}=${value}`)));
  writeFileSync(join(folder, 'outputs'), words(run.outputs ?? []));
}
