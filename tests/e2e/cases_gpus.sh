# Two GPUs in one daemon: the cuda device over the fake GPU, each in an engine host of its own.
guest=$here/guest.wat
export CUDA_VISIBLE_DEVICES=0,1
cat >>"$work/config.toml" <<TOML
[cache]
directory = "$work/cache"
[cuda]
enabled = "on"
cooldown = "0s"
devices = "all"
[engine]
host_path = "$engine_program"
memory_bytes = "256MiB"
TOML
devices() { ctl device list | awk '{ print $1 }' | sed -n 's/devices\///p' | tr '\n' ' '; }
same() { # NAME WANTED GOT
  if [[ -n $2 && $2 == "$3" ]]; then pass "$1"; else fail "$1" "$(diff <(echo "$2") <(echo "$3") | head)"; fi
}
many=3000
draw() { ctl -q job run "$guest" --call draw --arg 0..$many --arg 100000 --placement "$1" -o jsonl; }
values() { sed 's/,"attempt".*//' | sort; }
on() { grep -c "\"device\":\"$1\"" "$2"; }
draw_gpu() { draw gpu >"$work/out"; }
# How many instances a GPU has ended since it had $2.
works() { (($(field "$1" instances) > $2)); }

start_daemon
same "all GPUs are there" "cpu0 cuda0 cuda1 interpreter0 " "$(devices)"
expect "each is shown" 0 "name +devices/cuda1" ctl device get cuda1
expect "and looked at" 0 '"name":"devices/cuda1"' ctl device top --count 1 -o jsonl
right=$(draw cpu | values)
draw_gpu
same "a job on both gives what the CPU device gives" "$right" "$(values <"$work/out")"
if (($(on cuda0 "$work/out") > 0 && $(on cuda1 "$work/out") > 0)); then
  pass "both had a part of it"
else
  fail "both had a part of it" "$(on cuda0 "$work/out") and $(on cuda1 "$work/out")"
fi
# The lanes of this GPU vote alone, and the first of 32 counts for all.
drawn=$(ctl job list --limit 1 -o json | sed -n 's/.*"name": *"\(jobs[^"]*\)".*/\1/p' | head -1)
expect "its lanes are counted" 0 "lanes +3.1 % of lanes were useful" ctl job get "$drawn"
expect "in JSON too" 0 '"useful_lanes": *0.03125' ctl job get "$drawn" -o json
expect "what a GPU has of the module is shown" 0 "registers of a lane +256" \
  ctl module inspect "$guest" --device cuda0
expect "and how it ran there" 0 "useful lanes +3.1 %" ctl module inspect "$guest" --device devices/cuda0
expect "in JSON too" 0 '"tier": *"full"' ctl module inspect "$guest" --device cuda1 -o json
expect "and what the processors have" 0 "code +[1-9]" ctl module inspect "$guest" --device cpu0
expect "a device that is not there is named" 3 "cuda7" ctl module inspect "$guest" --device cuda7
right_hinted=$(ctl -q job run "$guest" --call draw --arg 0..$many --arg 100000 --placement gpu \
  --hint divergent -o jsonl | values)
same "a hint changes no result" "$right" "$right_hinted"
ctl -q job run "$guest" --call draw --arg 0..100 --arg 10 --placement gpu -o jsonl >"$work/few"
[[ $(sed 's/.*"device":"\([^"]*\)".*/\1/' "$work/few" | sort -u | wc -l) -eq 1 ]] &&
  pass "a job of few instances has one" || fail "a job of few instances has one" "$(head -2 "$work/few")"

