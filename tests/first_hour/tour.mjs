// The five minutes of the root README, run word by word, and what they print compared with what the
// README says that they print.
//   node tour.mjs ROOT
// Left out of the comparison: job ids, times, the number of launches, which engine was ready first
// (the README says so), spaces, and the order of lines. Last line: tour: N commands as printed
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(process.argv[2]);
const text = fs.readFileSync(path.join(root, 'README.md'), 'utf8');
const section = text.split(/^## /m).find((part) => part.startsWith('Five minutes'));

// The commands as one script; each that has "$ " before it prints a mark first. An indented block whose
// first line has none is run, and nothing is said about what it prints.
const script = ['set -u'];
const said = [];
let document = '';
let block = '';  // 'run' or 'said', of the indented block that the last line was in
for (const indented of section.split('\n')) {
  if (!indented.startsWith('    ')) {
    block = '';
    continue;
  }
  const line = indented.slice(4);
  block ||= document || !line.startsWith('$ ') ? 'run' : 'said';
  if (document) {
    script.push(line);
    if (line === document) document = '';
  } else if (line.startsWith('$ ')) {
    block = 'said';
    said.push({ command: line.slice(2), printed: [] });
    script.push(`echo "@@ ${said.length - 1}"`, `{ ${line.slice(2)} ; } 2>&1`);
  } else if (block === 'said') {
    said.at(-1).printed.push(line);
  } else {
    script.push(`echo "@@ -1"`, line.endsWith('&') ? line : `${line} || echo "@@ failed: ${line}"`);
    document = /<<'(\w+)'$/.exec(line)?.[1] ?? '';
    if (/wasmburstd .*&$/.test(line)) {
      script.push('for i in $(seq 100); do wasmburstctl server info >/dev/null 2>&1 && break; sleep 0.1; done');
    }
  }
}
script.push('kill %1; wait %1');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wb_tour_'));
fs.symlinkSync(path.join(root, 'build'), path.join(folder, 'build'));
const env = { ...process.env, XDG_CACHE_HOME: path.join(folder, 'cache'), XDG_STATE_HOME: path.join(folder, 'state') };
const run = spawnSync('bash', ['-c', script.join('\n')], { cwd: folder, env, encoding: 'utf8', timeout: 120000 });
fs.rmSync(folder, { recursive: true });

const plain = (part) => part.map((line) => line
  .replace(/jobs\/[0-9A-Z]{26}/g, 'jobs/ID').replace(/in [0-9.]+ s/g, 'in T s')
  .replace(/[0-9]+ launch(es)?/g, 'N launches').replace(/interpreter0|cpu0/g, 'DEVICE')
  .replace(/"build":"(interpreted|full)"/g, '"build":"BUILD"')
  .replace(/\s+/g, ' ').trim()).filter(Boolean).sort().join('\n');
let wrong = 0;
const printed = new Map();
for (const part of run.stdout.split(/^@@ /m).slice(1)) {
  const [mark, ...rest] = part.split('\n');
  if (mark.startsWith('failed')) {
    wrong += 1;
    console.log(mark);
  }
  printed.set(mark, rest);
}
said.forEach(({ command, printed: expected }, at) => {
  const is = plain(printed.get(String(at)) ?? []);
  if (is === plain(expected)) return;
  wrong += 1;
  console.log(`$ ${command}\n--- the README says\n${plain(expected)}\n--- it printed\n${is}`);
});
if (wrong > 0 || said.length < 5) {
  console.log(run.stderr.split('\n').slice(-5).join('\n'));
  console.log(`tour: ${wrong} commands print something else, of ${said.length}`);
  process.exit(1);
}
console.log(`tour: ${said.length} commands as printed`);
