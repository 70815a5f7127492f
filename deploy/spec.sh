#!/usr/bin/env bash
# Runs the WebAssembly specification suite (version 2.0, 146 scripts, 53,881 checks) on an engine.
#   deploy/spec.sh [--engine cpu|interpreter|metal-standin] [--floats native|metal]
#                  [--layout contiguous|interleaved] [--leave] [--flatten|--flatten-some] [--chunks]
#                  [--windows] [--quick] [--cut] [--proposals] [--update-baseline] [FILE...]
#     --engine           metal-standin: the metal device over what stands in for Apple's framework
#                        (tests/standin/metal); on a Mac metal, on its GPU; both with --floats metal
#     --floats metal     those that a Mac gets; the cpu device's threads flush subnormals meanwhile
#     FILE               a script of core/, with or without .wast; none: all
#     --proposals        those of the proposals that are read, in place of version 2.0; FILE then is
#                        as in tail-call/return_call
#     --leave            every lane leaves and resumes at its own safepoints; results must not change
#     --flatten          every function as a loop around a switch; --flatten-some: parts of functions
#     --windows          lanes hold a part of memory 0 first; --quick: quick builds, as cpu and cuda have them
#     --cut              functions of any size become many, as very large ones do
#     --chunks           cpu: kernels cut into several texts that are compiled by themselves and linked
#     --update-baseline  records what passes now in tests/spec/baseline.txt (counts only rise)
# The suite is found at WASMBURST_TESTSUITE, then ../shared/testsuite, else fetched once by git.
# Last line: spec ENGINE FLOATS MODE: P of T passed, R refused, F failed.
# Exit 1 when a check failed or a file passes fewer checks than the baseline says, 77 (skipped)
# when there is no suite and none can be fetched.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
. "$root/deploy/platform.sh"
build="${WASMBURST_BUILD:-$root/build/$preset}"
commit=3a04b2cf93bd8fce277458d419eea8d9c326345c

# Exit 77 (skipped) without the suite; the last line says what to do.
fetch_suite() {
  local folder="$root/build/testsuite" address=https://github.com/WebAssembly/testsuite why
  [ ! -f "$folder/.complete" ] || { echo "$folder"; return; }
  echo "spec.sh: fetching the specification suite" >&2
  mkdir -p "$folder"
  if ! why="$({ git -C "$folder" init -q &&
    timeout 300 git -C "$folder" fetch -q --depth 1 "$address" "$commit" &&
    git -C "$folder" checkout -q FETCH_HEAD; } 2>&1 </dev/null)"; then
    echo "$why" >&2
    echo "no specification suite: $address could not be fetched (${why##*$'\n'}); check out its" \
      "commit $commit elsewhere and set WASMBURST_TESTSUITE to that folder" >&2
    return 77
  fi
  touch "$folder/.complete"
  echo "$folder"
}

is_suite() { [ -f "$1/address.wast" ] || [ -f "$1/core/address.wast" ]; }

suite="${WASMBURST_TESTSUITE:-}"
if [ -n "$suite" ]; then
  is_suite "$suite" || {
    echo "spec.sh: WASMBURST_TESTSUITE is [$suite]; no address.wast is there or in core/" >&2
    exit 2
  }
else
  suite="$root/../shared/testsuite"
  is_suite "$suite" || suite="$(fetch_suite)"
fi

program=wb_spec
[[ " $* " != *" metal-standin "* ]] || program=wb_spec_standin

{
  "$root/deploy/setup.sh"
  if [ ! -f "$build/CMakeCache.txt" ]; then
    (cd "$root" && cmake --preset "$preset" -B "$build")
  fi
  cmake --build "$build" --target "$program"
} >&2

exec "$build/tests/spec/$program" --suite "$suite" --cache "$build/spec-cache" \
  --baseline "$root/tests/spec/baseline.txt" "$@"
