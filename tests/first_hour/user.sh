# Sourced by deploy/first_hour.sh: what a new user does. Every check failed once.

# --- the README's own command, again and again; the results of one job fill a fifth of the store
rounds=0 wrong=""
end=$((SECONDS + seconds))
while [ $SECONDS -lt $end ] || [ $rounds -lt 7 ]; do
  ctl job run "$wat" --call steps --arg 1..1000001 -o jsonl >"$work/all.jsonl" 2>"$work/said"
  [ "$(ends_of "$work/said") $(wc -l <"$work/all.jsonl")" = "SUCCEEDED 1000000" ] || wrong="$(tail -n 3 "$work/said")"
  rounds=$((rounds + 1))
  [ -z "$wrong" ] || break
done
[ -z "$wrong" ] && pass "the README's million instances, $rounds times" ||
  fail "the README's million instances (round $rounds)" "$wrong"

# --- three at a time: what one reads makes no room for another
for i in 1 2 3; do
  ctl job run "$wat" --call steps --arg 1..1000001 -o jsonl >"$work/all.$i" 2>"$work/said.$i" &
  eval "run_$i=$!"
done
wait $run_1 $run_2 $run_3
[ "$(cat "$work"/all.[123] | wc -l)" = 3000000 ] && pass "three clients at a time get all results" ||
  fail "three clients at a time get all results" "$(wc -l "$work"/all.[123]; cat "$work"/said.[123])"
rm -f "$work"/all.*

# --- imports that no module gives
echo '(module (import "env" "log" (func $log (param i32))) (import "env" "abort" (func))
  (func (export "run") (param i32) (call $log (local.get 0))))' >"$work/imports.wat"
expect "unbound imports are listed with the flag that binds them" 2 "env.log.*env.abort.*--bind env.NAME" \
  ctl job run "$work/imports.wat" --call run --arg 1..4
expect "recorded calls stand with the result" 0 '"calls":.[{]"import":"env.log","args":.3' \
  ctl job run "$work/imports.wat" --call run --arg 1..4 --bind env.log=record --bind 'env.*=trap' -o jsonl
printf 'arg:i32,result:i32\n1,10\n2,20\n' >"$work/costs.csv"
echo '(module (import "env" "cost" (func $cost (param i32) (result i32)))
  (func (export "run") (param i32) (result i32) (call $cost (local.get 0))))' >"$work/cost.wat"
expect "an import's results are looked up in a file" 0 '"values":.20' ctl job run "$work/cost.wat" \
  --call run --arg 2 --bind "env.cost=lookup:$work/costs.csv" -o jsonl

# --- a trap says where, in names
echo '(module (func $divide (export "divide") (param i32) (result i32) (i32.div_u (i32.const 7) (local.get 0)))
  (func (export "run") (param i32) (result i32) (call $divide (local.get 0))))' >"$work/trap.wat"
ctl job run "$work/trap.wat" --call run --arg 0..3 -o jsonl >"$work/trap.jsonl" 2>"$work/said"
grep -A 1 "instance 0 trapped: integer divide by zero in divide (function 0, offset 0x" "$work/said" |
  grep -q "^    from run (function 1, offset 0x" && grep -q '"backtrace":' "$work/trap.jsonl" &&
  pass "a trap names its function and the calls that led to it" ||
  fail "a trap names its function and the calls that led to it" "$(cat "$work/said" "$work/trap.jsonl")"

# --- calls that a program of ours answers
echo '(module (import "env" "twice" (func $twice (param i32) (result i32)))
  (func (export "run") (param i32) (result i32) (call $twice (local.get 0))))' >"$work/host.wat"
seven="sed -u 's/\"import\".*/\"results\":[7]}/'"
expect "one line of sed answers calls" 0 '"end":"RETURNED","values":.7.' \
  ctl job run "$work/host.wat" --call run --arg 1..3 -o jsonl --host "$seven"
expect "a program that ends says why in the trap" 0 "exited with status .3" \
  ctl job run "$work/host.wat" --call run --arg 1 --host 'exit 3'

# --- a reader that leaves
ctl job run "$wat" --call steps --arg 1..1000001 -o jsonl 2>"$work/said" | head -n 2 >"$work/two"
codes=("${PIPESTATUS[@]}")
[ "${codes[0]} $(wc -l <"$work/two") $(grep -c . "$work/said")" = "8 2 0" ] &&
  pass "| head ends the job without a word" || fail "| head (exit code ${codes[0]})" "$(cat "$work/said")"
