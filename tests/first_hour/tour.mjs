// The five minutes of the root README, run word by word, and what they print compared with what the
// README says that they print.
//   node tour.mjs ROOT
// Left out of the comparison: what varies (tests/guide/output.mjs), and the order of lines.
// Last line: tour: N commands as printed
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { plainLines, sameLines } from '../guide/output.mjs';
import { runBlocks } from '../guide/shell.mjs';

const root = path.resolve(process.argv[2]);
const text = fs.readFileSync(path.join(root, 'README.md'), 'utf8');

// Each command that has "$ " before it is a block, and what follows it in the same paragraph is what it prints. An
// indented paragraph whose first line has none is run as a whole, and nothing is said about what it prints.
function readTour() {
  const blocks = [];
  let within = false;
  let document = '';
  let paragraph = '';  // 'run' or 'said', of the indented paragraph that the last line was in
  text.split('\n').forEach((whole, at) => {
    if (whole.startsWith('## ')) within = whole === '## Five minutes';
    if (!within || !whole.startsWith('    ')) {
      paragraph = '';
      return;
    }
    const line = whole.slice(4);
    const isCommand = !document && line.startsWith('$ ');
    const begins = paragraph === '';
    paragraph ||= isCommand ? 'said' : 'run';
    if (isCommand) {
      paragraph = 'said';
      blocks.push({ line: at + 1, commands: [line.slice(2)], exit: null, printed: [] });
    } else if (paragraph === 'said') {
      blocks.at(-1).printed.push(line);
    } else {
      if (begins && !document) blocks.push({ line: at + 1, commands: [], exit: 0 });
      blocks.at(-1).commands.push(line);
      document = document ? (line === document ? '' : document) : /<<'(\w+)'$/.exec(line)?.[1] ?? '';
    }
  });
  return blocks;
}

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'wb_tour_'));
const [folder, scratch] = ['folder', 'scratch'].map((name) => path.join(work, name));
[folder, scratch].forEach((one) => fs.mkdirSync(one));
fs.symlinkSync(path.join(root, 'build'), path.join(folder, 'build'));
const env = { ...process.env, XDG_CACHE_HOME: path.join(work, 'cache'), XDG_STATE_HOME: path.join(work, 'state') };
const blocks = readTour();
const results = await runBlocks(blocks, { folder, scratch, env, seconds: 120 });
fs.rmSync(work, { recursive: true });

let wrong = 0;
blocks.forEach(({ line, commands, printed }, index) => {
  const { status, output, failed } = results[index];
  const said = (output ?? '').split('\n');
  if (status !== null && (!printed || sameLines(printed, said))) return;
  wrong += 1;
  if (status === null) console.log(`README.md:${failed ?? line}: did not come to its end, or was not run\n${said.join('\n')}`);
  else console.log(`README.md:${line}: $ ${commands[0]}\n--- the README says\n${plainLines(printed).join('\n')}\n--- it printed\n${plainLines(said).join('\n')}`);
});
const commands = blocks.filter(({ printed }) => printed).length;
if (wrong > 0 || commands < 5) {
  console.log(`tour: ${wrong} blocks print something else or fail, of ${blocks.length}`);
  process.exit(1);
}
console.log(`tour: ${commands} commands as printed`);
