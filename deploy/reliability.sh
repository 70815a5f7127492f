#!/usr/bin/env bash
# A daemon that is killed, ended, starved and damaged, and disks that lose power: what was acknowledged
# must be there, once.
#   deploy/reliability.sh [--quick|--full]     20 or 200 rounds; without either 60; 500, 10,000 or
#                                              2,000 cuts of the power
# Needs a release build (deploy/test.sh makes one), or WASMBURST_BUILD=FOLDER.
# Last line: reliability: K kills, L lost, D duplicated, M missing; N checks passed, F failed
# Exit 1 unless L, D, M and F are 0.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. deploy/platform.sh
build="${WASMBURST_BUILD:-$PWD/build/$preset}"
rounds=60 cuts=2000
power_test=tests/daemon/wb_daemon_tests
fail_times=(1 3)  # the daemon ends there when it comes to a place for the first time, for the third
case "${1:-}" in
  "") ;;
  --quick) rounds=20 cuts=500 fail_times=(1) ;;
  --full) rounds=200 cuts=10000 ;;
  *) echo "reliability.sh: unknown argument [$1]; known are --quick and --full" >&2; exit 2 ;;
esac
for program in daemon/wasmburstd daemon/wasmburst-util client/wasmburstctl scheduler/engine_host/wasmburst-engine \
  $power_test; do
  [ -x "$build/$program" ] || { echo "reliability.sh: there is no [$build/$program]; build first" >&2; exit 2; }
done

work="$(mktemp -d /tmp/wb_reliability_XXXXXX)"
export XDG_CACHE_HOME="$work/cache" XDG_STATE_HOME="$work/state" WASMBURST_ADDR="unix://$work/socket"
state="$work/state/wasmburst"
daemon="" kills=0 lost=0 duplicated=0 missing=0 passed=0 failed=0
clients=()

clean_up() {
  touch "$work/stop"
  [ -z "$daemon" ] || { kill -KILL "$daemon" 2>/dev/null; wait "$daemon" 2>/dev/null; }
  [ ${#clients[@]} -eq 0 ] || wait "${clients[@]}" 2>/dev/null
  rm -rf "$work"
}
trap clean_up EXIT

pass() { echo "ok: $1"; passed=$((passed + 1)); }
fail() {
  echo "FAILED: $1"
  [ -z "${2:-}" ] || echo "$2" | head -n 20
  failed=$((failed + 1))
}
ctl() { timeout 60 "$build/client/wasmburstctl" "$@"; }
start_daemon() {
  cat >"$work/config.toml" <<TOML
version = 1
[server]
drain_timeout = "200ms"
min_free_bytes = "${MIN_FREE_BYTES:-64MiB}"
[[listen]]
address = "$WASMBURST_ADDR"
TOML
  "$build/daemon/wasmburstd" --config "$work/config.toml" 2>>"$work/log" </dev/null &
  daemon=$!
  for _ in $(seq 600); do
    ctl server info >/dev/null 2>&1 && return 0
    kill -0 "$daemon" 2>/dev/null || break
    sleep 0.05
  done
  fail "the daemon starts" "$(tail -n 5 "$work/log")"
  exit 1
}
end_daemon() { # SIGNAL
  kill "-$1" "$daemon" 2>/dev/null
  wait "$daemon" 2>/dev/null
  daemon=""
}
in_order() { sed 's/.*"instance":\([0-9]*\).*"values":\[\([-0-9]*\)\].*"fuel":\([0-9]*\).*/\1 \2 \3/' | sort -n; }

. tests/reliability/kills.sh
. tests/reliability/damage.sh

power_cuts
start_daemon
killed_at_random
ended_at_fail_points
nothing_is_lost
damaged_files
full_disk
echo "reliability: $kills kills, $lost lost, $duplicated duplicated, $missing missing; $passed checks passed, $failed failed"
[ $((lost + duplicated + missing + failed)) -eq 0 ]
