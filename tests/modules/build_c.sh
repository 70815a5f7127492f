#!/usr/bin/env bash
# tests/modules/build_c.sh FOLDER: compiles c/*.c to FOLDER/NAME-WAY.wasm, in two ways:
#   O2   optimised, WebAssembly 1.0 only
#   O0   as written (locals and a frame in memory for everything), with bulk memory, sign extension
#        and saturating conversions
# simd_*.c with vectors in both ways; tail_*.c with tail calls, in O1 for O0, since clang 14 forgets
# the frame of an unoptimised function that ends in one.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
[ $# = 1 ] || { echo "use: build_c.sh FOLDER" >&2; exit 2; }
mkdir -p "$1"

# compile SOURCE OUT FLAGS...: nothing to do where OUT is newer than what it is made of.
compile() {
  local source="$1" out="$2"
  shift 2
  if [ "$out" -nt "$source" ] && [ "$out" -nt "$here/c/guest.h" ] && [ "$out" -nt "$0" ]; then
    return
  fi
  clang --target=wasm32 -std=c17 "$@" -Wall -Wextra -Werror -Wno-unused-parameter -nostdlib \
    -fuse-ld=lld -Wl,--no-entry,-z,stack-size=16384 -o "$out.new" "$source"
  mv "$out.new" "$out"
}

for source in "$here"/c/*.c; do
  name="$(basename "$source" .c)"
  later=(-O0 -mbulk-memory -msign-ext -mnontrapping-fptoint)
  # Where clang finds wasm-opt it runs it, which wants to be told of features by their section.
  case "$name" in
    simd_*) features=(-msimd128 -Wl,--strip-debug) ;;
    tail_*) features=(-mtail-call -Wl,--strip-debug) later[0]=-O1 ;;
    *) features=(-Wl,--strip-all) ;;
  esac
  compile "$source" "$1/$name-O2.wasm" -O2 "${features[@]}"
  compile "$source" "$1/$name-O0.wasm" "${later[@]}" "${features[@]}"
done
