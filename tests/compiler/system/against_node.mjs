// The system layer beside Node's WASI: the same calls on the same files, answer by answer.
//   node against_node.mjs system.wasm
// Here the layer's bridge and primitives are functions of JavaScript. Last line: against_node: N
// answers, D differ. Exit 1 if D is not 0.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WASI } from 'node:wasi';

const kFiles = { a: 'bytes of a', 'd/x': 'X', 'd/e/z': 'Z' };
const kEmptyWithMemory = Uint8Array.from([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 3, 1, 0, 1,                     // a memory of a page
  7, 10, 1, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 0]);            // exported as memory

// Both sides: `call` and the guest's memory.
function nodeSide(folder) {
  for (const [name, text] of Object.entries(kFiles)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  const wasi = new WASI({ version: 'preview1', args: ['prog', '--x'], env: { A: 'b' },
    preopens: { '/data': folder }, returnOnExit: true });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(kEmptyWithMemory));
  wasi.initialize(instance);
  return { call: (name, ...args) => wasi.wasiImport[name](...args),
    memory: instance.exports.memory };
}

function configuration() {
  const bytes = [];
  const number = (value, size = 4) => {
    for (let i = 0n; i < size; ++i) bytes.push(Number(BigInt(value) >> (8n * i) & 255n));
  };
  const text = (value) => { number(value.length); bytes.push(...Buffer.from(value)); };
  for (const word of [1, 2, 1, Object.keys(kFiles).length]) number(word);
  number(0, 8); number(0, 8);
  number(1 << 20); number(3);
  number(1); text('/data'); text('');
  number(0);
  return Buffer.from(bytes);
}

function layerSide(file) {
  const inputs = [configuration(), undefined, undefined, 'prog', '--x', 'A=b',
    ...Object.entries(kFiles).flat()].map((item) => item === undefined ? item : Buffer.from(item));
  const memory = new WebAssembly.Memory({ initial: 1 });
  let system;
  const guest = () => new DataView(memory.buffer);
  const bytes = (of, at, count) => new Uint8Array(of.buffer, at >>> 0, count >>> 0);
  const read = (into) => (input, offset, to, count) => {
    const all = inputs[input] ?? Buffer.alloc(0);
    const part = all.subarray(Number(offset), Number(offset) + count);
    bytes(into(), to, part.length).set(part);
    return part.length;
  };
  const own = () => system.exports.memory;
  system = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(file)), {
    wasmburst: {
      input_size: (input) => BigInt(inputs[input]?.length ?? -1),
      input_read: read(own),
      output_write: (stream, from, count) => count,
      instance: () => 0n, fuel_used: () => 0n, exit: () => {},
    },
    bridge: {
      guest_pages: () => memory.buffer.byteLength / 65536,
      guest_load8: (at) => guest().getUint8(at >>> 0),
      guest_load16: (at) => guest().getUint16(at >>> 0, true),
      guest_load32: (at) => guest().getUint32(at >>> 0, true),
      guest_load64: (at) => guest().getBigUint64(at >>> 0, true),
      guest_store8: (at, value) => guest().setUint8(at >>> 0, value),
      guest_store16: (at, value) => guest().setUint16(at >>> 0, value, true),
      guest_store32: (at, value) => guest().setUint32(at >>> 0, value, true),
      guest_store64: (at, value) => guest().setBigUint64(at >>> 0, value, true),
      guest_to_system: (to, from, count) =>
        bytes(own(), to, count).set(bytes(memory, from, count)),
      system_to_guest: (to, from, count) =>
        bytes(memory, to, count).set(bytes(own(), from, count)),
      guest_zero: (at, count) => bytes(memory, at, count).fill(0),
      guest_input_read: read(() => memory),
      guest_output_write: (stream, from, count) => count,
    },
  });
  return { call: (name, ...args) => system.exports[name](...args), memory };
}

const kRead = 1n << 1n, kSeek = 1n << 2n, kWrite = 1n << 6n, kAll = (1n << 29n) - 1n;
const kOut = 8, kBuffer = 4096;

