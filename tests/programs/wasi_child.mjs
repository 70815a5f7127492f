// Runs one program in Node's WASI: node wasi_child.mjs SPEC.json. Its standard streams are ours.
// SPEC: {module, args, env, root, report}; the report says {exit} or {trap}.
import {readFileSync, writeFileSync} from 'node:fs';
import {WASI} from 'node:wasi';

const spec = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const wasi = new WASI({version: 'preview1', args: spec.args, env: spec.env,
  preopens: {'/': spec.root}, returnOnExit: true});
const module = new WebAssembly.Module(readFileSync(spec.module));
const instance = new WebAssembly.Instance(module, wasi.getImportObject());
let end;
try {
  end = {exit: wasi.start(instance)};
} catch (error) {
  if (!(error instanceof WebAssembly.RuntimeError) && !(error instanceof RangeError)) throw error;
  end = {trap: error.message};
}
writeFileSync(spec.report, JSON.stringify(end));
