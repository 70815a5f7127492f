// Takes WebAssembly modules out of npm packages: node extract.mjs NODE_MODULES OUT_FOLDER
// Most packages carry theirs as base64 in JavaScript.
import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

const [packages, out] = process.argv.slice(2);
const read = (path) => readFileSync(join(packages, path), 'utf8');
const kMagic = 'AGFzbQEAAAA';  // of a module's first bytes in base64

function write(name, base64) {
  writeFileSync(join(out, `${name}.wasm`), Buffer.from(base64, 'base64'));
}

mkdirSync(join(out, 'hash-wasm'), {recursive: true});
const hashes = /var name(?:\$\w+)? = "(\w+)";\s*var data(?:\$\w+)? = "([A-Za-z0-9+/=]+)"/g;
for (const [, name, data] of read('hash-wasm/dist/index.esm.js').matchAll(hashes)) {
  write(`hash-wasm/${name}`, data);
}
for (const [name, path] of [['cjs-module-lexer', 'dist/lexer.mjs'],
  ['es-module-lexer', 'dist/lexer.js']]) {
  const [data] = read(join(name, path)).match(new RegExp(`${kMagic}[A-Za-z0-9+/=]+`));
  write(name, data);
}
const bindgen = '@webbuf/blake3/dist/rs-webbuf_blake3-inline-base64/webbuf_blake3_bg.wasm.js';
write('webbuf-blake3', read(bindgen).match(new RegExp(`${kMagic}[A-Za-z0-9+/=]+`))[0]);
for (const [name, path] of [['xxhash-wasm', 'xxhash-wasm/workerd/xxhash.wasm'],
  ['as-sha256-simd', '@chainsafe/as-sha256/build/optimized.simd.wasm'],
  ['blake3', 'blake3/dist/wasm/nodejs/blake3_js_bg.wasm'],
  ['source-map', 'source-map/lib/mappings.wasm']]) {
  copyFileSync(join(packages, path), join(out, `${name}.wasm`));
}
