#!/usr/bin/env bash
# bench/race/build_guests.sh FOLDER [NAME...]: what race_kernels reads: the list of kernels, the modules of
# those that are named (all), and the kernels written by hand in CUDA.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { echo "use: build_guests.sh FOLDER [NAME...]" >&2; exit 2; }
[[ "$1" = /* ]] || { echo "build_guests.sh: [$1] is no absolute path" >&2; exit 2; }
folder="$1"
shift
mkdir -p "$folder"
# The stack is larger than that of other guests: scrypt's rows at work lie there. There is no libc, so
# loops that clear or copy become memory.fill and memory.copy.
while read -r name _ _ guest pages _ _ _ _ cuda _; do
  [ $# = 0 ] || [[ " $* " = *" $name "* ]] || continue
  module="${guest##*/}"
  ../deploy/demo/build_wasm.sh "$folder/${module%.c}.wasm" "$guest" "$pages" "$pages" \
    -mbulk-memory -Wl,-z,stack-size=8192
  cp "$cuda" "$folder"
done < <(grep -v '^#' race/kernels.txt)
cp race/kernels.txt race/guests/pi_words.inc race/cuda/sha256.inc "$folder"