// A script of calls for one side; each is recorded with its answer and what `look` sees afterwards.
class Script {
  constructor(side) { this.side = side; this.answers = []; this.put = 1024; }
  view() { return new DataView(this.side.memory.buffer); }
  word(at = kOut) { return this.view().getUint32(at, true); }
  text(at, count) { return Buffer.from(this.side.memory.buffer, at, count).toString('latin1'); }
  path(text) {
    const at = this.put;
    this.put += text.length + 1;
    Buffer.from(this.side.memory.buffer).write(text, at, 'latin1');
    return [at, text.length];
  }
  call(label, name, ...args) {
    let answer;
    try { answer = this.side.call(name, ...args); } catch (error) { answer = String(error); }
    this.answers.push([`${label}: ${name}`, answer]);
    this.put = 1024;
    return answer;
  }
  note(label, value) { this.answers.push([label, value]); }
  open(label, name, how = 0, rights = kRead | kSeek, flags = 0, inheriting = 0n, fd = 3) {
    const error = this.call(`${label} [${name}]`, 'path_open', fd, 1, ...this.path(name), how,
      rights, inheriting, flags, kOut);
    return error === 0 ? this.word() : -1;
  }
  read(label, fd, count = 100) {
    this.view().setUint32(16, kBuffer, true);
    this.view().setUint32(20, count, true);
    const error = this.call(label, 'fd_read', fd, 16, 1, kOut);
    if (error === 0) this.note(`${label}: bytes`, this.text(kBuffer, this.word()));
  }
  // The first buffer is the list itself.
  overItsList(label, fd) {
    this.call(label, 'fd_seek', fd, 0n, 0, kOut);
    for (const [i, word] of [16, 16, kBuffer, 100].entries()) {
      this.view().setUint32(16 + 4 * i, word, true);
    }
    const error = this.call(label, 'fd_read', fd, 16, 2, kOut);
    if (error !== 0) return;
    this.note(`${label}: count`, this.word());
    this.note(`${label}: bytes`, this.text(16, 16) + this.text(kBuffer, 20));
  }
  // Of a byte each; written, then read.
  manyBuffers(label, fd, count) {
    for (let i = 0; i < count; ++i) {
      this.view().setUint32(16384 + 8 * i, kBuffer, true);
      this.view().setUint32(16388 + 8 * i, 1, true);
    }
    for (const name of ['fd_write', 'fd_read']) {
      this.call(label, 'fd_seek', fd, 0n, 0, kOut);
      if (this.call(label, name, fd, 16384, count, kOut) === 0) this.note(label, this.word());
    }
  }
  write(label, fd, text) {
    Buffer.from(this.side.memory.buffer).write(text, kBuffer, 'latin1');
    this.view().setUint32(16, kBuffer, true);
    this.view().setUint32(20, text.length, true);
    const error = this.call(label, 'fd_write', fd, 16, 1, kOut);
    if (error === 0) this.note(`${label}: count`, this.word());
  }
  fdstat(label, fd) {
    const error = this.call(label, 'fd_fdstat_get', fd, 32);
    if (error !== 0) return;
    this.note(`${label}: type`, this.view().getUint8(32));
    this.note(`${label}: flags`, this.view().getUint16(34, true));
    this.note(`${label}: rights`, this.view().getBigUint64(40, true).toString(2));
    this.note(`${label}: inheriting`, this.view().getBigUint64(48, true).toString(2));
  }
  stat(label, name) {
    const error = this.call(label, 'path_filestat_get', 3, 0, ...this.path(name), 64);
    if (error !== 0) return;
    this.note(`${label}: type`, this.view().getUint8(80));
    if (this.view().getUint8(80) !== 4) return;
    this.note(`${label}: size`, this.view().getBigUint64(96, true));
  }
  list(label, fd) {
    const names = [];
    const error = this.call(label, 'fd_readdir', fd, kBuffer, 4096, 0n, kOut);
    const end = kBuffer + this.word();
    for (let at = kBuffer; error === 0 && at + 24 <= end;) {
      const count = this.word(at + 16);
      names.push(`${this.text(at + 24, count)} ${this.view().getUint8(at + 20)}`);
      at += 24 + count;
    }
    this.note(`${label}: names`, names.sort().join(', '));
  }
}

