// The runner of the guide over pages that are right and pages that are broken. No daemon is needed.
//   node --test runner_test.mjs
import assert from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { kVarying, plainLine, sameOutput } from './output.mjs';
import { readPage, withOutput } from './page.mjs';

const runner = path.join(path.dirname(fileURLToPath(import.meta.url)), 'run.mjs');

// What the runner says of one page, and its last line.
function run(page, words = []) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wb_guide_test_'));
  const file = path.join(folder, '01_page.md');
  fs.writeFileSync(file, page.join('\n') + '\n');
  const ended = spawnSync('node', [runner, ...words, folder, folder], { encoding: 'utf8' });
  const after = fs.readFileSync(file, 'utf8');
  fs.rmSync(folder, { recursive: true });
  assert.equal(ended.stderr, '');
  return { said: ended.stdout, last: ended.stdout.trim().split('\n').at(-1), status: ended.status, after };
}
const sh = (...lines) => ['```sh', ...lines, '```'];
const text = (...lines) => ['```text', ...lines, '```'];

test('a page whose commands print what it says passes', () => {
  const { last, status } = run(['# A', ...sh('echo one >file', 'answer=42'), 'Then:', ...sh('cat file', 'echo $answer'), ...text('one', '42')]);
  assert.equal(last, 'guide: 2 passed, 0 failed, 0 skipped');
  assert.equal(status, 0);
});

test('other output fails with page, line, what was expected and what came', () => {
  const { said, last, status } = run(['# A', '', ...sh('echo 41'), ...text('42')]);
  assert.match(said, /FAILED: 01_page.md:7: \[echo 41\] prints something else/);
  assert.match(said, /the page says:\n {4}42\n {2}it printed:\n {4}41/);
  assert.equal(last, 'guide: 0 passed, 1 failed, 0 skipped');
  assert.equal(status, 1);
});

test('output that the page does not show fails, and so does shown output that does not come', () => {
  assert.match(run(sh('echo more')).said, /the page says:\n {4}\(nothing\)\n {2}it printed:\n {4}more/);
  assert.match(run([...sh('true'), ...text('more')]).said, /the page says:\n {4}more\n {2}it printed:\n {4}\(nothing\)/);
});

test('a command that is not there fails at its own line, and what follows was not run', () => {
  const { said, last } = run(['# A', ...sh('echo one >file', 'no-such-command --flag', 'echo two'), ...sh('echo three'), ...text('three')]);
  assert.match(said, /FAILED: 01_page.md:4: \[no-such-command --flag\] failed/);
  assert.match(said, /01_page.md: line 4: no-such-command: command not found|line 4: no-such-command: command not found/);
  assert.match(said, /FAILED: 01_page.md:8: was not run/);
  assert.equal(last, 'guide: 0 passed, 2 failed, 0 skipped');
});

test('an exit code that the page does not name fails, and the named one passes', () => {
  assert.equal(run(['<!-- guide: exit 3 -->', ...sh('(exit 3)')]).status, 0);
  assert.match(run(['<!-- guide: exit 3 -->', ...sh('true')]).said, /ended with 0, not with 3/);
  assert.match(run(sh('(exit 3)')).said, /\[\(exit 3\)\] failed/);
});

test('blocks that would not run fail', () => {
  for (const lines of [['```console', '$ echo one', '```'], ['```', 'echo one', '```'], ['```bash', 'echo one', '```'],
    ['    echo one'], ['~~~sh', 'echo one'], text('one'), [...sh('echo one'), 'Word.', ...text('one')], sh('')]) {
    const { said, status } = run([...sh('true'), 'Word.', ...lines]);
    assert.match(said, /FAILED: 01_page.md:/, lines.join('\n'));
    assert.equal(status, 1);
  }
  assert.match(run(['# No command']).said, /FAILED: 01_page.md: has no command/);
});

test('unknown marks and needs fail', () => {
  assert.match(run(['<!-- guide: skip -->', ...sh('true')]).said, /an unknown mark/);
  assert.match(run(['<!-- guide: needs wings -->', ...sh('true')]).said, /needs \[wings\]/);
  assert.match(run([...sh('true'), '<!-- guide: exit 1 -->']).said, /a mark stands before no block/);
});

