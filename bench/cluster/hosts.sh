# Sourced behind service.sh: daemons over one PostgreSQL on this machine, whose host N has GPU N - 1, or with on=cpu one
# thread of the CPU device. Needs a shell, awk and Debian's postgresql-15.
. "$(dirname "${BASH_SOURCE[0]}")/../../tests/shell/own_postgres.sh"
[ -n "$pg_bin" ] || { echo "$me: there is no PostgreSQL server (Debian: postgresql-15)" >&2; exit 77; }
begin_store() {
  chmod 755 "$work"
  make_postgres "$work/pg" >"$work/log"
  start_postgres -c fsync=on -c max_connections=300
  trap 'clean_up; stop_postgres || true' EXIT
}
# begin_cluster_host N
begin_cluster_host() {
  local devices=("devices = \"$(($1 - 1))\"") cpu='enabled = false' cuda_enabled=on
  if [ "$on" = cpu ]; then cuda_enabled=off devices=() cpu='threads = 1'; fi
  begin "host$1" "${devices[@]}" '[cpu]' "$cpu" '[page]' 'enabled = false' '[store]' \
    "postgres = \"postgresql:///wasmburst?host=$work/pg&user=wasmburst\"" '[cluster]' "host = \"host$1\"" 'lease = "5s"'
}