# One of them dies in mid-job. On a busy machine the signal may come when its part has just ended; then
# it dies again in the next job.
deaths=0
again=0
while ((again == 0 && deaths < 5)); do
  before=$(field cuda1 instances)
  host=$(field cuda1 host_pid)
  draw_gpu &
  drawing=$!
  await "cuda1 works" works cuda1 "$before"
  kill -KILL "$host"
  wait $drawing
  deaths=$((deaths + 1))
  same "its death costs no result" "$right" "$(values <"$work/out")"
  again=$(grep -vc '"attempt":1[,}]' "$work/out")
  restarted() { (($(field cuda1 restarts) == deaths)); }
  await "another host took over" restarted
done
((again > 0 && again < many)) && pass "only who sat there started again" ||
  fail "only who sat there started again" "$again of $many"
same "the other one knew nothing of it" 0 "$(field cuda0 restarts)"

# One of them is closed in mid-job.
before=$(field cuda1 instances)
draw_gpu &
drawing=$!
await "cuda1 works again" works cuda1 "$before"
expect "cuda1 is drained" 0 "" ctl device drain cuda1 --deadline 1ms
wait $drawing
same "a drain costs no result" "$right" "$(values <"$work/out")"
same "nor an attempt" "$many" "$(grep -c '"attempt":1[,}]' "$work/out")"
draw_gpu
same "then the other one has them all" "$many" "$(on cuda0 "$work/out")"

# A list of them.
stop_daemon
sed -i.before 's/^devices = .*/devices = "1"/' "$work/config.toml"
start_daemon
same "a list names them" "cpu0 cuda1 interpreter0 " "$(devices)"
expect "it is still closed" 0 "state +idle, cordoned" ctl device get cuda1
expect "until it is opened" 0 "" ctl device uncordon cuda1
draw_gpu
same "and the one that is there has all" "$many" "$(on cuda1 "$work/out")"
stop_daemon
sed -i.before 's/^devices = .*/devices = "0,5"/' "$work/config.toml"
expect "one that there is not, where it is needed" 2 "There is no GPU .5.; the driver finds .2." \
  timeout 60 "$daemon" --config "$work/config.toml"
sed -i.before 's/^enabled = .*/enabled = "auto"/' "$work/config.toml"
start_daemon
same "and where it is not" "cpu0 cuda0 interpreter0 " "$(devices)"
grep -q "The GPU .5. is left out" "$work/log" && pass "the log says so" ||
  fail "the log says so" "$(cat "$work/log")"
stop_daemon
for bad in "0,0" "first" ""; do
  sed -i.before "s/^devices = .*/devices = \"$bad\"/" "$work/config.toml"
  expect "the list [$bad] is refused" 2 "cuda.devices" "$daemon" --config "$work/config.toml" --check-config
done
sed -i.before 's/^devices = .*/devices = "all"/' "$work/config.toml"
CUDA_VISIBLE_DEVICES=0
start_daemon
same "CUDA_VISIBLE_DEVICES hides the others" "cpu0 cuda0 interpreter0 " "$(devices)"
stop_daemon
unset CUDA_VISIBLE_DEVICES

# One that comes while the daemon runs.
echo 0 >"$work/visible"
export CUDA_VISIBLE_DEVICES=@$work/visible
start_daemon
same "the first is there" "cpu0 cuda0 interpreter0 " "$(devices)"
expect "nothing else is found" 0 "devices/cuda0" ctl device find
same "and all stays as it is" "cpu0 cuda0 interpreter0 " "$(devices)"
draw_gpu &
drawing=$!
await "the first works" works cuda0 0
echo 0,1 >"$work/visible"
expect "a second one is found" 0 "devices/cuda1" ctl device find
wait $drawing
same "the job under way ends as it should" "$right" "$(values <"$work/out")"
same "nor an attempt is lost" "$many" "$(grep -c '"attempt":1[,}]' "$work/out")"
draw_gpu
if (($(on cuda0 "$work/out") > 0 && $(on cuda1 "$work/out") > 0)); then
  pass "the next one is on both"
else
  fail "the next one is on both" "$(on cuda0 "$work/out") and $(on cuda1 "$work/out")"
fi
stop_daemon
