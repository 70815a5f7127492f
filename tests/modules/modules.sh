#!/usr/bin/env bash
# Real modules through wasmburstd, compared with Node's WebAssembly (README.md).
#   tests/modules/modules.sh c|npm [OPTIONS OF run.mjs]
# Of npm first: libraries called by wasmburstctl's presets (presets.mjs).
# Exit 77, the reason last, where Node or npm's packages are not to be had.
# Last line: modules: P of T equal, R refused, F different; M modules
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
build="${WASMBURST_BUILD:-$root/build/release}"
folder="$root/build/modules"
here="$root/tests/modules"
part="${1:-}"
shift || true

command -v node >/dev/null 2>&1 || { echo "node is not installed"; exit 77; }
case "$part" in
  c) "$here/build_c.sh" "$folder/c" ;;
  npm) "$here/npm.sh" "$folder/npm" ;;
  *) echo "use: modules.sh c|npm [OPTIONS]" >&2; exit 2 ;;
esac
node "$here/compare_test.mjs"
cmake --build "$build" --target wasmburstd wasmburstctl wasmburst-engine >&2
mkdir -p "$folder/results"
[ "$part" != npm ] || node --no-warnings "$here/presets.mjs" --build "$build" --npm "$folder/npm"
exec node "$here/run.mjs" --build "$build" --modules "$folder" --cache "$folder/cache" \
  --part "$part" --results "$folder/results/$part.json" "$@"
