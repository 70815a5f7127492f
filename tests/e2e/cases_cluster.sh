# Several daemons over one PostgreSQL: each accepts, shows and cancels every job, and what one of them had goes on
# elsewhere. They are processes of this machine, with a folder, a cache and a socket each.
guest=$here/guest.wat
. "$here/postgres_server.sh"
declare -A node_pid=()

# node N: starts the daemon of that number, and waits until it serves.
node() {
  local folder=$work/node$1
  local blobs=${node_store:-"blob_folder = \"$work/node_blobs\""}
  mkdir -p "$folder"
  cat >"$folder/config.toml" <<TOML
version = 1
[server]
drain_timeout = "10s"
state_directory = "$folder/state"
[cache]
directory = "$work/node_cache$1"
[store]
postgres = "$address"
$blobs
blob_from_bytes = "100B"
${node_more:-}
[cluster]
lease = "${lease:-2s}"
[[tenant]]
name = "small"
max_jobs = 1
[[listen]]
address = "unix://$folder/sock"
TOML
  : >"$folder/log"
  "$daemon" --config "$folder/config.toml" --cluster-host "node$1" 2>"$folder/log" &
  node_pid[$1]=$!
  serves() { grep -q listening "$folder/log" || ! kill -0 "${node_pid[$1]}" 2>/dev/null; }
  await "node $1 serves" serves "$1"
  grep -q listening "$folder/log" || { fail "node $1 serves" "$(cat "$folder/log")"; exit 1; }
}
on() { # on N COMMAND...: wasmburstctl at that daemon
  WASMBURST_ADDR=unix://$work/node$1/sock ctl "${@:2}"
}
end_node() { # N SIGNAL
  kill "-$2" "${node_pid[$1]}"
  wait "${node_pid[$1]}" 2>/dev/null
}
submit() { on "$1" job submit "$guest" --call draw --arg 0..3000 --arg 100000 "${@:2}"; }
all_there() { # NAME NODE JOB: its results are those of one daemon alone
  on "$2" -q job results "$3" --follow -o jsonl >"$work/out"
  [[ $(in_order <"$work/out") == "$whole" ]] && pass "$1" || fail "$1" "$(wc -l <"$work/out"; on "$2" job get "$3")"
}
sees_both() { [[ $(on "$1" device list | grep -c "devices/node[12]/cpu0") -eq 2 ]]; }
hosts_at_work() { on "$1" -q job results "$2" -o jsonl | sed 's/.*"device":"\(node[0-9]\).*/\1/' | sort -u | grep -c node; }
runs() { on "$1" job get "$2" | grep -q "RUNNING"; }