expect "that job is cancelled" 0 "CANCELL" ctl job list --limit 1
# --- Ctrl-C, and the command that it prints
"$build/client/wasmburstctl" job run "$wat" --call steps --arg 1..3000001 -o jsonl \
  >"$work/first.jsonl" 2>"$work/said" &
reader=$!
sleep 1
kill -INT $reader
wait $reader
again="$(sed -n 's/^  wasmburstctl \(job results .*\)/\1/p' "$work/said")"
eval "ctl $again -o jsonl" >"$work/second.jsonl" 2>"$work/said.2"
both="$(cat "$work/first.jsonl" "$work/second.jsonl" | sed 's/.*"instance":\([0-9]*\),.*/\1/' | sort -u | wc -l)"
lines="$(cat "$work/first.jsonl" "$work/second.jsonl" | wc -l)"
[ "$both $lines" = "3000000 3000000" ] && pass "Ctrl-C, then what it says: every result once" ||
  fail "Ctrl-C, then what it says ($lines lines, $both instances)" "$(cat "$work/said" "$work/said.2")"
rm -f "$work"/*.jsonl

# --- limits of time of a job whose results nobody acknowledges, and of the command that waits
expect "--timeout ends the command, and says how to go on" 5 "Not done within --timeout .1s.; the job goes on" \
  ctl job run "$wat" --call steps --arg 1..100000001 --no-results --timeout 1s --label tenant=late
late="$(ctl job list --limit 1 | sed -n 's/^jobs\/\([0-9A-Z]*\).*/\1/p')"
ctl job cancel "$late"
expect "what it says ends the job" 0 "CANCELL" ctl job get "$late"
slow="$(ctl -q job submit "$wat" --call steps --arg 1..30000001 --max-time 3s --label tenant=late)"
for _ in $(seq 150); do ctl job get "$slow" -o json >"$work/slow.json"; grep -q SUCCEEDED "$work/slow.json" && break; sleep 0.1; done
grep -q '"deadline": *"[1-9]' "$work/slow.json" && pass "--max-time holds while results are not read" ||
  fail "--max-time while results are not read" "$(tail -n 40 "$work/slow.json")"

# --- a full disk
for words in "job run $wat --call steps --arg 1..200001 -o jsonl" "device list" "job run --help"; do
  # shellcheck disable=SC2086
  ctl $words >/dev/full 2>"$work/said"
  code=$?
  [ $code = 8 ] && grep -q "No space left on device" "$work/said" && pass "a full disk: ${words%% -*}" ||
    fail "a full disk: ${words%% -*} (exit code $code)" "$(cat "$work/said")"
done

# --- which build finished an instance
for place in cpu:full interpreter:interpreted; do
  expect "a result on the ${place%:*} says its build" 0 "\"build\":\"${place#*:}\"" \
    ctl job run "$wat" --call steps --arg 27 --placement "${place%:*}" -o jsonl
done

# --- files
mkdir -p "$work/in"
printf one >"$work/in/a" && printf three >"$work/in/b"
expect "a folder as a module" 2 "Is a directory" ctl job run "$work/in" --call steps
expect "a folder to push" 2 "Is a directory" ctl module push "$work/in"
expect "a folder as a program" 2 "Is a directory" ctl job run "$wat" --program "$work/in"
expect "a folder to link" 2 "Is a directory" ctl job run "$wat" --module "env=$work/in" --call steps --arg 1
expect "a report that cannot be written is said before the job runs" 2 "cannot be written" \
  ctl job run "$wat" --call steps --arg 1 --report /nowhere/report.json
cat >"$work/bytes.wat" <<'END'
(module (memory (export "memory") 1)
  (func (export "first") (param i32) (result i32) (i32.load8_u (local.get 0))))
END
printf '{"columns":{"f":{"type":"bytes","values":["@%s","@%s","text:@c"]}},"steps":[{"write":{"pointer":64,"column":"f"}},{"call":"first","args":[64]}]}' \
  "$work/in/a" "$work/in/b" >"$work/files.json"
said="$(ctl -q job run "$work/bytes.wat" --program "$work/files.json" -o jsonl |
  sed 's/.*"instance":\([0-9]*\).*"values":\[\([0-9]*\)\].*/\1=\2/' | sort | tr '\n' ' ')"
