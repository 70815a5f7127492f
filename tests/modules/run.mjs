// Runs every module of the table through a wasmburstd and compares with Node. Use: --help.
// Last line: modules: P of T equal, R refused, F different.
import {existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';

import {difference} from './compare.mjs';
import {Daemon} from './in_daemon.mjs';
import {runInNode} from './in_node.mjs';
import {kInstances} from './inputs.mjs';
import {table} from './table.mjs';

const help = `node run.mjs --build FOLDER --modules FOLDER [--part c|npm]
  [--only TEXT] [--engines interpreter,cpu] [--whole] [--allow-refused] [--results FILE.json]
  [--cache FOLDER]
Each module runs on each engine whole and, without --whole, left and resumed every few hundred or
thousand wasm instructions.
Exit 1 when an outcome differs or, without --allow-refused, when an engine refuses a module.`;

const {values: options} = parseArgs({options: {
  build: {type: 'string'}, modules: {type: 'string'}, results: {type: 'string'},
  engines: {type: 'string', default: 'interpreter,cpu'}, only: {type: 'string', default: ''},
  part: {type: 'string', default: ''}, whole: {type: 'boolean'}, cache: {type: 'string'},
  'allow-refused': {type: 'boolean'}, help: {type: 'boolean'},
}});
if (options.help || !options.build || !options.modules) {
  console.log(help);
  process.exit(options.help ? 0 : 2);
}

const kAtATime = 2;
const work = mkdtempSync(join(tmpdir(), 'wb_modules_'));
const cache = options.cache ?? join(work, 'cache');
mkdirSync(cache, {recursive: true});
// A daemon for each: the settings hold for all its jobs. Long instances get the longer slice.
const kMostLaunches = 1000;
const modes = [{name: 'whole', sliceFuel: 0}];
if (!options.whole) modes.push({name: 'fine', sliceFuel: 499}, {name: 'coarse', sliceFuel: 19997});
const inPart = (row) => !options.part || row.file.startsWith(`${options.part}/`);

// One line of the results: what was equal, or the first difference, or why it was refused.
function judge(row, engine, mode, expected, ran, fuels) {
  const line = {module: row.name, engine, mode, instances: kInstances, equal: 0};
  if (ran.refused) return {...line, refused: ran.refused.split('\n')[0]};
  for (let i = 0; i < kInstances; ++i) {
    let found = difference(expected[i], ran.outcomes[i]);
    fuels[i] ??= ran.outcomes[i]?.fuel;
    if (!found && fuels[i] !== ran.outcomes[i].fuel) {
      found = `fuel is ${ran.outcomes[i].fuel}, was ${fuels[i]} before`;
    }
    if (!found) ++line.equal;
    if (found && !line.first) line.first = `instance ${i}: ${found}`;
  }
  line.trapped = expected.filter((outcome) => outcome.ends !== 'returned').length;
  line.bursts = Number(ran.usage.bursts);
  line.fuel = Number(ran.usage.fuel);
  line.compileTime = ran.usage.compile_time;
  line.deviceTime = ran.usage.device_time;
  return line;
}

function show(line) {
  if (line.refused) return `refused ${line.module} (${line.engine}): ${line.refused}`;
  const told = `${line.module} (${line.engine}, ${line.mode}): ${line.equal} of ${line.instances}`;
  return line.first ? `DIFFERS ${told}; ${line.first}` : `ok ${told}, ${line.bursts} launches`;
}

const fileOf = (row) => join(options.modules, row.file);
const hostsOf = (row) => Object.fromEntries(Object.entries(row.hosts ?? {}).map(([name, file]) =>
  [name, join(options.modules, file)]));
const bytesOf = (row) => statSync(fileOf(row), {throwIfNoEntry: false})?.size ?? 0;

async function runRow(row, daemons, lines) {
  const file = fileOf(row);
  if (!existsSync(file)) return;
  const expected = runInNode(row, file, hostsOf(row), kInstances);
  const fuels = [];  // of each instance: the same on every engine and in every mode
  const run = async (engine, mode) => {
    const ran = await daemons[mode].run(row, file, hostsOf(row), engine);
    const line = judge(row, engine, mode, expected, ran, fuels);
    lines.push(line);
    console.log(show(line));
  };
  for (const engine of options.engines.split(',')) {
    await run(engine, 'whole');
    if (options.whole) continue;
    const isShort = Math.max(0, ...fuels) < kMostLaunches * modes[1].sliceFuel;
    await run(engine, isShort ? 'fine' : 'coarse');
  }
}

async function main() {
  const daemons = {};
  const lines = [];
  const rows = table.filter((row) => inPart(row) && row.name.includes(options.only));
  try {
    for (const mode of modes) {
      daemons[mode.name] = await Daemon.start({build: options.build, cache,
        folder: join(work, mode.name), sliceFuel: mode.sliceFuel});
    }
    // The largest first: their compilation takes longest.
    const left = [...rows].sort((a, b) => bytesOf(b) - bytesOf(a));
    await Promise.all(Array.from({length: kAtATime}, async () => {
      while (left.length > 0) await runRow(left.shift(), daemons, lines);
    }));
  } finally {
    await Promise.all(Object.values(daemons).map((daemon) => daemon.stop()));
    rmSync(work, {recursive: true, force: true});
  }
  if (options.results) writeFileSync(options.results, JSON.stringify(lines, null, 1));
  const absent = rows.filter((row) => !lines.some((line) => line.module === row.name));
  for (const row of absent) console.log(`not there: ${row.name} (${row.file})`);
  const equal = lines.filter((line) => line.equal === line.instances).length;
  const refused = lines.filter((line) => line.refused).length;
  const different = lines.length - equal - refused;
  console.log(`modules: ${equal} of ${lines.length} equal, ${refused} refused, ` +
    `${different} different; ${rows.length - absent.length} modules`);
  const bad = options['allow-refused'] ? different : different + refused;
  return lines.length > 0 && bad === 0 ? 0 : 1;
}

process.exitCode = await main();
