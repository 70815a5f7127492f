#!/usr/bin/env bash
# Set-up, release build, and the tests. (With a compiler cache: CMAKE_CXX_COMPILER_LAUNCHER=ccache.)
#   deploy/test.sh [--full] [--sanitize]
#     (neither)    everything bounded: under 15 minutes on 2 cores
#     --sanitize   also whole modules against Node; clang-tidy over compiler and scheduler;
#                  these under address+undefined sanitizers, the scheduler under the thread sanitizer
#     --full       everything: the specification suite on every engine and in every mode,
#                  clang-tidy over all files, the sanitizers
# Last line: N passed, N failed, N skipped. A GoogleTest case counts as one and so does a suite
# script; the reason of every skipped one is printed. Exit 0 only when nothing failed.
set -euo pipefail
cd "$(dirname "$0")/.."
. deploy/platform.sh

full=no
sanitize=no
for argument in "$@"; do
  case "$argument" in
    --full) full=yes sanitize=yes ;;
    --sanitize) sanitize=yes ;;
    *) echo "test.sh: unknown argument [$argument]; known are --full and --sanitize" >&2; exit 2 ;;
  esac
done

logs="$PWD/build/test-logs"
mkdir -p "$logs"
jobs="$(getconf _NPROCESSORS_ONLN)"
passed=0
failed=0
skipped=0
failures=()

finish() {
  local status=$?
  trap - EXIT
  if [ $status != 0 ] && [ $failed = 0 ]; then
    failed=1
    failures+=("test.sh itself: ended with status $status")
  fi
  local failure
  for failure in ${failures[@]+"${failures[@]}"}; do echo "FAILED: $failure"; done
  echo "took $((SECONDS / 60)) min $((SECONDS % 60)) s"
  echo "$passed passed, $failed failed, $skipped skipped"
  [ $failed = 0 ] || exit 1
  exit 0
}
trap finish EXIT

note_skip() {
  skipped=$((skipped + 1))
  echo "skipped: $1: $2"
}
note_failure() {
  failed=$((failed + 1))
  failures+=("$1")
}

# suite NAME COMMAND...: one counted check. Exit 77 is "skipped", its last line says why.
suite() {
  local name="$1" log="$logs/$1.log" began=$SECONDS status=0
  shift
  "$@" >"$log" 2>&1 </dev/null || status=$?
  case $status in
    0)
      passed=$((passed + 1))
      echo "ok: $name ($((SECONDS - began)) s): $(tail -n 1 "$log")"
      ;;
    77) note_skip "$name" "$(tail -n 1 "$log")" ;;
    *)
      echo "failed: $name (status $status); the end of its output:"
      tail -n 60 "$log"
      note_failure "$name (whole output: $log)"
      ;;
  esac
}

# build NAME COMMAND...: not counted unless it fails.
build() {
  local name="$1" log="$logs/build-$1.log" began=$SECONDS
  shift
  if "$@" >"$log" 2>&1 </dev/null; then
    echo "built: $name ($((SECONDS - began)) s)"
  else
    echo "build of $name failed; the end of its output:"
    tail -n 80 "$log"
    note_failure "build of $name (whole output: $log)"
    return 1
  fi
}

attribute() { sed -n "s/.*[^a-z]$1=\"\([0-9]*\)\".*/\1/p" "$2" | head -n 1; }

# ctests NAME BUILD: every test of a build folder, one count per case, but for cases that match
# leave_out and those with the label leave_out_label.
leave_out=""
leave_out_label=""
ctests() {
  local name="$1" folder="$2" log="$logs/ctest-$1.log" report="$logs/ctest-$1.xml"
  local began=$SECONDS status=0 all=0 bad=0 left_out=0 line
  rm -f "$report"
  ctest --test-dir "$folder" -j "$jobs" --timeout 300 --no-tests=error --output-on-failure \
    --output-junit "$report" ${leave_out:+-E "$leave_out"} \
    ${leave_out_label:+-LE "$leave_out_label"} >"$log" 2>&1 </dev/null || status=$?
  if [ -f "$report" ]; then
    all="$(attribute tests "$report")" bad="$(attribute failures "$report")"
    left_out="$(($(attribute skipped "$report") + $(attribute disabled "$report")))"
  fi
  while IFS= read -r line; do echo "skipped: $name: $line"; done < <(skip_reasons "$report")
  if [ $status != 0 ] && [ "$bad" = 0 ]; then
    bad=1
    failures+=("$name: ctest ended with status $status (whole output: $log)")
    tail -n 60 "$log"
  elif [ "$bad" != 0 ]; then
    grep -v -E ' Passed +[0-9.]+ sec$|^ +Start +[0-9]+:' "$log" | tail -n 120
    failures+=("$name: $bad cases (whole output: $log)")
  fi
  passed=$((passed + all - bad - left_out))
  failed=$((failed + bad))
  skipped=$((skipped + left_out))
  echo "ctest: $name ($((SECONDS - began)) s): $all cases, $bad failed, $left_out skipped"
}

