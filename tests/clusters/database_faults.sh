#!/usr/bin/env bash
# Two daemons over a PostgreSQL whose disk fills, that stands still, and whose place a standby takes while a job runs: what
# clients are told meanwhile, and that every result is there at the end, once.
#   tests/clusters/database_faults.sh BUILD
# The daemons' devices finish 500 instances a second each, and compute nothing (fake_hosts.sh). Exit 77, the reason last,
# where that cannot be. Last line: N checks of a database's faults
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
build="$(cd "$1" && pwd)"
here=tests/clusters
leave_out() { echo "skipped: $1"; exit 77; }
[ "$(id -u)" = 0 ] || leave_out "only root may make a small disk"
. tests/shell/own_postgres.sh
[ -n "$pg_bin" ] || leave_out "there is no PostgreSQL server (Debian: postgresql-15)"
if [ -z "${WB_FAULTS:-}" ]; then
  unshare --mount --net --pid --fork true 2>/dev/null || leave_out "namespaces cannot be made here"
  WB_FAULTS=in exec unshare --mount --net --pid --fork --kill-child --mount-proc bash "$0" "$@"
fi
work="$(mktemp -d)"
chmod 755 "$work"
trap 'umount -l "$work/disk"; rm -rf "$work"' EXIT
. tests/shell/checks.sh

# --- the first server: tables on a small disk of their own, the log on another, so that a full one ends statements and not
# the server; what is committed is at the standby, too, as soon as there is one
mkdir "$work/disk"
mount -t tmpfs -o size=96m tmpfs "$work/disk" || leave_out "a small disk cannot be mounted here"
begin_first() {
  make_postgres "$work/first" && chown "$(pg_user)" "$work/disk" &&
    start_postgres -c max_wal_senders=4 -c wal_level=replica -c wal_sender_timeout=5s &&
    sql postgres "CREATE TABLESPACE small LOCATION '$work/disk'" && sql postgres "GRANT CREATE ON TABLESPACE small TO wasmburst" &&
    sql postgres "ALTER ROLE wasmburst SET default_tablespace = small"
}
need "PostgreSQL starts" begin_first || exit 1
first_pid=$pg_pid

# --- daemons that know both servers
. $here/fake_hosts.sh
begin_host() { # HOST
  configure_host "$1" "postgresql:///wasmburst?host=$work/first,$work/second&user=wasmburst" 'timeout = "3s"'
  run_host "$1" 500
}
for host in 1 2; do begin_host $host; done
for host in 1 2; do need "host $host serves" within 10 serves $host || { tail -n 5 "$work/host$host/log"; exit 1; }; done

begin_job() { job="$(ctl 1 job submit "$work/guest.wat" --call identity --arg "0..$1")"; }
count_of() { ctl "$1" -o json job get "$job" | sed -n 's/^ *"finished": *"\([0-9]*\)".*/\1/p'; }
beyond() { [ "$(count_of 2)" -gt "$1" ]; }  # so many results are known
# How a job is refused: "REASON".
refused() { ! ctl 1 job submit "$work/guest.wat" --call identity --arg 0..10 >"$work/refusal" 2>&1 && grep -q "$1" "$work/refusal"; }
taken() { ctl 1 job submit "$work/guest.wat" --call identity --arg 0..10; }
# all COUNT: each result of the job is there once, at either host.
all() {
  local host
  for host in 1 2; do
    results_of 60 $host "$job" --follow | sort -n >"$work/results"
    seq 0 $(($1 - 1)) | awk '{ print $1, $1 }' | cmp - "$work/results" || return 1
  done
}

# --- the disk is full
begin_job 4000
check "a job runs" within 20 beyond 500
fill() { ! dd if=/dev/zero of="$work/disk/filler" bs=64k 2>/dev/null; }
check "the disk fills" fill
check "jobs are refused while it is full" within 20 refused NOSPACE
before="$(count_of 2)"
rm "$work/disk/filler"
check "with room again they are taken" within 20 taken
check "and the job goes on" within 20 beyond "$before"
check "nothing of it is lost or doubled" all 4000

# --- the server stands still for longer than a lease, and than a statement may take
begin_job 8000
check "another job runs" within 20 beyond 500
server_processes() { echo "$first_pid" $(cat "/proc/$first_pid/task/"*/children); }
kill -STOP $(server_processes)
check "jobs are refused while the server stands still" within 30 refused MACHINE_FAULT
kill -CONT $(server_processes)
check "when it goes on they are taken" within 30 taken
check "nothing is lost or doubled" all 8000

# --- a standby takes over
# Before it answers it needs to hear which transactions are under way: a checkpoint tells it.
standby_answers() { sql postgres CHECKPOINT && "$pg_bin/pg_isready" -q -h "$work/second" -U admin -d postgres; }
begin_standby() {
  mkdir "$work/second" && chown "$(pg_user)" "$work/second" &&
    as_postgres "$pg_bin/pg_basebackup" -h "$work/first" -U admin -D "$work/second/data" -R -c fast \
      --tablespace-mapping="$work/disk=$work/second/tables" || return 1
  run_postgres "$work/second" -c synchronous_standby_names=
  within 40 standby_answers &&
    sql postgres "ALTER SYSTEM SET synchronous_standby_names = '*'" && sql postgres "SELECT pg_reload_conf()"
}
need "a standby joins" begin_standby || { tail -n 5 "$work/second/log"; exit 1; }
follows() { [ "$(sql postgres "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")" = 1 ]; }
check "it has what is committed" within 10 follows
begin_job 8000
check "a third job runs" within 20 beyond 500
kill -KILL $(server_processes)
check "the first server is gone" within 10 eval "! kill -0 $first_pid 2>/dev/null || grep -q '^State:.Z' /proc/$first_pid/status"
check "jobs are refused meanwhile" within 20 refused MACHINE_FAULT
promote() { "$pg_bin/psql" -X -q -A -t -h "$work/second" -U admin -d postgres -c "SELECT pg_promote()" | grep -q t; }
check "the standby is promoted" promote
check "then jobs are taken" within 30 taken
check "and nothing is lost or doubled" all 8000
[ $failures = 0 ] || { tail -n 5 "$work"/host*/log; exit 1; }
echo "$checks checks of a database's faults"