[ "$said" = "0=111 1=116 2=64 " ] && pass 'a list of "@file" is files, one for each instance' ||
  fail 'a list of "@file"' "$said"
cat >"$work/pointers.wat" <<'END'
(module (memory (export "memory") 1) (global (export "input") i32 (i32.const 256))
  (func (export "copy") (param $at i32) (param $n i32)
    (memory.copy (i32.const 600) (i32.const 256) (local.get $n))
    (i32.store (local.get $at) (i32.const 600))
    (i32.store offset=4 (local.get $at) (local.get $n))))
END
printf '{"columns":{"f":{"type":"bytes","values":["@%s","@%s"]}},"steps":[{"write":{"pointer":{"global":"input"},"column":"f"}},{"call":"copy","args":[16,{"column_length":"f"}]},{"read":{"pointer":{"load32":16},"length":{"load32":20},"output":"o"}}]}' \
  "$work/in/a" "$work/in/b" >"$work/pointers.json"
ctl -q job run "$work/pointers.wat" --program "$work/pointers.json" --concat "o=$work/copied" --no-results
[ "$(cat "$work/copied")" = onethree ] && pass "globals, lengths of files and pointers in memory are operands" ||
  fail "globals, lengths of files and pointers in memory are operands" "$(cat "$work/copied")"
printf '\xef\xbb\xbfk;v\r\n27;1\r\n' >"$work/excel.csv"
expect "a CSV file of a spreadsheet" 0 '"values":\[111\]' \
  ctl job run "$wat" --call steps --arg "@$work/excel.csv:k" -o jsonl
expect "a column that is not there" 2 "it has .k., .v." ctl job run "$wat" --call steps --arg "@$work/excel.csv:x"

# --- programs with main: one as if it ran here, one for each file, and again what is missing
echo_program="$root/tests/e2e/echo.wat"
said="$(printf 'a pipe\n' | ctl run "$echo_program" -- 'from ' x 2>&1)"
[ "$? $said" = "1 from a pipe" ] && pass "a program has our input, and we have its output and exit code" ||
  fail "a program as if it ran here" "$said"
expect "a program for each file" 0 "exit codes: 2 times 0" \
  ctl run "$echo_program" --each-file "$work/in/*" --stdin-from {} --stdout-to "$work/ran/{/}" -- '{#}'
[ "$(cat "$work/ran/a" "$work/ran/b")" = "1$(cat "$work/in/a")2$(cat "$work/in/b")" ] &&
  pass "each has its file" || fail "each has its file" "$(head "$work"/ran/*)"
rm "$work/ran/b"
expect "--resume runs what is missing" 0 "1 of 2 items are there already" \
  ctl run "$echo_program" --each-file "$work/in/*" --stdout-to "$work/ran/{/}" --resume -- again
expect "files of different items differ" 2 "INVALID_ARGUMENT.*--stdout-to gives the item" \
  ctl run "$echo_program" -n 2 --stdout-to "$work/ran/same" -- x

# --- inputs longer than a message
cat >"$work/long.wat" <<'END'
(module (memory (export "memory") 320)
  (func (export "at") (param i32) (result i32) (i32.load8_u (local.get 0))))
END
{ head -c 19999999 /dev/zero; printf z; } >"$work/long"
printf '{"columns":{"f":{"type":"bytes","values":["@%s"]}},"steps":[{"write":{"pointer":0,"column":"f"}},{"call":"at","args":[19999999]}]}' \
  "$work/long" >"$work/long.json"
expect "20 MB of inputs" 0 '"values":\[122\]' \
  ctl job run "$work/long.wat" --program "$work/long.json" --memory 64MiB -o jsonl
expect "they are an input of the daemon's" 0 "inputs +[1-9]" ctl server info


# --- a bar on a terminal while they are uploaded, and none where they are there already
on_terminal() { script -qec "timeout 60 '$build/client/wasmburstctl' job run '$work/long.wat' --program '$work/long.json' --memory 64MiB" /dev/null; }
{ head -c 19999999 /dev/zero; printf y; } >"$work/long"
if script -qec true /dev/null >/dev/null 2>&1; then
  expect "a terminal shows a bar of the upload" 0 'uploading \[[# ]{20}\] [0-9]+ of 20 MiB' on_terminal
  said="$(on_terminal)"
  grep -q "SUCCEEDED" <<<"$said" && ! grep -q uploading <<<"$said" && pass "what is there already is not uploaded again" ||
    fail "what is there already is not uploaded again" "$said"