test('links that lead to no page fail', () => {
  assert.match(run([...sh('true'), 'See [two](02_two.md).']).said, /01_page.md:4: the link \[02_two.md\]/);
  assert.match(run([...sh('true'), 'See [all](../../README.md).']).said, /the link \[..\/..\/README.md\]/);
  assert.equal(run([...sh('true'), 'See [this](01_page.md#top).']).status, 0);
});

test('what varies in one block alone is named there', () => {
  assert.equal(run(['<!-- guide: varies [0-9]+ KiB -->', ...sh('echo 4 KiB of 7'), ...text('9 KiB of 7')]).status, 0);
  assert.equal(run(['<!-- guide: varies [0-9]+ KiB -->', ...sh('echo 4 KiB of 7'), ...text('9 KiB of 8')]).status, 1);
});

test('what cannot run here is skipped, with its reason, and counted', () => {
  const { said, last, status } = run(['<!-- guide: needs administrator -->', ...sh('false'), ...sh('true')]);
  assert.match(said, /skipped: 01_page.md:3: it changes the system/);
  assert.equal(last, 'guide: 1 passed, 0 failed, 1 skipped');
  assert.equal(status, 0);
});

test('a page that there is not fails', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wb_guide_test_'));
  const ended = spawnSync('node', [runner, folder, folder, '07'], { encoding: 'utf8' });
  fs.rmdirSync(folder);
  assert.match(ended.stdout, /FAILED: 07: there is no such page/);
  assert.equal(ended.status, 1);
});

test('--update writes what was printed, and no more', () => {
  const { after } = run(['# A', ...sh('echo 41', 'echo in 2 s'), ...text('42', 'in 7 s'), ...sh('echo in 3 s'), ...text('in 1 s'), ...sh('echo new')], ['--update']);
  assert.equal(after, ['# A', ...sh('echo 41', 'echo in 2 s'), ...text('41', 'in 2 s'), ...sh('echo in 3 s'), ...text('in 1 s'), ...sh('echo new'), ...text('new'), ''].join('\n'));
});

test('nothing counts as equal but what varies', () => {
  const same = [['jobs/01M87QBAA08AQ02B1D3R8HPACR SUCCEEDED in 0.001 s', 'jobs/01M7XB4WXR6WQHK65DXYC5HA18 SUCCEEDED in 12 ms'],
    ['977 launches on cpu0', '1 launch on interpreter0'], ['a   b', 'a b']];
  for (const [one, other] of same) assert.equal(plainLine(one), plainLine(other));
  const differ = [['3 instances', '4 instances'], ['RETURNED', 'TRAPPED'], ['3.33 k instructions', '3.34 k instructions'],
    ['0 RETURNED 534', '0 RETURNED 535'], ['cpu0', 'cuda1']];
  for (const [one, other] of differ) assert.notEqual(plainLine(one), plainLine(other));
  assert.equal(new Set(kVarying.map(([name]) => name)).size, kVarying.length);
});

test('a line of three points stands for any lines, and for no wrong ones', () => {
  assert.ok(sameOutput(['a', '...', 'd'], ['a', 'b', 'c', 'd']));
  assert.ok(sameOutput(['a', '...', 'd'], ['a', 'd']));
  assert.ok(!sameOutput(['a', '...', 'd'], ['a', 'b', 'e']));
  assert.ok(!sameOutput(['...', 'd'], ['d', 'e']));
  assert.ok(sameOutput(['...', 'b', '...'], ['a', 'b', 'b', 'c']));
});

test('the lines of commands are those of the page', () => {
  const page = readPage(['# A', '', ...sh('one', 'two'), ...text('three')].join('\n'));
  assert.deepEqual(page.blocks.map(({ line, expected }) => [line, expected.line]), [[4, 8]]);
  assert.equal(withOutput('# A', { blocks: [] }, []), '# A');
});
