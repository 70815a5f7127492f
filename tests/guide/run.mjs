// Runs pages of the guide, each in an empty folder and with a daemon of its own, and compares what its commands print
// with what it says that they print.
//   node run.mjs [--update] BIN FOLDER [PAGE...]
//     BIN       a build tree, or a folder with bin/ (and sbin/): where wasmburstd and wasmburstctl are
//     FOLDER    where the pages NN_name.md are; PAGE: some of them
//     --update  writes what commands print into the pages where it differs; read what changed
// Last line: guide: N passed, M failed, K skipped, of commands. Exit 1 where one failed.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { kNeeds } from './machine.mjs';
import { plainLines, sameOutput } from './output.mjs';
import { readPage, withOutput } from './page.mjs';
import { runBlocks } from './shell.mjs';

const kPageSeconds = 120;
const counts = { passed: 0, failed: 0, skipped: 0 };

function fail(where, words, details = []) {
  counts.failed += 1;
  console.log([`FAILED: ${where}: ${words}`, ...details].join('\n'));
}

const indented = (title, lines) => [`  ${title}:`, ...(lines.length > 0 ? lines : ['(nothing)']).map((line) => `    ${line}`)];

// As it looks to the reader of a page, whose name is `you` and whose home is /home/you.
function linesOf(output, home) {
  const text = output.replaceAll(home, '/home/you').replaceAll(`user:${os.userInfo().username}`, 'user:you');
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

// A folder for one page, and what its shell finds in its environment: nothing of ours but where programs are.
function place(bin) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'wbg_'));
  const folder = (name) => {
    fs.mkdirSync(path.join(root, name));
    return path.join(root, name);
  };
  const home = folder('home');
  const programs = ['daemon', 'client', 'bin', 'sbin'].map((part) => path.join(bin, part));
  const env = {
    PATH: [...programs, '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin', ...process.env.PATH.split(':')].join(':'),
    HOME: home, TMPDIR: folder('tmp'), LANG: 'C.UTF-8', USER: 'you', WASMBURST_BUILD: bin,
    WASMBURST_PAGES: pagesFolder,
  };
  return { root, folder: folder('home/guide'), scratch: folder('scratch'), env };
}

// Before the first command of a page that says that it has a daemon. It has no lines of the page.
function daemonBlock(env, scratch) {
  env.WASMBURST_ADDR = `unix://${env.HOME}/wasmburst.sock`;
  const commands = [`wasmburstd --listen $WASMBURST_ADDR 2>"${scratch}/daemon.log" &`];
  return { line: 2, commands, exit: 0, expected: null };
}

// Whether it came to its end as it should, whatever it printed.
function checkEnd(name, block, result, home) {
  const where = `${name}:${block.line}`;
  const printed = indented('it printed', linesOf(result.output ?? '', home));
  if (result.output === null) {
    fail(where, 'was not run, since one before it failed');
  } else if (result.status === null) {
    const line = result.failed ?? block.line;
    const failed = result.failed ? 'failed' : 'did not end in time';
    fail(`${name}:${line}`, `[${block.commands[line - block.line]?.trim()}] ${failed}`, printed);
  } else if (result.status !== block.exit) {
    fail(where, `ended with ${result.status}, not with ${block.exit}`, printed);
  } else {
    return true;
  }
  return false;
}

function checkBlock(name, block, result, home) {
  if (!checkEnd(name, block, result, home)) return;
  const printed = linesOf(result.output, home);
  const expected = block.expected?.lines ?? [];
  if (sameOutput(expected, printed, block.varies)) {
    counts.passed += 1;
    return;
  }
  fail(`${name}:${block.expected?.line ?? block.line}`, `[${block.commands[0].trim()}] prints something else`,
    [...indented('the page says', expected), ...indented('it printed', printed)]);
}

// Those of a page that can run here; why the others cannot is said.
function runnable(name, page) {
  return page.blocks.filter((block) => {
    if (!block.needs) return true;
    const need = kNeeds[block.needs];
    if (!need) {
      fail(`${name}:${block.line}`, `needs [${block.needs}], and what that is is not known (tests/guide/machine.mjs)`);
      return false;
    }
    const reason = need();
    if (!reason) return true;
    counts.skipped += 1;
    console.log(`skipped: ${name}:${block.line}: ${reason}`);
    return false;
  });
}

function updatePage(file, text, page, blocks, results, home) {
  const printed = page.blocks.map((block) => {
    const result = results[blocks.indexOf(block)];
    if (!result || result.output === null) return null;
    const lines = linesOf(result.output, home);
    // Of a page that has no output yet all is new.
    return block.expected && sameOutput(block.expected.lines, lines, block.varies) ? null : (plainLines(lines).length > 0 ? lines : []);
  });
  fs.writeFileSync(file, withOutput(text, page, printed));
}

async function runPage(bin, file, isUpdate) {
  const name = path.basename(file);
  const text = fs.readFileSync(file, 'utf8');
  const page = readPage(text);
  const before = { ...counts };
  page.problems.forEach(({ line, words }) => fail(`${name}:${line}`, words));
  if (page.blocks.length === 0) fail(name, 'has no command');
  page.links.filter(({ target }) => target.includes('/') || !fs.existsSync(path.join(pagesFolder, target)))
    .forEach(({ line, target }) => fail(`${name}:${line}`, `the link [${target}] leads to no page of the guide`));
  const blocks = runnable(name, page);
  const { root, folder, scratch, env } = place(bin);
  const began = page.daemon ? [daemonBlock(env, scratch)] : [];
  const results = await runBlocks([...began, ...blocks], { folder, scratch, env, seconds: kPageSeconds });
  const ofPage = results.slice(began.length);
  if (isUpdate) updatePage(file, text, page, blocks, ofPage, env.HOME);
  const check = isUpdate ? checkEnd : checkBlock;
  blocks.forEach((block, index) => check(name, block, ofPage[index], env.HOME));
  if (began.length > 0 && ofPage.every((result) => result.output === null)) {
    console.log(fs.readFileSync(path.join(scratch, 'daemon.log'), 'utf8'));
  }
  fs.rmSync(root, { recursive: true, force: true });
  if (counts.failed === before.failed && !isUpdate) console.log(`ok: ${name}: ${counts.passed - before.passed} commands`);
}

const words = process.argv.slice(2);
const isUpdate = words[0] === '--update';
if (isUpdate) words.shift();
const [bin, pagesFolder, ...chosen] = words.map((word, index) => (index < 2 ? path.resolve(word) : word));
const known = fs.readdirSync(pagesFolder).filter((name) => /^[0-9]{2}_.*\.md$/.test(name)).sort();
const pages = chosen.map((word) => known.find((name) => name === word || name === `${word}.md` || name.startsWith(`${word}_`)) ?? word);
for (const name of chosen.length > 0 ? pages : known) {
  if (known.includes(name)) await runPage(bin, path.join(pagesFolder, name), isUpdate);
  else fail(name, `there is no such page; there are ${known.join(', ')}`);
}
if (known.length === 0) fail(pagesFolder, 'has no page');
const { passed, failed, skipped } = counts;
console.log(`guide: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 ? 0 : 1);
