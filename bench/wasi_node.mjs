// A program in Node's WASI, once: node wasi_node.mjs FILE.wasm. Standard streams and exit code are
// ours. With PEAK in the environment its most resident memory (MiB) is said on standard error.
import {readFileSync} from 'node:fs';
import {WASI} from 'node:wasi';

const wasi = new WASI({version: 'preview1', args: [process.argv[2]], returnOnExit: true});
const module = new WebAssembly.Module(readFileSync(process.argv[2]));
process.exitCode = wasi.start(new WebAssembly.Instance(module, wasi.getImportObject()));
if (process.env.PEAK) console.error(process.resourceUsage().maxRSS >> 10);
