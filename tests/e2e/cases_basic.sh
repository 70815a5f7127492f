# Push, run over both listeners, programs, compile, lists.
cat >>"$work/config.toml" <<TOML
[cuda]
driver_path = "$work/nowhere/libcuda.so.1"
TOML
start_daemon
guest=$here/guest.wat

expect "the server tells of itself" 0 "listens at +unix://$socket" ctl server info
expect "devices are listed" 0 "devices/interpreter0" ctl device list
if [[ $(uname) == Linux ]]; then
  expect "and what is missing" 0 "^There is no GPU: .*\[$work/nowhere/libcuda.so.1\]" ctl device list
  expect "to programs as well" 0 '"missing": \[' ctl device list -o json
fi
expect "a module is pushed" 0 "^modules/sha256:[0-9a-f]{64}$" ctl -q module push "$guest"
module=$(ctl -q module push "$guest")
expect "it is built ahead of its jobs" 0 "^The full build for \[cpu\] is there, after [0-9]* ms" ctl module push "$guest" --prepare cpu
expect "which then compile nothing" 0 '"pipeline_cached": true' \
  ctl -o json job get "$(ctl -q job run "$guest" --call fac --arg 5 --placement cpu --report "$work/report" --no-results >/dev/null
    sed -n 's/^ *"name": "\(jobs[^"]*\)".*/\1/p' "$work/report" | head -1)"
expect "for a device that is not there it says so" 2 "There is no GPU" ctl module push "$guest" --prepare gpu
expect "its exports are shown" 0 '"fac"' ctl module get "$module" -o json
expect "modules are listed" 0 "$module" ctl module list

