# A PostgreSQL server of this test's own (../shell/own_postgres.sh), without TCP.
. "$here/../shell/own_postgres.sh"
start_server() {
  start_postgres || fail "PostgreSQL answers" "$(tail -n 20 "$pg_folder/log")"
}
# with_server FUNCTION: calls it with a server, if there is one on this machine; $address is its database's.
with_server() {
  if [[ -z $pg_bin ]]; then
    echo "skipped: $1: there is no PostgreSQL server (Debian: postgresql-15)"
    return
  fi
  local folder
  folder=$(mktemp -d /tmp/wb_e2e_pg_XXXXXX)
  chmod 755 "$folder"
  if ! make_postgres "$folder/pg" >"$work/out" 2>&1; then
    fail "a PostgreSQL is made" "$(cat "$work/out")"
  else
    start_server
    address="postgresql:///wasmburst?host=$pg_folder&user=wasmburst"
    "$1"
    stop_postgres
  fi
  rm -rf "$folder"
}
in_order() { sed 's/.*"instance":\([0-9]*\).*"values":\[\([-0-9]*\)\].*"fuel":\([0-9]*\).*/\1 \2 \3/' | sort -n; }
