#!/usr/bin/env bash
# Residency on a GPU: bench/residency.sh BIN GUESTS [SECONDS] [ROUNDS]
#   BIN      a folder with wasmburstd and wasmburstctl: of a build's installation or a bundle
#   GUESTS   a folder with kernel_guests.wasm, calls.wasm and histogram.wasm: build/release/bench or a bundle's bench;
#            and bcrypt.wasm if it is to run too (bench/race/build_guests.sh)
# Two daemons, one with [cuda] residency = "all" and one with "auto", run the same jobs of about SECONDS (5) in
# turns; the second one has had jobs before, from which it found its lanes. Medians of the ROUNDS (3) with the lowest
# and the highest, in instructions a second while the GPU was busy; then what was found, and one job of
# another daemon that finds it beside the kernel. Fuel must be equal in all of them. WASMBURST_ENGINE_HOST names another
# engine host. Needs nothing but a shell and awk, so that it runs where a bundle runs.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
me=residency.sh bin="$1" guests="$2" seconds="${3:-5}" rounds="${4:-3}"
. "$(dirname "$0")/service.sh"
for guest in kernel_guests calls histogram; do need_module "$guests/$guest.wasm"; done
need_number "seconds or rounds" "$seconds" "$rounds"

begin_with() { begin "$1" 'devices = "0"' "residency = \"$1\""; }

# run DAEMON FILE EXPORT INSTANCES: says "fuel busy-seconds".
run() {
  job "$1" "$2" --call "$3" --arg "0..$4" --placement gpu
  echo "$(number_of fuel) $(number_of device_time)"
}
rate() { awk '{ print $1 / $2 }'; }
found() { grep -c 'residency: ' "$work/auto.log" || true; }

measure() {
  local name="$1" file="$guests/$2.wasm" export="$3" first=500000 instances before all auto trial=0
  instances="$(run all "$file" "$export" $first |
    awk -v first=$first -v s="$seconds" '{ n = first * s / $2; if (n < first) n = first; if (n > 1e9) n = 1e9; printf "%d", n }')"
  before="$(found)"
  while [ "$(found)" = "$before" ] && [ $((trial++)) -lt 8 ]; do
    run auto "$file" "$export" "$instances" >>"$work/$name-first"
  done
  for ((round = 1; round <= rounds; round++)); do
    all="$(run all "$file" "$export" "$instances")"
    auto="$(run auto "$file" "$export" "$instances")"
    [ "${all% *}" = "${auto% *}" ] || { echo "$me: $name: fuel [${all% *}] and [${auto% *}]" >&2; exit 1; }
    echo "$all" >>"$work/$name-all"
    echo "$auto" >>"$work/$name-auto"
  done
  row "$name, $instances instances, all lanes" instr/s "" < <(rate <"$work/$name-all")
  row "$name, jobs in which it was looked for" instr/s "" < <(rate <"$work/$name-first")
  row "$name, what was found" instr/s "" < <(rate <"$work/$name-auto")
  paste <(rate <"$work/$name-auto") <(rate <"$work/$name-all") | awk '{ print $1 / $2 }' | row "$name, found over all" x ""
  if [ "$(found)" = "$before" ]; then echo "$name: nothing was settled on"; return; fi
  grep 'residency: ' "$work/auto.log" | tail -n 1 | sed "s/.*residency: /$name: /; s/\"$//"
  echo "$file $export $instances" >>"$work/again"
}

: >"$work/again"
begin_with all
begin_with auto
measure sha256 kernel_guests sha256
measure shellsort kernel_guests shellsort
measure quicksort calls sort
measure histogram histogram histogram
if [ -r "$guests/bcrypt.wasm" ]; then measure bcrypt bcrypt bcrypt; fi
end_daemon auto
begin_with auto
echo "another daemon, which finds it beside the kernel:"
while read -r file export instances; do
  run auto "$file" "$export" "$instances" | rate | row "$export" instr/s ""
done <"$work/again"
