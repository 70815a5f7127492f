#!/usr/bin/env bash
# bench/race/build_guests.sh [--native] FOLDER [NAME...]: what race_kernels reads: the list of kernels, the
# modules of those that are named (all), and the kernels written by hand in CUDA.
#   --native: beside them NAME.cc and NAME.wasm2c, programs for this machine's processors
# wasm2c is of Debian's package wabt; without it there are no such programs.
set -euo pipefail
native=no
[ "${1:-}" != --native ] || { native=yes; shift; }
[ $# -ge 1 ] || { echo "use: build_guests.sh [--native] FOLDER [NAME...]" >&2; exit 2; }
mkdir -p "$1"
folder="$(cd "$1" && pwd)"
shift
cd "$(dirname "$0")/.."
runtime="${WASM2C_RUNTIME:-/usr/share/wabt/wasm2c}"
flags=(-O2 -w -ffp-contract=off)  # a fused operation would round otherwise
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# native NAME EXPORT FUNCTION GUEST MODULE
native() {
  cc "${flags[@]}" -DKERNEL="$3" -o "$folder/$1.cc" race/race_native.c "$4" -lm
  command -v wasm2c >/dev/null || return 0
  wasm2c -n guest "$5" -o "$work/guest.c"
  cc "${flags[@]}" -DMODULE='"guest.h"' -DKERNEL="Z_guestZ_$2" -I"$work" -I"$runtime" \
    -o "$folder/$1.wasm2c" race/race_native.c "$work/guest.c" "$runtime/wasm-rt-impl.c" -lm
}

# The stack is larger than that of other guests: scrypt's rows at work lie there. There is no libc, so
# loops that clear or copy become memory.fill and memory.copy.
while read -r name export function guest pages _ _ _ _ cuda _; do
  [ $# = 0 ] || [[ " $* " = *" $name "* ]] || continue
  module="${guest##*/}"
  module="$folder/${module%.c}.wasm"
  ../deploy/demo/build_wasm.sh "$module" "$guest" "$pages" "$pages" \
    -mbulk-memory -Wl,-z,stack-size=8192
  cp "$cuda" "$folder"
  [ $native = no ] || native "$name" "$export" "$function" "$guest" "$module"
done < <(grep -v '^#' race/kernels.txt)
cp race/kernels.txt race/race_v8.mjs race/guests/pi_words.inc race/cuda/sha256.inc "$folder"
