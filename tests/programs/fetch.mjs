// Gets the pinned archives of sources.json into a folder: Debian's sources by apt-get, npm's
// packages by npm pack. An archive that is there with the right digest is not fetched again.
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {command} from './command.mjs';

const kFetchMs = 180_000;
const kLists = '/etc/apt/sources.list.d';

const digestOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

// This machine's own list of Debian's mirrors, for sources in place of binaries.
function sourceLists() {
  const lists = [];
  for (const file of existsSync(kLists) ? readdirSync(kLists) : []) {
    if (!file.endsWith('.sources')) continue;
    const stanzas = readFileSync(join(kLists, file), 'utf8').split(/\n\s*\n/);
    lists.push(...stanzas.filter((stanza) => /debian-archive-keyring/.test(stanza))
      .map((stanza) => stanza.replace(/^Types:.*$/m, 'Types: deb-src')));
  }
  return lists.join('\n\n');
}

export class Fetcher {
  // `folder`: ours, kept between runs.
  constructor(folder, pins) {
    this.folder = folder;
    this.pins = pins;
    this.archives = join(folder, 'archives');
    mkdirSync(this.archives, {recursive: true});
  }

  fileOf(name) {
    const pin = this.pins[name];
    const file = pin.file ?? `${pin.npm.replace(/^@/, '').replace(/[/@]/g, '-')}.tgz`;
    return join(this.archives, file);
  }

  // {file, strip, sha256}: the archive. Throws why there is none.
  async get(name) {
    const file = this.fileOf(name);
    const pin = this.pins[name];
    if (existsSync(file) && digestOf(file) === pin.sha256) return {...pin, file};
    if (pin.debian) await this.#fromDebian(pin);
    else await this.#fromNpm(name, pin);
    if (!existsSync(file)) {
      throw new Error(`source [${name}]: [${pin.file}] is not among what Debian serves now`);
    }
    if (digestOf(file) !== pin.sha256) {
      throw new Error(`source [${name}]: the sha256 of [${file}] is [${digestOf(file)}], not ` +
        `[${pin.sha256}]; look at what changed, then change sources.json`);
    }
    return {...pin, file};
  }

  async #fromDebian(pin) {
    this.apt ??= this.#apt();
    const env = {APT_CONFIG: await this.apt};
    const {stdout} = await command('apt-cache', ['showsrc', '--only-source', pin.debian],
      {env, timeout: kFetchMs});
    // The newest first; a mirror may list a security update that it does not have, or lack a second
    // archive. Upstream's is the same in all of them.
    const versions = stdout.split('\n').filter((line) => line.startsWith('Version: '))
      .map((line) => line.slice('Version: '.length));
    for (const version of new Set(versions)) {
      const why = await command('apt-get',
        ['source', '-q', '--download-only', `${pin.debian}=${version}`],
        {cwd: this.archives, env, timeout: kFetchMs}).then(() => '', (error) => error.message);
      if (!why || existsSync(join(this.archives, pin.file))) return;
      if (version === versions.at(-1)) throw new Error(why);
    }
  }

  // A configuration of apt that leaves the machine's own as it is.
  async #apt() {
    const folder = join(this.folder, 'apt');
    mkdirSync(join(folder, 'lists/partial'), {recursive: true});
    mkdirSync(join(folder, 'archives/partial'), {recursive: true});
    writeFileSync(join(folder, 'debian.sources'), sourceLists());
    const config = join(folder, 'apt.conf');
    writeFileSync(config, `Dir::Etc::sourcelist "${join(folder, 'debian.sources')}";\n` +
      `Dir::Etc::sourceparts "-";\nDir::State::lists "${join(folder, 'lists')}";\n` +
      `Dir::Cache "${folder}";\nAPT::Sandbox::User "root";\n`);
    await command('apt-get', ['update', '-q'], {env: {APT_CONFIG: config}, timeout: kFetchMs});
    return config;
  }

  async #fromNpm(name, pin) {
    await command('npm', ['pack', '--silent', '--pack-destination', this.archives, pin.npm],
      {cwd: this.archives, timeout: kFetchMs});
    if (!existsSync(this.fileOf(name))) throw new Error(`npm pack made no [${this.fileOf(name)}]`);
  }
}
