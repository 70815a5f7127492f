#!/bin/bash
# End to end: the real daemon, engine hosts and client on sockets of their own.
# usage: e2e.sh WASMBURSTD WASMBURSTCTL [WASMBURST-ENGINE [CASES...]]
#   CASES  which cases_*.sh; none: all but those of Metal, whose engine is another program
set -uo pipefail
if ((BASH_VERSINFO[0] < 4)); then
  echo "bash $BASH_VERSION is too old for these tests; deploy/setup.sh installs a newer one"
  exit 77
fi
daemon=$1
ctl_program=$2
engine_program=${3:-}
cases=("${@:4}")
if [[ ${#cases[@]} -eq 0 ]]; then
  cases=(basic linked programs bindings host pointers run bad_input life profile session durable checkpoint inspection share service postgres cluster identity isolation ${engine_program:+no_engine})
fi
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d /tmp/wb_e2e_XXXXXX)
socket=$work/wasmburstd.sock
export XDG_CACHE_HOME=$work/cache XDG_STATE_HOME=$work/state
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

# DEVICE FIELD: of `device get`. The device's own: launches in flight, behind it, have fields of the same names.
field() {
  ctl device get "$1" -o json | tr -d '\n ' | grep -o "\"$2\":\"\{0,1\}[^\",}]*" | head -n 1 | sed 's/.*[":]//'
}

# await NAME COMMAND...: until the command succeeds, but not longer than a minute.
await() {
  local name=$1 end=$((SECONDS + 60))
  shift
  until "$@"; do
    if ((SECONDS >= end)); then
      fail "$name (not within a minute)"
      return 1
    fi
    read -rt 0.05 <> <(:) || :
  done
}

# The daemon prints its addresses once it serves.
serves_or_died() { (($(grep -c listening "$2") >= 2)) || ! kill -0 "$1" 2>/dev/null; }
await_listening() { # PID LOG
  await "the daemon listens" serves_or_died "$1" "$2"
  (($(grep -c listening "$2") >= 2)) && return
  fail "the daemon starts" "$(cat "$2")"
  exit 1
}
start_daemon() {
  : >"$work/log"
  "$daemon" --config "$work/config.toml" 2>"$work/log" &
  daemon_pid=$!
  await_listening "$daemon_pid" "$work/log"
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
[[tenant]]
name = "small"
max_jobs = 1
[[listen]]
address = "unix://$socket"
[[listen]]
address = "tcp://127.0.0.1:0"
role = "admin"
TOML

for name in "${cases[@]}"; do . "$here/cases_$name.sh"; done

if [[ $failures -gt 0 ]]; then
  echo "e2e: $failures failed"
  exit 1
fi
echo "e2e: all passed"
