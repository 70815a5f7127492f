// What table/*.json says, read and checked. README.md describes the form.
import {readFileSync, readdirSync} from 'node:fs';
import {basename, join} from 'node:path';

const kFields = {
  what: 'string', sources: 'array', prepare: 'array', language: 'string', files: 'array',
  flags: 'array', libraries: 'array', module: 'string', needs: 'string', runs: 'object',
};
const kProgramFields = {args: 'array', env: 'object', stdin: 'any', files: 'object', outputs: 'array'};
const kCallFields = {program: 'object', host: 'string'};
const kContents = ['text', 'input', 'source', 'run'];
const kLanguages = ['c', 'c++', 'rust', 'assemblyscript'];

const typeOf = (value) => (Array.isArray(value) ? 'array' : typeof value);

function checkFields(where, object, fields) {
  for (const [name, value] of Object.entries(object)) {
    if (!(name in fields)) throw new Error(`${where}: unknown field [${name}]`);
    if (fields[name] !== 'any' && typeOf(value) !== fields[name]) {
      throw new Error(`${where}: field [${name}] is of type [${typeOf(value)}], not ` +
        `[${fields[name]}]`);
    }
  }
}

function checkRun(where, run, earlier) {
  checkFields(where, run, run.program ? kCallFields : kProgramFields);
  if (run.program && !run.host) throw new Error(`${where}: [program] needs a [host]`);
  for (const content of [run.stdin, ...Object.values(run.files ?? {})]) {
    if (content === undefined || typeof content === 'string') continue;
    const kinds = kContents.filter((kind) => kind in content);
    if (kinds.length !== 1) {
      throw new Error(`${where}: a file is one of ${kContents.join(', ')}; it is ` +
        `[${JSON.stringify(content)}]`);
    }
    if (content.run !== undefined && !earlier.includes(content.run)) {
      throw new Error(`${where}: run [${content.run}] does not stand before it`);
    }
  }
}

// `text`: of the file NAME.json; `pins`: of sources.json. Throws what is wrong and where.
export function parseManifest(name, text, pins) {
  const manifest = JSON.parse(text);
  checkFields(name, manifest, kFields);
  for (const field of ['what', 'runs']) {
    if (!manifest[field]) throw new Error(`${name}: field [${field}] is missing`);
  }
  if (!manifest.module && !kLanguages.includes(manifest.language)) {
    throw new Error(`${name}: language [${manifest.language}] is none of ${kLanguages.join(', ')}`);
  }
  for (const source of manifest.sources ?? []) {
    if (!pins[source]) throw new Error(`${name}: source [${source}] is not in sources.json`);
  }
  const earlier = [];
  for (const [run, fields] of Object.entries(manifest.runs)) {
    checkRun(`${name}: run [${run}]`, fields, earlier);
    earlier.push(run);
  }
  if (earlier.length === 0 && !manifest.needs) throw new Error(`${name}: there is no run`);
  return {sources: [], prepare: [], files: [], flags: [], libraries: [], ...manifest, name};
}

// All manifests by name, and the pins of their sources.
export function readManifests(folder) {
  const pins = JSON.parse(readFileSync(join(folder, 'sources.json'), 'utf8'));
  const manifests = readdirSync(join(folder, 'table')).filter((file) => file.endsWith('.json'))
    .sort().map((file) => parseManifest(basename(file, '.json'),
      readFileSync(join(folder, 'table', file), 'utf8'), pins));
  return {pins, manifests};
}
