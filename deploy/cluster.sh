#!/usr/bin/env bash
# Several daemons over one PostgreSQL, each in a network of its own, joined by a bridge: how much faster than one of
# them, and what becomes of jobs while daemons are killed, stopped and cut off.
#   deploy/cluster.sh [--hosts N] [--rate R] [--seconds S] [--kills K] [--seed X]
#     8 hosts, 1000 instances a second each, 10 s of work, 9 kills
# The daemons compute nothing (tests/clusters/fake_hosts.sh), so that many fit on a machine. All else is what wasmburstd
# has. Host 1 is left alone and tells of the jobs; then every other host is asked too. Instances tell of their number,
# so each result is known.
# A kill is, in turn: kill -9 and a new start; a SIGSTOP beyond the lease; a link that is cut beyond the lease.
# Last line: cluster: N hosts X times one, K kills, L lost, D doubled. Exit 1 unless L and D are 0; 77, the reason last,
# where namespaces or PostgreSQL are not there. Needs a release build of wb_fake_daemon and wasmburstctl, or
# WASMBURST_BUILD=FOLDER.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
hosts=8 rate=1000 seconds=10 kills=9 seed=1
arguments=("$@")
while [ $# -gt 0 ]; do
  case "$1" in
    --hosts | --rate | --seconds | --kills | --seed)
      [[ ${2:-} =~ ^[0-9]+$ ]] || { echo "cluster.sh: $1 needs a number" >&2; exit 2; }
      declare "${1#--}=$2"
      shift 2
      ;;
    *) echo "cluster.sh: unknown argument [$1]; known are --hosts, --rate, --seconds, --kills and --seed" >&2; exit 2 ;;
  esac
done
[ "$hosts" -ge 2 ] && [ "$hosts" -le 200 ] || { echo "cluster.sh: from 2 to 200 hosts" >&2; exit 2; }
leave_out() { echo "skipped: $1"; exit 77; }
. deploy/platform.sh
build="${WASMBURST_BUILD:-$PWD/build/$preset}"
[ "$(id -u)" = 0 ] || leave_out "only root may make networks"
. tests/shell/own_postgres.sh
[ -n "$pg_bin" ] || leave_out "there is no PostgreSQL server (Debian: postgresql-15)"
# All processes and networks end with this script.
if [ -z "${WB_CLUSTER:-}" ]; then
  unshare --mount --net --pid --fork true 2>/dev/null || leave_out "namespaces cannot be made here"
  WB_CLUSTER=in exec unshare --mount --net --pid --fork --kill-child --mount-proc bash "$0" ${arguments[@]+"${arguments[@]}"}
fi
RANDOM=$seed
work="$(mktemp -d)"
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
stop_here() { echo "cluster.sh: $1" >&2; exit 1; }

# --- the network: hosts have 192.0.2.2 and up, the database 192.0.2.1
network=192.0.2
{ ip link add bridge type bridge && ip link set bridge up && ip address add $network.1/24 dev bridge && ip link set lo up; } \
  2>"$work/said" || leave_out "a bridge cannot be made here: $(cat "$work/said")"
