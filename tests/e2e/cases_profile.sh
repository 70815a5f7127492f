# Profiles: where a job's fuel went, exactly, also in another daemon.
cat >"$work/profile.wat" <<'WAT'
(module
  (func $leaf (export "leaf") (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3)))
  (func $spin (export "spin") (param $n i32) (result i32) (local $i i32)
    (loop $l
      (drop (call $leaf (local.get $i)))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
    (local.get $i))
  (func (export "run") (param i32) (result i32)
    (i32.add (call $spin (i32.const 100)) (call $leaf (local.get 0)))))
WAT
start_daemon
# Of an instance: run 5, spin 100 * 9 + 1, leaf 101 * 3.
said=$(ctl -q job run "$work/profile.wat" --call run --arg 0..40 -o jsonl)
[[ $(grep -c '"fuel":1209,' <<<"$said") -eq 40 ]] && pass "the fuel is what it is counted to be" ||
  fail "the fuel is what it is counted to be" "$said"
job=$(ctl job list --limit 1 -o json | sed -n 's|.*"name": *"\(jobs/[^"]*\)".*|\1|p' | head -1)
expect "a profile shows functions by what they used" 0 '^74\.5% +3604 .* spin$' ctl job profile "$job" --instances 4
expect "and what they called" 0 '^25\.1% +1212 .* leaf$' ctl job profile "$job" --instances 4
expect "it says of how much it is" 0 '4 of 40 instances ran again, 4\.84 k of 48\.4 k instructions \(10\.0%\)' \
  ctl job profile "$job" --instances 4
expect "loops are told apart" 0 '^74\.4% +3600 .* spin loop 0x' ctl job profile "$job" --instances 4 --deep
ctl -q job profile "$job" --instances 2 --folded "$work/folded" --svg "$work/flames.svg" >/dev/null
[[ $(sort "$work/folded") == $'run 10\nrun;leaf 6\nrun;spin 1802\nrun;spin;leaf 600' ]] && pass "stacks are folded" ||
  fail "stacks are folded" "$(cat "$work/folded")"
if command -v xmllint >/dev/null; then
  expect "the flame graph is XML" 0 "" xmllint --noout "$work/flames.svg"
else
  expect "the flame graph ends" 0 '</svg>' tail -1 "$work/flames.svg"
fi
expect "programs read it as JSON" 0 '"function_name":"spin"' ctl job profile "$job" --instances 1 -o jsonl

stop_daemon
start_daemon
expect "the next daemon makes the same" 0 '^74\.5% +3604 .* spin$' ctl job profile "$job" --instances 4

# A job that asks for it has its profile when it has ended, and keeps it: of one instance at least.
asked=$(ctl job submit "$work/profile.wat" --call run --arg 0..40 --profile 3)
ctl -q job results "$asked" --follow >/dev/null
has_kept() { ctl job profile "$asked" 2>&1 | grep -q ': [1-3] of 40 instances'; }
await "the job's own profile is there" has_kept
stop_daemon
start_daemon
expect "and in the next daemon" 0 ': [1-3] of 40 instances' ctl job profile "$asked"
expect "its loops are kept, too" 0 'spin loop 0x' ctl job profile "$asked" --deep

# What is gone, and what never was.
module=$(ctl job get "$job" -o json | sed -n 's|.*"module": *"\([^"]*\)".*|\1|p' | head -1)
ctl -q module rm "$module"
expect "without its module a job has no profile" 2 'JOB_TERMINAL.*was given is not there any more' \
  ctl job profile "$job" --instances 4
expect "but a kept one" 0 ': [1-3] of 40 instances' ctl job profile "$asked"
expect "nobody has a profile of another job" 3 'NOT_FOUND' ctl job profile jobs/00000000000000000000000000
expect "a sample is bounded" 2 '1024' ctl job profile "$job" --instances 5000
stop_daemon

# NVIDIA's tools are stood in for by one that runs what it is given.
mkdir -p "$work/bin"
printf '#!/bin/sh\nwhile [ "$1" != sh ]; do shift; done\nexec "$@"\n' >"$work/bin/nsys"
chmod +x "$work/bin/nsys"
gpu_profile() { local path=$1; shift; WASMBURST_BUILD="$(cd "$(dirname "$daemon")/.." && pwd)" WASMBURST_CUDA=off WASMBURST_NVTX='' \
  WASMBURST_PLACEMENT=interpreter PATH=$path:/usr/bin:/bin "$here/../../deploy/gpu_profile.sh" "$@"; }
expect "a job runs under a tool, and what to look at is said" 0 'Look at: gaps between ranges' \
  gpu_profile "$work/bin" nsys --out "$work/report" "$work/profile.wat" --call run --arg 0..4
if ! PATH=/usr/bin:/bin command -v ncu >/dev/null; then
  expect "a tool that is not there is named" 3 'ncu is not installed' \
    gpu_profile "$work/bin" ncu "$work/profile.wat" --call run --arg 0..4
fi
