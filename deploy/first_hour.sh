#!/usr/bin/env bash
# A daemon with default settings, used as a new user does and then as a hostile neighbour does: nothing
# hangs, nothing is lost, no client stops the others.
#   deploy/first_hour.sh [--seconds N]
#     --seconds N  how long the README's own command is run again and again (default 20)
# The neighbour is Node's gRPC client; where npm cannot install it, that part is skipped and counted.
# Last line: first hour: N checks passed, M failed[, K skipped]
set -uo pipefail
cd "$(dirname "$0")/.."
. deploy/platform.sh
seconds=20
while [ $# -gt 0 ]; do
  case "$1" in
    --seconds) seconds="${2:?first_hour.sh: --seconds needs a number}"; shift ;;
    *) echo "first_hour.sh: unknown argument [$1]; known is --seconds" >&2; exit 2 ;;
  esac
  shift
done

build="$PWD/build/$preset"
root="$PWD"
work="$(mktemp -d)"
socket="$work/wasmburstd.sock"
daemon=""
passed=0 failed=0 skipped=0
clean_up() {
  if [ -n "$daemon" ]; then kill -TERM "$daemon" 2>/dev/null && wait "$daemon" 2>/dev/null; fi
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

pass() { passed=$((passed + 1)); echo "ok: $1"; }
fail() {
  failed=$((failed + 1))
  echo "FAILED: $1"
  [ -z "${2:-}" ] || head -n 20 <<<"$2"
}
# expect NAME EXIT_CODE PATTERN COMMAND...: the command ends so, and says so (out or err).
expect() {
  local name="$1" code="$2" pattern="$3" said ended
  shift 3
  said="$("$@" 2>&1)" && ended=0 || ended=$?
  if [ "$ended" != "$code" ]; then
    fail "$name (exit code $ended, not $code)" "$said"
  elif ! grep -qE -- "$pattern" <<<"$said"; then
    fail "$name (no [$pattern])" "$said"
  else
    pass "$name"
  fi
}
ctl() { timeout 60 "$build/client/wasmburstctl" "$@"; }
ends_of() { sed -n 's/.*jobs\/[0-9A-Z]* \([A-Z]*\):.*/\1/p' "$1"; }

cmake --build "$build" --target wasmburstd wasmburstctl wasmburst-engine wasmburst-mslcheck wasmburst-compile \
  >"$work/build.log" 2>&1 || { tail -n 40 "$work/build.log"; exit 1; }
export XDG_CACHE_HOME="$work/cache" XDG_STATE_HOME="$work/state" WASMBURST_ADDR="unix://$socket"
"$build/daemon/wasmburstd" --listen "$WASMBURST_ADDR" 2>"$work/daemon.log" </dev/null &
daemon=$!
for _ in $(seq 100); do ctl server info >/dev/null 2>&1 && break; sleep 0.1; done

# The module of the README's tour.
sed -n '/^    cat >collatz.wat/,/^    END$/p' README.md | sed '1d;$d;s/^    //' >"$work/collatz.wat"
wat="$work/collatz.wat"

. tests/first_hour/user.sh

said="$(node tests/first_hour/tour.mjs "$root" 2>&1)" && pass "the README's $(tail -n 1 <<<"$said")" ||
  fail "the README's tour" "$said"

wat2wasm "$wat" -o "$work/collatz.wasm"
wat2wasm tests/first_hour/reader.wat -o "$work/reader.wasm"
if tests/first_hour/npm.sh "$root/build/first-hour" >"$work/npm.log" 2>&1; then
  timeout 60 node tests/first_hour/third_party.mjs "$root/build/first-hour" "$root/proto" "unix:$socket" \
    "$work/collatz.wasm" >"$work/third_party.log" 2>&1 || fail "another client" "$(cat "$work/third_party.log")"
  grep -E '^(ok|FAILED): ' "$work/third_party.log"
  passed=$((passed + $(grep -c '^ok: ' "$work/third_party.log")))
  failed=$((failed + $(grep -c '^FAILED: ' "$work/third_party.log")))
  timeout 150 node tests/first_hour/attacker.mjs "$root/build/first-hour" "$root/proto" "unix:$socket" \
    "$work/collatz.wasm" "$daemon" "$work/reader.wasm" >"$work/attacker.log" 2>&1
  grep -E '^(ok|FAILED): ' "$work/attacker.log"
  passed=$((passed + $(grep -c '^ok: ' "$work/attacker.log")))
  failed=$((failed + $(grep -c '^FAILED: ' "$work/attacker.log")))
  if [ "$(tail -n 1 "$work/attacker.log" | grep -cE '^(ok|FAILED): uploads')" = 0 ]; then
    fail "the neighbour's part came to its end" "$(tail -n 5 "$work/attacker.log")"
  fi
else
  skipped=$((skipped + 1))
  echo "skipped: the neighbour: $(tail -n 1 "$work/npm.log")"
fi
expect "after all of it the daemon serves" 0 "18" ctl job run "$wat" --call steps --arg 28 -o jsonl

tail_words=""
[ $skipped = 0 ] || tail_words=", $skipped skipped"
echo "first hour: $passed checks passed, $failed failed$tail_words"
[ $failed = 0 ]
