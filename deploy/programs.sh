#!/usr/bin/env bash
# Programs of others, built for WASI, in Node and in wasmburstd (tests/programs/README.md).
#   deploy/programs.sh [--engine E]... [--only NAME]... [--whole] [--reference-only] [--pack FOLDER] [--list]
#   deploy/programs.sh --help says all of it
# Exit 77, the reason last, where the compilers or Node are not to be had.
# Last line: programs: P of T equal to Node's, R refused
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
. "$root/deploy/platform.sh"
build="${WASMBURST_BUILD:-$root/build/$preset}"
here="$root/tests/programs"

builds=yes # something is compiled and run
daemon=yes # ... also as a job
targets=(wasmburstd wasmburstctl wasmburst-engine)
for argument in "$@"; do
  case "$argument" in
    metal-standin | --engine=metal-standin) targets+=(wb_engine_metal_standin) ;;
    --list | --help) builds=no daemon=no ;;
    --reference-only | --pack | --pack=*) daemon=no ;;
  esac
done

command -v node >/dev/null 2>&1 || { echo "node is not installed"; exit 77; }
if [ $builds = yes ]; then
  packages=(clang-14 lld-14 wasi-libc libclang-rt-14-dev-wasm32 libc++-14-dev-wasm32
    libc++abi-14-dev-wasm32 rustc libstd-rust-dev-wasm32 dpkg-dev tcl make wabt)
  arguments=()
  for package in "${packages[@]}"; do arguments+=(--also "$package"); done
  "$root/deploy/setup.sh" "${arguments[@]}" >&2 || {
    echo "the compilers of WASI programs could not be installed: ${packages[*]}"
    exit 77
  }
fi
if [ $builds = yes ]; then
  said="$(node --test "$here/programs_test.mjs" 2>&1)" || { echo "$said" >&2; exit 1; }
fi
if [ $daemon = yes ]; then
  [ -f "$build/CMakeCache.txt" ] || (cd "$root" && cmake --preset "$preset" -B "$build") >&2
  cmake --build "$build" --target "${targets[@]}" >&2
fi
exec node "$here/programs.mjs" --build "$build" "$@"
