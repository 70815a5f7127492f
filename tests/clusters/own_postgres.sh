# Sourced by tests of clusters and by benches: a PostgreSQL of their own, on a Unix socket; as root it runs as the user
# postgres, or as nobody where there is none.
pg_bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
pg_folder=""
pg_user() { { getent passwd postgres || getent passwd nobody; } | cut -d: -f3; }
pg_as=()
[ "$(id -u)" != 0 ] || pg_as=(setpriv "--reuid=$(pg_user)" --regid=65534 --clear-groups)

# start_postgres [ARGUMENT...]: with a socket in the folder and the database wasmburst, its owner without a password
# there. It ends with the process namespace, or by stop_postgres. What files it needs in FOLDER/data: between
# make_postgres FOLDER and this.
as_postgres() { (cd / && "${pg_as[@]}" "$@"); }
make_postgres() {
  pg_folder="$1"
  mkdir "$pg_folder"
  [ ${#pg_as[@]} = 0 ] || chown "$(pg_user)" "$pg_folder"
  as_postgres "$pg_bin/initdb" -D "$pg_folder/data" -U admin -A trust --no-sync -E UTF8 --locale=C
}
start_postgres() {
  (cd / && exec "${pg_as[@]}" "$pg_bin/postgres" -D "$pg_folder/data" -c "unix_socket_directories=$pg_folder" "$@" \
    >>"$pg_folder/log" 2>&1) &
  pg_pid=$!
  for _ in $(seq 100); do
    ! "$pg_bin/pg_isready" -q -h "$pg_folder" -U admin -d postgres || break
    sleep 0.1
  done
  sql postgres "CREATE ROLE wasmburst LOGIN PASSWORD 'sesame'" && sql postgres "CREATE DATABASE wasmburst OWNER wasmburst"
}
stop_postgres() { [ -z "${pg_pid:-}" ] || { kill -QUIT "$pg_pid" && wait "$pg_pid"; } 2>/dev/null; }
sql() { "$pg_bin/psql" -X -q -A -t -h "$pg_folder" -U admin -d "$1" -c "$2"; }
