# Cancel, resume, idempotency, vanishing clients, drain, two daemons.
job=$(ctl job submit "$guest" --call spin --instances 8)
expect "a running job is not deleted" 2 "JOB_RUNNING" ctl job rm "$job"
expect "cancel" 0 "" ctl job cancel "$job"
expect "watch until its end" 0 "CANCELLED" ctl job watch "$job"
expect "cancel again" 2 "JOB_TERMINAL" ctl job cancel "$job"
expect "delete" 0 "" ctl job rm "$job"
expect "it is gone" 3 "NOT_FOUND" ctl job get "$job"

job=$(ctl job submit "$guest" --call fac --arg 0..500 --request-id one)
again=$(ctl job submit "$guest" --call fac --arg 0..500 --request-id one)
[[ -n $job && $job == "$again" ]] && pass "the same request is the same job" ||
  fail "the same request is the same job" "$job $again"
expect "another request with the same id" 2 "REQUEST_ID_REUSED" \
  ctl job submit "$guest" --call fac --arg 0..501 --request-id one
whole=$(ctl -q job results "$job" --follow -o jsonl | sha256sum)
expect "the job is listed" 0 "$job" ctl job list --filter 'state = SUCCEEDED'

# Readers that vanish at once, at every moment; then all must still be there.
for lines in 1 2 3 5 8 13 21; do
  ctl -q job results "$job" --follow -o jsonl | head -$lines >/dev/null
done
[[ $(ctl -q job results "$job" -o jsonl | sha256sum) == "$whole" ]] &&
  pass "results can be read again after readers vanished" || fail "results after vanished readers"

# An interrupted reader says where to go on; both parts make the whole.
spin=$(ctl job submit "$guest" --call spin)
"$ctl_program" job results "$spin" --follow >"$work/out" 2>"$work/err" &
reader=$!
read_and_running() { grep -q INSTANCE "$work/out" && [[ $(ctl job get "$spin") == *RUNNING* ]]; }
await "the job runs and is read" read_and_running
kill -TERM $reader
wait $reader
code=$?
[[ $code -eq 7 ]] && grep -q "the job goes on" "$work/err" && pass "interrupt" ||
  fail "interrupt ($code)" "$(cat "$work/err")"
expect "the interrupted job goes on" 0 "RUNNING" ctl job get "$spin"

ctl -q job cancel "$spin"

# The engine dies in mid-burst: another takes over, the results are the same.
draw() { ctl -q job run "$guest" --call draw --arg 0..64 --arg 80000000 --placement cpu -o jsonl; }
values() { sed 's/.*"instance":\([0-9]*\).*"values":\[\([-0-9]*\)\].*"fuel":\([0-9]*\).*/\1 \2 \3/' | sort -n; }
calm=$(draw | values)
draw >"$work/out" &
drawing=$!
bursts() { ctl device list -o json | tr -d '\n ' | sed 's/.*"name":"devices\/cpu0"//; s/}.*//'; }
host() { bursts | sed 's/.*"host_pid":"\([0-9]*\)".*/\1/'; }
bursting_or_ended() { [[ $(bursts) == *'"state":"bursting"'* ]] || ! kill -0 $drawing 2>/dev/null; }
await "the engine bursts" bursting_or_ended
kill -KILL "$(host)"
wait $drawing
[[ -n $calm && $(values <"$work/out") == "$calm" ]] && pass "an engine killed in mid-burst" ||
  fail "an engine killed in mid-burst" "$(head -3 "$work/out")"
grep -q '"attempt":[2-9]' "$work/out" && pass "the attempt says so" ||
  fail "the attempt says so" "$(head -3 "$work/out")"

job=$(ctl job submit "$guest" --call spin --label tenant=small)
expect "a tenant's job too many is refused" 6 "QUEUE_FULL.*tenant .small. has .1. jobs.*may have .1." \
  ctl job submit "$guest" --call spin --label tenant=small
expect "and told when to come again" 6 "^Try again in 1 s.$" ctl job submit "$guest" --call spin --label tenant=small
ctl -q job cancel "$job"

# Cordon, drain, uncordon: pinned jobs wait, then end with the same results, first attempts all.
expect "an unknown device is refused" 3 "NOT_FOUND.*cpu0, interpreter0" ctl device cordon cuda7
expect "a device is cordoned" 0 "devices/cpu0 is cordoned$" ctl device cordon cpu0
expect "and again" 0 "devices/cpu0 is cordoned already" ctl device cordon cpu0
expect "the list shows it" 0 "devices/cpu0 .*idle, cordoned" ctl device list
job=$(ctl job submit "$guest" --call fac --arg 0..20 --placement cpu)
says_cordoned() { [[ $(ctl job get "$job") == *"which is cordoned until it is uncordoned"* ]]; }
await "a pinned job says why it waits" says_cordoned
expect "and as a list, for programs" 0 '"cause": *"DEVICE_CLOSED"' ctl job get "$job" -o json
expect "the device says who waits" 0 "$job: 0 running, waits for" ctl device get cpu0
expect "a drain says who is left without a device" 0 "1 jobs may run on closed devices only" \
  ctl device drain cpu0 --deadline 0
