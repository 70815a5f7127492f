# Sourced by tests and benches: a PostgreSQL of their own, on a Unix socket; as root it runs as the user postgres, or as
# nobody where there is none. It ends with the shell that started it.
#   pg_bin      where its programs are; empty: there are none
#   pg_folder   that of make_postgres: the socket, data/ and log
#   pg_pid      the server that was started last; empty: it was stopped
pg_bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
pg_folder="" pg_pid=""
pg_user() { { getent passwd postgres || getent passwd nobody; } | cut -d: -f3; }
pg_as=()
[ "$(id -u)" != 0 ] || pg_as=(setpriv "--reuid=$(pg_user)" --regid=65534 --clear-groups)
as_postgres() { (cd / && "${pg_as[@]}" "$@"); }

# make_postgres FOLDER: with the database wasmburst, whose owner of that name needs a password by TCP alone. What
# files it needs in FOLDER/data: between this and start_postgres.
make_postgres() {
  pg_folder="$1"
  mkdir "$pg_folder"
  [ ${#pg_as[@]} = 0 ] || chown "$(pg_user)" "$pg_folder"
  as_postgres "$pg_bin/initdb" -D "$pg_folder/data" -U admin -A trust --no-sync -E UTF8 --locale=C &&
    as_postgres "$pg_bin/postgres" --single -j -F -c exit_on_error=on -D "$pg_folder/data" postgres <<'SQL'
CREATE ROLE wasmburst LOGIN PASSWORD 'sesame';

CREATE DATABASE wasmburst OWNER wasmburst;

SQL
}
# run_postgres FOLDER [ARGUMENT...]: a server over FOLDER/data; does not wait until it answers. It does not wait for the
# disk, since tests end processes and no machine; where a disk is slow, statements would reach their time limit. Benches
# say -c fsync=on.
run_postgres() {
  local folder="$1"
  shift
  # The kernel ends it with this process; a change of the user would undo that.
  (cd / && exec "${pg_as[@]}" setpriv --pdeathsig=QUIT "$pg_bin/postgres" -D "$folder/data" \
    -c "unix_socket_directories=$folder" -c listen_addresses= -c fsync=off "$@" >>"$folder/log" 2>&1) &
  pg_pid=$!
}
postgres_answers() { "$pg_bin/pg_isready" -q -h "$pg_folder" -U admin -d postgres; }
start_postgres() { # [ARGUMENT...]
  run_postgres "$pg_folder" "$@"
  for _ in $(seq 600); do
    ! postgres_answers || return 0
    sleep 0.1
  done
  return 1
}
stop_postgres() { # as a crash
  [ -n "$pg_pid" ] || return 0
  kill -QUIT "$pg_pid"
  wait "$pg_pid" 2>/dev/null || true
  pg_pid=""
}
# sql DATABASE TEXT: by the server's administrator.
sql() { "$pg_bin/psql" -X -q -A -t -h "$pg_folder" -U admin -d "$1" -c "$2"; }