else
  skipped=$((skipped + 1))
  echo "skipped: the bar of an upload: script (of util-linux) is not installed"
fi
{ head -c 19999999 /dev/zero; printf x; } >"$work/long"
said="$(ctl job run "$work/long.wat" --program "$work/long.json" --memory 64MiB 2>&1)"
grep -q "SUCCEEDED" <<<"$said" && ! grep -q uploading <<<"$said" && pass "a file gets no bar" || fail "a file gets no bar" "$said"

printf '{"steps":[{"write":{"pointer":64,"column":"file"}},{"call":"first","args":[64]}]}' >"$work/each.json"
said="$(ctl -q job run "$work/bytes.wat" --each-file "$work/in/*" --program "$work/each.json" \
  -o csv --ordered --columns file | cut -d, -f1,2,5- | sed "s|$work/||")"
[ "$said" = $'instance,end,file,result,trap\n0,RETURNED,in/a,111,\n1,RETURNED,in/b,116,' ] &&
  pass "an instance for each file, as CSV with its name" || fail "an instance for each file" "$said"
expect "a pattern that is not quoted" 2 "Quote the pattern" \
  ctl job run "$work/bytes.wat" --each-file "$work/in/a" "$work/in/b" --call first --write-at 64
expect "no file for an instance" 2 "No file matches" \
  ctl job run "$work/bytes.wat" --each-file "$work/in/*.none" --call first --write-at 64
cat >"$work/length.wat" <<'END'
(module (memory (export "memory") 1)
  (func (export "malloc") (param i32) (result i32) (i32.const 512))
  (func (export "last") (param i32 i32) (result i32)
    (i32.load8_u (i32.sub (i32.add (local.get 0) (local.get 1)) (i32.const 1)))))
END
expect "a file with its length, where malloc says" 0 '^1,RETURNED,[0-9]+,[a-z]+0,512,101,$' \
  ctl job run "$work/length.wat" --each-file "$work/in/*" --alloc malloc --call last -o csv

# --- outputs
printf '{"columns":{"f":{"type":"bytes","values":["@%s"]}},"steps":[{"write":{"pointer":64,"column":"f"}},{"read":{"pointer":64,"length":3,"output":"o"}}]}' \
  "$work/in/a" >"$work/out.json"
expect "an output as text" 0 'o: one' ctl job run "$work/bytes.wat" --program "$work/out.json" --show-output text
expect "an output as hex" 0 ',6f6e65,$' ctl job run "$work/bytes.wat" --program "$work/out.json" -o csv
ctl -q job run "$work/bytes.wat" --program "$work/out.json" --no-results --out "$work/out" --name-by f
[ "$(cat "$work/out/a.o")" = one ] && pass "an output in a file that a column names" ||
  fail "an output in a file that a column names" "$(ls "$work/out")"

# --- imports
cat >"$work/imports.wat" <<'END'
(module (import "env" "abort" (func (param i32 i32))) (import "env" "memory" (memory 1))
  (func (export "f")))
END
expect "all imports are refused at once, with types and the way out" 2 \
  "env.abort. .a function, .i32, i32. -> ..., .env.memory. .a memory, 1 or more pages. .*--module env=FILE" \
  ctl job run "$work/imports.wat" --call f
echo '(module (import "wasi_snapshot_preview1" "proc_exit" (func (param i32))) (func (export "f")))' >"$work/wasi.wat"
expect "a WASI program without a memory hears what it lacks" 2 "functions of WASI, .* exports none of that name" ctl job run "$work/wasi.wat" --call f
echo '(module (func (export "abort") (param i64)) (memory (export "memory") 1))' >"$work/other.wat"
expect "a wrong type is said in words" 2 "is wanted as .i32, i32. -> .., but .env. exports it as .i64. -> .." \
  ctl job run "$work/imports.wat" --module "env=$work/other.wat" --call f
expect "module inspect shows imports" 0 "import memory env.memory 1 or more pages" ctl module inspect "$work/imports.wat"
# --- texts and bytes by a calling convention
cat >"$work/texts.wat" <<'END'
(module (memory (export "memory") 1) (global $top (mut i32) (i32.const 1024))
  (func (export "malloc") (param $n i32) (result i32) (local $p i32)
    (local.set $p (global.get $top))
    (global.set $top (i32.add (local.get $p) (local.get $n)))
    (local.get $p))
  (func (export "free") (param i32) (global.set $top (i32.const 1024)))
  (func $upper (export "upper") (param $p i32) (param $n i32) (local $i i32)
    (block $end (loop $next
      (br_if $end (i32.ge_u (local.get $i) (local.get $n)))
      (i32.store8 (i32.add (local.get $p) (local.get $i))
        (i32.and (i32.load8_u (i32.add (local.get $p) (local.get $i))) (i32.const 0xdf)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $next))))
  (func (export "shout") (param $p i32) (result i32)
    (call $upper (local.get $p) (i32.const 2))
    (local.get $p)))
END
expect "module inspect prints the command that runs a function" 0 \
  "wasmburstctl job run .*texts.wat --call upper --call-as bytes --arg text:hello" ctl module inspect "$work/texts.wat"
expect "bytes go in and out by a pointer and a length" 0 "bytes: ABC" \
  ctl job run "$work/texts.wat" --call upper --call-as bytes --arg text:abc --show-output text
expect "a text of C ends with a zero" 0 "text: ABcd" \
  ctl job run "$work/texts.wat" --call shout --call-as c-string --arg text:abcd
expect "arguments of a program without -- hear where they go" 2 "run .*texts.wat -- a b" ctl run "$work/texts.wat" a b

expect "module check without a daemon" 0 "within the subset" ctl module check --local "$wat"
expect "what a Mac gets is within the subset too" 0 "within the subset" \
  ctl module check --local --floats metal --layout interleaved "$wat"

# --- a program with main
cat >"$work/hello.wat" <<'END'
(module (import "wasi_snapshot_preview1" "fd_write" (func $w (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32))) (memory (export "memory") 1)
  (data (i32.const 0) "\08\00\00\00\06\00\00\00hello\n")
  (func (export "_start")
    (drop (call $w (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16))) (call $exit (i32.const 3))))
END
expect "a program with main says what it says, and its exit code is ours" 3 "^hello$" ctl run "$work/hello.wat"
expect "a module without main is not run as a program" 2 "is to run as a program, .*job run FILE --call" ctl run "$wat"

# --- the command line
echo '(module (memory 257) (func (export "f")))' >"$work/pages.wat"
expect "a module of 257 pages runs" 0 "RETURNED" ctl job run "$work/pages.wat" --call f
expect "messages name flags" 2 "the job's --memory is" ctl job run "$work/pages.wat" --call f --memory 65536
expect "versions of both" 0 "^wasmburstd [0-9.]+, compiler" ctl version
expect "completion in bash" 0 "all passed" bash tests/client/completion.sh "$build/client/wasmburstctl"
expect "an unknown command" 2 "unknown command .rum. of .job.; did you mean .run." ctl job rum x
expect "an unknown flag" 2 "unknown flag .--args. of .run.; did you mean .--arg." ctl job run "$wat" --call steps --args 1
expect "a number below zero" 2 "not negative" ctl job run "$wat" --call steps --arg 1 --fuel -1
expect "an id without its prefix" 0 "SUCCEEDED|CANCELLED" ctl job get "$(ctl job list --limit 1 | sed -n 's/^jobs\/\([0-9A-Z]*\).*/\1/p')"
node -e 'require("http").createServer((q,r)=>r.end("hello")).listen(0,"127.0.0.1",function(){console.log(this.address().port)})' >"$work/port" &
web=$!
for _ in $(seq 50); do [ -s "$work/port" ] && break; sleep 0.1; done
expect "an HTTP server is named as one" 5 "HTTP server" ctl --addr "tcp://127.0.0.1:$(cat "$work/port")" server info
kill $web
expect "wasmburstd without a folder for its socket" 1 "there is no folder .*--listen" \
  "$build/daemon/wasmburstd" --listen unix:///nowhere/at/all.sock

