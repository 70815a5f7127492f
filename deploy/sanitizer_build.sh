#!/usr/bin/env bash
# Builds tests under a sanitizer, with clang where it is.
#   deploy/sanitizer_build.sh asan|tsan PART...     the tests of these folders under tests/, in build/asan or build/tsan
# The sanitizer's reports name functions; without lines of files the build takes a tenth less (`cmake --preset asan`
# has them).
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 2 ] || { echo "use: sanitizer_build.sh asan|tsan PART..." >&2; exit 2; }
preset="$1"
shift
arguments=(-DWB_SANITIZE_WITH_LINES=OFF)
if command -v clang++ >/dev/null 2>&1; then
  arguments+=(-DCMAKE_CXX_COMPILER=clang++ -DCMAKE_C_COMPILER=clang)
fi
cmake --preset "$preset" "${arguments[@]}"
targets=()
while read -r part; do targets+=("$part/all"); done < <(cd "build/$preset/tests" &&
  find "$@" -name CTestTestfile.cmake -exec dirname {} \; | sed 's#^#tests/#' | sort)
cmake --build "build/$preset" --target "${targets[@]}"