namespaces=()
# A process that holds the network of a host, and its link.
make_network() { # HOST
  unshare --net sleep infinity &
  namespaces[$1]=$!
  until [ "$(readlink "/proc/$!/ns/net")" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.01; done
  ip link add "host$1" type veth peer name eth0 netns "$!" && ip link set "host$1" master bridge up &&
    inside "$1" sh -c "ip link set lo up && ip link set eth0 up && ip address add $network.$(($1 + 1))/24 dev eth0"
}
inside() { nsenter --net="/proc/${namespaces[$1]}/ns/net" "${@:2}"; }

# --- the database
begin_database() {
  make_postgres "$work/pg" >"$work/said" 2>&1 || stop_here "$(tail -n 3 "$work/said")"
  printf 'local all all trust\nhost all wasmburst %s.0/24 trust\n' $network >"$work/pg/data/pg_hba.conf"
  start_postgres -c listen_addresses=$network.1 -c max_connections=$((hosts * 10 + 20)) || stop_here "PostgreSQL does not start"
}

# --- hosts
. tests/clusters/fake_hosts.sh
begin_host() { # HOST
  configure_host "$1" "postgresql://wasmburst@$network.1/wasmburst"
  run_host "$1" "$rate" nsenter --net="/proc/${namespaces[$1]}/ns/net"
}
pid_of() { cat "$work/host$1/pid"; }
await_host() {
  for _ in $(seq 100); do ! serves "$1" >/dev/null 2>&1 || return 0; sleep 0.1; done
  tail -n 5 "$work/host$1/log" >&2
  stop_here "host $1 does not serve"
}

# compare COUNT FILE: adds to lost and doubled.
lost=0 doubled=0
compare() {
  read -r missing more < <(awk -v count="$1" '
    $1 == $2 && $1 >= 0 && $1 < count { ++seen[$1]; next } { ++wrong }
    END { for (i = 0; i < count; ++i) { n = seen[i]; missing += n == 0; more += n > 1 ? n - 1 : 0 } print missing + 0, more + wrong + 0 }' "$2")
  lost=$((lost + missing)) doubled=$((doubled + more))
}
printf '0 0\n1 1\n1 1\n3 2\n' >"$work/results"  # that it finds what it looks for
compare 4 "$work/results"
[ "$lost $doubled" = "2 2" ] || stop_here "results that are missing or twice there are not found"
lost=0 doubled=0
# again WORDS COMMAND...: until it succeeds, where the database is slow to answer.
again() {
  local words="$1"
  shift
  for _ in $(seq 20); do
    "$@" 2>"$work/said" && return
    echo "$words again: $(head -n 1 "$work/said")" >&2
    sleep 1
  done
  stop_here "$words did not succeed"
}
submit() { # COUNT REQUEST
  ctl 1 job submit "$work/guest.wat" --call identity --arg "0..$1" --request-id "$2" >"$work/job"
}
read_all() { results_of 300 1 "$job" --follow >"$work/results"; }
# run_job COUNT: through host 1; sets took (seconds) and job; its results are in $work/results.
run_job() {
  local began
  began="$(date +%s.%N)"
  again "submitting" submit "$1" "of $began"
  job="$(cat "$work/job")"
  again "reading" read_all
  took="$(awk -v a="$began" -v b="$(date +%s.%N)" 'BEGIN { print b - a }')"
  compare "$1" "$work/results"
}

# --- one of them, then all
begin_database
for host in $(seq "$hosts"); do make_network "$host" || stop_here "no network for host $host"; done
begin_host 1
await_host 1
run_job $((rate * seconds))
one="$took"
echo "1 host: $((rate * seconds)) instances in $one s"
for host in $(seq 2 "$hosts"); do begin_host "$host"; done
for host in $(seq 2 "$hosts"); do await_host "$host"; done
run_job $((rate * seconds * hosts))
speed="$(awk -v one="$one" -v all="$took" -v n="$hosts" 'BEGIN { printf "%.2f", n * one / all }')"
echo "$hosts hosts: $((rate * seconds * hosts)) instances in $took s"
[ "$lost" = 0 ] && [ "$doubled" = 0 ] || echo "without a kill: $lost lost, $doubled doubled"

# --- kills: one begins every so often, of one host after the other, and lasts longer than the lease
beyond=$((host_lease + 2))
between="$(awk -v b=$beyond -v n="$hosts" 'BEGIN { t = (b + 1) / (n - 1); print (t > 1.5) ? t : 1.5 }')"
kill_and_begin() {
  kill -KILL "$(pid_of "$1")"
  sleep $beyond
  begin_host "$1"
}
stop_and_go() {
  kill -STOP "$(pid_of "$1")"
  sleep $beyond
  kill -CONT "$(pid_of "$1")"
}
cut_and_join() {
  ip link set "host$1" down
  sleep $beyond
  ip link set "host$1" up
}
kinds=(kill_and_begin stop_and_go cut_and_join)
trouble() {
  local k host kind order
  order=($(for ((host = 2; host <= hosts; host++)); do echo "$RANDOM $host"; done | sort -n | cut -d' ' -f2))
  for ((k = 0; k < kills; k++)); do
    sleep "$between"
    [ ! -e "$work/ended" ] || break
    kind="${kinds[k % 3]}" host="${order[k % (hosts - 1)]}"
    echo "$kind host$host" >>"$work/kills"
    $kind "$host" 2>>"$work/kill_errors" &
  done
  wait
}
touch "$work/kills"
trouble &
troubled=$!
# As long as all kills take, on the hosts that are left meanwhile.
count="$(awk -v r="$rate" -v n="$hosts" -v k="$kills" -v b="$between" -v t=$beyond 'BEGIN { print int(r * (n - 1) * (k * b + t)) }')"
run_job "$count"
touch "$work/ended"
killed="$(wc -l <"$work/kills")"
echo "$hosts hosts, $killed of them or their links gone for a while ($(cut -d' ' -f1 "$work/kills" | sort | uniq -c | xargs)): $count instances in $took s"
wait "$troubled"
# --- every host tells the same of it
results_at() { results_of 300 "$1" "$job" >"$work/at"; }
expected="$(sort "$work/results" | sha256sum)"
for host in $(seq 2 "$hosts"); do
  await_host "$host"
  again "reading of host $host" results_at "$host"
  [ "$(sort "$work/at" | sha256sum)" = "$expected" ] || stop_here "host $host tells of other results"
done
echo "$(cat "$work"/host*/log | grep -c host_was_dropped) times a host heard that it had been dropped"
ended_well() { ctl 1 job get "$job" | grep -q SUCCEEDED; }
ended_well || stop_here "$(ctl 1 job get "$job")"
echo "cluster: $hosts hosts $speed times one, $killed kills, $lost lost, $doubled doubled"
[ "$lost" = 0 ] && [ "$doubled" = 0 ]
