#!/usr/bin/env bash
# Coverage-guided fuzzing with libFuzzer, ASan and UBSan. Any bytes must decode to a module or an error
# with its place (wb_fuzz_decode), and compile to a kernel text or a reason why not (wb_fuzz_compile).
# Any calls of the daemon's methods (wb_fuzz_requests), any bytes on its sockets (wb_fuzz_http2) and on
# those of its monitoring pages (wb_fuzz_monitoring) must be answered with what is wrong with them.
#   tests/fuzz/coverage.sh SECONDS [TARGET...]     three times that long in all, one after the other;
#                                                   of the targets that are named, that long each
# The corpus of the first two begins with every module of the specification suite, of tests/ and of the
# generator; the others make up their own. All are kept in build/fuzz-corpus. An input that makes
# trouble is kept in build/fuzz-cases.
# Last line: coverage: N of M targets clean. Exit 0 only when N is M, 77 (skipped) without clang.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds="${1:?coverage.sh SECONDS [TARGET...]}"
shift
# name:folder under tests/:share of the time, in percent of SECONDS
targets=(decode:compiler/wasm:60 compile:compiler/emit:80
  requests:daemon/fuzz:100 http2:daemon/fuzz:40 monitoring:daemon/fuzz:20)
if [ $# != 0 ]; then
  chosen=()
  for name; do
    for target in "${targets[@]}"; do
      [ "${target%%:*}" != "$name" ] || chosen+=("${target%:*}:100")
    done
  done
  [ ${#chosen[@]} = $# ] || { echo "coverage.sh: known targets are: ${targets[*]%%:*}" >&2; exit 2; }
  targets=("${chosen[@]}")
fi
build=build/fuzz
command -v clang++ >/dev/null 2>&1 || { echo "no clang++: libFuzzer is a part of it"; exit 77; }

{
  deploy/setup.sh
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang \
    -DCMAKE_CXX_COMPILER=clang++ -DWB_FUZZ=ON -DWB_SANITIZE=address,undefined \
    -DWB_BUILD_BENCHES=OFF ${CMAKE_CXX_COMPILER_LAUNCHER:+-DCMAKE_CXX_COMPILER_LAUNCHER=$CMAKE_CXX_COMPILER_LAUNCHER}
  names=("${targets[@]%%:*}")
  cmake --build "$build" --target "${names[@]/#/wb_fuzz_}"
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

# What the pages are asked for, to begin with.
mkdir -p "$corpus/monitoring"
for page in metrics livez 'readyz?verbose'; do
  printf 'GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n' "$page" >"$corpus/monitoring/first-${page%%\?*}"
done

# fuzz NAME FOLDER SECONDS [FOLDER...]: more folders are inputs to begin with.
fuzz() {
  local name="$1" program="$build/tests/$2/wb_fuzz_$1" time="$3"
  shift 3
  mkdir -p "$corpus/$name"
  # Large inputs are slow under the sanitizers, and say no more than small ones.
  "$program" "$corpus/$name" "$@" -max_total_time="$time" -max_len=20000 -rss_limit_mb=2048 \
    -timeout=25 -artifact_prefix="build/fuzz-cases/$name-" -print_final_stats=1 \
    >"build/fuzz-$name.log" 2>&1
}

clean=0
for target in "${targets[@]}"; do
  IFS=: read -r name folder percent <<<"$target"
  first=()
  case "$folder" in compiler/*) first=("$corpus/first") ;; esac
  if fuzz "$name" "$folder" $((seconds * percent / 100)) ${first[@]+"${first[@]}"}; then
    clean=$((clean + 1))
  else
    tail -n 30 "build/fuzz-$name.log"
  fi
  grep -aE '^#[0-9]+.DONE|number_of_executed' "build/fuzz-$name.log" | sed "s/^/$name: /" || true
done
echo "coverage: $clean of ${#targets[@]} targets clean"
[ $clean = ${#targets[@]} ]
