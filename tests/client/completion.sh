#!/bin/bash
# Completes command lines with the function that `wasmburstctl completion bash` gives.
# usage: completion.sh WASMBURSTCTL
set -uo pipefail
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
touch module.wasm library.wat
mkdir results
PATH=$(dirname "$program"):$PATH
# shellcheck disable=SC1090
source <("$program" completion bash)
failures=0

# completes LINE WORD...: what stands at the end of the line may become one of these.
completes() {
  COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
  shift
  _wasmburstctl
  local said want
  said=$(printf '%s\n' "${COMPREPLY[@]}" | sort)
  want=$(printf '%s\n' "$@" | sort)
  [[ $said == "$want" ]] && return
  echo "FAILED: [$COMP_LINE] completes to [$said], not to [$want]"
  failures=$((failures + 1))
}

completes "wasmburstctl mod" module
completes "wasmburstctl job ca" cancel
completes "wasmburstctl job run --plac" --placement
completes "wasmburstctl job run --placement " auto cpu gpu interpreter
completes "wasmburstctl job run --floats=ex" exact
completes "wasmburstctl -o js" json jsonl
completes "wasmburstctl job run m" module.wasm
completes "wasmburstctl job run module.wasm --module env=lib" library.wat
completes "wasmburstctl job run module.wasm --out " results
complete -p wasmburstctl >/dev/null || failures=$((failures + 1))
[[ $failures -eq 0 ]] && echo "completion.bash: all passed"
exit $((failures > 0))
