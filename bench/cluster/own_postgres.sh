# Sourced by benches that need a PostgreSQL, from the top of the tree: one of their own on a Unix socket in a folder that
# goes with them, with fsync. As root it runs as the user postgres. Sets work, programs; sql STATEMENT.
work="$(mktemp -d)"
server=""
clean_up() {
  if [ -n "$server" ] && kill -INT "$server" 2>/dev/null; then wait "$server" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap clean_up EXIT
programs="$(find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -1)"
[ -x "${programs:-}/postgres" ] || { echo "${0##*/}: there is no PostgreSQL server (Debian: postgresql-15)" >&2; exit 77; }
as_server=()
if [ "$(id -u)" = 0 ]; then
  as_server=(setpriv --reuid=postgres --regid=postgres --clear-groups)
  chown postgres "$work"
fi
(cd / && "${as_server[@]}" "$programs/initdb" -D "$work/data" -U wasmburst -A trust -E UTF8 --locale=C) >"$work/log"
(cd / && exec "${as_server[@]}" "$programs/postgres" -D "$work/data" -c listen_addresses= \
  -c unix_socket_directories="$work" -c max_connections=300) >>"$work/log" 2>&1 &
server=$!
export PGHOST="$work" PGUSER=wasmburst PGDATABASE=postgres
for _ in $(seq 100); do "$programs/pg_isready" -q && break; sleep 0.1; done
sql() { "$programs/psql" -X -q -A -t -v ON_ERROR_STOP=1 -c "$1"; }
flush_time() {
  "${as_server[@]}" "$programs/pg_test_fsync" -s 1 -f "$work/data/flushed" 2>/dev/null |
    awk '/^ +fdatasync/ { print $(NF - 1), "us of one fdatasync of 8 KiB"; exit }'
}
median() { sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }
# "12.3 (11.9 to 13.0)": the median, the lowest and the highest. FORMAT is printf's, of one number.
spread() {
  sort -n | awk -v f="$1" '{ all[NR] = $1 } END {
    printf f " (" f " to " f ")\n", all[int((NR + 1) / 2)], all[1], all[NR] }'
}
