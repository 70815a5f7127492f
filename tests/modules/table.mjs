// The modules under test: name, file below build/modules, columns, lane program, and what the job
// needs beyond the defaults; `hosts`: {import name: file}, modules that it imports from. Columns: {type, values: one for each instance}; steps are those of
// `wasmburstctl job run --program` (client/README.md), with columns by name.
import * as inputs from './inputs.mjs';

const result = (step, index = 0) => ({result: [step, index]});
const column = (name) => ({column: name});
const call = (name, ...args) => ({call: name, args});
const callHost = (module, name, ...args) => ({call: name, module, args});
const write = (pointer, name) => ({write: {pointer, column: name}});
const read = (pointer, length, output) => ({read: {pointer, length, output}});
const plus = (operand, add) => ({...operand, add});

// --- our C programs (c/*.c), each compiled in two ways (build_c.sh)
const textColumns = (values) =>
  ({text: inputs.bytesColumn(values), length: inputs.lengthsOf(values)});
const textSteps = (outputLength) => [
  call('input'),
  write(result(0), 'text'),
  call('run', column('length')),
  call('output'),
  ...(outputLength ? [] : [call('output_size')]),
  read(result(3), outputLength ?? result(4), 'output'),
];
const seedSteps = (outputLength) => [
  call('run', column('seed')),
  call('output'),
  read(result(1), outputLength ?? result(0), 'output'),
];

const cPrograms = [
  {name: 'recursion', columns: {seed: inputs.seeds}, steps: seedSteps()},
  {name: 'dispatch', columns: {seed: inputs.seeds}, steps: seedSteps()},
  {name: 'json', columns: textColumns(inputs.jsonTexts), steps: textSteps(result(2))},
  {name: 'expression', columns: textColumns(inputs.expressions), steps: textSteps()},
  {name: 'allocator', columns: {seed: inputs.seeds}, steps: seedSteps()},
  {name: 'sorting', columns: {seed: inputs.seeds}, steps: seedSteps()},
  {name: 'queue', columns: {seed: inputs.seeds}, steps: seedSteps()},
  {name: 'lz', columns: {seed: inputs.seeds}, steps: seedSteps()},
  {name: 'regex', columns: textColumns(inputs.regexTexts), steps: textSteps()},
  {name: 'factorial', columns: {seed: inputs.seeds}, steps: seedSteps()},
  {name: 'sha256', columns: {seed: inputs.seeds}, steps: seedSteps()},
  {name: 'lu', columns: {seed: inputs.seeds}, steps: seedSteps()},
  {name: 'sudoku', columns: {seed: inputs.seeds}, steps: seedSteps(166)},
  {name: 'vm', columns: {seed: inputs.seeds}, steps: seedSteps()},
  {name: 'simd_image', columns: {seed: inputs.seeds}, steps: seedSteps()},
  {name: 'simd_matrix', columns: {seed: inputs.seeds}, steps: seedSteps()},
  {name: 'simd_text', columns: {seed: inputs.seeds}, steps: seedSteps()},
  {name: 'tail_vm', columns: {seed: inputs.seeds}, steps: seedSteps()},
].flatMap((row) => ['O2', 'O0'].map((way) =>
  ({...row, name: `c/${row.name}-${way}`, file: `c/${row.name}-${way}.wasm`})));

// --- hash-wasm: {name, init and final arguments, digest bytes; calculate: arguments behind the
// length, or false where the library itself never calls it; seed: 8 bytes in the buffer at init}
const hashes = [
  {name: 'adler32', bytes: 4, calculate: []},
  {name: 'blake2b', init: [512], bytes: 64, calculate: [384]},
  {name: 'blake2s', init: [256 + 8 * 65536], bytes: 32, seed: true, calculate: [128]},
  {name: 'blake3', init: [0], final: [48], bytes: 48, calculate: [0, 32]},
  {name: 'crc32', init: [0xedb88320 | 0], bytes: 4, calculate: [0x82f63b78 | 0]},
  {name: 'crc64', bytes: 8, seed: true},
  {name: 'md4', bytes: 16, calculate: []},
  {name: 'md5', bytes: 16, calculate: []},
  {name: 'ripemd160', bytes: 20, calculate: []},
  {name: 'sha1', bytes: 20, calculate: []},
  {name: 'sha256', init: [256], bytes: 32, calculate: [224]},
  {name: 'sha3', init: [512], final: [6], bytes: 64, calculate: [256, 1]},
  {name: 'sha512', init: [512], bytes: 64, calculate: [384]},
  {name: 'sm3', bytes: 32, calculate: []},
  {name: 'whirlpool', bytes: 64, calculate: []},
  {name: 'xxhash3', bytes: 8, seed: true},
  {name: 'xxhash32', init: [12345], bytes: 4, calculate: [0]},
  {name: 'xxhash64', bytes: 8, seed: true},
  {name: 'xxhash128', bytes: 16, seed: true},
];

