#!/bin/bash
# Completes command lines with the function that `wasmburstctl completion bash` gives.
# usage: completion.sh WASMBURSTCTL
# Then the manual page, where groff is installed, and the other shells' scripts where those are.
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
completes "wasmburstctl tok" token
completes "wasmburstctl token create --ro" --role
completes "wasmburstctl token create --role s" submitter
completes "wasmburstctl --token-file m" module.wasm
completes "wasmburstctl tls init r" results
complete -p wasmburstctl >/dev/null || failures=$((failures + 1))

# holds NAME COMMAND...: it succeeds, and prints nothing.
holds() {
  local said
  said=$("${@:2}" 2>&1) && [[ -z $said ]] && return
  echo "FAILED: $1"
  head -5 <<<"$said"
  failures=$((failures + 1))
}
"$program" completion man >wasmburstctl.1
if command -v groff >/dev/null 2>&1; then
  render() { groff -man -ww -Tascii -P-cbou wasmburstctl.1 >rendered; }
  holds "the manual page has no warnings" render
  holds "it names the options" grep -q -- "--token-file FILE" rendered
else
  echo "groff is not installed: the manual page was not rendered"
fi
for shell in zsh fish; do
  if command -v $shell >/dev/null 2>&1; then
    "$program" completion $shell >script
    holds "the script of $shell is one" $shell -n script
  else
    echo "$shell is not installed: its script was not read"
  fi
done
[[ $failures -eq 0 ]] && echo "completion.bash: all passed"
exit $((failures > 0))
