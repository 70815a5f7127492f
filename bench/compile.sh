#!/usr/bin/env bash
# How long builds take, from the smallest module to one of a megabyte.
#
#   bench/compile.sh [--rounds N] [--quick] [BUILD]     (5 rounds; build/release)
#     --quick   no modules of more than 100 functions
#   bench/compile.sh --gate [BUILD]
#     builds of the CPU device against bench/compiling/instructions.txt: 1 where one takes more than 1.3
#     times the instructions on record (valgrind counts them, so a busy machine changes nothing)
#   bench/compile.sh --record [BUILD]: writes that file
#
# Tables: one for the CPU device, and where there is an NVIDIA GPU one for it (compiling/compile_times.cc),
# with the modules of npm where tests/modules/modules.sh has brought them.
# "first result": from the start of wasmburstctl to the first result of a module that its daemon has
# never seen, 4,096 instances, where the daemon places them. Last line:
#   compile: first result A ms; cpu one add B ms, 8 KB quick C ms; gpu one add D ms, 8 KB quick E full F ms; cached G ms
# B is the build that a job waits for. "-": there is none.
set -euo pipefail
cd "$(dirname "$0")/.."
. bench/own_daemon.sh
mode=all rounds=5 most=120
while [ $# -gt 0 ]; do
  case "$1" in
    --rounds) rounds="${2:-}"; [ $# -lt 2 ] || shift ;;
    --quick) most=6 ;;
    --gate | --record) mode="${1#--}" ;;
    --*) echo "compile.sh: unknown argument [$1]; known are --rounds, --quick, --gate and --record" >&2; exit 2 ;;
    *) build="$1" ;;
  esac
  shift
done
need_rounds "$rounds"
times="$build/bench/compile_times"
record=bench/compiling/instructions.txt

if [ $mode != all ]; then
  . bench/compiling/instructions.sh
  leave_out() { echo "$1"; exit 77; }
  compiler="$(realpath -m "$build/scheduler/engine_host/wasmburst-clang")"
  [ -x "$compiler" ] || leave_out "instructions are of wasmburst-clang, which is not built here"
  command -v valgrind >/dev/null || deploy/setup.sh --also valgrind >&2 || leave_out "valgrind is not there, and could not be installed"
  if [ $mode = gate ] && ! grep -qxF "# $(compiler_name)" "$record"; then
    leave_out "counts on record are of another compiler than $(compiler_name)"
  fi
  count_builds >"$work/counts"
  if [ $mode = record ]; then
    { echo "# $(compiler_name)"; cat "$work/counts"; } >"$record"
    exit
  fi
  compare_counts "$record" "$work/counts"
  exit
fi

# cell TABLE ROW COLUMN: counted from the end, as names have spaces.
cell() { awk -v row="$2 " -v at="$3" 'index($0, row) == 1 { print $(NF - at); exit }' "$1"; }
quick_of() { cell "$1" "$2" 7; }
full_of() { cell "$1" "$2" 6; }
cached_of() { cell "$1" "$2" 2; }
# What a job waits for.
first_of() { [ "$(quick_of "$1" "$2")" = - ] && full_of "$1" "$2" || quick_of "$1" "$2"; }

first_results() {
  local round began
  begin_daemon
  sleep 3 # a GPU's device builds its kernel meanwhile
  for ((round = 1; round <= rounds; round++)); do
    echo "(module (func (export \"run\") (param i32) (result i32) local.get 0 i32.const $round$$ i32.add))" \
      >"$work/new.wat"
    began="$(date +%s%N)"
    ctl -q -o jsonl job run "$work/new.wat" --call run --arg 0..4096 2>"$work/errors" | head -n 1 >"$work/first" || true
    echo $((($(date +%s%N) - began) / 1000000))
    grep -q '"instance"' "$work/first" || { cat "$work/errors" >&2; return 1; }
  done
  end_daemon
}

shopt -s nullglob
modules=(build/modules/npm/*.wasm build/modules/npm/hash-wasm/*.wasm)
[ ${#modules[@]} != 0 ] || echo "without modules of npm: tests/modules/modules.sh npm brings them" >&2

echo "CPU device"
"$times" cpu --rounds "$rounds" --most-seconds $most ${modules[@]+"${modules[@]}"} | tee "$work/cpu"
printf -- '- - - - - - - - - -\n' >"$work/gpu"
if nvidia-smi -L >/dev/null 2>&1; then
  echo "GPU"
  "$times" cuda --rounds "$rounds" --most-seconds $most ${modules[@]+"${modules[@]}"} | tee "$work/gpu"
fi
first_results >"$work/firsts"
echo "first result, ms: $(spread %d <"$work/firsts")"
gpu() { local value; value="$("$1" "$work/gpu" "$2")"; echo "${value:--}"; }
echo "compile: first result $(median <"$work/firsts") ms;" \
  "cpu one add $(first_of "$work/cpu" add) ms, 8 KB quick $(quick_of "$work/cpu" "25 functions") ms;" \
  "gpu one add $(gpu quick_of add) ms, 8 KB quick $(gpu quick_of "25 functions") full $(gpu full_of "25 functions") ms;" \
  "cached $(cached_of "$work/cpu" "25 functions") ms"
