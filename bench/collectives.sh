#!/usr/bin/env bash
# What a collective costs: bench/collectives.sh [ROUNDS] [PLACEMENT...]
#   ROUNDS     how often each is measured (5)
#   PLACEMENT  interpreter, cpu, gpu (the first two)
# A job of one group, 32 instances, each of which calls a collective so many times in a loop. Device time of a long loop less
# that of a short one, by the number of calls: nanoseconds from one meeting of the group to the next. "alone" is the loop with
# an i32.add in the place of the collective; in "apart" odd and even instances call it in two places. The median, the lowest and the highest.
# Last line: collectives: sum_i32 X ns on the last placement, alone Y ns
set -euo pipefail
cd "$(dirname "$0")/.."
. bench/own_daemon.sh
rounds="${1:-5}"
need_rounds "$rounds"
shift || true
take_placements "$@"

# NAME TYPE CALL: a module whose `run` calls it N times.
guest() {
  cat >"$work/$1.wat" <<WAT
(module
  (import "gpu_std" "barrier" (func \$barrier))
  (import "gpu_std" "sum_i32" (func \$sum_i32 (param i32) (result i32)))
  (import "gpu_std" "sum_f64" (func \$sum_f64 (param f64) (result f64)))
  (import "gpu_std" "shuffle_xor_i32" (func \$shuffle (param i32 i32) (result i32)))
  (import "gpu_std" "inclusive_scan_i64" (func \$scan (param i64) (result i64)))
  (func (export "run") (param \$n i32) (param \$count i32) (result $2)
    (local \$v $2)
    (loop \$l
      $3
      (br_if \$l (local.tee \$count (i32.sub (local.get \$count) (i32.const 1)))))
    (local.get \$v)))
WAT
}
guest alone i32 '(local.set $v (i32.add (local.get $v) (local.get $n)))'
guest barrier i32 '(call $barrier)'
guest sum_i32 i32 '(local.set $v (call $sum_i32 (i32.add (local.get $v) (local.get $n))))'
guest sum_f64 f64 '(local.set $v (call $sum_f64 (f64.add (local.get $v) (f64.const 1))))'
guest shuffle i32 '(local.set $v (call $shuffle (i32.add (local.get $v) (local.get $n)) (i32.const 5)))'
# Lanes come to two places of the program, so that they are not together on a GPU.
guest apart i32 '(local.set $v (if (result i32) (i32.and (local.get $n) (i32.const 1))
        (then (call $sum_i32 (i32.add (local.get $v) (local.get $n))))
        (else (call $sum_i32 (i32.sub (local.get $v) (local.get $n))))))'
guest scan i64 '(local.set $v (call $scan (i64.add (local.get $v) (i64.const 3))))'

# NAME COUNT PLACEMENT: device time in ns.
run() {
  ctl -q job run "$work/$1.wat" --call run --arg 0..32 --arg "$2" --placement "$3" -o jsonl >"$work/results"
  grep -c RETURNED "$work/results" >"$work/count"
  [ "$(cat "$work/count")" = 32 ] || { echo "collectives.sh: $1 failed on $3" >&2; head -3 "$work/results" >&2; exit 1; }
}
short=100
begin_daemon
for placement in "${placements[@]}"; do
  for name in alone barrier sum_i32 sum_f64 shuffle scan apart; do
    long=20000
    [ "$name" != alone ] || long=4000000
    await_full_build run "$name" "$short" "$placement"
    for _ in $(seq "$rounds"); do
      run "$name" "$short" "$placement"
      read -r less_ns _ < <(last_usage)
      run "$name" "$long" "$placement"
      read -r more_ns _ < <(last_usage)
      awk -v a="$more_ns" -v b="$less_ns" -v n=$((long - short)) 'BEGIN { print (a - b) / n }'
    done >"$work/ns"
    printf '%-12s %-10s ns %s\n' "$placement" "$name" "$(spread %.1f <"$work/ns")"
    [ "$name" != alone ] || alone="$(median <"$work/ns")"
    [ "$name" != sum_i32 ] || sum="$(median <"$work/ns")"
  done
done
printf 'collectives: sum_i32 %.0f ns on %s, alone %.1f ns\n' "$sum" "$placement" "$alone"