cluster_cases() {
  node 1
  whole=$(on 1 -q job run "$guest" --call draw --arg 0..3000 --arg 100000 -o jsonl | in_order)
  [[ $(wc -l <<<"$whole") -eq 3000 ]] && pass "one of them runs a job" || fail "one of them runs a job" "${whole:0:300}"
  node 2
  await "each shows the devices of both" sees_both 1 && pass "each shows the devices of both"
  [[ $(find "$work/node_blobs/modules" -type f | wc -l) -eq 1 ]] && pass "a longer module lies in their folder" ||
    fail "a longer module lies in their folder" "$(find "$work/node_blobs")"
  job=$(submit 1 --request-id first)
  all_there "the other reads what one has accepted" 2 "$job"
  [[ $(submit 2 --request-id first) == "$job" ]] && pass "the same request at the other makes no second job" ||
    fail "the same request at the other makes no second job" "$(on 2 job list)"
  job=$(on 1 job submit "$guest" --call draw --arg 0..3000 --arg 2000000)
  tells_speed() { on "$1" job get "$job" | grep -q "instructions/s"; }
  await "the other tells how fast a job runs" tells_speed 2 && pass "the other tells how fast a job runs"
  on 2 -q job wait "$job" >/dev/null 2>&1 || on 2 -q job results "$job" --follow -o jsonl >/dev/null
  [[ $(hosts_at_work 1 "$job") -eq 2 ]] && pass "both run instances of a job" || fail "both run instances of a job" "$(on 1 job get "$job")"

  job=$(on 1 job submit "$guest" --call div --arg 1 --arg 0..2 --dump-on-trap 1)
  on 1 -q job results "$job" --follow >/dev/null 2>&1
  expect "each dumps an instance of a job of all" 0 "DIVIDE_BY_ZERO" on 2 -q job dump "$job" 0 --json
  expect "and runs it again with the same result" 0 "The same as the job.s result" on 2 job replay "$job" 0

  job=$(on 1 job submit "$guest" --call spin --instances 100)
  await "a job runs" runs 2 "$job"
  expect "one cancels what the other has accepted" 0 "" on 2 job cancel "$job"
  is_over() { on 1 job get "$job" | grep -q "CANCELLED"; }
  await "it ends" is_over && pass "it ends"
  expect "a call of one that is refused names the job" 2 "several daemons" on 1 job checkpoint "$(submit 1)"

  expect "a job that no daemon has a device for is refused" 2 "NO_DEVICE_FITS: No daemon that shares the store" \
    on 1 job submit "$guest" --call spin --placement gpu
  job=$(on 1 job submit "$guest" --call spin --label tenant=small)
  # It counts there from when the database has told of it.
  has_heard() { on "$1" job list | grep -q "$job"; }
  await "the other has heard of a tenant's job" has_heard 2 && pass "the other has heard of a tenant's job"
  expect "a tenant's jobs are counted over all daemons" 6 "QUEUE_FULL" \
    on 2 job submit "$guest" --call spin --label tenant=small
  on 2 job cancel "$job" >/dev/null

  for ((round = 0; round < ${WB_E2E_KILLS:-3}; round++)); do
    job=$(submit 1)
    read -rt "0.$((RANDOM % 30 + 10))" <> <(:) || :
    end_node 2 KILL
    all_there "each result is there once after a kill of a daemon, round $round" 1 "$job"
    node 2
  done
  # A daemon that is stopped for longer than its lease, and comes back.
  job=$(submit 1)
  read -rt 0.2 <> <(:) || :
  kill -STOP "${node_pid[2]}"
  all_there "each result is there once though a daemon stood still" 1 "$job"
  kill -CONT "${node_pid[2]}"
  is_back() { grep -q host_was_dropped "$work/node2/log" && sees_both 1; }
  await "it is a host again" is_back && pass "it is a host again"
  all_there "it shows the same" 2 "$job"
  # The one that accepted it goes.
  job=$(submit 1)
  end_node 1 KILL
  all_there "a job outlives the daemon that accepted it" 2 "$job"
  node 1

  job=$(submit 2)
  read -rt 0.2 <> <(:) || :
  stop_postgres
  read -rt 1 <> <(:) || :
  expect "without the database a daemon takes no job" 5 "MACHINE_FAULT: The database" on 1 job submit "$guest" --call spin
  start_server
  # A daemon that was refused while the server recovered asks it again a second later.
  reads() { on 2 -q job results "$job" -o jsonl >/dev/null 2>&1; }
  await "a daemon reads again" reads
  all_there "each result is there once after a crash of PostgreSQL" 2 "$job"

  job=$(submit 2)
  read -rt 0.2 <> <(:) || :
  end_node 2 TERM
  all_there "a daemon that ends gives back what it has" 1 "$job"
  expect "and needs no lease for it" 0 "\"attempt\":1" on 1 -q job results "$job" -o jsonl

  { cat "$work/config.toml"; printf '[store]\npostgres = "%s"\n' "$address"; } >"$work/alone.toml"
  expect "a daemon that wants it alone is refused" 2 "database" env XDG_STATE_HOME="$work/alone" timeout 60 "$daemon" --config "$work/alone.toml"
  expect "a host without a database is refused" 2 "cluster.host.*needs a database" timeout 60 "$daemon" --config "$work/config.toml" --cluster-host node9
  end_node 1 TERM
  object_store_cases
  results_cases
}

