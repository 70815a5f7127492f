#!/usr/bin/env bash
# What reading a file set costs where the device keeps it, beside one that lies in the dispatch's blob.
#   bench/kept_inputs.sh [ROUNDS [PLACEMENT...]]     (default 9 interpreter cpu)
# The same program reads the same file of 2 MiB to its end, through fd_read and through the primitive below it.
# Of a job's inputs a device keeps the longest: with a standard input of 4 MiB, which nobody reads, the file set
# lies in the blob; with one of 1 MiB the device keeps the file set.
# 128 instances; device time over all calls; both take turns. Last line: kept inputs bench: ..., kept over blob.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds="${1:-9}"
shift || true
instances=128
file_bytes=2097152
. bench/own_daemon.sh
need_rounds "$rounds"
take_placements "$@"

# guest NAME BYTES TIMES: opens and reads the file so many times, so many bytes at a time; exits with 1 if they were
# too few.
guest() {
  local name="$1" bytes="$2" times="$3" call
  case "$name" in
    fd_read) call="(if (call \$fd_read (i32.load (i32.const 16)) (i32.const 24) (i32.const 1) (i32.const 20)) (then (unreachable)))
      (local.set \$got (i32.load (i32.const 20)))" ;;
    input_read) call="(local.set \$got (call \$input_read (i32.const 2) (local.get \$at) (i32.const 64) (i32.const $bytes)))
      (local.set \$at (i64.add (local.get \$at) (i64.extend_i32_u (local.get \$got))))" ;;
  esac
  cat <<WAT
(module
  (import "wasi_snapshot_preview1" "path_open"
    (func \$path_open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func \$fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func \$proc_exit (param i32)))
  (import "wasmburst" "input_read" (func \$input_read (param i32 i64 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "data")
  (func (export "_start") (local \$times i32) (local \$got i32) (local \$sum i64) (local \$at i64)
    (i32.store (i32.const 24) (i32.const 64))
    (i32.store (i32.const 28) (i32.const $bytes))
    (loop \$again
    (local.set \$at (i64.const 0))
    (if (call \$path_open (i32.const 3) (i32.const 0) (i32.const 0) (i32.const 4) (i32.const 0)
          (i64.const 2) (i64.const 0) (i32.const 0) (i32.const 16))
      (then (unreachable)))
    (loop \$next
      $call
      (local.set \$sum (i64.add (local.get \$sum) (i64.extend_i32_u (local.get \$got))))
      (br_if \$next (local.get \$got)))
    (br_if \$again (i32.lt_u (local.tee \$times (i32.add (local.get \$times) (i32.const 1))) (i32.const $times))))
    (if (i64.lt_u (local.get \$sum) (i64.const $((file_bytes * times)))) (then (call \$proc_exit (i32.const 1))))))
WAT
}

# run NAME PLACEMENT kept|blob
run() {
  ctl -q -o jsonl run "$work/$1.wat" -n $instances --placement "$2" --stdin "$work/$3" --files "$work/set" >"$work/results"
}

begin_daemon
mkdir "$work/set"
head -c $file_bytes /dev/urandom >"$work/set/data"
head -c $((file_bytes / 2)) /dev/urandom >"$work/kept"
head -c $((file_bytes * 2)) /dev/urandom >"$work/blob"
printf '%-12s %-10s %6s  %-26s %-26s %s\n' device call bytes "blob, ns/call" "kept, ns/call" "kept over blob, by round"
summary=""
for placement in "${placements[@]}"; do
  for bytes in 64 4096; do
    times=$((bytes == 64 ? 1 : 16))
    calls=$((file_bytes * times * instances / bytes))
    for name in fd_read input_read; do
      guest "$name" "$bytes" "$times" >"$work/$name.wat"
      for where in blob kept; do
        await_full_build run "$name" "$placement" "$where"
        : >"$work/$where.ns"
      done
      for ((round = 0; round < rounds; ++round)); do
        order=(blob kept)
        ((round % 2 == 0)) || order=(kept blob)
        for where in "${order[@]}"; do
          run "$name" "$placement" "$where"
          last_usage | awk -v calls=$calls '{ print $1 / calls }' >>"$work/$where.ns"
        done
      done
      paste "$work/kept.ns" "$work/blob.ns" | awk '{ print $1 / $2 }' >"$work/ratios"
      printf '%-12s %-10s %6d  %-26s %-26s %s\n' "$placement" "$name" "$bytes" "$(spread %.1f <"$work/blob.ns")" \
        "$(spread %.1f <"$work/kept.ns")" "$(spread %.3f <"$work/ratios")"
      summary="$summary $placement-$name-$bytes=$(median <"$work/ratios")"
    done
  done
done
echo "kept inputs bench:$summary"