# What comes before the argument is the same in every instance: it is done once, where the job's limits allow it.
cat >"$work/table.wat" <<'WAT'
(module (memory 1)
  (func (export "look") (param $x i32) (result i32) (local $i i32) (local $s i32)
    (loop $fill
      (i32.store offset=64 (i32.shl (local.get $i) (i32.const 2)) (i32.mul (local.get $i) (i32.const 2654435761)))
      (br_if $fill (i32.ne (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 512))))
    (if (i32.eq (local.get $x) (i32.const 33)) (then unreachable))
    (loop $look
      (local.set $s (i32.add (local.get $s) (i32.load offset=64 (i32.and (i32.mul (local.get $x) (local.get $i)) (i32.const 2044)))))
      (br_if $look (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))
    (local.get $s)))
WAT
look() { ctl -q job run "$work/table.wat" --call look --arg 0..70 -o csv --ordered "$@" 2>/dev/null | cut -d, -f1-3,5-; }  # but the device
cached() {
  ctl -q job run "$work/table.wat" --call look --arg 5 --placement cpu --report "$work/report" --no-results >/dev/null
  ctl -o json job get "$(sed -n 's/^ *"name": "\(jobs[^"]*\)".*/\1/p' "$work/report" | head -1)"
}
look --placement interpreter --fuel 1000000 >"$work/plain"
expect "instances begin at their own" 0 "^69$" grep -c RETURNED "$work/plain"
for placement in cpu interpreter; do
  look --placement "$placement" >"$work/started"
  expect "or behind a common start on $placement, and end alike" 0 "" diff "$work/plain" "$work/started"
done
expect "a module is built ahead" 0 "is there" ctl module push "$work/table.wat" --prepare cpu
sed -i 's/2654435761/2654435763/' "$work/table.wat"
expect "with what its function does first" 0 "is there" ctl module push "$work/table.wat" --prepare cpu --function look
expect "so that jobs compile nothing" 0 '"pipeline_cached": true' cached
sed -i 's/2654435763/2654435765/' "$work/table.wat"
ctl -q module push "$work/table.wat" --prepare cpu >"$work/out" 2>&1
expect "without its name they do" 1 "" grep -q '"pipeline_cached": true' <(cached)
expect "a function that is not there is refused" 2 "exports no function .missing. whose" ctl module push "$work/table.wat" --prepare cpu --function missing
expect "as is one that nothing is prepared for" 2 "requires --prepare" ctl module push "$work/table.wat" --function look

cat >"$work/groups.wat" <<'WAT'
(module
  (import "gpu_std" "sum_i32" (func $sum (param i32) (result i32)))
  (import "gpu_std" "ballot" (func $ballot (param i32) (result i32)))
  (import "gpu_std" "assert" (func $assert (param i32 i32)))
  (func (export "run") (param $n i32) (result i32)
    (call $assert (i32.ne (local.get $n) (i32.const 33)) (i32.const 7))
    (if (i32.eq (local.get $n) (i32.const 65)) (then (return (call $ballot (i32.const 1)))))
    (call $sum (local.get $n))))
WAT
groups() { ctl -q job run "$work/groups.wat" --call run --arg 0..70 --placement "$1" -o csv --ordered; }
for placement in cpu interpreter; do
  groups "$placement" >"$work/out" 2>"$work/err"
  expect "instances of a group sum on $placement" 0 "^32$" grep -c ',RETURNED,.*,496,$' "$work/out"
  expect "without one whose assertion fails" 0 "^31$" grep -c ',RETURNED,.*,1487,$' "$work/out"
  expect "a group at different collectives traps" 0 "^6$" grep -c "at different collectives" "$work/out"
  expect "an assertion has its code" 0 "assertion failed, code 7" cat "$work/err" "$work/out"
done

for address in "unix://$socket" "$tcp"; do
  for placement in cpu interpreter; do
    said=$(ctl --addr "$address" job run "$guest" --call fac --arg 0..20 --placement $placement \
      -o jsonl -q | sed 's/.*"instance":\([0-9]*\).*"values":\[\([0-9]*\)\].*/\1 \2/')
    want=$(for ((i = 0, f = 1; i < 20; i++, f *= i)); do echo "$i $f"; done)
    if [[ $(sort -n <<<"$said") == "$want" ]]; then
      pass "factorials on $placement over $address"
    else
      fail "factorials on $placement over $address" "$said"
    fi
  done
done

fuel() { ctl job run "$guest" --call fac --arg "0..10" --placement "$1" -o jsonl -q |
  sed 's/.*"instance":\([0-9]*\).*"fuel":\([0-9]*\).*/\1 \2/' | sort -n; }
if [[ -n $(fuel cpu) && $(fuel cpu) == "$(fuel interpreter)" ]]; then
  pass "fuel is the same on both engines"
else
  fail "fuel is the same on both engines" "$(fuel cpu) / $(fuel interpreter)"
fi

expect "a trap is a result" 0 "TRAPPED.*integer divide by zero in div \(function [0-9]+, offset 0x[0-9a-f]+\)" \
  ctl job run "$guest" --call div --arg 1 --arg "[1,0]"
expect "out of fuel is a result" 0 "OUT_OF_FUEL" ctl job run "$guest" --call spin --fuel 1000000
for placement in cpu interpreter; do
  expect "a job's fuel in all, on $placement" 0 "--total-fuel: .100000000." \
    ctl job run "$guest" --call spin --instances 8 --total-fuel 100000000 --placement $placement
done
expect "a job's results in all" 0 "--results-limit: .100. bytes.*100. used" \
  ctl job run "$guest" --call fill --arg 0..64 --read "row=16" --results-limit 100
expect "a job's time in all" 0 "EXPIRED" ctl job run "$guest" --call spin --total-time 300ms

# How a running job goes on: some minutes of work, cancelled once it has said so.
job=$(ctl -q job submit "$guest" --call draw --arg 0..20000 --arg 20000000 --placement cpu)
has_forecast() {
  local said
  said=$(ctl job get "$job" -o json)
  [[ $said == *'"instructions_per_second":'* && $said == *'"earliest_end":'* && $said == *'"latest_end":'* ]]
}
await "a running job says how fast it is and when it ends" has_forecast
expect "what running instances have used" 0 '"fuel_running": "?[1-9]' ctl job get "$job" -o json
expect "in words" 0 'rate +[0-9.]+ [MG] instructions/s' ctl job get "$job"
expect "with the range" 0 'left: between [-0-9]+ [0-9:]+ UTC and' ctl job get "$job"
if [[ $(ctl job watch "$job" | grep -m1 -E 'RUNNING.* instructions/s, .* left') ]]; then
  pass "job watch says it too"
else
  fail "job watch says it too"
fi
ctl -q job cancel "$job"
await "a cancelled job says it no more" bash -c "! '$ctl_program' job get '$job' -o json | grep -q forecast"

printf 'n\n1\n2\n3\n' >"$work/in.csv"
expect "columns come from CSV" 0 '"values":\[6\]' \
  ctl job run "$guest" --call fac --arg "@$work/in.csv:n" -o jsonl

printf 'id,n\n"a, b",3\nc,4\n' >"$work/named.csv"
expect "CSV, in order, with an input beside" 0 \
  '^1,RETURNED,[0-9]+,[a-z]+0,c,24,$' \
  ctl job run "$guest" --call fac --arg "@$work/named.csv:n" -o csv --ordered \
  --columns "@$work/named.csv:id"
expect "CSV quotes" 0 '^0,RETURNED,[0-9]+,[a-z]+0,"a, b",6,$' \
  ctl job run "$guest" --call fac --arg "@$work/named.csv:n" -o csv --columns "@$work/named.csv:id"
said=$(ctl -q job run "$guest" --call fac --arg 0..3000 --ordered -o csv --columns arg1 | cut -d, -f1,5)
want=$(echo instance,arg1; for ((i = 0; i < 3000; i++)); do echo "$i,$i"; done)
if [[ $said == "$want" ]]; then pass "--ordered"; else fail "--ordered" "$said"; fi

ctl -q job run "$guest" --call fill --arg 0..64 --read "row=16" --concat "row=$work/rows" \
  --no-results --report "$work/report.json"
if [[ $(wc -c <"$work/rows") -eq 1024 && $(od -An -tu4 -N4 -j160 "$work/rows") -eq 10 ]]; then
  pass "outputs are concatenated in instance order"
else
  fail "outputs are concatenated in instance order" "$(od -An -tu4 "$work/rows" | head)"
fi
grep -q '"state": "SUCCEEDED"' "$work/report.json" && pass "a report" || fail "a report"
# Exact everywhere but on a device that flushes, which is none of these.
ctl -q job run "$guest" --call fac --arg 5 --floats fast32 -o jsonl --report "$work/fast.json" >"$work/fast"
if grep -q '"floats": "FAST32"' "$work/fast.json" && grep -q '"values":\[120\]' "$work/fast"; then
  pass "a job may allow fast32"
else
  fail "a job may allow fast32" "$(cat "$work/fast.json" "$work/fast")"
fi

cat >"$work/program.json" <<'JSON'
{"columns": {"text": {"type": "bytes", "values": ["abc", "wxyz"]},
             "length": {"type": "i32", "values": "[3,4]"}},
 "steps": [{"write": {"pointer": 256, "column": "text"}},
           {"call": "sum", "args": [256, {"column": "length"}]},
           {"read": {"pointer": 256, "length": {"column": "length"}, "output": "echo"}}]}
JSON
expect "a program of several steps" 0 '"values":\[294\].*' \
  ctl job run "$guest" --program "$work/program.json" -o jsonl
expect "its outputs" 0 '"base64":"d3h5eg=="' \
  ctl job run "$guest" --program "$work/program.json" -o jsonl

ctl -q job run "$guest" --call fill --arg "[7,9]" --read "row=4" --out "$work/by_column" --name-by arg1 \
  --no-results
if [[ $(ls "$work/by_column") == $'7.row\n9.row' && $(od -An -tu4 "$work/by_column/9.row") -eq 9 ]]; then
  pass "files are named by a column"
else
  fail "files are named by a column" "$(ls "$work/by_column")"
fi
expect "outputs as hex" 0 'row: 07000000' \
  ctl job run "$guest" --call fill --arg 7 --read "row=4" --show-output hex
expect "a name that two instances have" 2 'is that of instance \[0\] too' \
  ctl job run "$guest" --call fill --arg "[7,7]" --read "row=4" --out "$work/twice" --name-by arg1

echo '(module (import "nothing" "here" (func (param i32))))' >"$work/importing.wat"
expect "a module's imports are shown, with types" 0 '^  import function nothing.here \(i32\) -> \(\)  \(give --bind nothing.here=trap \(or ignore, record, host\) or --module nothing=FILE\)$' \
  ctl module inspect "$work/importing.wat"
expect "the same without a daemon" 0 '^  export function fac \(i64\) -> i64' \
  ctl module inspect --local "$guest"
expect "and without an address" 0 '^  export function fac' \
  env -u WASMBURST_ADDR "$ctl_program" module inspect "$guest"
expect "an address that was given is not passed over" 5 "cannot be reached" \
  ctl --addr "unix://$work/nothing" module inspect "$guest"
expect "CSV is for results" 2 "of job run, job results, session call and device bursts" ctl -o csv job list
expect "a text is checked without a daemon" 0 "within the subset" ctl module check --local "$guest"
if cmp <(ctl -q module compile "$guest") <(ctl -q module compile --local "$guest"); then
  pass "the kernel text is the daemon's"
else
  fail "the kernel text is the daemon's"
fi
mac=(module compile --floats metal --layout interleaved "$guest")
if cmp <(ctl -q "${mac[@]}") <(ctl -q "${mac[@]}" --local) &&
  ! cmp -s <(ctl -q "${mac[@]}") <(ctl -q module compile "$guest"); then
  pass "a Mac's text is the daemon's, and is another than a CPU's"
else
  fail "a Mac's text is the daemon's, and is another than a CPU's"
fi
expect "a Mac's text is checked" 0 "within the subset" \
  ctl module check --floats metal --layout interleaved "$guest"
expect "floats that are not known" 2 "floats" ctl module compile --floats exact "$guest"
expect "versions" 0 "^wasmburstd [0-9.]+, compiler .*, at unix:" ctl version
expect "the kernel text is shown" 0 "metal_stdlib" ctl module compile --emit msl "$guest"
expect "the IR is shown" 0 "." ctl module compile --emit ir "$guest"
expect "the cache is listed" 0 "KEY" ctl cache ls
expect "the cache is pruned" 0 "Freed" ctl cache prune --all

# --- settings
expect "the default configuration" 0 'state_directory = ""' ctl config default
ctl config default >"$work/default.toml"
expect "is valid" 0 "is valid" ctl config validate "$work/default.toml"
printf '[grpc]\nmax_mesage_bytes = 1\n' >"$work/wrong.toml"
expect "a wrong one is named by its line" 2 "wrong.toml:2: The setting .grpc.max_mesage_bytes. is not known" \
  ctl config validate "$work/wrong.toml"
expect "as JSON" 2 '"valid":false,"problem":".*wrong.toml:2' ctl config validate "$work/wrong.toml" -o jsonl
expect "without a daemon" 0 "is valid" ctl --addr unix:///nowhere config validate "$work/default.toml"
expect "settings in force" 0 'server.drain_timeout +1s +file' ctl config dump
expect "those that are not at their default" 0 'results.heartbeat +50ms +file' ctl config dump --changed
expect "the others are left out then" 1 "" bash -c "'$ctl_program' config dump --changed | grep jobs.ttl"
expect "as JSON" 0 '"name":"jobs.ttl","value":"24h","origin":"default"' ctl config dump -o jsonl

# --- looking on
expect "jobs are watched" 0 '^\{"time_unix_ms":[0-9]+,"module"' ctl job list --watch --interval 50ms --count 2
expect "devices are watched" 0 '"name":"devices/cpu0"' ctl device list --watch --interval 50ms --count 2
expect "an interval needs --watch" 2 "watch" ctl job list --interval 50ms

# --- measurements
jobs_before=$(ctl -q job list -o jsonl | wc -l)
modules_before=$(ctl -q module list -o jsonl | wc -l)
ctl check perf --seconds 2 -o json >"$work/perf.json"
code=$?
if [[ $code -eq 0 ]] && grep -q '"ok": true' "$work/perf.json" &&
  [[ $(grep -c '"median"' "$work/perf.json") -ge 7 ]]; then
  pass "a daemon is measured"
else
  fail "a daemon is measured ($code)" "$(cat "$work/perf.json")"
fi
[[ $(ctl -q job list -o jsonl | wc -l) -eq $jobs_before && $(ctl -q module list -o jsonl | wc -l) -eq $modules_before ]] &&
  pass "and nothing of it is left" || fail "and nothing of it is left" "$(ctl job list; ctl module list)"
expect "which is a table for people" 0 "round trip of a call.* ms" ctl check perf --seconds 1
