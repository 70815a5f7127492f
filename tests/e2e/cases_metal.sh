# The metal device as a Mac's daemon has it, over the stand-in for Metal (tests/standin/metal), whose
# engine host takes orders from a file and notes in another what happened.
guest=$here/guest.wat
cat >"$work/engine.sh" <<SH2
#!/bin/bash
export WB_STANDIN_ORDERS=$work/orders WB_STANDIN_LOG=$work/events
exec "$engine_program" "\$@"
SH2
chmod +x "$work/engine.sh"
cat >>"$work/config.toml" <<TOML
[cache]
directory = "$work/cache"
[cuda]
enabled = "on"
kind = "metal"
cooldown = "0s"
[metal]
slice = "5ms"
[engine]
host_path = "$work/engine.sh"
memory_bytes = "256MiB"
TOML
events() { grep -c "^$1" "$work/events" 2>/dev/null; }
# The host of the metal device. A new one obeys the orders there are; at a daemon's start any of its
# hosts might take them.
metal() { ctl device list -o json | tr -d '\n ' | sed 's/.*"name":"devices\/metal0"//; s/}.*//'; }
metal_host() { metal | sed 's/.*"host_pid":"\([0-9]*\)".*/\1/'; }
taken() { [[ ! -e $work/orders ]]; }
give_orders() {
  echo "$1" >"$work/orders"
  kill -KILL "$(metal_host)"
  await "a new engine host takes the orders" taken
}
metal_bursts() { [[ $(metal) == *'"state":"bursting"'* ]]; }
# What instances gave, without where and at which attempt.
values() { sed 's/,"attempt".*//' | sort; }
attempts() { sed 's/.*"attempt":\([0-9]*\).*/\1/' | sort -rn | head -1; }
same() { # NAME WANTED GOT
  if [[ -n $2 && $2 == "$3" ]]; then pass "$1"; else fail "$1" "$(diff <(echo "$2") <(echo "$3"))"; fi
}

start_daemon
expect "the metal device is listed" 0 "devices/metal0 +metal .*Stand-in" ctl device list
expect "and what it has for sensors" 0 "sensors +thermalState; .*no service AppleSMC" \
  ctl device get metal0

