#!/usr/bin/env bash
# One file set of gigabytes from end to end: `wasmburstctl run --files`, a daemon of its own, every instance reads
# all of it and must say what a native build of the same program says.
#   bench/large_set.sh [MEGABYTES [INSTANCES [PLACEMENT...]]]     (default 3000 4 interpreter cpu)
# Needs the size once on disk, and once in memory, in the daemon. Says the memory of daemon, engine host and client. Last line: large set bench: ...
set -euo pipefail
cd "$(dirname "$0")/.."
megabytes="${1:-3000}" instances="${2:-4}"
for number in "$megabytes" "$instances"; do
  [[ $number =~ ^[1-9][0-9]{0,4}$ ]] || { echo "large_set.sh: [$number] is not a number of megabytes or instances" >&2; exit 2; }
done
shift $(($# < 2 ? $# : 2))
. bench/own_daemon.sh
take_placements "$@"
clang --target=wasm32-wasi -O2 -Wl,--strip-all -o "$work/sum.wasm" bench/guests/sum_file.c
clang -O2 -o "$work/sum" bench/guests/sum_file.c
# An upload may have half of all that inputs may hold.
cat >"$work/config.toml" <<TOML
version = 1
[inputs]
max_bytes = "$((megabytes + 100))MB"
max_total_bytes = "$((2 * megabytes + 400))MB"
TOML

# mib PID FIELD: of /proc, in MiB; 0 where the process is gone.
mib() { awk -v f="$2:" '$1 == f { printf "%d", $2 / 1024; found = 1 } END { if (!found) printf "0" }' "/proc/$1/status" 2>/dev/null || echo 0; }
# told WHEN: the daemon's memory, and that of its engine hosts, which map the same bytes.
told() {
  local hosts="" pid
  for pid in $(cat "/proc/$daemon/task/"*/children); do hosts="$hosts $(tr '\0' ' ' <"/proc/$pid/cmdline" | awk '{ print $2 }')=$(mib "$pid" VmRSS)/$(mib "$pid" RssAnon)"; done
  printf '%-34s daemon %5d MiB, of them %5d shared, %4d its own; most %5d; hosts (all/own):%s\n' "$1" \
    "$(mib "$daemon" VmRSS)" "$(mib "$daemon" RssShmem)" "$(mib "$daemon" RssAnon)" "$(mib "$daemon" VmHWM)" "${hosts:- none}"
}
# run PLACEMENT: sets took, client_most.
run() {
  local start pid most
  start="$(seconds)" client_most=0
  "$build/client/wasmburstctl" -q run "$work/sum.wasm" -n "$instances" --placement "$1" --files "$work/set" -- data >"$work/said" </dev/null &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    most="$(mib "$pid" VmHWM)"
    ((most <= client_most)) || client_most=$most
    sleep 0.1
  done
  wait "$pid"
  took="$(less "$(seconds)" "$start")"
  [ "$(sort -u "$work/said")" = "$native" ] && [ "$(wc -l <"$work/said")" -eq "$instances" ] ||
    { echo "large_set.sh: the program said [$(head -2 "$work/said")], its native build [$native]" >&2; exit 1; }
}

mkdir "$work/set"
openssl enc -aes-128-ctr -nosalt -K 0 -iv 0 -in <(head -c "${megabytes}000000" /dev/zero) -out "$work/set/data" 2>/dev/null
native="$("$work/sum" "$work/set/data")"
begin_daemon --config "$work/config.toml"
told "at first"
summary=""
for placement in "${placements[@]}"; do
  for round in first again; do
    run "$placement"
    device="$(last_usage | awk '{ printf "%.2f", $1 / 1e9 }')"
    told "$placement, $round"
    printf '%-34s %s s in all, %s s on the device, client at most %d MiB\n' "" "$took" "$device" "$client_most"
    summary="$summary $placement-$round=$took"
  done
done
echo "large set bench: $megabytes MB, daemon at most $(mib "$daemon" VmHWM) MiB, seconds:$summary"
