#!/usr/bin/env bash
# What groups are worth to a program: bench/group_programs.sh [ROUNDS] [PLACEMENT...]
#   ROUNDS     how often each is measured, in turns (5)
#   PLACEMENT  interpreter, cpu (cpu)
# The programs of deploy/examples/gpu_std with a group's help, and compiled with -DALONE without it: a reduction of 10^8
# numbers, a histogram of 10^7, the pull of 2,048 bodies on each other. Device time; the median, the lowest and the highest,
# and how many times as long the group's takes. Results are compared.
# Last line: group programs: reduction X times, histogram Y times, nbody Z times as long as alone on the last placement
set -euo pipefail
cd "$(dirname "$0")/.."
. bench/own_daemon.sh
rounds="${1:-5}"
need_rounds "$rounds"
shift || true
[ $# -gt 0 ] || set -- cpu
take_placements "$@"
need() { command -v "$1" >/dev/null || { echo "group_programs.sh: there is no $1; apt-get install clang lld" >&2; exit 1; }; }
need clang

# PROGRAM: with and without a group.
compile() {
  local flags=(--target=wasm32 -nostdlib -Wl,--no-entry -O2)
  clang "${flags[@]}" -o "$work/$1.group.wasm" "deploy/examples/gpu_std/$1.c"
  clang "${flags[@]}" -DALONE -o "$work/$1.alone.wasm" "deploy/examples/gpu_std/$1.c"
}
# PROGRAM group|alone PLACEMENT
run() {
  local call instances size
  case $1 in
    reduction) call=sum instances=1024 size=97657 ;;
    histogram) call=count instances=1024 size=9766 ;;
    nbody) call=pull instances=2048 size=2048 ;;
  esac
  ctl -q job run "$work/$1.$2.wasm" --call "$call" --arg "0..$instances" --arg "$size" --placement "$3" --ordered -o jsonl >"$work/results"
}
# PROGRAM group|alone: one number of all results, in $work/results. A sum of a group is given by each of its instances.
result() {
  local every=1
  [ "$1-$2" != reduction-group ] || every=32
  grep -o '"values":\[[^]]*\]' "$work/results" | tr -dc '0-9.eE\n-' | awk -v every="$every" 'NR % every == 1 % every { n += $1 } END { printf "%.17g %d\n", n, NR }'
}

begin_daemon
words=""
for placement in "${placements[@]}"; do
  words=""
  for program in reduction histogram nbody; do
    compile "$program"
    for form in group alone; do
      await_full_build run "$program" "$form" "$placement"
      result "$program" "$form" >"$work/$form.result"
      : >"$work/$form.ns"
    done
    cmp -s "$work/group.result" "$work/alone.result" ||
      { echo "group_programs.sh: $program gives $(cat "$work/group.result") in groups, $(cat "$work/alone.result") alone" >&2; exit 1; }
    for _ in $(seq "$rounds"); do
      for form in group alone; do
        run "$program" "$form" "$placement"
        read -r ns _ < <(last_usage)
        awk -v ns="$ns" 'BEGIN { print ns / 1e6 }' >>"$work/$form.ns"
      done
    done
    times="$(paste "$work/group.ns" "$work/alone.ns" | awk '{ print $1 / $2 }' | median)"
    printf '%-12s %-10s ms in groups %s, alone %s: %.2f times\n' "$placement" "$program" "$(spread %.1f <"$work/group.ns")" \
      "$(spread %.1f <"$work/alone.ns")" "$times"
    words+="${words:+, }$program $(printf %.2f "$times") times"
  done
done
echo "group programs: $words as long as alone on $placement"
