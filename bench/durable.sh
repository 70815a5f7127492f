#!/usr/bin/env bash
# What it costs that results outlive the daemon, and what a restart takes.
#   bench/durable.sh [INSTANCES [ROUNDS]]    1000000 and 3; WASMBURST_BUILD=FOLDER: another build
# A job of short instances (about 25 instructions) whose results nobody reads, in turns by a daemon that keeps them on
# the disk and by one that does not (with room for all in memory); then the first is killed and started again.
# Last line: durable: A s on the disk, B s in memory (medians); C bytes a result; D MiB at most; starts again in E s
set -euo pipefail
cd "$(dirname "$0")/.."
instances="${1:-1000000}" rounds="${2:-3}"
[[ $instances =~ ^[1-9][0-9]{0,9}$ ]] || { echo "durable.sh: [$instances] is not a number of instances" >&2; exit 2; }
. bench/own_daemon.sh
need_rounds "$rounds"
guest=tests/e2e/guest.wat
# run NAME: how long a job takes whose results stay where they are.
run() {
  local start
  start="$(seconds)"
  ctl -q job watch "$(ctl -q job submit "$guest" --call draw --arg "0..$instances" --arg 3 --placement cpu)" >/dev/null
  less "$(seconds)" "$start" >>"$work/$1"
}
config() { printf 'version = 1\n[server]\ndurable = %s\nstate_directory = "%s"\n[results]\nmax_memory_bytes = "%s"\n' "$1" "$work/state" "$2" >"$work/$1.toml"; }
config true 1GiB
config false 64GiB
most=0
for ((round = 0; round <= rounds; ++round)); do
  for durable in true false; do
    begin_daemon --config "$work/$durable.toml"
    run "$durable"
    memory="$(awk '/VmHWM/ { print int($2 / 1024) }' "/proc/$daemon/status" 2>/dev/null || echo 0)"
    [ "$durable" = false ] || most=$((memory > most ? memory : most))
    end_daemon
  done
  [ $round -gt 0 ] || rm "$work/true" "$work/false"  # compiles
done
begin_daemon --config "$work/true.toml"
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null || true
daemon=""
start="$(seconds)"
begin_daemon --config "$work/true.toml"
again="$(less "$(seconds)" "$start")"
stored="$(du -sb "$work/state/state.db" | cut -f1)"
end_daemon
echo "on the disk, s: $(tr '\n' ' ' <"$work/true")"
echo "in memory, s: $(tr '\n' ' ' <"$work/false")"
echo "durable: $(median <"$work/true") s on the disk, $(median <"$work/false") s in memory; $((stored / (instances * (rounds + 1)))) bytes a result; $most MiB at most; starts again in $again s"
