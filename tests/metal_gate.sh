#!/usr/bin/env bash
# On a Mac: what no other machine can show. Compiles every golden text with Apple's own compiler,
# runs the specification suite on the GPU, plain and leaving, and prints counts and times.
#   tests/metal_gate.sh [SCRIPT...]     scripts of the suite; none: all
# Elsewhere it says what is lacking and ends with 77 (skipped). NEVER RUN so far: no Mac was at hand.
# Last line: metal gate: TEXTS texts compiled, plain: P of T ..., leaving: P of T ...
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(uname -s)" != Darwin ]; then
  echo "metal gate: this is $(uname -s); it needs macOS with Xcode's tools and a GPU for Metal"
  exit 77
fi
for tool in cmake ninja; do
  command -v "$tool" >/dev/null 2>&1 || { echo "metal gate: there is no $tool; run deploy/setup.sh"; exit 77; }
done

build="$PWD/build/macos"
{
  cmake --preset macos
  cmake --build --preset macos --target wb_spec wb_golden_tests
} >&2
sw_vers
system_profiler SPDisplaysDataType 2>/dev/null | grep -E 'Chipset Model|Total Number of Cores|Metal' || true

texts="$(mktemp -d)"
trap 'rm -rf "$texts"' EXIT
compiled=0
refused=0
began=$SECONDS
if xcrun -sdk macosx -f metal >/dev/null 2>&1; then
  "$build/tests/golden/wb_golden_tests" --texts "$texts"
  for text in "$texts"/*.metal; do
    if xcrun -sdk macosx metal -std=metal3.1 -fno-fast-math -Werror=return-type -c "$text" \
      -o "$text.air" 2>"$text.log"; then
      compiled=$((compiled + 1))
    else
      refused=$((refused + 1))
      echo "refused: $(basename "$text"):"
      head -n 20 "$text.log"
    fi
  done
  echo "golden texts: $compiled compiled, $refused refused, $((SECONDS - began)) s"
else
  echo "golden texts: not compiled offline: xcrun has no metal (Xcode, not only its command line" \
    "tools); the suite below compiles its texts on the device all the same"
fi

status=0
plain="" leaving=""
for mode in "" --leave; do
  began=$SECONDS
  # shellcheck disable=SC2086  # no mode is no argument
  WASMBURST_BUILD="$build" deploy/spec.sh --engine metal --floats metal $mode "$@" \
    >"$texts/spec.log" 2>"$texts/spec.err" || status=$?
  last="$(tail -n 1 "$texts/spec.log")"
  grep -E '^(failed|fewer):' "$texts/spec.log" | head -n 40 || true
  [ -n "$last" ] || { tail -n 20 "$texts/spec.err"; last="did not run"; }
  echo "$last ($((SECONDS - began)) s)"
  if [ -z "$mode" ]; then plain="$last"; else leaving="$last"; fi
done
echo "metal gate: $compiled texts compiled, plain: ${plain#*: }, leaving: ${leaving#*: }"
[ "$status" = 0 ] && [ "$refused" = 0 ]
