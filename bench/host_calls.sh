#!/usr/bin/env bash
# Calls of an import that one process of `job run --host` answers: instances that wait, a line to the
# handler and back, instances that go on.
#   bench/host_calls.sh [CALLS [ROUNDS [PLACEMENT]]]     (default 100000 3 interpreter)
# CALLS are made by 1,000 instances that wait at the same time, and a twentieth of them by one instance
# alone, whose calls wait for one another. What the calls return is summed up by the module, and
# compared. Seconds as the command takes them; last line: host calls bench: ...
set -euo pipefail
cd "$(dirname "$0")/.."
calls="${1:-100000}" rounds="${2:-3}" placement="${3:-interpreter}"
[[ $calls =~ ^[1-9][0-9]{3,6}$ && $((calls % 1000)) = 0 ]] ||
  { echo "host_calls.sh: [$calls] is not a number of calls, in thousands" >&2; exit 2; }
. bench/own_daemon.sh
need_rounds "$rounds"

cat >"$work/calls.wat" <<'WAT'
(module
  (import "env" "twice" (func $twice (param i32) (result i32)))
  (func (export "run") (param $calls i32) (result i32) (local $sum i32)
    (loop $next
      (local.set $sum (i32.add (local.get $sum) (call $twice (local.get $calls))))
      (local.set $calls (i32.sub (local.get $calls) (i32.const 1)))
      (br_if $next (local.get $calls)))
    (local.get $sum)))
WAT
cat >"$work/handler.mjs" <<'JS'
import {createInterface} from 'node:readline';
for await (const line of createInterface({input: process.stdin})) {
  const {instance, call, args} = JSON.parse(line);
  process.stdout.write(`{"instance":${instance},"call":${call},"results":[${2 * args[0]}]}\n`);
}
JS

# timed INSTANCES CALLS_OF_EACH: calls a second.
timed() {
  local began took sum
  began="$(seconds)"
  ctl -q job run "$work/calls.wat" --call run --arg "$2" --instances "$1" --placement "$placement" \
    --host "node '$work/handler.mjs'" -o jsonl >"$work/results"
  took="$(less "$(seconds)" "$began")"
  sum="$(grep -c "\"values\":\[$(($2 * ($2 + 1)))\]" "$work/results" || true)"
  [ "$sum" = "$1" ] || { head -n 3 "$work/results" >&2; echo "host_calls.sh: $sum of $1 instances have the right sum" >&2; exit 1; }
  awk -v n=$(($1 * $2)) -v t="$took" 'BEGIN { print n / t }'
}

begin_daemon
timed 1 1000 >/dev/null # the module is there, and Node's files are read
for ((round = 0; round < rounds; ++round)); do
  timed 1000 $((calls / 1000)) >>"$work/many"
  timed 1 $((calls / 20)) >>"$work/one"
done
echo "$calls calls of 1,000 instances: $(spread %.0f <"$work/many") a second"
echo "$((calls / 20)) calls of one instance: $(spread %.0f <"$work/one") a second"
echo "host calls bench: many=$(median <"$work/many") one=$(median <"$work/one") calls/s"
