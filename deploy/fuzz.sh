#!/usr/bin/env bash
# Differential fuzzing (tests/fuzz/README.md): random modules on the interpreter, the cpu device
# (native and metal floats, both layouts, flattened; in one go and leaving at every safepoint) and
# wabt's interpreter. Every other module is made by binaryen's wasm-opt -ttf, if it can be had.
#   deploy/fuzz.sh [--modules N] [--seed S] [--jobs N] [--out FOLDER] [OTHER OPTIONS OF wb_fuzz]
#     --modules N         how many; the default is 100
#     --seed S            of the first module; the others follow
#     --full N            an engine optimises one batch in N (3); 1: all, three times as long; 0: none
#     --out FOLDER        cases that show a difference, made small; default: build/fuzz-cases
#   deploy/fuzz.sh --make FOLDER [--modules N] [--seed S]     only binaryen's modules, for --from and
#                         --also of wb_fuzz on a machine without it
#   deploy/fuzz.sh --groups N [--seed S]     instead: programs whose instances meet and share memory (gpu_std), 70 instances of
#                         each on interpreter and cpu, whole and in slices
#                         Last line: fuzz: N programs of groups, no difference
#   deploy/fuzz.sh --coverage SECONDS     coverage-guided (libFuzzer, ASan and UBSan) instead:
#                         modules, requests and bytes on sockets, three times that long in all
#                         (tests/fuzz/coverage.sh). Last line: coverage: N of M targets clean
# Last line: fuzz: N modules, E engines, D differences. Exit 0 only when D is 0.
set -euo pipefail
root="$(cd "$(dirname "$0")/.." && pwd)"
. "$root/deploy/platform.sh"
build="${WASMBURST_BUILD:-$root/build/$preset}"
jobs="$(getconf _NPROCESSORS_ONLN)"
modules=100 seed=1 make='' coverage='' groups='' others=()
while [ $# -gt 0 ]; do
  case "$1" in
    --modules) modules="$2"; shift 2 ;;
    --seed) seed="$2"; shift 2 ;;
    --jobs) jobs="$2"; shift 2 ;;
    --make) make="$2"; shift 2 ;;
    --groups) groups="$2"; shift 2 ;;
    --coverage) coverage="$2"; shift 2 ;;
    *) others+=("$1"); shift ;;
  esac
done

# Binaryen's module of a seed: random bytes that wasm-opt translates, NaNs made canonical by the
# module itself. One of four has references. Some are not valid (binaryen 108); wb_fuzz leaves those out.
one_module() {
  local folder="$1" number="$2" features
  features=(--enable-simd --enable-bulk-memory --enable-multivalue --enable-sign-ext
    --enable-nontrapping-float-to-int --enable-mutable-globals)
  [ $((number % 4)) != 0 ] || features+=(--enable-reference-types)
  perl -e 'srand($ARGV[0]); print pack("C*", map { int rand 256 } 1 .. 200 + int rand 2800)' \
    "$number" >"$folder/$number.bytes"
  wasm-opt -ttf "$folder/$number.bytes" "${features[@]}" --denan \
    -o "$folder/ttf-$(printf %08d "$number").wasm" >/dev/null 2>&1 || true
  rm "$folder/$number.bytes"
}
export -f one_module

# make_modules FOLDER COUNT: the first is of the seed.
make_modules() {
  mkdir -p "$1"
  seq "$seed" $((seed + $2 - 1)) |
    xargs -P "$jobs" -I{} bash -c 'one_module "$0" {}' "$1"
}

has_binaryen() {
  command -v wasm-opt >/dev/null 2>&1 && return
  "$root/deploy/setup.sh" --also binaryen >&2 && command -v wasm-opt >/dev/null 2>&1
}

if [ -n "$make" ]; then
  has_binaryen || { echo "fuzz.sh: there is no wasm-opt and it cannot be installed" >&2; exit 2; }
  make_modules "$make" "$modules"
  echo "made: $(find "$make" -name '*.wasm' | wc -l) modules in $make"
  exit 0
fi
[[ $groups =~ ^([1-9][0-9]{0,5})?$ ]] || { echo "fuzz.sh: [$groups] is not a number of programs" >&2; exit 2; }
[ -z "$coverage" ] || exec "$root/tests/fuzz/coverage.sh" "$coverage"

{
  "$root/deploy/setup.sh"
  if [ ! -f "$build/CMakeCache.txt" ]; then
    (cd "$root" && cmake --preset "$preset" -B "$build")
  fi
  program=wb_fuzz
  [ -z "$groups" ] || program=wb_scheduler_tests
  cmake --build "$build" --target $program
} >&2

if [ -n "$groups" ]; then
  WB_GROUP_PROGRAMS="$groups" WB_GROUP_SEED="$seed" "$build/tests/scheduler/wb_scheduler_tests" --gtest_brief=1 \
    --gtest_filter=CollectivesTest.RandomProgramsComeToTheSameEverywhere >&2
  echo "fuzz: $groups programs of groups, no difference"
  exit 0
fi

also=()
if [[ " ${others[*]-} " != *" --from "* ]]; then
  if has_binaryen; then
    made="$(mktemp -d)"
    trap 'rm -rf "$made"' EXIT
    make_modules "$made" $(((modules + 1) / 2))
    also=(--also "$made")
  else
    echo "fuzz.sh: without binaryen's modules: wasm-opt cannot be installed" >&2
  fi
fi
"$build/tests/fuzz/wb_fuzz" --modules "$modules" --seed "$seed" --jobs "$jobs" \
  --out "$root/build/fuzz-cases" "${also[@]}" "${others[@]}"
