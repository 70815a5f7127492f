# The store in PostgreSQL: kills of the daemon, and of the server under it.
guest=$here/guest.wat
. "$here/postgres_server.sh"
kill_daemon() {
  kill -KILL "$daemon_pid"
  wait "$daemon_pid" 2>/dev/null
  daemon_pid=
}
with_store() { { cat "$work/config.before"; printf '[store]\npostgres = "%s"\n' "$1"; } >"$work/config.toml"; }
starts_with() { timeout 60 "$daemon" --config "$work/config.toml"; }

postgres_cases() {
  rm -rf "$work/state"  # of the cases before
  with_store "$address"
  start_daemon
  whole=$(ctl -q job run "$guest" --call draw --arg 0..3000 --arg 100000 -o jsonl | in_order)
  [[ $(wc -l <<<"$whole") -eq 3000 ]] && pass "a job over PostgreSQL" || fail "a job over PostgreSQL" "${whole:0:300}"
  [[ ! -e $work/state/wasmburst/state.db ]] && pass "nothing of it lies in SQLite" || fail "nothing of it lies in SQLite"
  [[ $(sql wasmburst "SELECT sum(count) FROM wasmburst.blocks") == 3000 ]] && pass "its results lie in the database" ||
    fail "its results lie in the database" "$(sql wasmburst 'SELECT * FROM wasmburst.jobs')"
  expect "a second daemon over the database is refused" 2 "Another daemon uses the database at \[/wasmburst\]" \
    env XDG_STATE_HOME="$work/other" "$daemon" --config "$work/config.toml" --listen "unix://$work/second.sock"
  expect "a backup says what to use" 2 "pg_dump" ctl server backup "$work/postgres.backup"

  # kill -9 of the daemon at random moments.
  for ((round = 0; round < ${WB_E2E_KILLS:-6}; round++)); do
    job=$(ctl job submit "$guest" --call draw --arg 0..3000 --arg 100000 --request-id "round $round")
    [[ -n $job ]] || { fail "a job is accepted in round $round"; break; }
    read -rt "0.$((RANDOM % 40 + 10))" <> <(:) || :
    kill_daemon
    start_daemon
    again=$(ctl job submit "$guest" --call draw --arg 0..3000 --arg 100000 --request-id "round $round")
    [[ $again == "$job" ]] || fail "the request makes no second job in round $round" "$job $again"
    ctl -q job results "$job" --follow -o jsonl >"$work/out"
    [[ $(in_order <"$work/out") == "$whole" ]] && pass "each result is there once after a kill of the daemon, round $round" ||
      fail "each result is there once after a kill of the daemon, round $round" "$(wc -l <"$work/out")"
  done

  # The server goes while a job runs, and comes back.
  for round in 1 2 3; do
    job=$(ctl job submit "$guest" --call draw --arg 0..3000 --arg 100000)
    read -rt "0.$((RANDOM % 30 + 10))" <> <(:) || :
    stop_postgres
    expect "without its database a daemon takes no job, round $round" 5 "MACHINE_FAULT: The database at \[/wasmburst\]" \
      ctl job submit "$guest" --call spin
    expect "and says so" 0 "The database at \[/wasmburst\] did not take the last change" ctl server info
    start_server
    ctl -q job results "$job" --follow -o jsonl >"$work/out"
    [[ $(in_order <"$work/out") == "$whole" ]] && pass "each result is there once after a kill of PostgreSQL, round $round" ||
      fail "each result is there once after a kill of PostgreSQL, round $round" "$(wc -l <"$work/out")"
    expect "it ended well" 0 "SUCCEEDED" ctl job get "$job"
  done
  last=$(ctl -q job results "$job" -o jsonl | sha256sum)
  takes_jobs() { ctl -q job run "$guest" --call fac --arg 5 -o jsonl >"$work/out" 2>&1; }
  await "jobs are taken again" takes_jobs
  spins=$(ctl job list | grep -c spin)
  [[ $spins -eq 0 ]] && pass "a refused job is not there" || fail "a refused job is not there" "$(ctl job list)"
  kill_daemon
  start_daemon
  [[ $(ctl -q job results "$job" -o jsonl | sha256sum) == "$last" ]] && pass "an ended job has its results after a kill" ||
    fail "an ended job has its results after a kill" "$(ctl job get "$job")"

  # Both at once; then a server that is not there when the daemon starts.
  job=$(ctl job submit "$guest" --call draw --arg 0..3000 --arg 100000)
  stop_postgres
  kill_daemon
  expect "a daemon does not start without its database" 1 "cannot be reached.*Check the setting \[store.postgres\]" starts_with
  start_server
  start_daemon
  ctl -q job results "$job" --follow -o jsonl >"$work/out"
  [[ $(in_order <"$work/out") == "$whole" ]] && pass "each result is there once after a kill of both" ||
    fail "each result is there once after a kill of both" "$(wc -l <"$work/out")"
  stop_daemon

  with_store "postgresql://wb:sesame@localhost/jobs"
  expect "a password in the address is refused" 2 "must not hold a password.*passfile=FILE" starts_with
  starts_with >"$work/out" 2>&1
  grep -q sesame "$work/out" && fail "it is not repeated" "$(cat "$work/out")" || pass "it is not repeated"
  with_store "host=localhost"
  expect "an address of another form is refused" 2 "such as postgresql://" starts_with
}

cp "$work/config.toml" "$work/config.before"
with_server postgres_cases
cp "$work/config.before" "$work/config.toml"
rm -rf "$work/state"
