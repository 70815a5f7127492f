# Sourced by deploy/reliability.sh: daemons and engine hosts that are killed at random moments.
job_arguments=(tests/e2e/guest.wat --call draw --arg 0..200 --arg 20000)

# Submits jobs until told to stop. A submission whose answer did not come is tried again with its
# request id, as a careful client does. Each line of the file: a request id and the job's name.
submit_jobs() { # CLIENT
  local request=0 name
  while [ ! -e "$work/stop" ]; do
    name="$("$build/client/wasmburstctl" job submit "${job_arguments[@]}" --request-id "client $1 request $request" 2>/dev/null)" || {
      sleep 0.05
      continue
    }
    echo "$1.$request $name" >>"$work/acknowledged"
    request=$((request + 1))
    sleep 0.0$((RANDOM % 9 + 1))
  done
}

# Sleeps for 50 to 1,000 ms.
a_while() { sleep "$(printf '0.%03d' $((RANDOM % 950 + 50)))"; }

# The daemon dies, or ends well, or one of its engine hosts dies.
strike() { # ROUND
  local hosts=()
  case $(($1 % 4)) in
    0 | 1) end_daemon KILL ;;
    2)
      end_daemon TERM
      ;;
    3)
      mapfile -t hosts < <(pgrep -P "$daemon")
      [ ${#hosts[@]} -eq 0 ] || kill -KILL "${hosts[RANDOM % ${#hosts[@]}]}" 2>/dev/null
      kills=$((kills + 1))
      return
      ;;
  esac
  kills=$((kills + 1))
  start_daemon
}

# The daemon ends at each named place of its way to the disk, the first time that it comes there and, but
# for --quick, a later one. Each time it has new work, a new module included.
ended_at_fail_points() {
  local place times count=0 from name
  end_daemon TERM
  # Those of a migration need an older database: tests/daemon/database/registry_test.cc.
  for place in $(grep -v '"migration\.' daemon/process/fail_points.def | sed -n 's/^WB_FAIL_POINT([A-Za-z]*, "\([a-z.]*\)".*/\1/p'); do
    for times in "${fail_times[@]}"; do
      WASMBURST_FAIL_POINT="$place:$times" start_doomed_daemon
      for from in $(seq 20); do
        kill -0 "$daemon" 2>/dev/null || break
        work_for_fail_points "$count.$from"
      done
      wait "$daemon" 2>/dev/null
      [ $? -eq 137 ] && count=$((count + 1)) || echo "not reached: $place:$times"
      daemon=""
      kills=$((kills + 1))
    done
  done
  start_daemon
  for name in $(ctl job list --limit 1000 --filter 'state = RUNNING OR state = QUEUED' | grep -o 'jobs/[0-9A-Z]*'); do
    ctl -q job cancel "$name" >/dev/null
  done
  times="$(grep '^WB_FAIL_POINT' daemon/process/fail_points.def | grep -vc '"migration\.')"
  [ "$count" -eq $((times * ${#fail_times[@]})) ] && pass "ended at each of $times places, ${#fail_times[@]} times" ||
    fail "ended at each place" "$count of $((times * ${#fail_times[@]})) times"
}
# One that may end before it answers.
start_doomed_daemon() {
  "$build/daemon/wasmburstd" --config "$work/config.toml" 2>>"$work/log" </dev/null &
  daemon=$!
  for _ in $(seq 600); do
    ctl server info >/dev/null 2>&1 && return 0
    kill -0 "$daemon" 2>/dev/null || return 0
    sleep 0.02
  done
}
# A module that was never there, a job of it, a job that is deleted, and one that the next daemon finds unfinished.
work_for_fail_points() { # NUMBER
  local job name
  sed "s/(module/(module (global i32 (i32.const ${1//./}))/" tests/e2e/guest.wat >"$work/fresh.wat"
  job="$(ctl -q job submit "$work/fresh.wat" --call draw --arg 0..3 --arg 5 2>/dev/null)" || return
  ctl -q job watch "$job" >/dev/null 2>&1
  ctl -q job rm "$job" >/dev/null 2>&1
  name="$(ctl job submit "${job_arguments[@]}" --request-id "fail point $1" 2>/dev/null)" || return
  echo "fail.$1 $name" >>"$work/acknowledged"
  [ "${1#*.}" != 1 ] || ctl -q job submit tests/e2e/guest.wat --call spin --label tenant=spins >/dev/null 2>&1 || return
}

# Every job that was acknowledged, against a run that nothing disturbed.
look_up_jobs() {
  local request name results
  while read -r request name; do
    if ! ctl -q job results "$name" --follow -o jsonl >"$work/results" 2>"$work/error"; then
      lost=$((lost + 1))
      echo "lost: $request $name: $(head -n 1 "$work/error")"
      continue
    fi
    in_order <"$work/results" >"$work/ordered"
    cmp -s "$work/ordered" "$work/right" && continue
    duplicated=$((duplicated + $(uniq -d "$work/ordered" | wc -l)))
    results="$(comm -13 <(sort "$work/ordered") <(sort "$work/right") | wc -l)"
    missing=$((missing + results))
    echo "results differ: $request $name: $(wc -l <"$work/ordered") results, $results not there"
  done <"$work/acknowledged"
}

killed_at_random() {
  local client jobs names round
  : >"$work/acknowledged"
  ctl -q job run "${job_arguments[@]}" -o jsonl | in_order >"$work/right"
  [ "$(wc -l <"$work/right")" -eq 200 ] || { fail "a job without a kill" "$(tail -n 3 "$work/log")"; return; }
  for client in 1 2 3; do
    submit_jobs "$client" &
    clients+=($!)
  done
  for ((round = 0; round < rounds; round++)); do
    a_while
    strike "$round"
  done
  touch "$work/stop"
  wait "${clients[@]}"
  clients=()
  jobs="$(wc -l <"$work/acknowledged")"
  names="$(cut -d' ' -f2 "$work/acknowledged" | sort -u | wc -l)"
  [ "$jobs" -gt 0 ] && [ "$jobs" -eq "$names" ] && pass "each of $jobs requests made one job" ||
    fail "each request made one job" "$jobs requests, $names jobs"
}

nothing_is_lost() {
  look_up_jobs
  end_daemon TERM
  "$build/daemon/wasmburst-util" verify >"$work/verified" && pass "the state is sound: $(tail -n 1 "$work/verified")" ||
    fail "the state is sound" "$(cat "$work/verified")"
  start_daemon
  [ $((lost + duplicated + missing)) -eq 0 ] &&
    pass "$(wc -l <"$work/acknowledged") jobs and their results survived $kills kills" ||
    fail "jobs survived $kills kills"
}
