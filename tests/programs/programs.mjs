// Programs of others, in Node's WASI and in a wasmburstd. Use: --help.
// Last line: programs: P of T equal to Node's, R refused
import {copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {parseArgs} from 'node:util';

import {Daemon} from '../modules/in_daemon.mjs';
import {build} from './build.mjs';
import {difference, outcomeOf} from './compare.mjs';
import {Fetcher} from './fetch.mjs';
import {kEngines, runInDaemon} from './in_daemon.mjs';
import {makeInputs} from './make_inputs.mjs';
import {readManifests} from './manifest.mjs';
import {factsOf} from './module_facts.mjs';
import {kPackScript, packRun} from './pack.mjs';
import {layOut, runInNode} from './runs.mjs';

const help = `deploy/programs.sh [--engine interpreter|cpu|cuda|metal|metal-standin]... [--only NAME]... [--whole]
  [--reference-only] [--pack FOLDER] [--list] [--folder FOLDER] [--allow-refused]
Builds programs of others, runs each in Node's WASI and as a job of a daemon, and compares standard
output, standard error, exit code and files.
  --engine           interpreter and cpu without it; metal-standin: a Mac's device and kernel text,
                     over this machine's processor
  --only             this program; may be given several times
  --whole            else also left and resumed every few thousand instructions
  --reference-only   no daemon: each run twice in Node, which must be the same
  --pack             no daemon: all that packed.sh needs to run and compare them on a machine without
                     Node, into this folder
  --list             the table, nothing is built
  --folder           what is fetched and built; build/programs without it
  --allow-refused    programs that cannot be had, built or run are no failure
FOLDER/programs.json says, of a run of all, what each module imports and how large it is, and how
many modules need what.`;

const kAtATime = 2;
const kSliceFuel = 19_997;

function optionsFrom(args) {
  const {values} = parseArgs({args, options: {
    engine: {type: 'string', multiple: true}, only: {type: 'string', multiple: true},
    whole: {type: 'boolean'}, 'reference-only': {type: 'boolean'}, list: {type: 'boolean'},
    folder: {type: 'string'}, pack: {type: 'string'}, build: {type: 'string'}, 'allow-refused': {type: 'boolean'},
    help: {type: 'boolean'},
  }});
  const root = resolve(import.meta.dirname, '../..');
  if (values.pack) values.pack = resolve(values.pack);
  const engines = values['reference-only'] || values.pack ? [] : values.engine ?? ['interpreter', 'cpu'];
  const unknown = engines.find((engine) => !kEngines.includes(engine));
  if (unknown) throw new Error(`--engine is [${unknown}]; known are ${kEngines.join(', ')}`);
  return {...values, engines, folder: resolve(values.folder ?? join(root, 'build/programs')),
    build: resolve(values.build ?? join(root, 'build/release'))};
}

function chosen(manifests, only) {
  const unknown = only?.find((name) => !manifests.some((manifest) => manifest.name === name));
  if (unknown) throw new Error(`--only is [${unknown}]; --list prints the names`);
  return manifests.filter((manifest) => !only || only.includes(manifest.name));
}

class Programs {
  constructor(options, fetcher, daemons, work) {
    Object.assign(this, {options, fetcher, daemons, work});
    this.fetching = Promise.resolve();
  }

  // One fetch at a time.
  #archives(manifest) {
    const all = this.fetching.then(async () => {
      const archives = {};
      for (const source of manifest.sources) archives[source] = await this.fetcher.get(source);
      return archives;
    });
    this.fetching = all.catch(() => {});
    return all;
  }

  // {name, facts, runs, refused, different}: the last two where there is something to say.
  async judge(manifest) {
    const line = {name: manifest.name, what: manifest.what, runs: {}};
    try {
      const built = await build(manifest, this.options.folder, await this.#archives(manifest));
      line.facts = factsOf(built.module);
      if (manifest.needs) throw new Error(`needs ${manifest.needs}`);
      for (const [name, run] of Object.entries(manifest.runs)) {
        await this.#judgeRun(manifest, built, name, run, line);
      }
    } catch (error) {
      line.refused = error.message.split('\n')[0];
    }
    return line;
  }

  async #judgeRun(manifest, {module, work}, name, run, line) {
    const expected = join(this.options.folder, 'expected', manifest.name);
    const folder = join(expected, name);
    const places = {work, expected, generated: join(this.options.folder, 'inputs')};
    const inNode = async () => {
      layOut(run, folder, places);
      const end = await runInNode(manifest.name, run, module, folder);
      return outcomeOf(end, join(folder, 'output'));
    };
    const wanted = await inNode();
    line.runs[name] = {end: wanted.end, equal: [], sizes: Object.fromEntries(
      Object.entries(wanted.outputs).map(([output, bytes]) => [output, bytes.length]))};
    const note = (where, found) => {
      if (found) line.different ??= `${name}, ${where}: ${found}`;
      else line.runs[name].equal.push(where);
    };
    if (this.options['reference-only']) {
      note('Node again', difference(wanted, await inNode()));
      return;
    }
    const laid = join(this.work, manifest.name, name);
    layOut(run, laid, places);
    if (this.options.pack) {
      if (run.program) throw new Error('its calls are answered by a program of Node');
      packRun(this.options.pack, {name: manifest.name, module, run, runName: name, end: wanted.end,
        laid, output: join(folder, 'output')});
      return;
    }
    for (const engine of this.options.engines) {
      for (const [mode, daemon] of Object.entries(this.daemons)) {
        const ran = await runInDaemon(daemon, {module, run, engine, laid,
          folder: join(laid, `${engine}-${mode}`)});
        if (ran.refused) throw new Error(`${name}, ${engine}, ${mode}: ${ran.refused}`);
        note(`${engine}, ${mode}`, difference(wanted, ran.outcome));
      }
    }
  }
}

