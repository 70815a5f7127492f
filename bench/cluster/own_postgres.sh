# Sourced by benches that need a PostgreSQL, from the top of the tree: one of their own that goes with them, with fsync and
# Debian's settings. Sets work, programs, PGHOST and what else libpq reads; statement SQL.
. tests/shell/own_postgres.sh
. bench/spread.sh
[ -n "$pg_bin" ] || { echo "${0##*/}: there is no PostgreSQL server (Debian: postgresql-15)" >&2; exit 77; }
programs="$pg_bin"
work="$(mktemp -d)"
chmod 755 "$work"
clean_up() {
  stop_postgres || true
  rm -rf "$work"
}
trap clean_up EXIT
make_postgres "$work/pg" >"$work/log"
start_postgres -c fsync=on -c max_connections=300
sql postgres "ALTER ROLE wasmburst SUPERUSER"  # CHECKPOINT
export PGHOST="$work/pg" PGUSER=wasmburst PGDATABASE=wasmburst
statement() { "$programs/psql" -X -q -A -t -v ON_ERROR_STOP=1 -c "$1"; }
flush_time() {
  as_postgres "$programs/pg_test_fsync" -s 1 -f "$work/pg/data/flushed" 2>/dev/null |
    awk '/^ +fdatasync/ { print $(NF - 1), "us of one fdatasync of 8 KiB"; exit }'
}
