#!/usr/bin/env bash
# What transactions of a cluster of daemons cost a PostgreSQL of this machine.
#   bench/cluster_database.sh [SECONDS [ROUNDS]]    5 seconds each, 3 rounds
# The tables and statements are the shared store's (daemon/postgres): a claim; commits of a block of 1 KiB and of 64 KiB; news
# (notify); a host that is heard (beat); a look for 64 open jobs; one job (read); the list of 1,000 hosts; and two ways
# that it does not go: commits behind an advisory lock (queued_1k), news in the commit's transaction (within_1k). By 1 to
# 256 clients, of one job and of a job for each. The server is one of this script's own, with fsync and Debian's
# settings; server and clients share the processors. Each client is a connection on a Unix socket. What is compared runs in
# turns within a round.
# A line: transaction, clients, jobs, listeners: transactions a second, and milliseconds of one, as median (lowest to
# highest). Last line for machines: database: CLAIM COMMIT1K COMMIT64K a second with 64 clients and jobs; of one job
set -euo pipefail
cd "$(dirname "$0")/.."
seconds="${1:-5}" rounds="${2:-3}"
for number in "$seconds" "$rounds"; do
  [[ $number =~ ^[1-9][0-9]?$ ]] || { echo "cluster_database.sh: [$number] is not a number from 1 to 99" >&2; exit 2; }
done
. bench/cluster/own_postgres.sh
. bench/cluster/transactions.sh
make_tables
printf '%s\n' "$body_64k" | awk '{ print "a block of", length($0), "bytes" }'
flush_time | sed 's/^/flush: /'
echo "load before: $(cut -d' ' -f1-3 /proc/loadavg)"
# Transaction, clients, jobs, listeners.
cases=(
  "claim 1 1 0" "claim 64 1 0" "claim 64 64 0"
  "commit_1k 1 1 0" "commit_1k 8 1 0" "commit_1k 64 1 0" "commit_1k 256 1 0" "commit_1k 64 64 0"
  "commit_64k 1 1 0" "commit_64k 64 1 0" "commit_64k 64 64 0"
  "queued_1k 64 1 0" "within_1k 64 64 1" "notify 64 64 1" "notify 64 64 100"
  "beat 64 64 0" "look 64 64 0" "read 64 64 0" "hosts 64 64 0")
for ((round = 1; round <= rounds; ++round)); do
  for one in "${cases[@]}"; do
    read -r transaction clients jobs listeners <<<"$one"
    measure "$transaction" "$clients" "$jobs" "$listeners" "$seconds" >>"$work/${one// /_}"
  done
  echo "after round $round: $(flush_time), load $(cut -d" " -f1-3 /proc/loadavg)"
done
printf '%-14s %7s %5s %9s   %s\n' transaction clients jobs listeners "a second; milliseconds of one"
for one in "${cases[@]}"; do
  read -r transaction clients jobs listeners <<<"$one"
  printf '%-14s %7s %5s %9s   %s; %s\n' "$transaction" "$clients" "$jobs" "$listeners" \
    "$(awk '{ print $1 }' "$work/${one// /_}" | spread %.0f)" "$(awk '{ print $2 }' "$work/${one// /_}" | spread %.2f)"
done
a_second() { awk '{ print $1 }' "$work/$1" | median; }
echo "database: $(a_second claim_64_64_0) $(a_second commit_1k_64_64_0) $(a_second commit_64k_64_64_0) a second;" \
  "$(a_second claim_64_1_0) $(a_second commit_1k_64_1_0) $(a_second commit_64k_64_1_0) of one job"
