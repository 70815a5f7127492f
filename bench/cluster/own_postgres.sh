# Sourced by benches that need a PostgreSQL, from the top of the tree: one of their own that goes with them, with fsync and
# Debian's settings. Sets work, programs, PGHOST and what else libpq reads; statement SQL.
. tests/clusters/own_postgres.sh
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
start_postgres -c listen_addresses= -c max_connections=300
sql postgres "ALTER ROLE wasmburst SUPERUSER"  # CHECKPOINT
export PGHOST="$work/pg" PGUSER=wasmburst PGDATABASE=wasmburst
statement() { "$programs/psql" -X -q -A -t -v ON_ERROR_STOP=1 -c "$1"; }
flush_time() {
  as_postgres "$programs/pg_test_fsync" -s 1 -f "$work/pg/data/flushed" 2>/dev/null |
    awk '/^ +fdatasync/ { print $(NF - 1), "us of one fdatasync of 8 KiB"; exit }'
}
median() { sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }
# "12.3 (11.9 to 13.0)": the median, the lowest and the highest. FORMAT is printf's, of one number.
spread() {
  sort -n | awk -v f="$1" '{ all[NR] = $1 } END {
    printf f " (" f " to " f ")\n", all[int((NR + 1) / 2)], all[1], all[NR] }'
}