expect "it is drained" 0 '"gate": *"drained"' ctl device get cpu0 -o json
expect "others run elsewhere" 0 "interpreter0" ctl job run "$guest" --call fac --arg 5
expect "it is opened" 0 "devices/cpu0 is open" ctl device uncordon cpu0
expect "the pinned job ends" 0 "SUCCEEDED" ctl job watch "$job"
draw >"$work/out" &
drawing=$!
await "the engine bursts" bursting_or_ended
ctl -q device drain cpu0 --deadline 0 >/dev/null
is_drained() { [[ $(ctl device get cpu0 -o json) == *'"drained"'* ]]; }
await "it is drained in mid-burst" is_drained
ctl -q device uncordon cpu0 >/dev/null
wait $drawing
[[ -n $calm && $(values <"$work/out") == "$calm" ]] && pass "a device drained in mid-burst" ||
  fail "a device drained in mid-burst" "$(head -3 "$work/out")"
grep -q '"attempt":[2-9]' "$work/out" && fail "a drain leaves attempts unchanged" ||
  pass "a drain leaves attempts unchanged"

expect "a second daemon on the socket is refused" 1 "another wasmburstd" \
  "$daemon" --listen "unix://$socket"
expect "the first still serves" 0 "version" ctl server info
expect "a listener that is not loopback is refused" 2 "without TLS" \
  "$daemon" --listen tcp://0.0.0.0:7443
printf 'version = 1\n[burst]\nmax_durration = "1s"\n' >"$work/typo.toml"
expect "an unknown setting is refused" 2 "typo.toml:3:.*burst.max_durration" \
  "$daemon" --config "$work/typo.toml" --check-config
"$daemon" --print-default-config >"$work/default.toml"
expect "the default configuration is valid" 0 "valid" \
  "$daemon" --config "$work/default.toml" --check-config

# More connections than descriptors: served again once they are gone.
limited=$work/limited.sock
: >"$work/log2"
(ulimit -n 48 && XDG_STATE_HOME=$work/limited exec "$daemon" --listen "unix://$limited" --listen "tcp://127.0.0.1:0?role=admin") 2>"$work/log2" &
flooded=$!
await_listening $flooded "$work/log2"
port=$(sed -n 's/.*tcp:.*:\([0-9]*\)$/\1/p' "$work/log2")
open=()
for ((i = 0; i < 120; i++)); do
  exec {fd}<>"/dev/tcp/127.0.0.1/$port" && open+=("$fd")
done
await "it runs out of descriptors" grep -q accept_failed "$work/log2"
for fd in "${open[@]}"; do exec {fd}>&-; done
expect "served after running out of descriptors" 0 "version" \
  ctl --addr "tcp://127.0.0.1:$port" server info
kill -TERM $flooded
wait $flooded

spin=$(ctl job submit "$guest" --call spin)
# The endless job is stopped when the drain's time is over, and the daemon ends well.
kill -TERM "$daemon_pid"
wait "$daemon_pid"
code=$?
daemon_pid=
[[ $code -eq 0 && ! -e $socket ]] && pass "drain on SIGTERM" ||
  fail "drain on SIGTERM ($code)" "$(tail -5 "$work/log")"
grep -q drained "$work/log" && pass "the drain is logged" || fail "the drain is logged"

# What kill -9 leaves behind does not stop the next one.
start_daemon
is_running() { [[ $(ctl job get "$spin") == *RUNNING* ]]; }
await "a job that a drain stopped goes on" is_running
expect "and a client can cancel it" 0 "" ctl job cancel "$spin"
kill -KILL "$daemon_pid"
wait "$daemon_pid" 2>/dev/null
daemon_pid=
start_daemon
expect "the next daemon replaces a dead one's socket" 0 "version" ctl server info

# An operator's order outlives the daemon, kill -9 included, until it is lifted.
restart_killed() {
  kill -KILL "$daemon_pid"
  wait "$daemon_pid" 2>/dev/null
  daemon_pid=
  start_daemon
}
expect "a device is drained" 0 "devices/cpu0 is dra" ctl device drain cpu0 --deadline 1h
restart_killed
expect "the next daemon has it cordoned" 0 "devices/cpu0 .*idle, cordoned" ctl device list
expect "since before it started" 0 '"gate_time"' ctl device get cpu0 -o json
expect "others run elsewhere there" 0 "interpreter0" ctl job run "$guest" --call fac --arg 5
expect "it is opened there" 0 "devices/cpu0 is open" ctl device uncordon cpu0
restart_killed
expect "and stays open" 0 "devices/cpu0 .*idle *$|devices/cpu0 .*idle[^,]*$" ctl device list
stop_daemon
