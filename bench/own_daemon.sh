# Sourced by benches and scripts that use the whole service, from the top of the tree: a daemon of their own, whose
# files lie in a folder that goes with them.
# Sets build (the programs' folder: WASMBURST_BUILD, or that of the preset), work, WASMBURST_ADDR.
. deploy/platform.sh
. bench/spread.sh
build="${WASMBURST_BUILD:-$PWD/build/$preset}"
work="$(mktemp -d)"
daemon=""
clean_up() {
  if [ -n "$daemon" ] && kill -TERM "$daemon" 2>/dev/null; then wait "$daemon" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap clean_up EXIT
export XDG_CACHE_HOME="$work/cache" XDG_STATE_HOME="$work/state" WASMBURST_ADDR="unix://$work/daemon.sock"

ctl() { "$build/client/wasmburstctl" "$@"; }
begin_daemon() {  # further arguments of the daemon
  "$build/daemon/wasmburstd" --listen "$WASMBURST_ADDR" "$@" 2>"$work/log" </dev/null &
  daemon=$!
  for _ in $(seq 100); do ctl server info >/dev/null 2>&1 && return; sleep 0.1; done
  cat "$work/log" >&2
  exit 1
}
end_daemon() { kill -TERM "$daemon"; wait "$daemon" || true; daemon=""; }

# What benches take. need_rounds ROUNDS: ends a bench whose rounds are no number of them.
need_rounds() { [[ $1 =~ ^[1-9][0-9]?$ ]] || { echo "${0##*/}: [$1] is not a number of rounds" >&2; exit 2; } }
# take_placements [PLACEMENT...]: sets placements; without one those that every machine has.
take_placements() {
  placements=("$@")
  [ $# -gt 0 ] || placements=(interpreter cpu)
}

# "NANOSECONDS FUEL" on the device, of the job that was submitted last.
last_usage() {
  local job
  job="$(ctl -o json job list | tr -d ' \n' | grep -o '"jobs/[^"]*"' | head -1 | tr -d '"')"
  ctl -o json job get "$job" | tr -d ' \n' |
    sed 's/.*"usage":{\([^}]*\)}.*/\1/; s/.*"fuel":"\([0-9]*\)".*"device_time":"\([0-9.]*\)s".*/\2 \1/' |
    awk '{ printf "%.0f %d\n", $1 * 1e9, $2 }'
}
# await_full_build COMMAND...: runs it, which leaves results in $work/results, until their build is no quick one.
await_full_build() {
  for _ in $(seq 100); do
    "$@"
    grep -q '"build":"quick"' "$work/results" || return 0
    sleep 1
  done
  echo "${0##*/}: there is no full build for [$*]" >&2
  exit 1
}
seconds() { date +%s.%N; }
less() { awk -v a="$1" -v b="$2" 'BEGIN { print a - b }'; }