function hashRow({name, init = [], final = [], bytes, seed, calculate}) {
  const buffer = result(0);
  const steps = [call('Hash_GetBuffer')];
  if (seed) steps.push(write(buffer, 'seed'));
  steps.push(
    call('Hash_Init', ...init),
    write(buffer, 'message'), call('Hash_Update', column('length')),
    write(buffer, 'tail'), call('Hash_Update', column('tailLength')),
    call('Hash_Final', ...final),
    read(buffer, bytes, 'digest'));
  if (calculate) {
    steps.push(write(buffer, 'message'),
      call('Hash_Calculate', column('length'), ...calculate),
      read(buffer, bytes, 'calculated'));
  }
  const columns = {
    message: inputs.bytesColumn(inputs.messages), length: inputs.lengthsOf(inputs.messages),
    tail: inputs.bytesColumn(inputs.tails), tailLength: inputs.lengthsOf(inputs.tails),
    ...(seed && {seed: inputs.bytesColumn(inputs.each((i, r) => r.bytes(8)))}),
  };
  return {name: `hash-wasm/${name}`, file: `npm/hash-wasm/${name}.wasm`, columns, steps};
}

// Argon2: its memory is KiB blocks, of which the library computes the first two of a lane, then one
// more that holds the parameters (parallelism, digest length, KiB, passes, version, variant).
const argonKib = 16;
const argon2 = {
  name: 'hash-wasm/argon2', file: 'npm/hash-wasm/argon2.wasm',
  columns: {
    blocks: inputs.bytesColumn(inputs.each((i, r) => r.bytes(2048))),
    parameters: inputs.bytesColumn(inputs.each((i) =>
      new Uint8Array(Uint32Array.from([1, 32, argonKib, 1 + i % 2, 0x13, i % 3]).buffer))),
  },
  steps: [
    call('Hash_GetBuffer'),
    call('Hash_SetMemorySize', argonKib * 1024 + 1024),
    write(plus(result(0), argonKib * 1024), 'parameters'),
    write(result(0), 'blocks'),
    call('Hash_Calculate', 0, argonKib),
    read(result(0), 1024, 'block'),
  ],
};

const passwords = inputs.each((i, r) => r.bytes(1 + r.below(40)).map((b) => b % 94 + 33));
const bcrypt = {
  name: 'hash-wasm/bcrypt', file: 'npm/hash-wasm/bcrypt.wasm',
  columns: {
    salt: inputs.bytesColumn(inputs.each((i, r) => r.bytes(16))),
    password: inputs.bytesColumn(passwords), length: inputs.lengthsOf(passwords),
    encode: {type: 'i32', values: inputs.each((i) => i % 2)},
  },
  steps: [
    call('Hash_GetBuffer'),
    write(result(0), 'salt'),
    write(plus(result(0), 16), 'password'),
    call('bcrypt', column('length'), 4, column('encode')),
    read(result(0), 60, 'hash'),
  ],
};

const scryptBlock = 4, scryptN = 16, scryptLanes = 2;
const scryptBytes = 128 * scryptBlock * scryptLanes;
const scrypt = {
  name: 'hash-wasm/scrypt', file: 'npm/hash-wasm/scrypt.wasm',
  columns: {data: inputs.bytesColumn(inputs.each((i, r) => r.bytes(scryptBytes)))},
  steps: [
    call('Hash_GetBuffer'),
    call('Hash_SetMemorySize', scryptBytes + 128 * scryptBlock * scryptN + 256 * scryptBlock),
    write(result(0), 'data'),
    call('scrypt', scryptBlock, scryptN, scryptLanes),
    read(result(0), scryptBytes, 'data'),
  ],
};

