#!/usr/bin/env bash
# Instances whose memory grows, on a GPU: bench/growing.sh BIN GROWING.wasm [INSTANCES] [PAGES] [ROUNDS]
#   BIN           a folder with wasmburstd and wasmburstctl: of a build's installation or a bundle
#   GROWING.wasm  build/release/bench/growing.wasm or a bundle's
# A daemon with [cuda] memory = "reserved" and one with "mapped" run the same job in turns: instances (20,000) that take
# PAGES (4) pages of 64 KiB on average, one by one, exponentially distributed, of a module that may have 256. Then the
# processors beside the GPU. Results and fuel must be equal in all of them. Medians of the ROUNDS (3), the first, which
# builds the kernels, not counted, with the lowest and the highest.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
me=growing.sh bin="$1" growing="$2" instances="${3:-20000}" pages="${4:-4}" rounds="${5:-3}"
. "$(dirname "$0")/service.sh"
need_module "$growing"
need_number "instances, pages or rounds" "$instances" "$pages" "$rounds"

# run NAME DAEMON PLACEMENT: appends "seconds fuel/s launches busy-share" to NAME; results and fuel are to be the first ones'.
run() {
  ctl "$2" job run "$growing" --call grow --arg "0..$instances" --arg "$pages" --placement "$3" \
    --report "$work/report.json" >"$work/results" 2>"$work/ctl.log" || { cat "$work/ctl.log" >&2; exit 1; }
  echo "$(number_of fuel) $(awk '{ $4 = ""; print }' "$work/results" | sort | cksum)" >"$work/sum"  # $4: the engine
  [ -f "$work/expected" ] || cp "$work/sum" "$work/expected"
  cmp -s "$work/expected" "$work/sum" ||
    { echo "$me: $1: fuel and results [$(<"$work/sum")], not [$(<"$work/expected")]" >&2; exit 1; }
  awk -v t="$(took)" -v fuel="$(number_of fuel)" -v bursts="$(number_of bursts)" -v busy="$(number_of device_time)" \
    'BEGIN { print t, fuel / t, bursts, 100 * busy / t }' >>"$work/$1"
}

for memory in reserved mapped; do begin "$memory" 'devices = "0"' "memory = \"$memory\""; done
for ((round = 0; round <= rounds; round++)); do
  echo "round $round of $rounds" >&2
  for memory in reserved mapped; do run "$memory" "$memory" gpu; done
  run cpu mapped cpu
  [ "$round" != 0 ] || rm "$work"/{reserved,mapped,cpu}
done
echo "$instances instances of $pages pages on average, $(getconf _NPROCESSORS_ONLN) processors beside the GPU; results and fuel equal"
heading
for memory in reserved mapped; do
  column $memory 1 | row "GPU, $memory" s ""
  column $memory 2 | row "GPU, $memory" instr/s ""
  column $memory 3 | row "GPU, $memory: launches" "" ""
  column $memory 4 | row "GPU, $memory: share of the job it is busy" % ""
done
column cpu 1 | row "CPU device" s ""
paste <(column reserved 1) <(column mapped 1) | awk '{ print $1 / $2 }' | row "mapped over reserved" x ""
