#!/usr/bin/env bash
# tests/modules/npm.sh FOLDER: modules that others wrote, from npm packages of fixed versions, into
# FOLDER; as/*.ts are compiled there, bignum.ts over as-bignum, and hosts/*.wat, what some of the modules
# import. npm.sha256 says what must come out.
# Exit 77 where npm is missing or cannot reach its registry.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
[ $# = 1 ] || { echo "use: npm.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"
cd "$1"

packages=(
  hash-wasm@4.12.0 xxhash-wasm@1.1.0 cjs-module-lexer@2.1.0 es-module-lexer@1.7.0
  as-bignum@0.3.1 assemblyscript@0.27.37
  @chainsafe/as-sha256@1.2.5 blake3@2.1.7 source-map@0.8.0 @webbuf/blake3@3.8.0
)
is_right() { sha256sum --quiet --check "$here/npm.sha256" >check.log 2>&1; }
! is_right || exit 0

command -v npm >/dev/null 2>&1 || { echo "npm is not installed"; exit 77; }
command -v wat2wasm >/dev/null 2>&1 || { echo "wat2wasm is not installed (wabt)"; exit 77; }
echo '{"private": true}' >package.json
if ! timeout 120 npm install --no-save --no-package-lock --ignore-scripts --no-audit --no-fund \
  --fetch-retries 1 --fetch-timeout 20000 "${packages[@]}" >npm.log 2>&1; then
  echo "npm could not install the packages: $(grep -m 1 -E 'ERR!|error' npm.log || tail -n 1 npm.log)"
  exit 77
fi
node "$here/extract.mjs" node_modules .
for runtime in stub incremental; do
  node node_modules/assemblyscript/bin/asc.js "$here/as/bignum.ts" --path node_modules \
    --runtime "$runtime" --use abort= -O2 --outFile "as-bignum-$runtime.wasm"
done
for name in words vectors; do
  node node_modules/assemblyscript/bin/asc.js "$here/as/$name.ts" --runtime incremental \
    --use abort= --enable simd -O2 --outFile "as-$name.wasm"
done
# Beside the copy, so that its map names it shortly whatever this folder is.
cp "$here/as/presets.ts" as-presets.ts
node node_modules/assemblyscript/bin/asc.js as-presets.ts --runtime incremental --exportRuntime \
  --use abort= --bindings raw --debug --sourceMap --outFile as-presets.wasm
mkdir -p hosts
for host in "$here"/hosts/*.wat; do
  wat2wasm "$host" -o "hosts/$(basename "$host" .wat).wasm"
done
is_right || { cat check.log; echo "npm.sh: these modules are not those of npm.sha256"; exit 1; }
