#!/usr/bin/env bash
# A GPU's policies side by side: bench/policies.sh BIN LENGTHS.wasm [SECONDS] [MEAN] [POLICY...]
#   BIN           a folder with wasmburstd and wasmburstctl: of a build's installation or a bundle
#   LENGTHS.wasm  deploy/demo/build_wasm.sh LENGTHS.wasm bench/lengths.c
# A daemon for each policy (burst, continuous, persistent and seed), one after the other, each with one job of instances of
# exponentially distributed length that takes about SECONDS (90). A row for each: what the device did end to end and
# while it was busy, of that the share of what instances of equal length get (lanes that are useful), processors,
# launches for each instance, energy and heat as the daemon's own sensors say ("-": there are none). RECORDS=FOLDER
# keeps what they said there, POLICY.csv, for replay_heat.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
me=policies.sh bin="$1" lengths="$2" seconds="${3:-90}" mean="${4:-1000000}"
. "$(dirname "$0")/service.sh"
need_module "$lengths"
need_number "seconds or rounds" "$seconds" "$mean"
policies=("${@:5}")
[ ${#policies[@]} -gt 0 ] || policies=(burst continuous persistent seed)

spin() { job "$1" "$lengths" --call "$2" --arg "0..$3" --arg "$mean" --placement gpu; }
rate() { awk -v fuel="$(number_of fuel)" -v busy="$(number_of device_time)" 'BEGIN { print fuel / busy }'; }
# "seconds,celsius,watts,limit" a second, as the device's sensors say.
watch_sensors() {
  local begin="$EPOCHREALTIME"
  echo seconds,celsius,watts,limit
  while sleep 1; do
    ctl "$1" -o json device get cuda0 2>/dev/null | tr -d '", ' |
      awk -F: -v t="$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')" '
        $1 == "watts" { w = $2 } $1 == "celsius" { c = $2 } $1 == "watts_limit" { l = $2 }
        END { if (c != "") printf "%.2f,%s,%s,%s\n", t, c, w + 0, l + 0 }'
  done
}

measure() {
  local policy="$1" instances equal equal_instances hosts daemon watcher
  begin "$policy" 'devices = "0"' "policy = \"$policy\""
  equal_instances="$(awk -v mean="$mean" 'BEGIN { n = 8e12 / mean + 1; printf "%d", n < 8e6 ? n : 8e6 }')"
  spin "$policy" equal "$equal_instances"
  equal="$(rate)"
  # How many fill the time, burst's rests not counted.
  instances="$(awk -v n="$equal_instances" -v busy="$(number_of device_time)" -v s="$seconds" 'BEGIN { printf "%d", n * s / busy + 1 }')"
  watch_sensors "$policy" >"$work/$policy.sensors" &
  watcher=$!
  hosts="$(host_seconds "$policy")" daemon="$(processor_seconds "/proc/${daemons[$policy]}")"
  spin "$policy" exponential "$instances"
  hosts="$(awk -v a="$hosts" -v b="$(host_seconds "$policy")" 'BEGIN { print b - a }')"
  daemon="$(awk -v a="$daemon" -v b="$(processor_seconds "/proc/${daemons[$policy]}")" 'BEGIN { print b - a }')"
  kill "$watcher" && wait "$watcher" 2>/dev/null || true
  [ -z "${RECORDS:-}" ] || cp "$work/$policy.sensors" "$RECORDS/$policy.csv"
  awk -F, -v policy="$policy" -v n="$instances" -v t="$(took)" -v fuel="$(number_of fuel)" -v equal="$equal" \
    -v busy="$(number_of device_time)" -v launches="$(number_of bursts)" -v hosts="$hosts" -v daemon="$daemon" '
    NR > 1 { watts += $3; if ($2 > hottest) hottest = $2 }
    END {
      printf "%-11s %7.1f %11.3e %11.3e %7.1f %8.2f %7.1f %7.1f %8.1f %10.1e", policy, t, n / t, fuel / t, 100 * busy / t,
        1000 * (t - busy) / launches, 100 * fuel / busy / equal, 100 * hosts / t, 100 * daemon / t, launches / n
      rows = NR - 1
      if (rows > 0) printf " %7.0f %10.2e %5.0f\n", watts / rows, watts / rows * t / n, hottest
      else printf " %7s %10s %5s\n", "-", "-", "-"
    }' "$work/$policy.sensors"
  end_daemon "$policy"
}

echo "instances of $mean rounds on average, exponentially distributed"
printf '%-11s %7s %11s %11s %7s %8s %7s %7s %8s %10s %7s %10s %5s\n' policy seconds instances/s instr/s 'busy %' \
  'gap ms' 'lanes %' 'hosts %' 'daemon %' 'launches/i' watts 'J/inst.' C
for policy in "${policies[@]}"; do measure "$policy"; done
