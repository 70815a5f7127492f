# Jobs and results outlive the daemon: kill -9 at random moments, a drain, damage.
guest=$here/guest.wat
kill_daemon() {
  kill -KILL "$daemon_pid"
  wait "$daemon_pid" 2>/dev/null
  daemon_pid=
}
in_order() { sed 's/.*"instance":\([0-9]*\).*"values":\[\([-0-9]*\)\].*"fuel":\([0-9]*\).*/\1 \2 \3/' | sort -n; }

start_daemon
whole=$(ctl -q job run "$guest" --call draw --arg 0..3000 --arg 100000 -o jsonl | in_order)
[[ $(wc -l <<<"$whole") -eq 3000 ]] && pass "a run without a kill" || fail "a run without a kill" "${whole:0:300}"

# Each job is killed under at a few moments; nothing that was acknowledged is lost or doubled.
kills=0
for ((round = 0; round < ${WB_E2E_KILLS:-6}; round++)); do
  job=$(ctl job submit "$guest" --call draw --arg 0..3000 --arg 100000 --request-id "round $round")
  [[ -n $job ]] || { fail "a job is accepted in round $round"; break; }
  for ((k = 0; k < 2; k++)); do
    read -rt "0.$((RANDOM % 40 + 10))" <> <(:) || :
    kill_daemon
    kills=$((kills + 1))
    start_daemon
  done
  again=$(ctl job submit "$guest" --call draw --arg 0..3000 --arg 100000 --request-id "round $round")
  [[ $again == "$job" ]] || fail "the request makes no second job in round $round" "$job $again"
  ctl -q job results "$job" --follow -o jsonl >"$work/out"
  [[ $(in_order <"$work/out") == "$whole" ]] || {
    fail "results after kills in round $round" "$(wc -l <"$work/out") $(sort "$work/out" | uniq -d | head -3)"
    cp -r "$work" /tmp/wb_e2e_failed 2>/dev/null
  }
done
pass "killed $kills times: every job's results are there once"
expect "the job says that it ended well" 0 "SUCCEEDED" ctl job get "$job"