// --- xxhash-wasm: one-shot, then streaming with the state at 0 and the input behind it
const xxhash = {
  name: 'xxhash-wasm', file: 'npm/xxhash-wasm.wasm',
  columns: {
    message: inputs.bytesColumn(inputs.messages), length: inputs.lengthsOf(inputs.messages),
    seed: inputs.seeds,
    wideSeed: {type: 'i64', values: inputs.each((i, r) => BigInt(r.next()) << 31n | BigInt(i))},
  },
  steps: [
    write(0, 'message'),
    call('xxh32', 0, column('length'), column('seed')),
    call('xxh64', 0, column('length'), column('wideSeed')),
    write(256, 'message'),
    call('init32', 0, column('seed')),
    call('update32', 0, 256, column('length')),
    call('update32', 0, 256, column('length')),
    call('digest32', 0),
    call('init64', 0, column('wideSeed')),
    call('update64', 0, 256, column('length')),
    call('update64', 0, 256, column('length')),
    call('digest64', 0),
    read(0, 88, 'state'),
  ],
};

// --- the lexers: what their JavaScript asks for one after another
const repeat = (times, steps) => Array.from({length: times}, () => steps).flat();
const cjsLexer = {
  name: 'cjs-module-lexer', file: 'npm/cjs-module-lexer.wasm',
  columns: {
    source: inputs.bytesColumn(inputs.commonJsSources),
    length: inputs.lengthsOf(inputs.commonJsSources, 2),
  },
  steps: [
    call('sa', plus(column('length'), 1)),
    write(result(0), 'source'),
    call('parseCJS', result(0), column('length'), 0, 0, 0, 0),
    call('e'),
    ...repeat(4, [call('rre'), call('res'), call('ree')]),
    ...repeat(3, [call('ru'), call('us'), call('ue')]),
    ...repeat(12, [call('re'), call('es'), call('ee')]),
  ],
};
const esLexer = {
  name: 'es-module-lexer', file: 'npm/es-module-lexer.wasm',
  columns: {
    source: inputs.bytesColumn(inputs.moduleSources),
    length: inputs.lengthsOf(inputs.moduleSources, 2),
  },
  steps: [
    call('sa', column('length')),
    write(result(0), 'source'),
    call('parse'),
    call('e'), call('f'), call('ms'),
    ...repeat(10, ['ri', 'is', 'ie', 'it', 'ai', 'id', 'ss', 'se', 'ip'].map((f) => call(f))),
    ...repeat(8, ['re', 'es', 'ee', 'els', 'ele'].map((f) => call(f))),
  ],
};

// --- AssemblyScript: as/bignum.ts over as-bignum, and programs of ours
const ownAs = [['as-bignum/stub', 'as-bignum-stub'], ['as-bignum/incremental',
  'as-bignum-incremental'], ['as/words', 'as-words'], ['as/vectors', 'as-vectors']].map(
  ([name, file]) =>
    ({name, file: `npm/${file}.wasm`, columns: {seed: inputs.seeds}, steps: seedSteps()}));

// --- @chainsafe/as-sha256 with SIMD: its buffers are where its globals `input` and `output` say
const asInput = 7632, asOutput = 8176;
const asSha256 = {
  name: 'as-sha256-simd', file: 'npm/as-sha256-simd.wasm', hosts: {env: 'npm/hosts/abort.wasm'},
  columns: {
    message: inputs.bytesColumn(inputs.shortMessages), length: inputs.lengthsOf(inputs.shortMessages),
    blocks: inputs.bytesColumn(inputs.each((i, r) => r.bytes(256))),
  },
  steps: [
    write(asInput, 'message'), call('digest', column('length')), read(asOutput, 32, 'digest'),
    call('init'), call('update', asInput, column('length')),
    write(asInput, 'message'), call('update', asInput, column('length')),
    call('final', asOutput), read(asOutput, 32, 'streamed'),
    write(asInput, 'blocks'), call('digest64', asInput, asOutput), read(asOutput, 32, 'one'),
    write(asInput, 'blocks'), call('batchHash4UintArray64s', asOutput), read(asOutput, 128, 'four'),
    write(asInput, 'blocks'), call('batchHash4HashObjectInputs', asOutput),
    read(asOutput, 128, 'objects'),
  ],
};

