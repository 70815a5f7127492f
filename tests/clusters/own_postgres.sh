# Sourced by tests of clusters, as root: a PostgreSQL of their own.
pg_bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
pg_folder=""

# start_postgres FOLDER [ARGUMENT...]: with a socket there and the database wasmburst, its owner without a password
# there. It ends with the process namespace, or by stop_postgres. What files it needs in FOLDER/data: between
# make_postgres FOLDER and this.
pg_user() { getent passwd postgres nobody | head -1 | cut -d: -f3; }
as_postgres() { (cd / && setpriv "--reuid=$(pg_user)" --regid=65534 --clear-groups "$@"); }
make_postgres() {
  pg_folder="$1"
  install -d -o "$(pg_user)" "$pg_folder"
  as_postgres "$pg_bin/initdb" -D "$pg_folder/data" -U admin -A trust --no-sync -E UTF8 --locale=C
}
start_postgres() {
  (cd / && exec setpriv "--reuid=$(pg_user)" --regid=65534 --clear-groups "$pg_bin/postgres" -D "$pg_folder/data" \
    -c "unix_socket_directories=$pg_folder" "$@" >>"$pg_folder/log" 2>&1) &
  pg_pid=$!
  for _ in $(seq 100); do
    ! "$pg_bin/pg_isready" -q -h "$pg_folder" -U admin -d postgres || break
    sleep 0.1
  done
  sql postgres "CREATE ROLE wasmburst LOGIN PASSWORD 'sesame'" && sql postgres "CREATE DATABASE wasmburst OWNER wasmburst"
}
stop_postgres() { [ -z "${pg_pid:-}" ] || { kill -QUIT "$pg_pid" && wait "$pg_pid"; } 2>/dev/null; }
sql() { "$pg_bin/psql" -X -q -A -t -h "$pg_folder" -U admin -d "$1" -c "$2"; }
