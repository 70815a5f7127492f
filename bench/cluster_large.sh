#!/usr/bin/env bash
# A job of very many instances by several hosts over one PostgreSQL: how long, and what memory each process takes.
#   bench/cluster_large.sh BIN [HOSTS] [INSTANCES]     2 hosts, 100000000 instances of 49 instructions
#   BIN   a folder with wasmburstd, wasmburstctl and wb_result_reader
# Hosts as those of cluster_gpus.sh; WB_HOSTS_ON=cpu takes CPU devices. The last host's results are followed from the job's
# start by a reader that keeps a bit of each instance. Every ten seconds each host tells of the job's progress. Memory is
# looked at every second: of a PostgreSQL process its own, without what all share.
# Last line: "cluster large: N instances in S s, L lost, D doubled; MiB at most: daemon A, engine host B, PostgreSQL process C, reader E"
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
me=cluster_large.sh bin="$1" hosts="${2:-2}" instances="${3:-100000000}"
on="${WB_HOSTS_ON:-gpu}"
here="$(cd "$(dirname "$0")" && pwd)"
. "$here/service.sh"
. "$here/cluster/hosts.sh"
need_number "hosts or instances" "$hosts" "$instances"
children_of() { local pid; for pid in "$@"; do cat "/proc/$pid/task/"*/children 2>/dev/null || true; done; }
# look NAME FIELD PID/status...: "NAME KIB" of each into $work/looked.
look() {
  local name="$1" field="$2"
  shift 2
  grep -h "^$field:" "${@/#//proc/}" 2>/dev/null | awk -v name="$name" '{ print name, $2 }' >>"$work/looked" || true
}
look_at_all() {
  local own=("${daemons[@]/%//status}") engines=() servers=() pid
  for pid in $(children_of "${daemons[@]}"); do engines+=("$pid/status"); done
  for pid in $(children_of "$server"); do servers+=("$pid/status"); done
  look daemon VmHWM "${own[@]}"
  look engine VmHWM "${engines[@]}"
  look postgres RssAnon "${servers[@]}"
  look reader VmHWM "$reader/status"
}
most() { awk -v name="$1" '$1 == name && $2 > most { most = $2 } END { printf "%d", most / 1024 }' "$work/looked"; }
server_of_postgres() { head -n 1 "$work/pg/data/postmaster.pid"; }

begin_store
for ((host = 1; host <= hosts; host++)); do begin_cluster_host $host; done
server="$(server_of_postgres)"
submit() { ctl host1 -q job submit "$here/../tests/e2e/guest.wat" --call draw --arg "0..$1" --arg 3 --memory 65536 --placement "$on"; }
"$bin/wb_result_reader" "unix://$work/host$hosts.sock" "$(submit 100000)" columns >/dev/null # compiles
began="$(date +%s.%N)"
job="$(submit "$instances")"
"$bin/wb_result_reader" "unix://$work/host$hosts.sock" "$job" columns >"$work/read" 2>&1 &
reader=$!
second=0
while kill -0 "$reader" 2>/dev/null; do
  look_at_all
  if ((second++ % 10 == 0)); then
    for ((host = 1; host <= hosts; host++)); do
      echo "$second s, host$host: $(ctl host$host -o json job get "$job" | tr -d ' "\n' | sed 's/.*counts:{\(.*\),returned.*/\1/')"
    done
  fi
  sleep 1
done
wait "$reader" || { echo "$me: the reader: $(cat "$work/read")" >&2; failed=1; }
took="$(awk -v a="$began" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }')"
read -r lost doubled < <(sed 's/.*bytes, \([0-9]*\) lost, \([0-9]*\) doubled/\1 \2/' "$work/read")
ctl host1 job get "$job"
du -sm "$work/pg/data" | awk '{ print "PostgreSQL has " $1 " MiB of files" }'
echo "cluster large: $instances instances in $took s, $lost lost, $doubled doubled; MiB at most: daemon $(most daemon)," \
  "engine host $(most engine), PostgreSQL process $(most postgres), reader $(most reader)"
[ -z "${failed:-}" ]
