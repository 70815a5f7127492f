#!/usr/bin/env bash
# Runs the WebAssembly specification suite (version 2.0, 146 scripts, 53,881 checks) on an engine.
#   deploy/spec.sh [--engine cpu|interpreter] [--floats native] [--layout contiguous|interleaved]
#                  [--leave] [--update-baseline] [FILE...]
#     FILE               a script of core/, with or without .wast; none: all
#     --leave            every lane leaves and resumes at its own safepoints; results must not change
#     --update-baseline  records what passes now in tests/spec/baseline.txt (counts only rise)
# The suite is found at WASMBURST_TESTSUITE, then ../shared/testsuite, else fetched once by git.
# Last line: spec ENGINE FLOATS MODE: P of T passed, R refused, F failed.
# Exit 1 when a check failed or a file passes fewer checks than the baseline says.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
build="${WASMBURST_BUILD:-$root/build/release}"
commit=3a04b2cf93bd8fce277458d419eea8d9c326345c

fetch_suite() {
  local folder="$root/build/testsuite"
  if [ ! -f "$folder/address.wast" ]; then
    echo "spec.sh: fetching the specification suite" >&2
    mkdir -p "$folder"
    git -C "$folder" init -q
    git -C "$folder" fetch -q --depth 1 https://github.com/WebAssembly/testsuite "$commit"
    git -C "$folder" checkout -q FETCH_HEAD
  fi
  echo "$folder"
}

suite="${WASMBURST_TESTSUITE:-}"
if [ -z "$suite" ]; then
  suite="$root/../shared/testsuite"
  [ -d "$suite" ] || suite="$(fetch_suite)"
fi

{
  "$root/deploy/setup.sh"
  if [ ! -f "$build/CMakeCache.txt" ]; then
    launcher=()
    command -v ccache >/dev/null 2>&1 && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release "${launcher[@]}"
  fi
  cmake --build "$build" --target wb_spec
} >&2

exec "$build/tests/spec/wb_spec" --suite "$suite" --cache "$build/spec-cache" \
  --baseline "$root/tests/spec/baseline.txt" "$@"
