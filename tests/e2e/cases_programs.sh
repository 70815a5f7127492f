# Programs: arguments, standard input and exit codes; an instance for each file; what is refused.
echo_program=$here/echo.wat
mkdir -p "$work/in"
for i in 1 2 3; do printf 'text %d\n' $i >"$work/in/$i.txt"; done

for placement in cpu interpreter; do
  said=$(printf 'of a pipe\n' | ctl run "$echo_program" --placement $placement -- 'say: ' a b)
  ended=$?
  if [[ "$ended $said" == "2 say: of a pipe" ]]; then
    pass "a program on $placement is like one of this machine"
  else
    fail "a program on $placement (exit code $ended)" "$said"
  fi
  rm -rf "$work/outputs"
  expect "a file for each instance on $placement" 0 'exit codes: 3 times 0' \
    ctl run "$echo_program" --placement $placement --each-file "$work/in/*" --stdin-from {} \
    --stdout-to "$work/outputs/{/.}" -- '{#}: '
  if [[ $(cat "$work"/outputs/[123]) == "$(printf '1: text 1\n2: text 2\n3: text 3')" ]]; then
    pass "each instance's output is in its file on $placement"
  else
    fail "the outputs on $placement" "$(head "$work"/outputs/*)"
  fi
done

rm "$work/outputs/2"
expect "resuming runs what is missing" 0 '2 of 3 items are there already' \
  ctl run "$echo_program" --each-file "$work/in/*" --stdout-to "$work/outputs/{/.}" --resume -- again
[[ $(cat "$work/outputs/2") == again ]] && pass "and nothing else" || fail "resuming" "$(head "$work"/outputs/*)"
expect "a line for each instance" 1 'exit codes: 2 times 1' \
  ctl run "$echo_program" --each-line --ordered -- {} more <<<$'one\ntwo'
expect "a file for each line of standard input" 0 'exit codes: 3 times 0' \
  ctl run "$echo_program" --each-line --stdin-column {} --stdout-to "$work/lines/{#}-{}" -- 'line ' <<<$'one\ntwo\none'
said=$(cd "$work/lines" && for file in *; do echo "$file: $(cat "$file")"; done)
[[ $said == $'1-one: line one\n2-two: line two\n3-one: line one' ]] && pass "each line's output is in its file" ||
  fail "the outputs of lines" "$said"
rm "$work/lines/2-two"
expect "resuming lines runs what is missing" 0 '2 of 3 items are there already' \
  ctl run "$echo_program" --each-line --stdin-column {} --stdout-to "$work/lines/{#}-{}" --resume -- 'again ' <<<$'one\ntwo\none'
[[ $(cat "$work/lines/2-two" "$work/lines/3-one") == $'again twoline one' ]] && pass "and no other line" ||
  fail "resuming lines" "$(head "$work"/lines/*)"
echo '(module
  (import "wasi_snapshot_preview1" "random_get" (func $draw (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\10\00\00\00\10\00\00\00")
  (func (export "_start")
    (drop (call $draw (i32.const 16) (i32.const 16)))
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 8)))))' >"$work/draw.wat"
ctl -q run "$work/draw.wat" -n 9 --seed 7 --stdout-to "$work/drawn/{}"
cp -r "$work/drawn" "$work/left"
rm "$work/left"/[13678]
ctl -q run "$work/draw.wat" -n 9 --seed 7 --job-items 4 --stdout-to "$work/left/{}" --resume
if diff -r "$work/drawn" "$work/left" && [[ $(sha256sum "$work"/drawn/* | cut -c 1-64 | sort -u | wc -l) == 9 ]]; then
  pass "a run that is cut and resumed draws what one in one go draws"
else
  fail "random numbers of a resumed run" "$(od -An -tx1 "$work"/drawn/* "$work"/left/* | head -n 40)"
fi
expect "equal lines need files of their own" 2 'INVALID_ARGUMENT.*--stdout-to gives the item' \
  ctl run "$echo_program" --each-line --stdout-to "$work/same/{}" -- x <<<$'one\none'
expect "a program that loops ends by its fuel, and what it wrote is there" 1 'ran out of fuel' \
  ctl run "$echo_program" --fuel 40 --stdin /dev/null -- x
expect "a module that imports WASI needs no command" 0 '"end":"TRAPPED"|"end":"EXITED"' \
  ctl job run "$echo_program" --call _start -o jsonl
echo '(module (import "wasi_snapshot_preview1" "fd_fly" (func)) (memory (export "memory") 1)
  (func (export "_start")))' >"$work/fly.wat"
expect "a call that WASI does not have" 2 'IMPORT_NOT_PROVIDED.*wasi_snapshot_preview1.fd_fly' \
  ctl run "$work/fly.wat" --stdin /dev/null
# Writes 8 KiB to a file in two pieces; exits with the errno of what failed, which it says.
cat >"$work/full.wat" <<'WAT'
(module
  (import "wasi_snapshot_preview1" "path_open"
    (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "file\40\00\00\00\18\00\00\00")
  (data (i32.const 64) "No space left on device\0a")
  (func $piece (result i32)
    (i32.store (i32.const 32) (i32.const 4096))
    (i32.store (i32.const 36) (i32.const 4096))
    (call $write (i32.load (i32.const 16)) (i32.const 32) (i32.const 1) (i32.const 20)))
  (func (export "_start") (local $error i32)
    (drop (call $open (i32.const 3) (i32.const 0) (i32.const 0) (i32.const 4) (i32.const 1)
      (i64.const 64) (i64.const 0) (i32.const 0) (i32.const 16)))
    (drop (call $piece))
    (local.set $error (call $piece))
    (if (local.get $error)
      (then (drop (call $write (i32.const 2) (i32.const 4) (i32.const 1) (i32.const 20)))))
    (call $exit (local.get $error))))
WAT
full="ctl run $work/full.wat --placement interpreter --stdin /dev/null"
expect "files that are full are said" 51 'exited with 51; its files are full, --scratch' $full --scratch 4096
expect "with the first failures, too" 1 '\[1\] exited with 51; its files are full' $full -n 2 --scratch 4096
expect "with room there is nothing to say" 0 '^$' $full --scratch 8192
printf 'name\nx\n' >"$work/rows.csv"
expect "a column that the rows do not have" 2 'no column .nam.; the rows have .name.' \
  ctl run "$echo_program" --each "$work/rows.csv" -- {nam}
