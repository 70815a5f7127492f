// What a module needs: its imports, and features beyond the first version of WebAssembly.
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';

// As wabt names them; a module needs those without which it is not valid.
const kFeatures = [
  'mutable-globals', 'saturating-float-to-int', 'sign-extension', 'simd', 'multi-value',
  'bulk-memory', 'reference-types',
];

function isValidWithout(file, feature) {
  // wabt's reference types need its bulk memory.
  const also = feature === 'bulk-memory' ? ['--disable-reference-types'] : [];
  try {
    execFileSync('wasm-validate', [`--disable-${feature}`, ...also, file], {stdio: 'ignore'});
    return true;
  } catch {
    return false;
  }
}

export function factsOf(file) {
  const bytes = readFileSync(file);
  const module = new WebAssembly.Module(bytes);
  return {
    bytes: bytes.length,
    imports: WebAssembly.Module.imports(module).map(({module: from, name}) => `${from}.${name}`)
      .sort(),
    exports: WebAssembly.Module.exports(module).map(({name}) => name),
    features: kFeatures.filter((feature) => !isValidWithout(file, feature)),
  };
}
