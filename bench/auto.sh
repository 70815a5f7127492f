#!/usr/bin/env bash
# Jobs that leave their place open, beside the same ones on the GPU and on the processors:
#   bench/auto.sh BIN LENGTHS.wasm [ROUNDS]
#   BIN           a folder with wasmburstd and wasmburstctl: of a build's installation or a bundle
#   LENGTHS.wasm  deploy/demo/build_wasm.sh LENGTHS.wasm bench/lengths.c
# Instances of equal and of exponentially distributed length, few and many, short and long, each in turns; the first round
# only shows the daemon what they take. Where the processors would take 20 s they are left out. Medians of the other
# rounds, in ms. Last line: auto: worst R over the better of the two.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
me=auto.sh bin="$1" lengths="$2" rounds="${3:-3}"
. "$(dirname "$0")/service.sh"
need_module "$lengths"
need_number rounds "$rounds"

# EXPORT INSTANCES MEAN: 17.5 instructions for each of a mean's rounds.
rows=(
  "equal 1000 50000" "equal 20000 50000" "equal 200000 50000" "exponential 200000 50000"
  "equal 1000 1000000" "equal 20000 1000000" "exponential 20000 1000000" "equal 1000000 1000000"
)
milliseconds() { awk -v t="$(took)" 'BEGIN { print 1000 * t }'; }
# run ROW PLACEMENT: appends the job's time to $work/ROW.PLACEMENT.
run() {
  local call instances mean
  read -r call instances mean <<<"${rows[$1]}"
  job all "$lengths" --call "$call" --arg "0..$instances" --arg "$mean" --placement "$2"
  milliseconds >>"$work/$1.$2"
}
cpu_rate=0
takes_too_long() {
  local call instances mean
  read -r call instances mean <<<"${rows[$1]}"
  awk -v fuel="$((instances * mean))" -v rate="$cpu_rate" 'BEGIN { exit !(rate > 0 && fuel / rate > 20) }'
}

begin all 'devices = "0"'
for placement in gpu cpu; do  # builds the kernels
  job all "$lengths" --call equal --arg 0..1000 --arg 10 --placement $placement
done
for ((round = 0; round <= rounds; round++)); do
  echo "round $round of $rounds" >&2
  for row in "${!rows[@]}"; do
    run "$row" gpu
    takes_too_long "$row" || run "$row" cpu
    if [ "$cpu_rate" = 0 ]; then
      read -r _ instances mean <<<"${rows[$row]}"
      cpu_rate="$(awk -v n="$((instances * mean))" -v t="$(took)" 'BEGIN { print n / t }')"
    fi
    run "$row" auto
  done
  [ "$round" != 0 ] || rm "$work"/*.{gpu,cpu,auto}
done
of() { if [ -f "$work/$1" ]; then median <"$work/$1"; else echo -; fi; }
echo "$(getconf _NPROCESSORS_ONLN) processors beside the GPU"
printf '%-12s %10s %12s %10s %10s %10s %8s\n' lengths instances mean gpu cpu auto 'of best'
worst=0
for row in "${!rows[@]}"; do
  gpu="$(of "$row.gpu")" cpu="$(of "$row.cpu")" auto="$(of "$row.auto")"
  ratio="$(awk -v g="$gpu" -v c="$cpu" -v a="$auto" 'BEGIN { printf "%.2f", a / (c == "-" || g < c ? g : c) }')"
  # shellcheck disable=SC2086  # three words
  printf '%-12s %10s %12s %10.1f %10s %10.1f %8s\n' ${rows[$row]} "$gpu" "$cpu" "$auto" "$ratio"
  worst="$(awk -v a="$worst" -v b="$ratio" 'BEGIN { print (b > a ? b : a) }')"
done
echo "auto: worst $worst over the better of the two"
