# Small jobs of one module from several clients run side by side in few launches.
guest=$here/guest.wat
start_daemon
values() { sed 's/.*"values":\[\([-0-9]*\)\].*"fuel":\([0-9]*\).*/\1 \2/'; }
clients=4
each=25
jobs=$((clients * each))
draw() { ctl -q job run "$guest" --call draw --arg "$1" --arg 1000 --placement cpu -o jsonl "${@:2}"; }
right=$(draw "0..$jobs" | values | sort)

# A client: its jobs, of one instance each, differ in a constant; then their results.
client() { # NUMBER PLACEMENT
  local job names=()
  for ((i = $1 * each; i < ($1 + 1) * each; i++)); do
    names+=("$(ctl job submit "$guest" --call draw --arg "$i" --arg 1000 --placement "$2" \
      --label "tenant=tenant$1")")
  done
  for job in "${names[@]}"; do ctl -q job results "$job" --follow -o jsonl; done >"$work/client$1"
}
run_clients() { # PLACEMENT DEVICE
  local number pids=()
  ctl -q device cordon "$2" >/dev/null
  for ((number = 0; number < clients; number++)); do
    client $number "$1" &
    pids+=($!)
  done
  await "all jobs wait for $2" all_wait
  ctl -q device uncordon "$2" >/dev/null
  wait "${pids[@]}"
}
all_wait() { (($(ctl job list --filter 'state = QUEUED' -o jsonl | wc -l) == jobs)); }
before=$(field cpu0 bursts)
run_clients cpu cpu0
launches=$(($(field cpu0 bursts) - before))
got=$(cat "$work"/client* | values | sort)
[[ -n $right && $got == "$right" ]] && pass "each client has its own results" ||
  fail "each client has its own results" "$(diff <(echo "$right") <(echo "$got") | head)"
((launches < jobs / 2)) && pass "$jobs jobs of one instance in $launches launches" ||
  fail "jobs of one instance share launches" "$launches launches for $jobs jobs"
stop_daemon