# So it is where instances compute in groups: one of which results were stored runs again as a whole.
cat >"$work/groups.wat" <<'WAT'
(module
  (import "gpu_std" "sum_i32" (func $sum (param i32) (result i32)))
  (func (export "run") (param $n i32) (param $count i32) (result i32)
    (local $v i32)
    (loop $l
      (local.set $v (call $sum (i32.xor (local.get $v) (local.get $n))))
      (br_if $l (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))
    (local.get $v)))
WAT
together=("$work/groups.wat" --call run --arg 0..1500 --arg 10000)
whole=$(ctl -q job run "${together[@]}" -o jsonl | in_order)
for round in 1 2; do
  ctl job submit "${together[@]}" >"$work/name"
  for k in 1 2; do
    read -rt "0.$((RANDOM % 40 + 10))" <> <(:) || :
    kill_daemon
    start_daemon
  done
  ctl -q job results "$(cat "$work/name")" --follow -o jsonl >"$work/out"
  if [[ $(wc -l <"$work/out") -eq 1500 && $(in_order <"$work/out") == "$whole" ]]; then
    pass "groups' results are there once after kills, round $round"
  else
    fail "groups' results are there once after kills, round $round" "$(wc -l <"$work/out")"
  fi
done

# A cursor that a client has kept serves in the next daemon.
first=$(ctl -q job results "$job" -o jsonl | sha256sum)
kill_daemon
start_daemon
[[ $(ctl -q job results "$job" -o jsonl | sha256sum) == "$first" ]] &&
  pass "results come in the same order after a restart" || fail "results come in the same order after a restart"
expect "a second daemon in the state folder is refused" 2 "Another daemon uses the state folder" \
  "$daemon" --listen "unix://$work/second.sock"

# A backup while the daemon works is sound, and a daemon over it has the jobs.
util=$(dirname "$daemon")/wasmburst-util
spin=$(ctl job submit "$guest" --call spin)
expect "a backup beside the daemon" 0 "^backup: $work/backup" "$util" backup "$work/backup"
expect "a folder in use is not verified" 2 "Another daemon uses" "$util" verify
expect "nor restored to" 2 "Another daemon uses" "$util" restore "$work/backup"
expect "the backup is sound" 0 "^verify: [0-9]+ jobs, [0-9]+ results, [0-9]+ modules and inputs; 0 problems" \
  "$util" verify --state "$work/backup"
ctl -q job cancel "$spin"
stop_daemon
expect "so is the state itself" 0 '"problems":\[\]' "$util" verify --json
mv "$work/state/wasmburst" "$work/state/before"
expect "the backup is restored" 0 "^restored" "$util" restore "$work/backup"
start_daemon
[[ $(ctl -q job results "$job" -o jsonl | sha256sum) == "$first" ]] &&
  pass "a restored daemon has the results" || fail "a restored daemon has the results"
spins() { [[ $(ctl job get "$spin") == *RUNNING* ]]; }
await "and goes on with the jobs of then" spins
ctl -q job cancel "$spin"

# The same over the connection, to a file, while jobs come.
spin=$(ctl job submit "$guest" --call spin)
(for _ in 1 2 3 4 5; do ctl -q job run "$guest" --call draw --arg 0..200 --arg 1000 >/dev/null; done) &
load=$!
expect "a backup to a file" 0 "has .*, sha256 [0-9a-f]{64}" ctl server backup "$work/file.backup"
expect "as JSON" 0 '"bytes":[0-9]+.*"sha256":"[0-9a-f]{64}"' ctl server backup "$work/other.backup" -o json
wait $load
expect "not over a file" 2 "is there already" ctl server backup "$work/file.backup"
[[ -z $(ls "$work" | grep 'part$') ]] && pass "nothing else is left" || fail "nothing else is left" "$(ls "$work")"
expect "the file is a tar file" 0 "state.db" tar -tf "$work/file.backup"
expect "it is restored" 0 "^restored" "$util" restore "$work/file.backup" "$work/third"
expect "only where there is no state" 2 "holds a daemon's state already" "$util" restore "$work/file.backup" "$work/third"
expect "the restored state is sound" 0 " 0 problems" "$util" verify --state "$work/third"
head -c 9000 "$work/file.backup" >"$work/cut.backup"
expect "a cut file is refused" 70 "damaged or cut" "$util" restore "$work/cut.backup" "$work/fourth"
[[ ! -e $work/fourth ]] && pass "and leaves nothing" || fail "and leaves nothing" "$(ls -la "$work/fourth")"
stop_daemon
mv "$work/state/wasmburst" "$work/state/before_file"
mv "$work/third" "$work/state/wasmburst"
start_daemon
[[ $(ctl -q job results "$job" -o jsonl | sha256sum) == "$first" ]] &&
  pass "a daemon over the file has the results" || fail "a daemon over the file has the results"
await "and goes on with the job that ran" spins
ctl -q job cancel "$spin"

# The key of compiled kernels is for its owner alone and stays; with another one kernels are foreign: they
# are compiled again, and no job fails.
key=$work/state/wasmburst/cache.key
[[ $(stat -c '%a %s' "$key" 2>/dev/null || stat -f '%Lp %z' "$key") == "600 32" ]] &&
  pass "the key is for its owner alone" || fail "the key is for its owner alone" "$(ls -l "$key")"
expect "a job compiles" 0 '"values":\[120\]' ctl job run "$guest" --call fac --arg 5 --placement cpu -o jsonl
stop_daemon
start_daemon
expect "its kernel is there in the next daemon" 0 '"values":\[720\]' \
  ctl job run "$guest" --call fac --arg 6 --placement cpu -o jsonl
expect "and is nobody else's" 0 "[1-9][0-9]* hits.* 0 corrupt, 0 foreign" ctl cache ls
stop_daemon
rm "$key"
start_daemon
expect "with another key a job compiles again" 0 '"values":\[720\]' \
  ctl job run "$guest" --call fac --arg 6 --placement cpu -o jsonl
expect "and the kernels of before are foreign" 0 " 0 corrupt, [1-9][0-9]* foreign" ctl cache ls
grep -q "is not signed with this daemon's key" "$work/log" && pass "and the log says so" ||
  fail "and the log says so" "$(tail -3 "$work/log")"

# A client that follows a job hears that its daemon ends, and how to go on.
ctl job run "$guest" --call spin >"$work/out" 2>&1 &
following=$!
runs() { [[ $(ctl job list --filter 'state = RUNNING') == *jobs/* ]]; }
await "a job runs and is followed" runs
stop_daemon
wait $following
code=$?
[[ $code -eq 5 ]] && grep -q "To read on:" "$work/out" && pass "a client hears that the daemon ends" ||
  fail "a client hears that the daemon ends ($code)" "$(cat "$work/out")"

# Nothing of it keeps the database open: its log is in the file.
[[ ! -e $work/state/wasmburst/state.db-wal ]] && pass "a daemon that has ended has closed its state" ||
  fail "a daemon that has ended has closed its state" "$(ls -l "$work/state/wasmburst")"

# Damage is named and not served.
head -c 8192 /dev/urandom | dd of="$work/state/wasmburst/state.db" bs=4096 seek=0 conv=notrunc status=none
timeout 60 "$daemon" --config "$work/config.toml" 2>"$work/log" &
damaged=$!
wait $damaged
code=$?
[[ $code -ne 0 ]] && grep -q "state.db" "$work/log" && pass "a damaged database is refused by name" ||
  fail "a damaged database is refused by name ($code)" "$(tail -3 "$work/log")"
rm -rf "$work/state"
