#!/usr/bin/env bash
# What a profile that a job asks for costs beside the job, on the CPU device.
#   bench/profile.sh [ROUNDS]      3 rounds are usual; needs build/release
# Each round runs a job of some seconds without a profile and with one (--profile 64), alternating, and
# waits until the profile is there. Last line: how long it took to make (the start of its process
# included), in percent of the job's time on the device.
set -euo pipefail
cd "$(dirname "$0")/.."
. bench/own_daemon.sh
rounds="${1:-3}"
need_rounds "$rounds"
cat >"$work/work.wat" <<'WAT'
(module
  (memory 1)
  (func $mix (param i32) (result i32)
    (i32.xor (i32.mul (local.get 0) (i32.const 1664525)) (i32.shr_u (local.get 0) (i32.const 13))))
  (func $fill (param $seed i32) (local $i i32)
    (loop $l
      (i32.store (local.get $i) (call $mix (i32.add (local.get $i) (local.get $seed))))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 65536)))))
  (func $sum (result i32) (local $i i32) (local $sum i32)
    (loop $l
      (local.set $sum (i32.add (local.get $sum) (i32.load (local.get $i))))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 65536))))
    (local.get $sum))
  (func (export "run") (param i32) (result i32) (local $round i32) (local $sum i32)
    (loop $l
      (call $fill (local.get 0))
      (local.set $sum (i32.add (local.get $sum) (call $sum)))
      (br_if $l (i32.lt_u (local.tee $round (i32.add (local.get $round) (i32.const 1))) (i32.const 20))))
    (local.get $sum)))
WAT
begin_daemon
instances="${WB_PROFILE_INSTANCES:-12000}"
job_of() { ctl -o json job list --limit 1 | tr -d ' \n' | grep -o '"jobs/[^"]*"' | head -1 | tr -d '"'; }
run() { ctl -q job run "$work/work.wat" --call run --arg "0..$instances" --placement cpu "$@" >/dev/null; }
run  # compiles
without=() with=() costs=()
counted=""
for _ in $(seq "$rounds"); do
  run
  read -r nanoseconds _ <<<"$(last_usage)"
  without+=("$nanoseconds")
  run --profile 64
  began="$(seconds)"
  read -r nanoseconds _ <<<"$(last_usage)"
  with+=("$nanoseconds")
  job="$(job_of)"
  # The profile is made within a second of the job's end; until then another sample would be taken.
  until [ -n "$(find "$XDG_STATE_HOME/wasmburst/profiles" -type f -newermt "@${began%.*}" 2>/dev/null)" ]; do sleep 0.1; done
  costs+=("$(ctl -o json job profile "$job" | tr -d ' \n' | sed 's/.*"make_time":"\([0-9.]*\)s".*/\1/')")
  counted="$(ctl job profile "$job" 2>&1 >/dev/null | head -1)"
done
time_without="$(printf '%s\n' "${without[@]}" | median)"
time_with="$(printf '%s\n' "${with[@]}" | median)"
cost="$(printf '%s\n' "${costs[@]}" | median)"
echo "the job's time on the device: $(awk -v n="$time_without" 'BEGIN { printf "%.2f", n / 1e9 }') s without, $(awk -v n="$time_with" 'BEGIN { printf "%.2f", n / 1e9 }') s with a profile"
echo "$counted"
awk -v c="$cost" -v n="$time_with" -v r="$rounds" 'BEGIN { printf "profile: %.1f %% of the time of the job, %.3f s beside %.2f s, median of %d rounds\n", 100 * c / (n / 1e9), c, n / 1e9, r }'