// --- blake3, as its JavaScript uses it: what hash() and update() are given they free
const blake3 = {
  name: 'blake3', file: 'npm/blake3.wasm',
  hosts: {__wbindgen_placeholder__: 'npm/hosts/wbindgen.wasm'},
  columns: {
    message: inputs.bytesColumn(inputs.messages), length: inputs.lengthsOf(inputs.messages),
    tail: inputs.bytesColumn(inputs.tails), tailLength: inputs.lengthsOf(inputs.tails),
    key: inputs.bytesColumn(inputs.each((i, r) => r.bytes(32))),
    position: {type: 'i32', values: inputs.each((i, r) => r.below(200))},
  },
  steps: [
    call('__wbindgen_malloc', column('length')), write(result(0), 'message'),
    call('__wbindgen_malloc', 32), call('hash', result(0), column('length'), result(2), 32),
    read(result(2), 32, 'hash'),
    call('__wbindgen_malloc', 32), write(result(5), 'key'), call('create_keyed', result(5), 32),
    call('__wbindgen_malloc', column('length')), write(result(8), 'message'),
    call('blake3hash_update', result(7), result(8), column('length')),
    call('__wbindgen_malloc', column('tailLength')), write(result(11), 'tail'),
    call('blake3hash_update', result(7), result(11), column('tailLength')),
    call('__wbindgen_malloc', 64), call('blake3hash_digest', result(7), result(14), 64),
    read(result(14), 64, 'keyed'),
    call('blake3hash_reader', result(7)),
    call('hashreader_set_position', result(17), column('position'), 0),
    call('hashreader_fill', result(17), result(14), 64), read(result(14), 64, 'read'),
    call('__wbg_hashreader_free', result(17)), call('__wbg_blake3hash_free', result(7)),
    call('__wbindgen_free', result(14), 64),
  ],
};

// --- source-map's mappings: parsed, walked in both orders and asked, where they are right
const lineAndColumn = (line, at) => [column(line), column(at)];
const sourceMap = {
  name: 'source-map', file: 'npm/source-map.wasm', hosts: {env: 'npm/hosts/source-map.wasm'},
  columns: {
    mappings: inputs.bytesColumn(inputs.mappings), length: inputs.lengthsOf(inputs.mappings),
    line: {type: 'i32', values: inputs.each((i, r) => r.below(6))},
    column: {type: 'i32', values: inputs.each((i, r) => r.below(60))},
    source: {type: 'i32', values: inputs.each((i, r) => r.below(3))},
    bias: {type: 'i32', values: inputs.each((i) => 1 + i % 2)},
  },
  steps: [
    call('allocate_mappings', column('length')), write(result(0), 'mappings'),
    call('parse_mappings', result(0)), call('get_last_error'),
    call('by_generated_location', result(2)), callHost('env', 'digest'),
    call('original_location_for', result(2), ...lineAndColumn('line', 'column'), column('bias')),
    callHost('env', 'digest'),
    call('compute_column_spans', result(2)),
    call('by_original_location', result(2)), callHost('env', 'digest'),
    call('generated_location_for', result(2), column('source'), ...lineAndColumn('line', 'column'),
      column('bias')),
    callHost('env', 'digest'),
    call('all_generated_locations_for', result(2), column('source'), column('line'), 1,
      column('column')),
    callHost('env', 'digest'), callHost('env', 'count'),
    call('free_mappings', result(2)),
  ],
};

export const table = [
  ...cPrograms, ...hashes.map(hashRow), argon2, bcrypt, scrypt, xxhash, cjsLexer, esLexer,
  ...ownAs, asSha256, blake3, sourceMap,
];
