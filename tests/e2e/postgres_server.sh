# A PostgreSQL server of this test's own: a cluster in a folder, on a Unix socket there, without TCP.
pg_bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
pg_pid=
pg_as=()
if [[ $(id -u) -eq 0 ]]; then
  pg_user=$(getent passwd postgres nobody | head -1)
  pg_as=(setpriv "--reuid=$(cut -d: -f3 <<<"$pg_user")" "--regid=$(cut -d: -f4 <<<"$pg_user")" --clear-groups)
fi
answers() { "$pg_bin/pg_isready" -q -h "$pg_folder" -U wasmburst -d postgres; }
start_server() {
  (cd / && exec "${pg_as[@]}" setpriv --pdeathsig=QUIT "$pg_bin/postgres" -D "$pg_folder/data" -c listen_addresses= \
    -c "unix_socket_directories=$pg_folder" >>"$pg_folder/log" 2>&1) &
  pg_pid=$!
  await "PostgreSQL answers" answers
}
stop_server() { # as a crash
  [[ -n $pg_pid ]] || return 0
  kill -QUIT "$pg_pid"
  wait "$pg_pid" 2>/dev/null
  pg_pid=
}
sql() { "$pg_bin/psql" -X -A -t -h "$pg_folder" -U wasmburst -d jobs -c "$1"; }
# with_server FUNCTION: calls it with a server, if there is one on this machine.
with_server() {
  if [[ -z $pg_bin ]]; then
    echo "skipped: $1: there is no PostgreSQL server (Debian: postgresql-15)"
    return
  fi
  pg_folder=$(mktemp -d /tmp/wb_e2e_pg_XXXXXX)
  if ! { [[ $(id -u) -ne 0 ]] || chown "$(cut -d: -f3,4 <<<"$pg_user")" "$pg_folder"; } ||
    ! (cd / && "${pg_as[@]}" "$pg_bin/initdb" -D "$pg_folder/data" -U wasmburst -A trust --no-sync -E UTF8 --locale=C) >"$work/out" 2>&1; then
    fail "a PostgreSQL is made" "$(cat "$work/out")"
  else
    start_server
    "$pg_bin/createdb" -h "$pg_folder" -U wasmburst --encoding=UTF8 --template=template0 jobs
    address="postgresql:///jobs?host=$pg_folder&user=wasmburst"
    "$1"
    stop_server
  fi
  rm -rf "$pg_folder"
}
in_order() { sed 's/.*"instance":\([0-9]*\).*"values":\[\([-0-9]*\)\].*"fuel":\([0-9]*\).*/\1 \2 \3/' | sort -n; }