# Exact floats, subnormals and NaNs among them, and integers.
cat >"$work/floats.wat" <<'WAT'
(module
  (func (export "run") (param $n i32) (result f32 f64 i64)
    (local $x f32) (local $y f64) (local $i i32)
    (local.set $x (f32.div (f32.const 1e-38) (f32.convert_i32_s (local.get $n))))
    (local.set $y (f64.sqrt (f64.convert_i32_s (i32.sub (local.get $n) (i32.const 3)))))
    (loop $next
      (local.set $x (f32.mul (local.get $x) (f32.const 0.75)))
      (local.set $y (f64.add (local.get $y) (f64.div (f64.const 1) (f64.convert_i32_u (local.get $i)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $i) (local.get $n))))
    (local.get $x) (local.get $y)
    (i64.div_s (i64.const -9000000000000000001) (i64.extend_i32_u (local.get $n)))))
WAT
run_floats() { ctl -q job run "$work/floats.wat" --call run --arg 0..100 -o jsonl "$@"; }
exact=$(run_floats --placement cpu | values)
same "exact floats are those of the CPU device" "$exact" "$(run_floats --placement gpu | values)"
run_floats --placement gpu --floats fast32 >"$work/fast"
if [[ $(grep -c '"fast32":true' "$work/fast") -eq 100 && $(sed 's/,"fast32":true//' "$work/fast" | values) != "$exact" ]]; then
  pass "fast32 flushes subnormals there and says so"
else
  fail "fast32 flushes subnormals there and says so" "$(head -3 "$work/fast")"
fi

# The demo's job, every 64th row.
"$here/../../deploy/demo/build_wasm.sh" "$work/mandelbrot.wasm"
for placement in cpu gpu; do
  ctl -q job run "$work/mandelbrot.wasm" --call row --arg 32..1024:64 --read row=8192 --no-results \
    --placement $placement --concat "row=$work/rows.$placement"
done
if [[ $(wc -c <"$work/rows.gpu") -eq 131072 ]] && cmp "$work/rows.cpu" "$work/rows.gpu"; then
  pass "the demo's rows are those of the CPU device"
else
  fail "the demo's rows are those of the CPU device"
fi

# Cancelled in mid-run, and the device works on.
job=$(ctl job submit "$guest" --call spin --instances 64 --placement gpu)
await "the job bursts on the GPU" metal_bursts
expect "cancel in mid-run" 0 "" ctl job cancel "$job"
expect "it ends" 0 "CANCELLED" ctl job watch "$job"
expect "the GPU serves on" 0 '"values":\[120\].*"device":"metal0"' \
  ctl job run "$guest" --call fac --arg 5 --placement gpu -o jsonl

# An error in mid-job, and what Metal does after one: it ignores what is submitted.
draw() { ctl -q job run "$guest" --call draw --arg 0..64 --arg 200000 --placement "$1" -o jsonl; }
calm=$(draw cpu | values)
for orders in "fault 2 after 3" "fault 14 after 2 then_ignored 1" "fault 8 after 1"; do
  give_orders "$orders"
  draw gpu >"$work/out"
  same "[$orders] in mid-job costs no result" "$calm" "$(values <"$work/out")"
  [[ $(attempts <"$work/out") -ge 2 ]] && pass "the attempt says so" ||
    fail "the attempt says so" "$(head -3 "$work/out")"
  grep -q "^${orders% after*}$" "$work/events" && pass "it was that error" || fail "it was that error"
done
grep -q '"device":"metal0"' "$work/out" && pass "who started again did so there" ||
  fail "who started again did so there" "$(head -3 "$work/out")"

# Its pipelines are in the cache: after a restart of the daemon Metal's compiler is not asked.
stop_daemon
: >"$work/events"
start_daemon
run_floats --placement gpu --report "$work/report.json" >"$work/out"
same "results after a restart" "$exact" "$(values <"$work/out")"
grep -q '"pipeline_cached": true' "$work/report.json" && pass "the pipeline is from the cache" ||
  fail "the pipeline is from the cache" "$(cat "$work/report.json")"
[[ $(events compiled) -eq 0 && $(events archive) -ge 1 ]] && pass "by its archive" ||
  fail "by its archive" "$(cat "$work/events")"
expect "the cache is emptied" 0 "Freed" ctl cache prune --all
stop_daemon
: >"$work/events"
start_daemon
same "results of a cold start" "$exact" "$(run_floats --placement gpu | values)"
[[ $(events compiled) -ge 1 ]] && pass "it was compiled" || fail "it was compiled" "$(cat "$work/events")"
# On request the first launch is captured for Xcode; where Metal does not, that is said.
stop_daemon
sed -i.before "s|^slice = .*|&\ncapture = \"$work/first.gputrace\"|" "$work/config.toml"
: >"$work/events"
start_daemon
same "results of a daemon that cannot capture" "$exact" "$(run_floats --placement gpu | values)"
grep -q "Metal captures nothing into \[$work/first.gputrace\]" "$work/log" &&
  pass "it says so" || fail "it says so" "$(cat "$work/log")"
give_orders "captures 1"
same "results of one that can" "$exact" "$(run_floats --placement gpu | values)"
run_floats --placement gpu >/dev/null
[[ $(events capture) -eq 1 ]] && pass "one launch is captured" || fail "one launch is captured"

# More text than Metal is given. Why a job has failed is said with -q too.
awk 'BEGIN {
  print "(module"
  for (f = 0; f < 1500; ++f) {
    print "(func (export \"f" f "\") (param i32) (result i32) local.get 0"
    for (i = 0; i < 40; ++i) print "i32.const " f + i " i32.rem_u local.get 0 i32.xor"
    print ")"
  }
  print ")"
}' >"$work/large.wat"
expect "a kernel that is too large for Metal" 1 "^jobs/.*The kernel text has .* metal.max_text_bytes allows" \
  ctl -q job run "$work/large.wat" --call f0 --arg 5 --placement gpu
expect "runs where one may choose" 0 "SUCCEEDED" \
  ctl job run "$work/large.wat" --call f0 --arg 5 --placement interpreter
stop_daemon
