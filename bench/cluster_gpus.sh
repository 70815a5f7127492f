#!/usr/bin/env bash
# Hosts with a GPU each on one job over one PostgreSQL: bench/cluster_gpus.sh BIN LENGTHS.wasm [HOSTS] [INSTANCES] [MEAN] [ROUNDS]
#   BIN           a folder with wasmburstd and wasmburstctl: of a build's installation or a bundle
#   LENGTHS.wasm  deploy/demo/build_wasm.sh LENGTHS.wasm bench/lengths.c
#   2 hosts, 16000000 instances of 1000000 rounds, 3 rounds
# Host N has GPU N - 1 alone; all run on one machine, and PostgreSQL, with fsync, too. In turns: the job by host 1, the
# others away; then by all. The job is submitted at host 1. Results of one round are compared, read at the last host.
# Without as many GPUs: WB_HOSTS_ON=cpu takes the CPU device with one thread instead.
# Last line: "cluster gpus: H hosts X times one", of the jobs' times from start to end, median (aim >= 0.95 H).
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
me=cluster_gpus.sh bin="$1" lengths="$2" hosts="${3:-2}" instances="${4:-16000000}" mean="${5:-1000000}" rounds="${6:-3}"
on="${WB_HOSTS_ON:-gpu}"
. "$(dirname "$0")/service.sh"
. "$(dirname "$0")/cluster/hosts.sh"
need_module "$lengths"
need_number "hosts, instances, mean or rounds" "$hosts" "$instances" "$mean" "$rounds"
run() { # NAME INSTANCES MEAN
  job host1 "$lengths" --call equal --arg "0..$2" --arg "$3" --placement "$on" --memory 65536
  took >>"$work/$1"
  number_of fuel >>"$work/fuel-$2-$3"
}

begin_store
for ((host = 1; host <= hosts; host++)); do begin_cluster_host $host; done
run warm "$instances" 10 # Builds the kernel everywhere.
for ((round = 1; round <= rounds; round++)); do
  echo "round $round of $rounds" >&2
  for ((host = 2; host <= hosts; host++)); do end_daemon host$host; done
  run one "$instances" "$mean"
  for ((host = 2; host <= hosts; host++)); do begin_cluster_host $host; done
  run warm "$instances" 10
  run all "$instances" "$mean"
done
ctl "host$hosts" device list
for fuel in "$work"/fuel-*; do
  [ "$(sort -u "$fuel" | wc -l)" = 1 ] || refuse "the same job took different fuel: $(sort -u "$fuel" | xargs)"
done
echo "$instances instances of $mean rounds, $hosts hosts"
heading
row "one host" s "" <"$work/one"
row "$hosts hosts" s "" <"$work/all"
paste -d' ' "$work/one" "$work/all" | awk '{ print $1 / $2 }' >"$work/times"
row "$hosts hosts over one" times ">= 0.95 for each" <"$work/times"
echo "cluster gpus: $hosts hosts $(median <"$work/times" | awk '{ printf "%.2f", $1 }') times one"
