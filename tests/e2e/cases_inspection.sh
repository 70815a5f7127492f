# Dumps of instances, and running them again.
inspect=$here/inspect.wat
cp "$work/config.toml" "$work/config.before"
stop_daemon  # of cases before
start_daemon

job=$(ctl job submit "$inspect" --call run --arg 0..6 --dump-on-trap 2)
ctl -q job results "$job" --follow -o jsonl >"$work/inspected"
expect "an instance traps" 0 '"instance":3,.*"trap":.*divide by zero' cat "$work/inspected"

# The dump as JSON: end, locals, operands, memory, globals.
ctl -q job dump "$job" 3 --json >"$work/core.json" || fail "a dump comes" "$(cat "$work/core.json")"
in_dump() { expect "the dump has $1" 0 "$2" bash -c 'tr -d " \n" <"$1"' _ "$work/core.json"; }
in_dump "how it ended" '"end":"TRAPPED".*"trap":"DIVIDE_BY_ZERO"'
in_dump "the function's name" '"name":"fac"'
in_dump "its locals" '"locals":\[\{"type":"i32","value":0\},\{"type":"i32","value":0\},\{"type":"i32","value":0\}\]'
in_dump "those of a caller" '"locals":\[\{"type":"i32","value":3\},\{"type":"i32","value":0\},\{"type":"i32","value":6\}\]'
in_dump "operands" '"stack":\[\{"type":"i32","value":1\},\{"type":"i32","value":0\}\]'
in_dump "memory" "\"at\":1024,\"base64\":\"$(printf 'dump m' | base64)"
in_dump "globals" '"globals":\[\{"type":"i32","value":4\}\]'

# The same as a file that others read.
expect "a dump as a file" 0 "4 bytes|divide by zero" ctl job dump "$job" 3 --to "$work/core.3"
expect "it is read again" 0 "#0 fac \(function 0, offset 0x[0-9a-f]+\)" ctl job dump --read "$work/core.3"
if command -v wasm-validate >/dev/null; then
  expect "wabt takes it for a module" 0 "" wasm-validate "$work/core.3"
  expect "and shows its stack" 0 '"corestack"' wasm-objdump -h "$work/core.3"
fi
expect "an instance that returned" 0 "made by running it again" ctl job dump "$job" 2 --to "$work/core.2"

# Replays.
expect "a replay shows calls" 0 "> fac\(3, 0\)" ctl job replay "$job" 3
expect "and that it ended alike" 0 "The same as the job's result" ctl job replay "$job" 3
expect "one that returned, too" 0 "< run = 24" ctl job replay "$job" 4
expect "operators" 0 "i32.div_u 1 0 +\(0x" ctl job replay "$job" 3 --operators
expect "as JSON" 0 '"isEqual":true|"is_equal":true' ctl job replay "$job" 3 -o jsonl
offset=$(ctl job replay "$job" 3 --operators | sed -n 's/.*i32.div_u 1 0 .*(\(0x[0-9a-f]*\)).*/\1/p')
expect "it stops at an offset" 0 "Stopped before" ctl job replay "$job" 3 --until "$offset"
expect "the last lines" 0 "The last 2 of" ctl job replay "$job" 3 --limit 2
expect "too many lines" 2 "inspection.max_lines" ctl job replay "$job" 3 --limit 2000000

# What is not there.
expect "an instance that the job lacks" 2 "instances \[?0\]? to" ctl job dump "$job" 9 --json
expect "a job that is not there" 3 "NOT_FOUND" ctl job dump jobs/01M87QBAA08AQ02B1D3R8HPACR 0 --json
fine=$(ctl job submit "$inspect" --call run --arg 0..3)
ctl -q job results "$fine" --follow >/dev/null
expect "a job without a trap keeps nothing" 3 "is not there any more" ctl job dump "$fine" 0 --json
trapped=$(ctl job submit "$inspect" --call run --arg 0..6)
ctl -q job results "$trapped" --follow >/dev/null
expect "one with a trap does" 0 "The same as the job's result" ctl job replay "$trapped" 3
printf 'no core file at all' >"$work/junk"
expect "another file" 2 "no core file" ctl job dump --read "$work/junk"
head -c 90 "$work/core.3" >"$work/cut"
expect "a cut file" 2 "no core file" ctl job dump --read "$work/cut"
expect "too many dumps" 2 "more than 64|not in range|Value 65" ctl job submit "$inspect" --call run --arg 0..6 --dump-on-trap 65

# They outlive the daemon, and go with their job.
kept() { [[ -n $(ls "$work"/state/wasmburst/dumps/*/3-* 2>/dev/null) ]]; }
await "the dump is kept" kept
kill -KILL "$daemon_pid"
wait "$daemon_pid" 2>/dev/null
daemon_pid=
start_daemon
expect "a dump that was kept" 0 "kept when the instance trapped" ctl job dump "$job" 3 --to "$work/core.again"
cmp -s "$work/core.3" "$work/core.again" && pass "has the same bytes" || fail "has the same bytes"
expect "a replay after a restart" 0 "The same as the job's result" ctl job replay "$job" 3
ctl -q job rm "$job"
gone() { [[ ! -e $work/state/wasmburst/dumps/${job#jobs/} ]]; }
await "the dumps go with their job" gone
stop_daemon

# A limit.
printf '[inspection]\nmax_dump_bytes = "64KiB"\n' >>"$work/config.toml"
start_daemon
large=$(ctl job submit "$inspect" --call fill --dump-on-trap 1)
ctl -q job results "$large" --follow >/dev/null
expect "a dump that is too large" 2 "inspection.max_dump_bytes" ctl job dump "$large" 0 --json
expect "it is replayed all the same" 0 "The same as the job's result" ctl job replay "$large" 0
stop_daemon
cp "$work/config.before" "$work/config.toml"
