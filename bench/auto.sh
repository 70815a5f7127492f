#!/usr/bin/env bash
# Jobs that leave their place open, beside the same ones on the GPU and on the processors:
#   bench/auto.sh BIN GUESTS [ROUNDS]
#   BIN     a folder with wasmburstd and wasmburstctl: of a build's installation or a bundle
#   GUESTS  a folder with lengths.wasm, sha256.wasm, gemm.wasm, lexer.wasm and trees.wasm: a bundle's bench
# Instances of equal and of exponentially distributed length, few and many, short and long, and the four guests of
# bench/scheduler.sh, each in turns; the first round only shows the daemon what they take. Where the processors would take
# 20 s they are left out. Medians of the other rounds (3), in ms. Last line: auto: worst R over the better of the two.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
me=auto.sh bin="$1" guests="$2" rounds="${3:-3}"
. "$(dirname "$0")/service.sh"
modules=(lengths sha256 gemm lexer trees)
for module in "${modules[@]}"; do need_module "$guests/$module.wasm"; done
need_number rounds "$rounds"

# MODULE EXPORT INSTANCES ROUNDS: of an instance. Of lengths each is 17.5 instructions.
rows=(
  "lengths equal 1000 50000" "lengths equal 20000 50000" "lengths equal 200000 50000"
  "lengths exponential 200000 50000" "lengths equal 1000 1000000" "lengths equal 20000 1000000"
  "lengths exponential 20000 1000000" "lengths equal 1000000 1000000"
  "sha256 run 1000 80" "sha256 run 50000 80" "gemm run 1000 1" "gemm run 50000 1"
  "lexer run 1000 6" "lexer run 50000 6" "trees run 1000 200" "trees run 50000 200"
)
milliseconds() { awk -v t="$(took)" 'BEGIN { print 1000 * t }'; }
# run ROW PLACEMENT: appends the job's time to $work/ROW.PLACEMENT.
run() {
  local module call instances each
  read -r module call instances each <<<"${rows[$1]}"
  job all "$guests/$module.wasm" --call "$call" --arg "1..$((instances + 1))" --arg "$each" --placement "$2"
  milliseconds >>"$work/$1.$2"
}
cpu_rate=0  # rounds of lengths a second
takes_too_long() {
  local module call instances each
  read -r module call instances each <<<"${rows[$1]}"
  [ "$module" = lengths ] &&
    awk -v n="$((instances * each))" -v rate="$cpu_rate" 'BEGIN { exit !(rate > 0 && n / rate > 20) }'
}

begin all 'devices = "0"'
builds=()
for module in "${modules[@]}"; do
  call=run
  [ $module != lengths ] || call=equal
  for placement in gpu cpu; do  # builds the kernels
    job all "$guests/$module.wasm" --call $call --arg 0..1000 --arg 1 --placement $placement
  done &
  builds+=($!)
done
wait "${builds[@]}"
for ((round = 0; round <= rounds; round++)); do
  echo "round $round of $rounds" >&2
  for row in "${!rows[@]}"; do
    run "$row" gpu
    takes_too_long "$row" || run "$row" cpu
    if [ "$cpu_rate" = 0 ]; then
      read -r _ _ instances each <<<"${rows[$row]}"
      cpu_rate="$(awk -v n="$((instances * each))" -v t="$(took)" 'BEGIN { print n / t }')"
    fi
    run "$row" auto
  done
  [ "$round" != 0 ] || rm "$work"/*.{gpu,cpu,auto}
done
of() { if [ -f "$work/$1" ]; then median <"$work/$1"; else echo -; fi; }
echo "$(getconf _NPROCESSORS_ONLN) processors beside the GPU"
printf '%-8s %-12s %10s %9s %10s %10s %10s %8s\n' module export instances rounds gpu cpu auto 'of best'
worst=0
for row in "${!rows[@]}"; do
  gpu="$(of "$row.gpu")" cpu="$(of "$row.cpu")" auto="$(of "$row.auto")"
  ratio="$(awk -v g="$gpu" -v c="$cpu" -v a="$auto" 'BEGIN { printf "%.2f", a / (c == "-" || g < c ? g : c) }')"
  # shellcheck disable=SC2086  # four words
  printf '%-8s %-12s %10s %9s %10.1f %10s %10.1f %8s\n' ${rows[$row]} "$gpu" "$cpu" "$auto" "$ratio"
  worst="$(awk -v a="$worst" -v b="$ratio" 'BEGIN { print (b > a ? b : a) }')"
done
echo "auto: worst $worst over the better of the two"
