#!/usr/bin/env bash
# Coverage-guided fuzzing with libFuzzer, ASan and UBSan: any bytes must decode to a module or an error
# with its place (wb_fuzz_decode), and compile to a kernel text or a reason why not (wb_fuzz_compile).
#   deploy/fuzz_coverage.sh SECONDS     that long each, one after the other
# The corpus begins with every module of the specification suite, of tests/ and of the generator, and
# is kept in build/fuzz-corpus. An input that makes trouble is kept in build/fuzz-cases.
# Last line: coverage: N of 2 targets clean. Exit 0 only when N is 2, 77 (skipped) without clang.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds="${1:?fuzz_coverage.sh SECONDS}"
build=build/fuzz
command -v clang++ >/dev/null 2>&1 || { echo "no clang++: libFuzzer is a part of it"; exit 77; }

{
  deploy/setup.sh
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang \
    -DCMAKE_CXX_COMPILER=clang++ -DWB_FUZZ=ON -DWB_SANITIZE=address,undefined \
    -DWB_BUILD_BENCHES=OFF ${CMAKE_CXX_COMPILER_LAUNCHER:+-DCMAKE_CXX_COMPILER_LAUNCHER=$CMAKE_CXX_COMPILER_LAUNCHER}
  cmake --build "$build" --target wb_fuzz_decode wb_fuzz_compile
} >&2

# Binaries of every script of the suite and of every text under tests/.
fill_corpus() {
  local suite="${WASMBURST_TESTSUITE:-../shared/testsuite}" script text
  [ -d "$suite/core" ] && suite="$suite/core"
  for script in "$suite"/*.wast; do
    [ -f "$script" ] || continue
    wast2json --enable-all "$script" -o "$1/$(basename "$script" .wast).json" 2>/dev/null || true
  done
  find tests -name '*.wat' | while read -r text; do
    wat2wasm --enable-all "$text" -o "$1/$(echo "${text%.wat}" | tr / -).wasm" 2>/dev/null || true
  done
  cp tests/fuzz/inputs/* "$1"
  rm -f "$1"/*.json "$1"/*.wat
}

corpus=build/fuzz-corpus
if [ ! -d "$corpus/first" ]; then
  mkdir -p "$corpus/first.tmp"
  fill_corpus "$corpus/first.tmp"
  mv "$corpus/first.tmp" "$corpus/first"
fi
mkdir -p build/fuzz-cases

clean=0
for target in decode:wasm compile:emit; do
  name="${target%:*}"
  mkdir -p "$corpus/$name"
  # Large inputs are slow under the sanitizers, and say no more than small ones.
  if "$build/tests/compiler/${target#*:}/wb_fuzz_$name" "$corpus/$name" "$corpus/first" \
    -max_total_time="$seconds" -max_len=20000 -rss_limit_mb=2048 -timeout=25 \
    -artifact_prefix="build/fuzz-cases/$name-" -print_final_stats=1 >"build/fuzz-$name.log" 2>&1; then
    clean=$((clean + 1))
  else
    tail -n 30 "build/fuzz-$name.log"
  fi
  grep -E '^#[0-9]+.DONE|number_of_executed' "build/fuzz-$name.log" | sed "s/^/$name: /" || true
done
echo "coverage: $clean of 2 targets clean"
[ $clean = 2 ]
