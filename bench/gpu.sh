#!/usr/bin/env bash
# A GPU through the whole service: bench/gpu.sh BIN LENGTHS.wasm [INSTANCES] [MEAN] [ROUNDS] [SETTING...]
#   BIN           a folder with wasmburstd and wasmburstctl: of a build's installation or a bundle
#   LENGTHS.wasm  deploy/demo/build_wasm.sh LENGTHS.wasm bench/lengths.c
#   SETTING       a line of the daemon's [cuda], such as 'policy = "persistent"'
# Instances of equal and of exponentially distributed length, on the GPU and on all processors beside
# it (these get one in 200), in turns; medians of the rounds with the lowest and the highest. Needs nothing but a shell and
# awk, so that it runs where a bundle runs. What the rows mean: bench/README.md.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
me=gpu.sh bin="$1" lengths="$2" instances="${3:-8000000}" mean="${4:-100000}" rounds="${5:-3}"
. "$(dirname "$0")/service.sh"
need_module "$lengths"
need_number "instances, mean or rounds" "$instances" "$mean" "$rounds"
[ "$instances" -ge 200 ] || refuse "[$instances] instances are too few: the CPU gets one in 200"

# run NAME PLACEMENT EXPORT INSTANCES: appends to NAME "seconds fuel/s busy-share gap-ms host-share bursts
# fuel/busy-s".
run() {
  local before after
  before="$(host_seconds gpu)"
  job gpu "$lengths" --call "$3" --arg "0..$4" --arg "$mean" --placement "$2"
  after="$(host_seconds gpu)"
  awk -v t="$(took)" -v fuel="$(number_of fuel)" -v busy="$(number_of device_time)" \
    -v bursts="$(number_of bursts)" -v host="$(awk "BEGIN { print $after - $before }")" '
    BEGIN { print t, fuel / t, 100 * busy / t, 1000 * (t - busy) / bursts, 100 * host / t, bursts, fuel / busy }
  ' >>"$work/$1"
}

begin gpu "${@:6}"
for placement in gpu cpu; do  # builds the kernels
  job gpu "$lengths" --call equal --arg 0..1000 --arg 10 --placement $placement
done
for ((round = 1; round <= rounds; round++)); do
  echo "round $round of $rounds" >&2
  run gpu-equal gpu equal "$instances"
  run gpu-exponential gpu exponential "$instances"
  run cpu-equal cpu equal $((instances / 200))
  run cpu-exponential cpu exponential $((instances / 200))
done
echo "$instances instances of $mean rounds on average, $(getconf _NPROCESSORS_ONLN) processors beside the GPU ${*:6}"
heading
for lengths_of in equal exponential; do
  column gpu-$lengths_of 2 | row "GPU, $lengths_of lengths" instr/s ""
  column gpu-$lengths_of 7 | row "GPU, $lengths_of lengths, while it was busy" instr/s ""
  column cpu-$lengths_of 2 | row "CPU device, $lengths_of lengths" instr/s ""
  column gpu-$lengths_of 3 | row "GPU, $lengths_of: share of the job it is busy" % ">= 98"
  column gpu-$lengths_of 4 | row "GPU, $lengths_of: gap between launches" ms "<= 1"
  column gpu-$lengths_of 5 | row "GPU, $lengths_of: engine hosts, of one processor" % "<= 5"
  column gpu-$lengths_of 6 | row "GPU, $lengths_of: launches" "" ""
done
paste <(column gpu-exponential 7) <(column gpu-equal 7) | awk '{ print 100 * $1 / $2 }' |
  row "GPU, exponential, of the speed of equal ones, while busy" % ">= 90"
paste <(column gpu-equal 2) <(column cpu-equal 2) | awk '{ print $1 / $2 }' | row "GPU over CPU device, equal" x ""
