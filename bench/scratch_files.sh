#!/usr/bin/env bash
# Files that a program writes in its memory (`run --scratch`): so many by one instance, each written,
# closed, and read again by its name.
#   bench/scratch_files.sh [FILES [ROUNDS [PLACEMENT]]]     (default 20000 3 interpreter)
# Also a quarter and a half as many: instructions for a file tell whether many files make each dearer.
# Device time; what was read is summed up and compared. Last line: scratch files bench: ...
set -euo pipefail
cd "$(dirname "$0")/.."
files="${1:-20000}" rounds="${2:-3}" placement="${3:-interpreter}"
[[ $files =~ ^[1-9][0-9]{1,5}$ ]] || { echo "scratch_files.sh: [$files] is not a number of files" >&2; exit 2; }
. bench/own_daemon.sh
need_rounds "$rounds"
clang --target=wasm32-wasi -O2 -Wl,--strip-all -o "$work/files.wasm" bench/guests/scratch_files.c

# once COUNT: "NANOSECONDS FUEL". A file takes a block of 4 KiB and its node.
once() {
  local said
  said="$(ctl -q run "$work/files.wasm" --scratch $(($1 * 8192 + 1048576)) --memory $(($1 * 8192 + 33554432)) \
    --placement "$placement" -- "$1" </dev/null)" ||
    said="none"
  [ "$said" = $(($1 * ($1 - 1) / 2)) ] ||
    { echo "scratch_files.sh: [$1] files gave the sum [$said]" >&2; exit 1; }
  last_usage
}

begin_daemon
once 10 >/dev/null
for ((round = 0; round < rounds; ++round)); do
  for part in 4 2 1; do once $((files / part)) >>"$work/part.$part"; done
done
for part in 4 2 1; do
  count=$((files / part))
  printf '%7d files: %s ms, %s instructions a file\n' "$count" "$(awk '{ print $1 / 1e6 }' "$work/part.$part" | spread %.0f)" \
    "$(awk -v n=$count 'END { printf "%.0f", $2 / n }' "$work/part.$part")"
done
echo "scratch files bench: $(awk '{ print $1 / 1e6 }' "$work/part.1" | median) ms for $files files"
