#!/usr/bin/env bash
# What a checkpoint costs: how long a job takes to stop with the states of its instances on the disk, and to
# run again from them.
#   bench/checkpoint.sh [ROUNDS [PLACEMENT [KIB:INSTANCES...]]]     5, cpu, and 64:64 1024:64 16384:16
# WASMBURST_BUILD=FOLDER: another build.
# Each instance fills so many KiB of its memory, then computes for ever; it leaves a launch after 4 million
# instructions, so that all have had turns. Prints a line for each size: bytes of a
# state; ms and MB/s from `job checkpoint --wait` to its end; ms from `job resume` until the first launch after
# it is told of. Medians, with the lowest and the highest.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds="${1:-5}" placement="${2:-cpu}"
shift $(($# < 2 ? $# : 2))
sizes=("$@")
[ $# -gt 0 ] || sizes=(64:64 1024:64 16384:16)
. bench/own_daemon.sh
need_rounds "$rounds"
printf 'version = 1\n[server]\nstate_directory = "%s"\n[burst]\nslice_fuel = %s\n[log]\nlevel = "warning"\n' "$work/state" 4000000 >"$work/config.toml"
cat >"$work/guest.wat" <<'WAT'
(module (memory 1 1024)
  (func (export "hold") (param $n i32) (param $kib i32)
    (local $at i32) (local $x i32)
    (drop (memory.grow (i32.div_u (i32.add (local.get $kib) (i32.const 63)) (i32.const 64))))
    (loop $fill
      (local.set $x (i32.add (i32.mul (local.get $x) (i32.const 1664525)) (i32.const 1013904223)))
      (i32.store (local.get $at) (local.get $x))
      (br_if $fill (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 4)))
                             (i32.mul (local.get $kib) (i32.const 1024)))))
    (loop $for_ever
      (local.set $x (i32.add (i32.mul (local.get $x) (i32.const 1664525)) (i32.const 1013904223)))
      (i32.store (i32.const 0) (local.get $x))
      (br $for_ever))))
WAT
begin_daemon --config "$work/config.toml"
# What the job's instances have used, together.
fuel() { ctl -o json job get "$1" | tr -d ' \n' | sed 's/.*"usage":{"fuel":"\([0-9]*\)".*/\1/; t; s/.*/0/'; }
await_fuel() { until [ "$(fuel "$1")" -gt "$2" ]; do sleep 0.01; done; }  # until that is more than so much
ms_since() { awk -v a="$1" -v b="$(seconds)" 'BEGIN { printf "%.1f\n", (b - a) * 1000 }'; }

for size in "${sizes[@]}"; do
  kib="${size%:*}" instances="${size#*:}"
  rm -f "$work"/ms "$work"/rate "$work"/again
  for ((round = 0; round < rounds; ++round)); do
    job="$(ctl -q job submit "$work/guest.wat" --call hold --arg "0..$instances" --arg "$kib" \
      --memory 33554432 --placement "$placement")"
    await_fuel "$job" $((instances * kib * 1024 * 4))
    begin="$(seconds)"
    ctl -q job checkpoint "$job" --wait >"$work/said"
    took="$(ms_since "$begin")"
    bytes="$(sed 's/.* states of \([0-9]*\) bytes.*/\1/' "$work/said")"
    kept="$(sed 's/.*, \([0-9]*\) states.*/\1/' "$work/said")"
    [ "$kept" -eq "$instances" ] || { echo "checkpoint.sh: $kept states of $instances instances" >&2; exit 1; }
    echo "$took" >>"$work/ms"
    awk -v b="$bytes" -v t="$took" 'BEGIN { print b / 1e3 / t }' >>"$work/rate"
    used="$(fuel "$job")"
    begin="$(seconds)"
    ctl -q job resume "$job" >/dev/null
    await_fuel "$job" "$used"
    ms_since "$begin" >>"$work/again"
    ctl -q job cancel "$job" >/dev/null
    ctl -q job watch "$job" >/dev/null
  done
  echo "checkpoint: $instances instances of $kib KiB on $placement, $((bytes / instances)) bytes a state: $(spread '%.0f' <"$work/ms") ms, $(spread '%.0f' <"$work/rate") MB/s; resumed $(spread '%.0f' <"$work/again") ms"
done
end_daemon
