// The generated reference (deploy/reference) beside what it is made of: each row of the tables, each method, field and
// value of proto/, and each command that completion knows, stands in its page with its words.
//   node reference_test.mjs BUILD
// Last line: reference: N rows stand in their pages
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const build = path.resolve(process.argv[2]);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const source = (name) => fs.readFileSync(path.join(root, name), 'utf8');
const page = (name) => fs.readFileSync(path.join(build, 'deploy/reference/pages', name), 'utf8').replace(/\\([|<*_[\]])/g, '$1');

let rows = 0;
const missing = [];
function expect(name, text, from) {
  rows += 1;
  if (!page(name).includes(text)) missing.push(`${name} does not say [${text}] of ${from}`);
}
function expectMany(what, count, least) {
  if (count < least) missing.push(`only ${count} ${what} were found in the sources, of at least ${least}`);
}

function settings() {
  const found = [...source('daemon/config/settings.def').matchAll(/^WB_SETTING\((\w+), (\w+), [^"]*"((?:[^"\\]|\\.)*)", .*?"((?:[^"\\]|\\.)*)"\)$/gm)];
  for (const [, section, key, usual, meaning] of found) {
    expect('settings.md', `| \`${section}.${key}\` | ${usual === '' ? 'empty' : `\`${usual}\``} |`, 'settings.def');
    expect('settings.md', meaning.replace(/^\|.*\|/, '').replaceAll('\\"', '"').trim(), 'settings.def');
  }
  expectMany('settings', found.length, 100);
}

function table(file, name, pattern, least) {
  const found = [...source(file).matchAll(pattern)];
  for (const [, one, words] of found) {
    expect(name, `\`${one}\` |`, file);
    expect(name, words, file);
  }
  expectMany(`rows of ${file}`, found.length, least);
}

// Without comments, so that a word in one is no declaration.
function api(file) {
  const name = file.replace('.proto', '.md');
  const text = source(`proto/wasmburst/v1/${file}`);
  const bare = text.replace(/\/\/.*$/gm, '');
  const declared = {
    methods: [...bare.matchAll(/\brpc (\w+)\s*\(/g)].map(([, one]) => `.${one}\n`),
    types: [...bare.matchAll(/\b(?:message|enum) (\w+)/g)].map(([, one]) => `${one}\n`),
    fields: [...bare.matchAll(/\b(\w+) = (\d+)\s*(?:\[[^\]]*\])?;/g)].map(([, one, number]) => `| \`${one}\` | ${number} |`),
  };
  for (const one of Object.values(declared).flat()) expect(name, one, file);
  // Comments behind a field, in its line.
  for (const [, words] of text.matchAll(/^ {2,}[^/\n]*;  ?\/\/ (.*)$/gm)) expect(name, words, file);
  return declared.fields.length;
}

function commands() {
  const complete = (...words) => execFileSync(path.join(build, 'client/wasmburstctl'), ['__complete', ...words, ''], { encoding: 'utf8' })
    .split('\n').filter((word) => /^[a-z]/.test(word));
  let count = 0;
  for (const noun of complete()) {
    expect('commands.md', `## wasmburstctl ${noun}\n`, 'wasmburstctl');
    count += 1;
    for (const verb of complete(noun).filter((word) => page('commands.md').includes(`\n## wasmburstctl ${noun} `) && word)) {
      expect('commands.md', `## wasmburstctl ${noun} ${verb}\n`, 'wasmburstctl');
      count += 1;
    }
  }
  expectMany('commands', count, 40);
}

settings();
table('daemon/metrics/metrics.def', 'metrics.md', /^WB_METRIC\(\w+, \w+, "(\w+)", "[^"]*", "([^"]*)"\)$/gm, 40);
table('compiler/base/errors.def', 'errors.md', /^WB_ERROR\(\w+, "(\w+)", \w+, "([^"]*)"\)$/gm, 30);
table('compiler/abi/trap.def', 'errors.md', /^WB_TRAP\(\w+, (\w+), \d+, "([^"]*)"\)$/gm, 10);
const files = fs.readdirSync(path.join(root, 'proto/wasmburst/v1'));
expectMany('fields', files.map(api).reduce((sum, one) => sum + one, 0), 400);
commands();
if (missing.length > 0) {
  console.log(missing.join('\n'));
  process.exit(1);
}
console.log(`reference: ${rows} rows stand in their pages`);