# --- the daemon's process
kill -HUP "$daemon"
expect "SIGHUP does not end the daemon" 0 "version" ctl server info
ln -s "$work/planted" "$work/linked.sock.lock"
expect "a planted lock is not followed" 1 "linked.sock.lock" \
  "$build/daemon/wasmburstd" --listen "unix://$work/linked.sock"
[ ! -e "$work/planted" ] && pass "nothing was made where it points" || fail "a file was made through a link"
chmod 755 "$work/in"
mkdir -p "$work/home" "$work/tmp/wasmburst-Left01" && chmod 700 "$work/tmp/wasmburst-Left01"
: >"$work/tmp/wasmburst-Left01/.lock" && ln -s "$work/in" "$work/home/wasmburst"
expect "a planted cache folder is not followed" 1 "is a symbolic link, which is not followed" \
  env XDG_CACHE_HOME="$work/home" TMPDIR="$work/tmp" "$build/daemon/wasmburstd" --listen "unix://$work/other.sock"
[ "$(stat -c %a "$work/in" 2>/dev/null || stat -f %Lp "$work/in")" = 755 ] && pass "nor is its mode changed" ||
  fail "the mode of a linked folder was changed"
[ -z "$(ls "$work/tmp")" ] && pass "the working folder of a killed compiler is cleared" ||
  fail "a working folder stays" "$(ls -la "$work/tmp")"