function paths(s) {
  for (const name of ['a', './a', 'd//x', 'd/../a', 'absent/../a', 'a/', 'd/', 'a/b', 'absent', '.',
    '..', '../a', 'd/../../a', '/data/a', '/data', '/a', '/', '/database/a', '/data/../a', '',
    'd/e/z', 'a'.repeat(256), 'a'.repeat(4097), 'a\0b']) {
    const fd = s.open('read', name);
    if (fd >= 0) s.call('close', 'fd_close', fd);
    s.stat(`stat [${name.slice(0, 20)}]`, name);
  }
}

function opening(s) {
  for (const name of ['a', 'd', 'new', 'd/new', 'absent/new']) {
    for (const how of [0, 1, 2, 3, 4, 5, 8, 9]) {
      for (const rights of [0n, kRead, kWrite, kRead | kWrite | kSeek, kAll]) {
        const fd = s.open(`how ${how} rights ${rights}`, name, how, rights, 0, kAll);
        if (fd < 0) continue;
        s.fdstat(`opened [${name}] how ${how} rights ${rights}`, fd);
        s.call('close', 'fd_close', fd);
        if (name.includes('new')) s.call('unlink', 'path_unlink_file', 3, ...s.path(name));
      }
    }
  }
}

function files(s) {
  const fd = s.open('write', 'a', 0, kRead | kWrite | kSeek | 1n << 5n | 1n << 21n | 1n << 22n);
  s.read('read', fd, 5);
  s.write('over', fd, 'OVER');
  for (const [offset, whence] of [[0n, 0], [-2n, 2], [3n, 1], [-100n, 1], [-1n, 0], [0n, 3],
    [0n, 1], [50n, 0]]) {
    const error = s.call(`seek ${offset} ${whence}`, 'fd_seek', fd, offset, whence, kOut);
    if (error === 0) s.note('offset', s.view().getBigUint64(kOut, true));
  }
  s.read('behind the end', fd);
  s.write('behind the end', fd, 'far');
  s.call('seek', 'fd_seek', fd, 0n, 0, kOut);
  s.read('all', fd);
  s.overItsList('over its own list', fd);
  s.call('seek', 'fd_seek', fd, 0n, 0, kOut);
  s.manyBuffers('many buffers', fd, 1025);
  s.call('size', 'fd_filestat_set_size', fd, 3n);
  s.call('tell', 'fd_tell', fd, kOut);
  s.stat('cut', 'a');
  s.call('advise', 'fd_advise', fd, 0n, 0n, 0);
  s.call('sync', 'fd_sync', fd);
  s.call('flags', 'fd_fdstat_set_flags', fd, 1);
  s.call('rights', 'fd_fdstat_set_rights', fd, kRead, 0n);
  s.write('without the right', fd, 'x');
  s.call('readdir', 'fd_readdir', fd, kBuffer, 100, 0n, kOut);
  s.call('close', 'fd_close', fd);
  s.call('close', 'fd_close', fd);
  const end = s.open('append', 'a', 0, kRead | kWrite | kSeek, 1);
  s.write('append', end, '+1');
  s.call('seek', 'fd_seek', end, 0n, 0, kOut);
  s.read('appended', end);
  s.call('close', 'fd_close', end);
}

function names(s) {
  const p = (name) => s.path(name);
  const two = (from, to) => [3, ...p(from), 3, ...p(to)];
  s.list('list', 3);
  for (const name of ['n', 'n', 'a', 'd', 'n/m', 'absent/m', '.', '..', '/data/q']) {
    s.call(`mkdir [${name}]`, 'path_create_directory', 3, ...p(name));
  }
  for (const [from, to] of [['a', 'b'], ['b', 'd'], ['d', 'b'], ['n', 'd'], ['d', 'd/e/f'],
    ['absent', 'c'], ['b', 'absent/c'], ['b', 'b'], ['b', 'd/x'], ['q', 'n/q'], ['d', 'moved'],
    ['moved/x', '../out'], ['b/c', 'c']]) {
    s.call(`rename [${from}] [${to}]`, 'path_rename', ...two(from, to));
  }
  for (const name of ['moved/x', 'moved/x', 'moved', 'absent/x', 'n/q']) {
    s.call(`unlink [${name}]`, 'path_unlink_file', 3, ...p(name));
  }
  for (const name of ['moved', 'moved/e', 'n/q', 'n/m', 'n', 'absent', 'moved/e/z', '.', '..']) {
    s.call(`rmdir [${name}]`, 'path_remove_directory', 3, ...p(name));
  }
  s.list('list', 3);
  s.call('readlink', 'path_readlink', 3, ...p('moved'), kBuffer, 100, kOut);
  s.call('readlink', 'path_readlink', 3, ...p('absent'), kBuffer, 100, kOut);
}

