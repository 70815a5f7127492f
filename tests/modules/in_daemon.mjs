// Runs rows of the table as jobs of a wasmburstd of our own, through wasmburstctl.
import {execFile, spawn} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';

import {hex} from './in_node.mjs';

const execute = promisify(execFile);
const kDeadlineMs = 400_000;

function programText(row) {
  const columns = Object.fromEntries(Object.entries(row.columns).map(([name, column]) =>
    [name, column.type === 'bytes'
      ? {type: 'hex', values: column.values.map(hex)}
      : {type: column.type, values: column.values.map(String)}]));
  return JSON.stringify({columns, steps: row.steps});
}

// The results of a job's instances, without rounding of 64-bit values: they become texts.
function parseLine(line) {
  return JSON.parse(line.replace(/"values":\[([^\]]*)\]/g, (_, list) =>
    `"values":[${list.replace(/[^,"]+/g, '"$&"').replace(/""/g, '"')}]`));
}

function outcomeOf(result) {
  const trapped = result.end === 'TRAPPED';
  const steps = result.steps ?? [{values: result.values ?? []}];
  return {
    ends: trapped ? result.trap.code : result.end.toLowerCase(),
    step: result.step,
    steps: steps.slice(0, result.step).map((step) => step.values),
    outputs: Object.fromEntries(Object.entries(result.outputs ?? {}).map(([name, output]) =>
      [name, Buffer.from(output.base64, 'base64').toString('hex')])),
    fuel: result.fuel,
    device: result.device,
  };
}

// Why a job has no results: the ended job says, or wasmburstctl where there was none.
function reasonOf(report, error) {
  if (!existsSync(report)) {
    return error.killed ? 'no result in time' : (error.stderr || error.message).trim();
  }
  const job = JSON.parse(readFileSync(report, 'utf8'));
  return job.error?.message ?? `the job ended [${job.state}]`;
}

export class Daemon {
  // `build`: a folder of binaries; `folder`: for the daemon's files, ours alone. `metalHost`: the
  // engine host that stands in for a Mac's (tests/standin/metal), if it is to have a GPU.
  static async start({build, folder, cache, sliceFuel, metalHost}) {
    const daemon = new Daemon();
    mkdirSync(folder, {recursive: true});
    daemon.folder = folder;
    daemon.ctl = join(build, 'client/wasmburstctl');
    daemon.address = `unix://${join(folder, 'socket')}`;
    const slices = sliceFuel ? `[burst]\nslice_fuel = ${sliceFuel}\n` : '';
    const metal = metalHost ? `[cuda]\nenabled = "on"\nkind = "metal"\ncooldown = "0s"\n` +
      // The stand-in compiles any text; what Metal bears was seen nowhere.
      `[metal]\nmax_text_bytes = "64MiB"\n[engine]\nhost_path = "${metalHost}"\n` : '';
    writeFileSync(join(folder, 'config.toml'), `version = 1\n[server]\nstate_directory = "${join(folder, 'state')}"\n${slices}${metal}` +
      // A busy machine compiles slowly; that is not what is tested here.
      `[compile]\nquick_only = true\nmax_time = "900s"\nmax_memory_bytes = "12GiB"\n[cache]\ndirectory = "${cache}"\n` +
      `[[listen]]\naddress = "${daemon.address}"\n`);
    daemon.process = spawn(join(build, 'daemon/wasmburstd'),
      ['--config', join(folder, 'config.toml')], {stdio: ['ignore', 'ignore', 'pipe']});
    let log = '';
    await new Promise((resolve, reject) => {
      daemon.process.stderr.on('data', (data) => {
        log += data;
        if (log.includes('listening')) resolve();
      });
      daemon.process.on('error', reject);
      daemon.process.on('exit', () => reject(new Error(`wasmburstd ended:\n${log}`)));
    });
    return daemon;
  }

  stop() {
    return new Promise((resolve) => {
      this.process.removeAllListeners('exit');
      this.process.on('exit', resolve);
      this.process.kill('SIGTERM');
    });
  }

  // {outcomes, usage}, or {refused: reason} where the engine does not take the module.
  async run(row, file, hosts, engine) {
    const stem = join(this.folder, `${row.name.replaceAll('/', '_')}-${engine}`);
    writeFileSync(`${stem}.program.json`, programText(row));
    const args = ['--addr', this.address, '-q', 'job', 'run', file, '--program',
      `${stem}.program.json`, '--placement', engine, '-o', 'jsonl', '--report',
      `${stem}.report.json`, ...(row.flags ?? []),
      ...Object.entries(hosts).flatMap(([name, path]) => ['--module', `${name}=${path}`])];
    let said;
    try {
      said = await execute(this.ctl, args, {maxBuffer: 1 << 28, timeout: kDeadlineMs});
    } catch (error) {
      return {refused: reasonOf(`${stem}.report.json`, error)};
    }
    const outcomes = [];
    for (const line of said.stdout.split('\n').filter(Boolean)) {
      const result = parseLine(line);
      outcomes[Number(result.instance)] = outcomeOf(result);
    }
    return {outcomes, usage: JSON.parse(readFileSync(`${stem}.report.json`, 'utf8')).usage};
  }
}
