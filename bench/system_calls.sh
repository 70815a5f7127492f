#!/usr/bin/env bash
# What a call of fd_write and fd_read costs through the system layer, beside the primitive below it
# called by the program itself, which is the least that a function of the runtime could cost.
#   bench/system_calls.sh [ROUNDS [PLACEMENT...]]     (default 5 interpreter cpu)
# 128 instances; device time over all calls, median of the rounds, in which both take turns, once the
# full build of each is there. Last line: system calls bench: ...
set -euo pipefail
cd "$(dirname "$0")/.."
rounds="${1:-5}"
shift || true
instances=128
. bench/own_daemon.sh
need_rounds "$rounds"
take_placements "$@"

# guest NAME BYTES CALLS: a program that calls so often, each time for so many bytes.
guest() {
  local name="$1" bytes="$2" calls="$3" call
  case "$name" in
    fd_write) call='(call $fd_write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16))' ;;
    fd_read) call='(call $fd_read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 16))' ;;
    output_write) call="(call \$output_write (i32.const 1) (i32.const 64) (i32.const $bytes))" ;;
    input_read) call="(call \$input_read (i32.const 1) (i64.mul (i64.extend_i32_u (local.get \$i)) (i64.const $bytes))
                             (i32.const 64) (i32.const $bytes))" ;;
  esac
  cat <<WAT
(module
  (import "wasi_snapshot_preview1" "fd_write" (func \$fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_read" (func \$fd_read (param i32 i32 i32 i32) (result i32)))
  (import "wasmburst" "output_write" (func \$output_write (param i32 i32 i32) (result i32)))
  (import "wasmburst" "input_read" (func \$input_read (param i32 i64 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "_start") (local \$i i32)
    (i32.store (i32.const 0) (i32.const 64))
    (i32.store (i32.const 4) (i32.const $bytes))
    (loop \$next
      (if (i32.eqz $call) (then (nop)))
      (local.set \$i (i32.add (local.get \$i) (i32.const 1)))
      (br_if \$next (i32.lt_u (local.get \$i) (i32.const $calls))))))
WAT
}

begin_daemon
run() {
  ctl -q -o jsonl run "$work/$1.wat" -n $instances --placement "$2" --output-limit 4m \
    --stdin "$work/input" --stdout-to "$work/out/{#}" >"$work/results"
}
# once NAME PLACEMENT: "NANOSECONDS FUEL" of a run on the device.
once() {
  run "$1" "$2"
  last_usage
}

mkdir "$work/out"
head -c 2097152 /dev/urandom >"$work/input"
printf '%-12s %6s  %-12s %9s %9s  %-12s %9s %9s  %6s\n' device bytes layer ns/call fuel primitive ns/call fuel times
summary=""
for placement in "${placements[@]}"; do
  for bytes in 64 4096; do
    calls=$((bytes == 64 ? 16000 : 400))
    for pair in "fd_write output_write" "fd_read input_read"; do
      read -r layer primitive <<<"$pair"
      for name in $pair; do
        guest "$name" "$bytes" "$calls" >"$work/$name.wat"
        await_full_build run "$name" "$placement"
        : >"$work/$name.times"
      done
      for ((round = 0; round < rounds; ++round)); do
        for name in $pair; do once "$name" "$placement" >>"$work/$name.times"; done
      done
      for name in $pair; do
        awk -v calls=$((calls * instances)) '{ print $1 / calls }' "$work/$name.times" | median >"$work/$name.ns"
        awk -v calls=$((calls * instances)) 'END { print $2 / calls }' "$work/$name.times" >"$work/$name.fuel"
      done
      times="$(awk -v a="$(cat "$work/$layer.ns")" -v b="$(cat "$work/$primitive.ns")" 'BEGIN { printf "%.1f", a / b }')"
      printf '%-12s %6d  %-12s %9.0f %9.0f  %-12s %9.0f %9.0f  %6s\n' "$placement" "$bytes" "$layer" \
        "$(cat "$work/$layer.ns")" "$(cat "$work/$layer.fuel")" "$primitive" "$(cat "$work/$primitive.ns")" \
        "$(cat "$work/$primitive.fuel")" "$times"
      summary="$summary $placement-$layer-$bytes=$times"
    done
  done
done
echo "system calls bench:$summary"
