#!/usr/bin/env bash
# What groups are worth to a program: bench/group_programs.sh [ROUNDS] [PLACEMENT...]
#   ROUNDS     how often each is measured, in turns (5)
#   PLACEMENT  interpreter, cpu, gpu (cpu). On an NVIDIA GPU with nvcc beside it they are compared with CUDA, too.
# The programs of deploy/examples/gpu_std with a group's help, and compiled with -DALONE without it: a reduction of 10^8
# numbers, a histogram of 10^7, the pull of 2,048 bodies on each other; on a GPU 10^11, 2 * 10^10,
# and of 65,536 on 262,144. Device time; the median, the lowest and the highest,
# and how many times as long the group's takes. Results are compared.
# WASMBURST_GUESTS=FOLDER: the guests are there, compiled, where there is no clang; GUESTS_ONLY=FOLDER compiles them into it.
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
[ -n "${WASMBURST_GUESTS:-}" ] || need clang

# PROGRAM: with and without a group.
compile() {
  local flags=(--target=wasm32 -nostdlib -Wl,--no-entry -O2)
  if [ -n "${WASMBURST_GUESTS:-}" ]; then cp "$WASMBURST_GUESTS/$1".*.wasm "$work"; return; fi
  clang "${flags[@]}" -o "$work/$1.group.wasm" "deploy/examples/gpu_std/$1.c"
  clang "${flags[@]}" -DALONE -o "$work/$1.alone.wasm" "deploy/examples/gpu_std/$1.c"
}
# PROGRAM PLACEMENT: sets call, instances and size.
size_of() {
  case $1-$2 in
    reduction-gpu) call=sum instances=262144 size=381470 ;;
    histogram-gpu) call=count instances=262144 size=76294 ;;
    nbody-gpu) call=pull instances=262144 size=65536 ;;
    reduction-*) call=sum instances=1024 size=97657 ;;
    histogram-*) call=count instances=1024 size=9766 ;;
    nbody-*) call=pull instances=2048 size=2048 ;;
  esac
}
# PROGRAM group|alone PLACEMENT
run() {
  size_of "$1" "$3"
  ctl -q job run "$work/$1.$2.wasm" --call "$call" --arg "0..$instances" --arg "$size" --placement "$3" --ordered -o jsonl >"$work/results"
}
# PROGRAM group|alone: one number of all results, in $work/results. A sum of a group is given by each of its instances.
result() {
  local every=1
  [ "$1-$2" != reduction-group ] || every=32
  sed -nE 's/.*"values":\["?([^]"]+)"?\].*/\1/p' "$work/results" |
    awk -v every="$every" 'NR % every == 1 % every { n += $1 } END { if (!n) exit 1; printf "%.17g\n", n }' ||
    { echo "group_programs.sh: $1 gave nothing" >&2; exit 1; }
}

# PROGRAM PLACEMENT: the same by hand, its times and how many times as long ours takes; results are compared.
compare_with_cuda() {
  size_of "$1" "$2"
  [ -x "$work/by_hand" ] || nvcc -O3 -fmad=false -arch=native -o "$work/by_hand" bench/cuda/group_programs.cu
  "$work/by_hand" "$1" "$instances" "$size" "$rounds" >"$work/hand"
  sed -n 's/^result \([^ ]*\) .*/\1/p' "$work/hand" >"$work/hand.result"
  sed '/^result/d' "$work/hand" >"$work/hand.ns"
  cmp -s "$work/group.result" "$work/hand.result" ||
    { echo "group_programs.sh: $1 gives $(cat "$work/group.result"), by hand $(cat "$work/hand.result")" >&2; exit 1; }
  printf '%-12s %-10s ms by hand %s: %.2f times in groups, %.2f alone\n' "$2" "$1" "$(spread %.2f <"$work/hand.ns")" \
    "$(awk -v a="$(median <"$work/group.ns")" -v b="$(median <"$work/hand.ns")" 'BEGIN { print a / b }')" \
    "$(awk -v a="$(median <"$work/alone.ns")" -v b="$(median <"$work/hand.ns")" 'BEGIN { print a / b }')"
}

if [ -n "${GUESTS_ONLY:-}" ]; then
  for program in reduction histogram nbody; do compile "$program"; done
  cp "$work"/*.wasm "$GUESTS_ONLY"
  exit
fi
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
    if [ "$placement" = gpu ] && command -v nvcc >/dev/null; then compare_with_cuda "$program" "$placement"; fi
    words+="${words:+, }$program $(printf %.2f "$times") times"
  done
done
echo "group programs: $words as long as alone on $placement"
