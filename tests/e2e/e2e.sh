#!/bin/bash
# End to end: the real daemon, engine hosts and client on sockets of their own.
# usage: e2e.sh WASMBURSTD WASMBURSTCTL
set -uo pipefail
daemon=$1
ctl_program=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d /tmp/wb_e2e_XXXXXX)
socket=$work/wasmburstd.sock
export XDG_CACHE_HOME=$work/cache
export WASMBURST_ADDR=unix://$socket
failures=0
daemon_pid=

stop_daemon() {
  if [[ -n $daemon_pid ]]; then
    kill -TERM "$daemon_pid" 2>/dev/null
    wait "$daemon_pid" 2>/dev/null
    daemon_pid=
  fi
}
cleanup() {
  stop_daemon
  rm -rf "$work"
}
trap cleanup EXIT

pass() { echo "ok: $1"; }
fail() {
  echo "FAILED: $1"
  [[ -n ${2:-} ]] && echo "$2" | head -20
  failures=$((failures + 1))
}

# expect NAME EXIT_CODE PATTERN COMMAND...: the command ends so, and says so (out or err).
expect() {
  local name=$1 code=$2 pattern=$3
  shift 3
  local said
  said=$("$@" 2>&1)
  local ended=$?
  if [[ $ended -ne $code ]]; then
    fail "$name (exit code $ended, not $code)" "$said"
  elif ! grep -qE -- "$pattern" <<<"$said"; then
    fail "$name (no [$pattern])" "$said"
  else
    pass "$name"
  fi
}
ctl() { timeout 120 "$ctl_program" "$@"; }

# The daemon prints its addresses once it serves.
start_daemon() {
  : >"$work/log"
  "$daemon" --config "$work/config.toml" 2>"$work/log" &
  daemon_pid=$!
  until [[ $(grep -c listening "$work/log") -ge 2 ]]; do
    if ! kill -0 "$daemon_pid" 2>/dev/null; then
      fail "the daemon starts" "$(cat "$work/log")"
      exit 1
    fi
    read -rt 0.05 <> <(:) || :
  done
  tcp=$(sed -n 's/.*address=\(tcp:[^ ]*\).*/\1/p' "$work/log" | head -1)
}

cat >"$work/config.toml" <<TOML
version = 1
[server]
drain_timeout = "1s"
[burst]
max_duration = "100ms"
[results]
message_bytes = 2048
heartbeat = "50ms"
[[listen]]
address = "unix://$socket"
[[listen]]
address = "tcp://127.0.0.1:0"
TOML

. "$here/cases_basic.sh"
. "$here/cases_bad_input.sh"
. "$here/cases_life.sh"

if [[ $failures -gt 0 ]]; then
  echo "e2e: $failures failed"
  exit 1
fi
echo "e2e: all passed"