const endText = ({exit, trap}) => (trap === undefined ? `exit ${exit}` : `trap [${trap}]`);

function show(line) {
  const {facts} = line;
  const size = facts ? `${facts.bytes.toLocaleString('en')} bytes, ` +
    `${facts.imports.length} imports, ${facts.features.join(' ') || 'MVP'}` : 'not built';
  const runs = Object.entries(line.runs).map(([name, {end}]) => `${name} ${endText(end)}`);
  const told = `${line.name}: ${[size, ...runs].join('; ')}`;
  if (line.refused) return `refused ${told}; ${line.refused}`;
  return line.different ? `DIFFERS ${told}; ${line.different}` : `ok ${told}`;
}

// What all modules need, and each alone.
function report(lines) {
  const union = (field) => {
    const counts = {};
    for (const name of lines.flatMap((line) => line.facts?.[field] ?? [])) {
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return {imports: union('imports'), features: union('features'), programs: lines};
}

async function startDaemons(options, work) {
  if (options['reference-only'] || options.pack) return {};
  const modes = options.whole ? {whole: 0} : {whole: 0, slices: kSliceFuel};
  const cache = join(options.folder, 'cache');
  mkdirSync(cache, {recursive: true});
  const metalHost = options.engines.includes('metal-standin') &&
    join(options.build, 'tests/standin/metal/wb_engine_metal_standin');
  if (metalHost && !existsSync(metalHost)) throw new Error(`there is no ${metalHost}`);
  const daemons = {};
  for (const [mode, sliceFuel] of Object.entries(modes)) {
    daemons[mode] = await Daemon.start(
      {build: options.build, cache, sliceFuel, metalHost, folder: join(work, mode)});
  }
  return daemons;
}

async function runAll(options, pins, manifests) {
  const work = mkdtempSync(join(tmpdir(), 'wb_programs_'));
  const lines = [];
  let daemons = {};
  try {
    daemons = await startDaemons(options, work);
    const programs = new Programs(options, new Fetcher(options.folder, pins), daemons, work);
    const left = [...manifests];
    await Promise.all(Array.from({length: kAtATime}, async () => {
      while (left.length > 0) {
        const line = await programs.judge(left.shift());
        lines.push(line);
        console.log(show(line));
      }
    }));
  } finally {
    await Promise.all(Object.values(daemons).map((daemon) => daemon.stop()));
    rmSync(work, {recursive: true, force: true});
  }
  return lines;
}

async function main() {
  const options = optionsFrom(process.argv.slice(2));
  if (options.help) {
    console.log(help);
    return 0;
  }
  const {pins, manifests} = readManifests(import.meta.dirname);
  const some = chosen(manifests, options.only);
  if (options.list) {
    for (const {name, what, runs} of some) {
      console.log(`${name}: ${what}; ${Object.keys(runs).join(', ')}`);
    }
    return 0;
  }
  makeInputs(join(options.folder, 'inputs'));
  const lines = await runAll(options, pins, some);
  if (!options.only) {
    writeFileSync(join(options.folder, 'programs.json'), JSON.stringify(report(lines), null, 1));
  }
  if (options.pack) copyFileSync(kPackScript, join(options.pack, 'packed.sh'));
  const refused = lines.filter((line) => line.refused).length;
  const different = lines.filter((line) => line.different && !line.refused).length;
  const equal = lines.length - refused - different;
  console.log(`programs: ${equal} of ${lines.length} equal to Node's, ${refused} refused`);
  return different === 0 && (refused === 0 || options['allow-refused']) ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`programs.sh: ${error.message}`);
  process.exitCode = 2;
}