# Of a JUnit report: "CASE: REASON" for every skipped case, the reason as the case printed it.
skip_reasons() {
  [ -f "$1" ] || return 0
  awk '
    /<testcase / { match($0, /name="[^"]*"/); name = substr($0, RSTART + 6, RLENGTH - 7) }
    /<skipped|status="disabled"/ { is_skipped = 1; reason = "" }
    is_skipped && /<system-out>/ { reason = $0; gsub(/.*<system-out>|<.system-out>.*/, "", reason) }
    is_skipped && /: Skipped$/ { getline reason }
    /<\/testcase>/ {
      if (is_skipped) print name ": " (reason == "" ? "gave no reason" : reason)
      is_skipped = 0
    }' "$1"
}

# configure FOLDER-PRESET [CMAKE ARGUMENTS]
configure() {
  local preset="$1"
  shift
  cmake --preset "$preset" "$@"
}

# sanitized_folders BUILD FOLDER...: those of a build in which tests are, but for those whose tests are
# among their parent's.
sanitized_folders() {
  local found part parent
  found="$(cd "$1" && find "${@:2}" -name CTestTestfile.cmake -exec dirname {} \; 2>/dev/null | sort)"
  while read -r part; do
    [ -n "$part" ] || continue
    parent="${part%/*}"
    grep -q -x -F "$parent" <<<"$found" &&
      grep -q -F "subdirs(\"${part##*/}\")" "$1/$parent/CTestTestfile.cmake" && continue
    echo "$part"
  done <<<"$found"
}

# sanitized PRESET FOLDER...: build and run these folders' tests with clang, under a sanitizer.
sanitized() {
  local preset="$1" folder="build/$1" targets=() part compiler=()
  shift
  command -v clang++ >/dev/null 2>&1 &&
    compiler=(-DCMAKE_CXX_COMPILER=clang++ -DCMAKE_C_COMPILER=clang)
  build "$preset-configure" configure "$preset" ${compiler[@]+"${compiler[@]}"} || return 0
  while read -r part; do targets+=("$part/all"); done < <(sanitized_folders "$folder" "$@")
  if [ ${#targets[@]} = 0 ]; then
    note_skip "$preset" "there are no tests in $*"
    return 0
  fi
  build "$preset" cmake --build "$folder" --target "${targets[@]}" || return 0
  while read -r part; do ctests "$preset-${part//\//-}" "$folder/$part"
  done < <(sanitized_folders "$folder" "$@")
}

# What kernels' texts are compiled to, for all test processes from here on (tests/built_objects).
export WB_BUILT_OBJECTS="$PWD/build/built-objects"
rm -rf "$WB_BUILT_OBJECTS"

deploy/setup.sh
build "$preset-configure" configure "$preset"
build "$preset" cmake --build --preset "$preset"

suite format deploy/format.sh
suite install deploy/install_test.sh "build/$preset"
suite platform deploy/platform_test.sh
suite launchd deploy/launchd_test.sh
suite bundle deploy/bundle_test.sh
ctests "$preset" "build/$preset"
suite first-hour deploy/first_hour.sh
suite spec-interpreter deploy/spec.sh --engine interpreter
suite spec-interpreter-leave deploy/spec.sh --engine interpreter --leave
suite spec-cpu deploy/spec.sh --engine cpu
suite spec-cpu-leave deploy/spec.sh --engine cpu --leave
suite spec-proposals-interpreter-leave deploy/spec.sh --proposals --engine interpreter --leave
suite spec-proposals-cpu deploy/spec.sh --proposals --engine cpu
suite spec-proposals-cpu-leave deploy/spec.sh --proposals --engine cpu --leave
if [ $full = yes ]; then
  suite spec-cpu-interleaved deploy/spec.sh --engine cpu --layout interleaved
  suite spec-cpu-chunks deploy/spec.sh --engine cpu --chunks
  suite spec-cpu-flatten-leave deploy/spec.sh --engine cpu --flatten --leave
  suite spec-cpu-metal deploy/spec.sh --engine cpu --floats metal
  suite spec-cpu-metal-leave deploy/spec.sh --engine cpu --floats metal --leave
  suite spec-metal-standin deploy/spec.sh --engine metal-standin --floats metal
  suite spec-metal-standin-leave deploy/spec.sh --engine metal-standin --floats metal --leave
  suite floats-full env WB_FLOATS_FULL=1 "build/$preset/tests/compiler/floats/wb_floats_tests"
  suite fuzz deploy/fuzz.sh --modules 96 --seed 1
  suite fuzz-coverage deploy/fuzz.sh --coverage 60
  suite tidy deploy/tidy.sh "build/$preset"
fi
if [ $sanitize = yes ]; then
  suite modules-c tests/modules/modules.sh c
  suite modules-npm tests/modules/modules.sh npm
  [ $full = yes ] || suite tidy deploy/tidy.sh --only "compiler scheduler" "build/$preset"
  export ASAN_OPTIONS="detect_stack_use_after_return=1:${ASAN_OPTIONS:-}"
  sanitized asan tests/compiler tests/golden tests/scheduler
  # The compiler has no threads of its own; the scheduler's tests run it on several. Modules whose
  # records are compared word by word, some hundred cases, have no other threads than the rest.
  leave_out='^((Modules|State)/|GrowingTest)' leave_out_label=one_thread
  echo "left out of tsan: cases $leave_out of tests/scheduler/devices, which asan has, and" \
    "tests/scheduler/control, placement and sensors, which start no thread"
  sanitized tsan tests/scheduler
fi
