#!/usr/bin/env bash
# Several GPUs on one job: bench/gpus.sh BIN LENGTHS.wasm [INSTANCES] [MEAN] [ROUNDS]
#   BIN           a folder with wasmburstd and wasmburstctl: of a build's installation or a bundle
#   LENGTHS.wasm  deploy/demo/build_wasm.sh LENGTHS.wasm bench/lengths.c
# The same job on one GPU, the others cordoned, and on all of them, in turns; medians of the rounds with the
# lowest and the highest. Last line: "gpus: N GPUs, R per GPU", R being the speed of all over N times that of
# one (aim >= 0.95). WASMBURST_ENGINE_HOST names another engine host. Needs nothing but a shell and awk, so
# that it runs where a bundle runs.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
me=gpus.sh bin="$1" lengths="$2" instances="${3:-8000000}" mean="${4:-1000000}" rounds="${5:-3}"
. "$(dirname "$0")/service.sh"
need_module "$lengths"
need_number "instances, mean or rounds" "$instances" "$mean" "$rounds"

begin gpus
gpus=($(ctl gpus device list | awk '$2 == "cuda" { sub(".*/", "", $1); print $1 }'))
[ ${#gpus[@]} -ge 1 ] || refuse "the daemon has no GPU"

# run NAME GPUS EXPORT: appends to NAME "fuel/s, share of the GPUs' time that they were busy, seconds".
run() {
  job gpus "$lengths" --call "$3" --arg "0..$instances" --arg "$mean" --placement gpu
  awk -v t="$(took)" -v n="$2" -v fuel="$(number_of fuel)" -v busy="$(number_of device_time)" '
    BEGIN { print fuel / t, 100 * busy / (t * n), t }' >>"$work/$1"
}
others() { for ((i = 1; i < ${#gpus[@]}; i++)); do ctl gpus device "$1" "${gpus[i]}" >/dev/null; done; }

# Builds the kernel and loads it everywhere.
for export in equal exponential; do
  job gpus "$lengths" --call $export --arg "0..$instances" --arg 10 --placement gpu
done
for ((round = 1; round <= rounds; round++)); do
  echo "round $round of $rounds" >&2
  for export in equal exponential; do
    others cordon
    run one-$export 1 $export
    others uncordon
    run all-$export ${#gpus[@]} $export
  done
done
echo "$instances instances of $mean rounds on average, ${#gpus[@]} GPUs: ${gpus[*]}"
ctl gpus device list | awk '$2 == "cuda"'
heading
for export in equal exponential; do
  for on in one all; do
    column $on-$export 1 | row "$on, $export lengths" instr/s ""
    column $on-$export 3 | row "$on, $export lengths" s ""
    column $on-$export 2 | row "$on, $export: share of the GPUs' time that is busy" % ""
  done
  paste -d' ' <(column all-$export 1) <(column one-$export 1) |
    awk -v n=${#gpus[@]} '{ print $1 / (n * $2) }' >"$work/per-gpu-$export"
  row "$export: all over ${#gpus[@]} times one" "" ">= 0.95" <"$work/per-gpu-$export"
done
echo "gpus: ${#gpus[@]} GPUs, $(median <"$work/per-gpu-equal" | awk '{ printf "%.3f", $1 }') per GPU"
