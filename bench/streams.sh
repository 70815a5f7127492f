#!/usr/bin/env bash
# What many readers cost: streams that follow a job, and readers that never read.
#   bench/streams.sh [STREAMS [SECONDS [STALLED [INSTANCES [ROUNDS]]]]]     10000, 60, 1000, 1000000 and 7
# WASMBURST_BUILD=FOLDER: another build.
# First STREAMS streams over ten connections for SECONDS. Then a client reads the results of a job of so many instances,
# in turns alone and beside STALLED readers of another job's results, each on a connection of its own, that never read
# (once their windows are full, and the daemon has nothing more to send to them). Rounds begin with the one and the other.
# Last line: streams: N streams, E errors, M messages; C KiB a stream; S stalled readers cost D KiB each; beside them R of the speed
# (the median of the rounds' ratios, with the lowest and the highest)
set -euo pipefail
cd "$(dirname "$0")/.."
streams="${1:-10000}" seconds="${2:-60}" stalled="${3:-1000}" instances="${4:-1000000}" rounds="${5:-7}"
for number in "$streams" "$seconds" "$stalled" "$instances"; do
  [[ $number =~ ^[1-9][0-9]{0,7}$ ]] || { echo "streams.sh: [$number] is not a number" >&2; exit 2; }
done
. bench/own_daemon.sh
need_rounds "$rounds"
guest=tests/e2e/guest.wat
load="$build/bench/wb_stream_load"
ulimit -n "$(ulimit -H -n)"
printf 'version = 1\n[server]\nstate_directory = "%s"\nmax_peer_connections = 100000\nmax_connections = 100000\n[results]\nheartbeat = "5s"\n[log]\nlevel = "warning"\n' \
  "$work/state" >"$work/config.toml"
kib() { awk -v f="$1:" '$1 == f { print $2 }' "/proc/$daemon/status"; }
begin_daemon --config "$work/config.toml"

spin="$(ctl -q job submit "$guest" --call spin)"
before_of_streams="$(kib VmRSS)"
"$load" "$WASMBURST_ADDR" "$spin" "$streams" 10 "$seconds" >"$work/streams" &
loading=$!
most="$before_of_streams"
while kill -0 $loading 2>/dev/null; do
  now="$(kib VmRSS)"
  most=$((now > most ? now : most))
  sleep 0.5
done
wait $loading || true
ctl -q job cancel "$spin" >/dev/null
cat "$work/streams"
errors="$(sed 's/.*errors //' "$work/streams")" messages="$(sed 's/.*messages \([0-9]*\),.*/\1/' "$work/streams")"

large="$(ctl -q job submit "$guest" --call draw --arg "0..$instances" --arg 3 --memory 65536)"
ctl -q job watch "$large" >/dev/null
# Until the daemon takes less than 5 % of a processor.
await_idle_daemon() {
  local ticks last
  last="$(daemon_ticks)"
  for _ in $(seq 60); do
    sleep 1
    ticks="$(daemon_ticks)"
    [ $((ticks - last)) -ge 5 ] || return 0
    last="$ticks"
  done
}
daemon_ticks() { awk '{ print $14 + $15 }' "/proc/$daemon/stat"; }
read_all() {
  "$build/bench/wb_result_reader" "$WASMBURST_ADDR" "$large" whole | sed 's/.*, \([0-9.]*\) s.*/\1/' >>"$work/$1"
}
other="$(ctl -q job submit "$guest" --call draw --arg 0..200000 --arg 3)"
ctl -q job watch "$other" >/dev/null
read_all warm
cost=0
beside_the_stalled() {
  before="$(kib VmRSS)"
  "$load" "$WASMBURST_ADDR" "$other" "$stalled" "$stalled" 120 stall >"$work/stalled" &
  loading=$!
  await_idle_daemon
  read_all beside
  now="$(kib VmRSS)"
  cost=$((now - before > cost ? now - before : cost))
  kill $loading 2>/dev/null || true
  wait $loading 2>/dev/null || true
  await_idle_daemon
}
for ((round = 0; round < rounds; ++round)); do
  [ $((round % 2)) -eq 1 ] || read_all alone
  beside_the_stalled
  [ $((round % 2)) -eq 0 ] || read_all alone
done
echo "alone, s: $(tr '\n' ' ' <"$work/alone")"
echo "beside the stalled, s: $(tr '\n' ' ' <"$work/beside")"
end_daemon
echo "streams: $streams streams, $errors errors, $messages messages; $(((most - before_of_streams) / streams)) KiB a stream; $stalled stalled readers cost $((cost / stalled)) KiB each; beside them $(paste "$work/alone" "$work/beside" | awk '{ print $1 / $2 }' | spread %.2f) of the speed"