# The bounds of results, at a daemon that finds those of all jobs before.
results_cases() {
  local node_more=$'[results]\nmax_total_bytes = "64KiB"\nmax_tenant_bytes = "64KiB"\nmax_job_bytes = "64KiB"'
  sql wasmburst "UPDATE wasmburst.shared_jobs SET read_until = now() WHERE ended" >/dev/null
  node 5
  job=$(on 5 job submit "$guest" --call draw --arg 0..40000 --arg 10)
  gives_way() { grep -q results_dropped "$work/node5/log"; }
  await "results of ended jobs give way" gives_way && pass "results of ended jobs give way"
  is_held() { on 5 job get "$job" | grep -q "waiting for.*readers of other jobs.*results.max_total_bytes"; }
  await "a job waits where nobody reads, and says so" is_held && pass "a job waits where nobody reads, and says so"
  [[ $(on 5 -q job results "$job" --follow -o jsonl | wc -l) -eq 40000 ]] && pass "it goes on when its results are read" ||
    fail "it goes on when its results are read" "$(on 5 job get "$job")"
  end_node 5 TERM
}

# Longer modules in an object store, which is a small one of the tests.
s3_order() { # PATH: what it answers
  exec 9<>"/dev/tcp/127.0.0.1/$(cat "$work/s3_port")"
  printf 'GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n' "$1" >&9
  cat <&9
  exec 9>&-
}
object_store_cases() {
  [[ -x /usr/bin/python3 ]] || { echo "skipped: object_store_cases: there is no /usr/bin/python3"; return; }
  local s3_input
  mkfifo "$work/s3_input"
  /usr/bin/python3 "$here/../daemon/blobs/s3_server.py" <"$work/s3_input" >"$work/s3_port" &
  local s3_pid=$!
  exec {s3_input}>"$work/s3_input"
  await "an object store serves" test -s "$work/s3_port"
  (umask 077 && printf 'aws_access_key_id = test\naws_secret_access_key = secret\n' >"$work/s3_keys")
  node_store="blob_s3 = \"http://127.0.0.1:$(cat "$work/s3_port")/bucket/burst\"
s3_keys_file = \"$work/s3_keys\""
  node 3
  all_there "with an object store a job runs" 3 "$(submit 3)"
  s3_order /-/log >"$work/out"
  grep -qE "^PUT /bucket/burst/modules/[0-9a-f]{64} 200" "$work/out" && pass "a longer module lies there" ||
    fail "a longer module lies there" "$(cat "$work/out")"
  end_node 3 TERM
  s3_order "/-/fail?kind=503&count=2" >/dev/null
  s3_order "/-/fail?kind=cut&count=1&operation=GET" >/dev/null
  node 4
  all_there "another daemon takes it from there, though it is told to wait" 4 "$(submit 4)"
  s3_order /-/log >"$work/out"
  if grep -qE "^GET /bucket/burst/modules/[0-9a-f]{64} 200" "$work/out" && grep -q " 503" "$work/out" && ! grep -q ^PUT "$work/out"; then
    pass "and puts it there no second time"
  else
    fail "and puts it there no second time" "$(cat "$work/out")"
  fi
  end_node 4 TERM
  sed -i s/secret$/wrong/ "$work/s3_keys"
  expect "a daemon whose keys are wrong says so" 1 "SignatureDoesNotMatch.*Check the keys" \
    timeout 60 "$daemon" --config "$work/node4/config.toml" --cluster-host node4
  exec {s3_input}>&-
  wait "$s3_pid"
  unset node_store
}

with_server cluster_cases
rm -rf "$work"/node*
