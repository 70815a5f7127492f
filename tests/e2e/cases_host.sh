# Calls of imports that a program of the user's answers.
cat >"$work/host.wat" <<'WAT'
(module
  (import "env" "upper" (func $upper (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 1024) "hello\00")
  (func (export "run") (param i32) (result i32)
    (i32.add (call $upper (i32.const 1024) (i32.const 5)) (i32.load8_u (i32.const 1024)))))
WAT
host=$work/host.wat
# Writes "HELLO" and returns 7.
answer='s/"import".*/"results":[7],"writes":[{"at":1024,"bytes":"SEVMTE8="}]}/'
bind=(--bind 'env.upper=host:bytes(0,1)+bytes(0,=2)+string(0)')
for placement in cpu interpreter; do
  expect "a host answers and writes on $placement" 0 '"end":"RETURNED","values":\[79\]' \
    ctl job run "$host" --call run --arg 1 -o jsonl --placement $placement \
    --host "tee $work/read | sed -u '$answer'" "${bind[@]}"
  expect "the bytes that went with it on $placement" 0 \
    '"import":"env.upper","args":\[1024,5\],"bytes":\["aGVsbG8=","aGU=","aGVsbG8="\]' cat "$work/read"
done
expect "every call of many instances is answered" 0 '1000 instances \(1000 returned\)' \
  ctl job run "$host" --call run --arg 1..1001 --no-results --host "sed -u '$answer'" --host-workers 2
expect "a host that exits traps its calls" 0 'exited with status \[3\]' \
  ctl job run "$host" --call run --arg 1 --host 'exit 3'
expect "an error is the trap's" 0 'HOST_CALL_FAILED.*"host_error":"not today"' \
  ctl job run "$host" --call run --arg 1 -o jsonl --host "sed -u 's/\"import\".*/\"error\":\"not today\"}/'"
expect "a host that is silent is waited for as long as --host-timeout says" 0 'HOST_CALL_FAILED' \
  ctl job run "$host" --call run --arg 1 -o jsonl --host 'cat >/dev/null' --host-timeout 200ms
job=$(ctl -q job submit "$host" --call run --arg 1..4 "${bind[@]}")
expect "another command serves a job that was submitted" 0 '' \
  ctl job serve "$job" --host "sed -u '$answer'"
expect "... and it has ended" 0 'SUCCEEDED' ctl job get "$job"
expect "a binding to a host needs one" 2 'give --host COMMAND' \
  ctl job run "$host" --call run --arg 1 "${bind[@]}"
