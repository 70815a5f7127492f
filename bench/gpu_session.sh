#!/usr/bin/env bash
# All that a machine with an NVIDIA GPU is to say: bench/gpu_session.sh [--part 1|2|3] [--list] BUNDLE OUT
#   BUNDLE   a folder of deploy/bundle.sh
#   OUT      takes a log for each step; made if it is not there
#   --part   only these steps, below nine minutes; without it all, one after the other
#   --list   only says what would run, and checks that it is there
# Each step has a time limit and one line: ok, FAILED, OVER TIME or skipped with the reason, its seconds and its
# log's last line. Exit 1 if one failed. The specification suite is WASMBURST_TESTSUITE, else BUNDLE/testsuite;
# wast2json is sought in PATH and BUNDLE/bin.
set -euo pipefail
use() { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
refuse() { echo "gpu_session.sh: $1" >&2; exit 2; }
parts="1 2 3" list=""
while [ $# -gt 0 ]; do
  case "$1" in
    --part) [[ "${2:-}" =~ ^[123]$ ]] || refuse "--part takes 1, 2 or 3, not [${2:-}]"; parts="$2"; shift 2 ;;
    --list) list=1; shift ;;
    -*) use ;;
    *) break ;;
  esac
done
[ $# = 2 ] || use
[ -d "$1/bin" ] || refuse "[$1] is not a bundle: it has no bin"
bundle="$(cd "$1" && pwd)"
bin="$bundle/bin" guests="$bundle/bench"
mkdir -p "$2" 2>/dev/null || refuse "the folder [$2] cannot be made"
out="$(cd "$2" && pwd)"
suite="${WASMBURST_TESTSUITE:-$bundle/testsuite}"
PATH="$PATH:$bin"
failed=0

# line STATE SECONDS NAME WORDS
line() { printf '%-9s %4s s  %-22s %s\n' "$1" "$2" "$3" "$4"; }

# step NAME LIMIT COMMAND...: in a folder of its own.
step() {
  local name="$1" limit="$2" begin=$SECONDS rc=0
  shift 2
  command -v "$1" >/dev/null || [ "${1##*/}" = compute-sanitizer ] || { line FAILED 0 "$name" "[$1] is not there"; failed=1; return; }
  local word
  for word in "$@"; do  # all of the bundle that the command names; spec() asks for the suite
    case "$word" in
      "$suite") ;;
      "$bundle"/*) [ -e "$word" ] || { line FAILED 0 "$name" "[$word] is not there"; failed=1; return; } ;;
    esac
  done
  if [ -n "$list" ]; then line listed "$limit" "$name" "$*"; return; fi
  mkdir -p "$out/work"
  (cd "$out/work" && timeout --kill-after=5 "$limit" "$@") >"$out/$name.log" 2>&1 </dev/null || rc=$?
  local state=ok
  case $rc in
    0) ;;
    77) state=skipped ;;
    124 | 137) state="OVER TIME" failed=1 ;;
    *) state=FAILED failed=1 ;;
  esac
  line "$state" $((SECONDS - begin)) "$name" "$(tail -n 1 "$out/$name.log" | cut -c 1-120)"
}
skip() { line skipped 0 "$1" "$2"; }

# spec NAME LIMIT FLAGS...
spec() {
  local name="$1" limit="$2"
  shift 2
  [ -n "$list" ] || [ -d "$suite" ] || { skip "$name" "no specification suite at [$suite]"; return; }
  [ -n "$list" ] || command -v wast2json >/dev/null || { skip "$name" "wast2json is not installed"; return; }
  step "$name" "$limit" "$bin/wb_spec" --suite "$suite" --cache "$out/spec-cache" \
    --baseline "$guests/baseline.txt" "$@"
}
# sanitize NAME LIMIT TOOL PROGRAM...
sanitize() {
  local name="$1" limit="$2" tool="$3" sanitizer
  shift 3
  sanitizer="$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)"
  [ -n "$list" ] || [ -x "$sanitizer" ] || { skip "$name" "compute-sanitizer is not installed"; return; }
  step "$name" "$limit" "$sanitizer" --tool "$tool" --error-exitcode 1 "$@"
}

part_1() {
  step cuda-mapping 20 "$bin/cuda_mapping"
  step growing 60 bash "$guests/growing.sh" "$bin" "$guests/growing.wasm" 20000 4 2
  step sessions 200 bash "$guests/session_gpu.sh" "$bin"
  spec spec-plain 140 --engine cuda
  spec spec-quick 90 --engine cuda --quick
  spec spec-quick-leave 90 --engine cuda --quick --leave
  spec spec-leave 90 --engine cuda --leave
  spec spec-metal 140 --engine cuda --floats metal
  spec spec-metal-leave 90 --engine cuda --floats metal --leave
}
part_2() {
  step cuda-kernels 60 "$bin/cuda_kernels" "$guests" 270336 1
  step cuda-queue 40 "$bin/cuda_queue" "$guests/lengths.wasm"
  step gpu-faults 90 "$bin/gpu_faults" "$bin/wasmburst-engine"
  step gpu-hosts 60 bash "$guests/e2e.sh" "$bin/wasmburstd" "$bin/wasmburstctl" "$bin/wasmburst-engine" gpu_hosts
  step compile-times 65 "$bin/compile_times" cuda --most-seconds 6 "$guests"/*.wasm
  step gpu-service 60 bash "$guests/gpu.sh" "$bin" "$guests/lengths.wasm" 8000000 1000000 1
  sanitize memcheck 60 memcheck "$bin/cuda_kernels" "$guests" 32 1
  sanitize initcheck 60 initcheck "$bin/cuda_kernels" "$guests" 32 1
  step fuzz 100 "$bin/wb_fuzz" --modules 400 --engine cuda,wabt --full 0 --batch 4 --jobs 16 \
    --out "$out/fuzz"
}
part_3() {
  step policies 380 bash "$guests/policies.sh" "$bin" "$guests/lengths.wasm" 90 3000000
  step auto 140 bash "$guests/auto.sh" "$bin" "$guests" 2
}
for part in $parts; do
  echo "part $part"
  "part_$part"
done
exit $failed
