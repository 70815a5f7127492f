# Checkpoints: a job stops, and goes on later, elsewhere, in another daemon.
guest=$here/guest.wat
values() { sed 's/.*"instance":\([0-9]*\).*"values":\[\([-0-9]*\)\].*"fuel":\([0-9]*\).*/\1 \2 \3/' | sort -n; }
# Instance, value and fuel of 64 instances that draw so often.
draws() { printf '%s\n' "$guest" --call draw --arg 0..64 --arg "$1"; }
has_used() { [[ $(ctl job get "$job") == *"running ones used"* ]]; }
caught_or_over() { has_used || [[ $(ctl job get "$job") == *SUCCEEDED* ]]; }

sed -i 's/drain_timeout = "1s"/drain_timeout = "1ms"/' "$work/config.toml"
stop_daemon  # of cases before
start_daemon

# Submits at a placement, and more work until it is caught in mid-run: `job`, `count`.
begin_at() {
  for ((count = 4000000; count <= 256000000; count *= 2)); do
    mapfile -t words < <(draws $count)
    job=$(ctl job submit "${words[@]}" --placement "$1")
    await "the job on $1 runs" caught_or_over
    has_used && return 0
  done
  fail "a job on $1 is caught in mid-run"
}
# Its results are those of a run without a stop.
as_a_plain_run() {
  ctl -q job results "$job" --follow -o jsonl >"$work/out"
  mapfile -t words < <(draws $count)
  ctl -q job run "${words[@]}" --placement cpu -o jsonl >"$work/plain"
  if [[ $(values <"$work/out") == "$(values <"$work/plain")" && $(wc -l <"$work/out") -eq 64 ]]; then
    pass "$1: values and fuel are those of a plain run"
  else
    fail "$1: values and fuel are those of a plain run" "$(diff <(values <"$work/out") <(values <"$work/plain") | head -5)"
  fi
  [[ $(ctl job get "$job") == *"states lost"* ]] && fail "$1: no state is lost" || pass "$1: no state is lost"
}

for from in cpu interpreter; do
  to=interpreter
  [[ $from == interpreter ]] && to=cpu
  begin_at $from
  expect "checkpoint on $from" 0 "CHECKPOINTED, [0-9]+ states" ctl job checkpoint "$job" --wait
  expect "its states are shown" 0 "states kept" ctl job get "$job"
  expect "twice is once too often" 2 "checkpointed already" ctl job checkpoint "$job"
  stop_daemon
  start_daemon
  expect "it is so in the next daemon" 0 "CHECKPOINTED" ctl job get "$job"
  expect "as JSON" 0 '"state": "CHECKPOINTED"' ctl job list --filter "state = CHECKPOINTED" -o json
  expect "resume on $to" 0 "" ctl job resume "$job" --placement $to
  expect "it is not resumed twice" 2 "INVALID_ARGUMENT" ctl job resume "$job"
  as_a_plain_run "from $from to $to"
  grep -q '"attempt":[2-9]' "$work/out" && fail "each in its first attempt" || pass "each in its first attempt"
done

# SIGTERM: the next daemon goes on by itself.
begin_at cpu
stop_daemon
ls "$work/state/wasmburst/states/${job#jobs/}" >"$work/kept" 2>/dev/null
[[ $(wc -l <"$work/kept") -gt 0 ]] && pass "a drain keeps states" || fail "a drain keeps states" "$(tail -5 "$work/log")"
start_daemon
as_a_plain_run "over a restart"
again=0
while read -r instance; do
  grep "\"instance\":$instance," "$work/out" | grep -q '"attempt":[2-9]' && again=$((again + 1))
done <"$work/kept"
[[ $again -eq 0 ]] && pass "who had a state went on in its attempt" || fail "who had a state went on in its attempt" "$again"
if [[ ! -e $work/state/wasmburst/states/${job#jobs/}/0 ]] ||
  await "states of an ended job go" test ! -e "$work/state/wasmburst/states/${job#jobs/}"; then
  pass "states of an ended job go"
fi

# Damaged states: those instances start again, and the job says so.
begin_at cpu
ctl -q job checkpoint "$job" --wait >/dev/null
stop_daemon
damaged=0
for file in "$work/state/wasmburst/states/${job#jobs/}"/*; do
  case $((damaged % 3)) in
    0) head -c 100 "$file" >"$work/cut" && cp "$work/cut" "$file" ;;
    1) printf 'WBSTATE9' | dd of="$file" conv=notrunc 2>/dev/null ;;
    2) printf 'x' | dd of="$file" bs=1 seek=$(($(stat -c %s "$file") - 1)) conv=notrunc 2>/dev/null ;;
  esac
  damaged=$((damaged + 1))
done
start_daemon
expect "it is resumed all the same" 0 "" ctl job resume "$job" --placement cpu
ctl -q job results "$job" --follow -o jsonl >"$work/out"
mapfile -t words < <(draws $count)
[[ $(values <"$work/out") == "$(ctl -q job run "${words[@]}" --placement cpu -o jsonl | values)" ]] &&
  pass "values and fuel are right" || fail "values and fuel are right"
expect "the job says how many states are lost" 0 "states lost +$damaged instances" ctl job get "$job"

# What cannot be.
expect "an ended job has no checkpoint" 2 "JOB_TERMINAL" ctl job checkpoint "$job"
job=$(ctl job submit "$guest" --call spin)
expect "a running job is not resumed" 2 "only one that is checkpointed" ctl job resume "$job"
expect "nor at a place that there is not" 2 "placement" ctl job resume "$job" --placement moon
await "it runs" has_used
expect "a spinning job stops" 0 "CHECKPOINTED, 1 states" ctl job checkpoint "$job" --wait
expect "and is cancelled" 0 "" ctl job cancel "$job"
expect "which ends it" 0 "CANCELLED" ctl job watch "$job"
stop_daemon
sed -i 's/drain_timeout = "1ms"/drain_timeout = "1s"/' "$work/config.toml"
