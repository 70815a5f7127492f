#!/usr/bin/env bash
# What results cost the daemon, and how many go through it.
#   bench/results.sh [INSTANCES [ROUNDS [PLACEMENT]]]    2000000, 3 and cpu; WASMBURST_BUILD=FOLDER: another build
# Jobs of short instances (49 instructions): nobody reads a job's results while it runs, and then a reader takes
# them all from the store, as columns and as whole results, which the client makes of columns; and a reader that follows
# the job from its start. The daemon's time on processors is that of its process alone, without engine hosts and readers.
# Last line: results: S ns of the daemon's time a result stored, C read; F million a second followed to the end, R million
# a second read as columns, W whole
set -euo pipefail
cd "$(dirname "$0")/.."
instances="${1:-2000000}" rounds="${2:-3}" placement="${3:-cpu}"
[[ $instances =~ ^[1-9][0-9]{0,9}$ ]] || { echo "results.sh: [$instances] is not a number of instances" >&2; exit 2; }
. bench/own_daemon.sh
need_rounds "$rounds"
guest=tests/e2e/guest.wat
reader="$build/bench/wb_result_reader"
printf 'version = 1\n[server]\nstate_directory = "%s"\n[log]\nlevel = "warning"\n' "$work/state" >"$work/config.toml"
begin_daemon --config "$work/config.toml"
submit() { ctl -q job submit "$guest" --call draw --arg "0..$1" --arg 3 --memory 65536 --placement "$placement"; }
daemon_ns() { awk '{ printf "%.0f\n", ($14 + $15) * 1e7 }' "/proc/$daemon/stat"; }
# await JOB: its end, without a stream of its changes.
await() {
  local state=""
  until [ "$state" = SUCCEEDED ]; do
    state="$(ctl -o json job get "$1" | sed -n 's/^ *"state": *"\([A-Z]*\)".*/\1/p' | head -1)"
    [ "$state" != FAILED ] || { ctl job get "$1" >&2; exit 1; }
    sleep 0.1
  done
}
# cost NAME NS_BEFORE: the daemon's nanoseconds a result since then.
cost() { awk -v a="$2" -v b="$(daemon_ns)" -v n="$instances" 'BEGIN { print (b - a) / n }' >>"$work/$1"; }
# take NAME JOB FORM: reads; results a second, in millions.
take() {
  "$reader" "$WASMBURST_ADDR" "$2" "$3" | tee -a "$work/said" |
    sed 's/results \([0-9]*\), \([0-9.]*\) s.*/\1 \2/' | awk '{ print $1 / $2 / 1e6 }' >>"$work/$1"
}
await "$(submit 100000)"  # compiles
for ((round = 0; round < rounds; ++round)); do
  for form in columns whole; do
    before="$(daemon_ns)"
    job="$(submit "$instances")"
    await "$job"
    cost stored "$before"
    before="$(daemon_ns)"
    take "rate_$form" "$job" "$form"
    cost read "$before"
    ctl -q job rm "$job"
  done
  job="$(submit "$instances")"
  take rate_followed "$job" columns
  ctl -q job rm "$job"
done
for name in stored read; do echo "$name, ns of the daemon a result: $(spread %.0f <"$work/$name")"; done
for name in rate_columns rate_whole rate_followed; do echo "$name, million a second: $(spread %.2f <"$work/$name")"; done
printf 'results: %.0f ns of the daemon'\''s time a result stored, %.0f read; %.2f million a second followed to the end, %.2f million a second read as columns, %.2f whole\n' \
  "$(median <"$work/stored")" "$(median <"$work/read")" "$(median <"$work/rate_followed")" \
  "$(median <"$work/rate_columns")" "$(median <"$work/rate_whole")"
