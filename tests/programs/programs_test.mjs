// What programs.mjs is made of, alone: node programs_test.mjs
import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';

import {command} from './command.mjs';
import {difference} from './compare.mjs';
import {makeInputs} from './make_inputs.mjs';
import {parseManifest, readManifests} from './manifest.mjs';
import {factsOf} from './module_facts.mjs';
import {layOut, runInNode} from './runs.mjs';

const folder = mkdtempSync(join(tmpdir(), 'wb_programs_test_'));
after(() => rmSync(folder, {recursive: true}));

const outcome = (end, outputs) => ({end, outputs: Object.fromEntries(
  Object.entries(outputs).map(([name, text]) => [name, Buffer.from(text)]))});
const wanted = outcome({exit: 0}, {stdout: 'abc', 'files/a': 'x'});

test('Equal outcomes do not differ, and texts of traps may', () => {
  assert.equal(difference(wanted, outcome({exit: 0}, {stdout: 'abc', 'files/a': 'x'})), '');
  assert.equal(difference(outcome({trap: 'unreachable'}, {}), outcome({trap: 'other'}, {})), '');
});

test('An end, a byte, and a file too few or too many are told', () => {
  for (const [got, told] of [
    [outcome({exit: 1}, {stdout: 'abc', 'files/a': 'x'}), 'ends with exit code 1, not exit code 0'],
    [outcome({trap: 'x'}, {stdout: 'abc', 'files/a': 'x'}), 'ends with a trap, not exit code 0'],
    [outcome({exit: 0}, {stdout: 'abd', 'files/a': 'x'}),
      'output [stdout]: they differ at byte 2 of 3: "d", not "c"'],
    [outcome({exit: 0}, {stdout: 'abc'}), 'output [files/a] is missing'],
    [outcome({exit: 0}, {stdout: 'abc', 'files/a': 'x', 'files/b': ''}),
      'output [files/b] is there and should not be'],
  ]) {
    assert.equal(difference(wanted, got), told);
  }
});

test('A manifest that is wrong says where', () => {
  const parse = (changes) => parseManifest('tool', JSON.stringify(
    {what: 'a tool', language: 'c', runs: {one: {}}, ...changes}), {zlib: {}});
  assert.deepEqual(parse({sources: ['zlib']}).sources, ['zlib']);
  for (const [changes, told] of [
    [{flag: []}, 'tool: unknown field [flag]'],
    [{flags: '-O'}, 'tool: field [flags] is of type [string], not [array]'],
    [{language: 'ada'}, 'tool: language [ada] is none of c, c++, rust, assemblyscript'],
    [{sources: ['gone']}, 'tool: source [gone] is not in sources.json'],
    [{runs: {}}, 'tool: there is no run'],
    [{runs: {one: {arg: []}}}, 'tool: run [one]: unknown field [arg]'],
    [{runs: {one: {program: {}}}}, 'tool: run [one]: [program] needs a [host]'],
    [{runs: {one: {program: {}, host: 'tool', args: []}}},
      'tool: run [one]: unknown field [args]'],
    [{runs: {one: {stdin: {file: 'x'}}}},
      'tool: run [one]: a file is one of text, input, source, run; it is [{"file":"x"}]'],
    [{runs: {one: {stdin: {run: 'two'}}, two: {}}},
      'tool: run [one]: run [two] does not stand before it'],
  ]) {
    assert.throws(() => parse(changes), {message: told});
  }
});

test('All manifests are right, and at least twenty', () => {
  assert.ok(readManifests(import.meta.dirname).manifests.length >= 20);
});

test('Inputs are the same bytes each time', () => {
  const read = (name) => ['text.txt', 'rows.json', 'picture.ppm'].map((file) =>
    readFileSync(join(folder, name, file)));
  makeInputs(join(folder, 'a'));
  makeInputs(join(folder, 'b'));
  assert.deepEqual(read('a'), read('b'));
});

test('A command that fails says the line that tells why', async () => {
  await assert.rejects(command('bash', ['-c', 'echo at first; echo an error: no; echo last; exit 1'],
    {timeout: 10_000}), {message: 'bash -c: an error: no'});
});

// Writes "hi\n" to standard output and exits with 3; with an argument it traps.
const kModule = `(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "args_sizes_get" (func $sizes (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\\10\\00\\00\\00\\03\\00\\00\\00")
  (data (i32.const 16) "hi\\0a")
  (func (export "_start")
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))
    (drop (call $sizes (i32.const 8) (i32.const 12)))
    (if (i32.gt_u (i32.load (i32.const 8)) (i32.const 1)) (then unreachable))
    (call $exit (i32.extend8_s (i32.const 3)))))`;

test('A program runs in Node, and what it needs is told', async () => {
  writeFileSync(join(folder, 'hi.wat'), kModule);
  const module = join(folder, 'hi.wasm');
  await command('wat2wasm', [join(folder, 'hi.wat'), '-o', module], {timeout: 10_000});
  const facts = factsOf(module);
  assert.deepEqual(facts.features, ['sign-extension']);
  assert.equal(facts.imports.length, 3);
  const run = async (fields) => {
    layOut(fields, join(folder, 'run'), {});
    return runInNode('hi', fields, module, join(folder, 'run'));
  };
  assert.deepEqual(await run({}), {exit: 3});
  assert.equal(readFileSync(join(folder, 'run/output/stdout'), 'utf8'), 'hi\n');
  assert.deepEqual(await run({args: ['more']}), {trap: 'unreachable'});
});