expect "without a home the daemon says what to set" 2 "Set .cache. directory" \
  env -u XDG_CACHE_HOME -u CACHE_DIRECTORY -u HOME "$build/daemon/wasmburstd" --listen "unix://$work/other.sock"

# --- faults of the machine: a compiler that is killed, an engine that hangs
# The module is large enough that its compiler lives for seconds, so that looking for it finds it.
others=""
for i in $(seq 1200); do
  others+="(func (export \"f$i\") (param i32) (result i32) (local i32) (loop (local.set 1 (i32.add (i32.mul (local.get 1) (i32.const $i)) (i32.rem_u (i32.load (local.get 1)) (local.get 0)))) (br_if 0 (i32.ne (local.get 1) (i32.const $i)))) (local.get 1))"
done
{ echo "(module (memory 1) $others" && sed 1d "$wat"; } >"$work/fresh.wat"
ctl job run "$work/fresh.wat" --call steps --arg 28 --placement cpu -o jsonl >"$work/killed.out" 2>&1 &
run=$!
compiler="" host=""
for _ in $(seq 1200); do
  for host in $(pgrep -P "$daemon"); do
    compiler="$(pgrep -P "$host" | head -n 1)"
    [ -z "$compiler" ] || break 2
  done
  sleep 0.01
done
[ -z "$compiler" ] || kill -9 "$compiler" 2>/dev/null
wait $run && [ -n "$compiler" ] && grep -q '"values":\[18\]' "$work/killed.out" &&
  pass "a killed compiler is tried again" || fail "a killed compiler [$compiler]" "$(cat "$work/killed.out")"
# All hosts of the device: one runs kernels, another may compile them.
mapfile -t hosts < <(pgrep -P "$daemon" -f 'wasmburst-engine cpu0')
kill -STOP "${hosts[@]}"
for _ in $(seq 80); do
  ctl device list 2>/dev/null | grep -q unhealthy && break
  sleep 0.1
done
expect "a hung engine is not healthy" 0 "has not answered for .*engine.max_silence" ctl device get cpu0
kill -CONT "${hosts[@]}"

# --- no descriptors are left: a client that comes hears so, and others are served once there are
(ulimit -n 48 && XDG_STATE_HOME="$work/few-state" exec "$build/daemon/wasmburstd" --listen "unix://$work/few.sock" 2>"$work/few.log" </dev/null) &
few=$!
for _ in $(seq 100); do ctl --addr "unix://$work/few.sock" server info >/dev/null 2>&1 && break; sleep 0.1; done
node -e 'for (let i = 0; i < 60; ++i) require("net").connect(process.argv[1]).on("error", () => {})' "$work/few.sock" &
crowd=$!
for _ in $(seq 50); do grep -q accept_failed "$work/few.log" && break; sleep 0.1; done
sleep 0.5
expect "without descriptors a client is told" 5 "UNAVAILABLE" \
  timeout 8 "$build/client/wasmburstctl" --addr "unix://$work/few.sock" server info
kill $crowd && wait $crowd 2>/dev/null
for _ in $(seq 50); do ctl --addr "unix://$work/few.sock" server info >/dev/null 2>&1 && break; sleep 0.1; done
expect "once there are some it is served" 0 "version" ctl --addr "unix://$work/few.sock" server info
kill -TERM $few && wait $few