function descriptors(s) {
  s.fdstat('directory', 3);
  for (const fd of [4, 77, 0xffffffff]) s.fdstat(`none ${fd}`, fd);
  s.call('prestat', 'fd_prestat_get', 3, kOut);
  s.note('prestat', s.word(kOut + 4));
  for (const count of [4, 5, 6]) s.call('name', 'fd_prestat_dir_name', 3, kBuffer, count);
  s.call('prestat', 'fd_prestat_get', 4, kOut);
  s.call('read', 'fd_read', 3, 16, 0, kOut);
  s.call('seek', 'fd_seek', 3, 0n, 0, kOut);
  const fd = s.open('a', 'a');
  s.call('prestat', 'fd_prestat_get', fd, kOut);
  s.call('name', 'fd_prestat_dir_name', fd, kBuffer, 9);
  s.call('from a file', 'path_open', fd, 0, ...s.path('x'), 0, 0n, 0n, 0, kOut);
  const other = s.open('x', 'd/x');
  s.call('renumber', 'fd_renumber', other, fd);
  s.read('renumbered', fd);
  s.call('renumber', 'fd_renumber', fd, 99);
  s.call('renumber', 'fd_renumber', 99, fd);
  s.call('advice', 'fd_advise', fd, 0n, 0n, 9);
  s.call('accept', 'sock_accept', fd, 0, kOut);
  s.call('shutdown', 'sock_shutdown', fd, 0);
  s.call('clock', 'clock_time_get', 9, 0n, kOut);
  s.call('clock', 'clock_res_get', 9, kOut);
  s.call('random', 'random_get', kBuffer, 0);
  s.call('arguments', 'args_sizes_get', kOut, kOut + 4);
  s.note('arguments', `${s.word()} ${s.word(kOut + 4)}`);
  s.call('arguments', 'args_get', kOut, kBuffer);
  s.note('arguments', s.text(kBuffer, 9));
  s.call('environment', 'environ_sizes_get', kOut, kOut + 4);
  s.note('environment', `${s.word()} ${s.word(kOut + 4)}`);
  s.call('environment', 'environ_get', kOut, kBuffer);
  s.note('environment', s.text(kBuffer, 4));
  for (const at of [65534, 0x7fffffff]) {
    s.call('outside', 'fd_read', fd, at, 1, kOut);
    s.call('outside', 'fd_filestat_get', fd, at);
    s.call('outside', 'random_get', at, 100);
    s.call('outside', 'clock_time_get', 0, 0n, at);
  }
  s.call('no subscription', 'poll_oneoff', kBuffer, kBuffer, 0, kOut);
}

// Node says EOVERFLOW of a pointer outside memory, we say EFAULT. Node shows a directory's
// O_LARGEFILE among its flags.
function mayDiffer(label, node, layer) {
  return (node === 61 && layer === 21) || (label === 'directory: flags' && layer === 0);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'wb-against-node-'));
let answers = 0, different = 0;
for (const part of [paths, opening, files, names, descriptors]) {
  fs.rmSync(folder, { recursive: true });
  fs.mkdirSync(folder);
  const scripts = [nodeSide(folder), layerSide(process.argv[2])].map((side) => new Script(side));
  for (const script of scripts) part(script);
  const [node, layer] = scripts.map((script) => script.answers);
  for (let i = 0; i < Math.max(node.length, layer.length); ++i) {
    ++answers;
    const [label, expected] = node[i] ?? ['nothing', undefined];
    const [ours, answer] = layer[i] ?? ['nothing', undefined];
    if (label === ours && (expected === answer || mayDiffer(label, expected, answer))) continue;
    ++different;
    console.log(`${part.name}: ${label}: Node answers ${expected}, the layer ${answer} (${ours})`);
    if (label !== ours) break;
  }
}
fs.rmSync(folder, { recursive: true });
console.log(`against_node: ${answers} answers, ${different} differ`);
process.exit(different === 0 ? 0 : 1);
