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
  look_up_jobs
  end_daemon TERM
  "$build/daemon/wasmburst-util" verify >"$work/verified" && pass "the state is sound: $(tail -n 1 "$work/verified")" ||
    fail "the state is sound" "$(cat "$work/verified")"
  start_daemon
  [ $((lost + duplicated + missing)) -eq 0 ] && pass "$jobs jobs and their results survived $kills kills" ||
    fail "jobs survived $kills kills"
}
