#!/usr/bin/env bash
# Differential fuzzing (tests/fuzz/README.md): random modules on the interpreter, the cpu device
# (native and metal floats, both layouts, flattened; in one go and leaving at every safepoint) and
# wabt's interpreter.
#   deploy/fuzz.sh [--modules N] [--seed S] [--jobs N] [--out FOLDER] [OTHER OPTIONS OF wb_fuzz]
#     --modules N     how many; the default is 100
#     --seed S        of the first module; the others follow
#     --out FOLDER    cases that show a difference, made small; default: build/fuzz-cases
# Last line: fuzz: N modules, E engines, D differences. Exit 0 only when D is 0.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
build="${WASMBURST_BUILD:-$root/build/release}"

{
  "$root/deploy/setup.sh"
  if [ ! -f "$build/CMakeCache.txt" ]; then
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release
  fi
  cmake --build "$build" --target wb_fuzz
} >&2

exec "$build/tests/fuzz/wb_fuzz" --out "$root/build/fuzz-cases" \
  --jobs "$(getconf _NPROCESSORS_ONLN)" "$@"
