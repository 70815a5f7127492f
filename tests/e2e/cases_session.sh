# Sessions: instances whose memories, globals and tables stay from call to call, between engine hosts.
cat >"$work/session.wat" <<'WAT'
(module (memory 1 4) (global $g (mut i32) (i32.const 0))
  (func (export "add") (param $n i32) (result i32)
    (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (local.get $n)))
    (global.set $g (i32.add (global.get $g) (i32.const 1)))
    (i32.add (i32.mul (global.get $g) (i32.const 1000)) (i32.load (i32.const 8))))
  (func (export "fail") (param $n i32)
    (i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (local.get $n)))
    (unreachable))
  ;; Whose end no compiler can compute: it runs until it is stopped.
  (func (export "forever") (local $x i32)
    (i32.store (i32.const 8) (i32.const 77))
    (loop $l
      (local.set $x (i32.rotl (i32.add (i32.mul (local.get $x) (i32.const 5)) (i32.const 1)) (local.get $x)))
      (i32.store (i32.const 12) (local.get $x))
      (br $l))))
WAT
start_daemon
session=$(ctl session open "$work/session.wat" --instances 3 --idle 10m)
[[ $session == sessions/* ]] && pass "a session has a name" || fail "a session has a name" "$session"
add() { ctl -q session call "$session" add --arg "$1" -o csv --ordered "${@:2}"; }
values() { tail -n +2 | grep -oE '(^|,)[0-9]{4}(,|$)' | tr -dc '0-9\n' | tr '\n' ' '; }
said=$(add 1..4)
[[ $(values <<<"$said") == "1001 1002 1003 " ]] && pass "a first call" || fail "a first call" "$said"
add 1..4 >/dev/null
said=$(add 1..4)
[[ $(values <<<"$said") == "3003 3006 3009 " ]] && pass "calls go on where the last one ended" ||
  fail "calls go on where the last one ended" "$said"
expect "its memory is read" 0 '^06000000$' ctl session read "$session" --instance 1 --at 8 --bytes 4
printf '\x64\x00\x00\x00' >"$work/hundred"
expect "and written" 0 '' ctl session write "$session" --instance 1 --at 8 "$work/hundred"
ctl session write "${session#sessions/}" --all --at 65532 "$work/hundred"
ctl session read "$session" --instance 2 --at 65532 --bytes 4 --file "$work/read"
cmp -s "$work/hundred" "$work/read" && pass "of all instances" || fail "of all instances"
expect "within its bounds" 2 'INVALID_ARGUMENT: The \[5\] bytes at the address \[65532\].*\[65536\] bytes' \
  ctl session read "$session" --at 65532 --bytes 5
said=$(add 1..4)
[[ $(values <<<"$said") == "4004 4102 4012 " ]] && pass "a call finds what was written" ||
  fail "a call finds what was written" "$said"
expect "a trap is a result" 0 '3 trapped' ctl session call "$session" fail --arg 1
expect "and what was written before it stays" 0 '^05000000$' ctl session read "$session" --instance 0 --at 8 --bytes 4
expect "without fuel the state is that from before" 0 '3 of 3 instances have the state from before the call' \
  ctl session call "$session" forever --fuel 10000
expect "as it was" 0 '^05000000$' ctl session read "$session" --instance 0 --at 8 --bytes 4

# One call after the other.
ctl -q session call "$session" forever --max-time 60s >"$work/forever" 2>&1 &
is_running() { ctl session get "$session" -o json | grep -q '"running": *true'; }
await "a call runs" is_running
expect "a second one is refused and names it" 2 'JOB_RUNNING: The session .* is used by the job \[jobs/' add 1
running=$(ctl session get "$session" -o json | sed -n 's|.*"job": *"\([^"]*\)".*|\1|p')
add 1..4 --wait >"$work/waited" &
waiter=$!
ctl job cancel "$running" >/dev/null
wait "$waiter"
[[ $(values <"$work/waited") == "5006 5105 5016 " ]] && pass "with --wait it comes next, and a cancelled one left nothing" ||
  fail "with --wait it comes next, and a cancelled one left nothing" "$(cat "$work/waited")"

# An engine that is killed in mid-call.
ctl -q session call "$session" forever --max-time 3s >"$work/killed" 2>&1 &
call=$!
await "a call runs" is_running
for host in $(pgrep -P "$daemon_pid" -f wasmburst-engine); do kill -KILL "$host"; done
wait "$call"
expect "a killed engine takes no state along" 0 '^06000000$' ctl session read "$session" --instance 0 --at 8 --bytes 4

expect "a session is listed" 0 "^$session +3 +[0-9]+ " ctl session list
expect "and shown" 0 '^closes +20.* unless it is used' ctl session get "$session"
expect "programs read it as JSON" 0 '"instances":"?3"?' ctl session get "$session" -o jsonl
expect "the job says whose call it is" 0 "\"session\": *\"$session\"" ctl job get "$running" -o json
expect "nothing of it runs again" 2 'was that session.s alone' ctl job profile "$running"
expect "too many instances are refused" 2 'LIMIT_TOO_HIGH.*65536' ctl session open "$work/session.wat" --instances 65537
cat >"$work/main.wat" <<'WAT'
(module (import "wasi_snapshot_preview1" "proc_exit" (func (param i32))) (memory (export "memory") 1)
  (func (export "_start")))
WAT
expect "a program is none" 2 'is a program' ctl session open "$work/main.wat"
ctl session close "$session"
expect "a closed one says so" 3 'NOT_FOUND: The session .* It was closed by a caller' add 1
brief=$(ctl session open "$work/session.wat" --idle 1s)
is_closed() { ! ctl session get "$brief" >/dev/null 2>&1; }
await "one that nobody uses closes" is_closed
expect "and says so" 3 'had not been used for 1 s' ctl session get "$brief"
session=$(ctl session open "$work/session.wat")
stop_daemon
start_daemon
expect "the next daemon knows none" 3 'NOT_FOUND.*may have started again' add 1
stop_daemon
