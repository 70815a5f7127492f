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
beside=""  # processes of checks that run beside others

finish() {
  local status=$?
  trap - EXIT
  # shellcheck disable=SC2086  # several
  [ -z "$beside" ] || kill $beside 2>/dev/null || true
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
  local name="$1" began=$SECONDS status=0
  shift
  "$@" >"$logs/$name.log" 2>&1 </dev/null || status=$?
  count_suite "$name" $status $((SECONDS - began))
}
# count_suite NAME STATUS SECONDS
count_suite() {
  local name="$1" log="$logs/$1.log"
  case $2 in
    0)
      passed=$((passed + 1))
      echo "ok: $name ($3 s): $(tail -n 1 "$log")"
      ;;
    77) note_skip "$name" "$(tail -n 1 "$log")" ;;
    *)
      echo "failed: $name (status $2); the end of its output:"
      tail -n 60 "$log"
      note_failure "$name (whole output: $log)"
      ;;
  esac
}

# suite_beside NAME COMMAND...: begins a check that runs beside others, in what they leave of the
# processors. collect NAME: waits for it, and counts it.
suite_beside() {
  local name="$1"
  shift
  rm -f "$logs/$name.status"
  (
    status=0
    SECONDS=0
    nice -n 19 "$@" >"$logs/$name.log" 2>&1 </dev/null || status=$?
    echo "$status $SECONDS" >"$logs/$name.status"
  ) &
  beside="$beside $!"
}
collect() {
  local status=1 took=0
  wait
  beside=""
  read -r status took <"$logs/$1.status" || true
  count_suite "$1" "$status" "$took"
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

# ctests NAME BUILD FOLDER: every test of a folder of a build, one count per case of GoogleTest, but for
# those with the label leave_out_label. Of a GoogleTest program ctest knows processes (tests/CMakeLists.txt,
# wb_gtest); what became of its cases is in the report that each has written.
leave_out_label=""
ctests() {
  local name="$1" folder="$2/$3" log="$logs/ctest-$1.log" report="$logs/ctest-$1.xml"
  local began=$SECONDS status=0 all bad left_out line
  rm -rf "$report" "$2/reports"
  # One more than there are processors: some tests wait.
  ctest --test-dir "$folder" -j "$((jobs + 1))" --timeout 900 --no-tests=error --output-on-failure \
    --output-junit "$report" ${leave_out_label:+-LE "$leave_out_label"} >"$log" 2>&1 </dev/null || status=$?
  read -r all bad left_out < <(count_cases "$report" "$2/reports")
  while IFS= read -r line; do echo "skipped: $name: $line"; done < <(skip_reasons "$report" "$2/reports")
  if [ $status != 0 ] && [ "$bad" = 0 ]; then
    bad=1
    failures+=("$name: ctest ended with status $status (whole output: $log)")
    tail -n 60 "$log"
  elif [ "$bad" != 0 ]; then
    { grep -v -E ' Passed +[0-9.]+ sec$|^ +Start +[0-9]+:' "$log" || true; } | tail -n 120
    failures+=("$name: $bad cases (whole output: $log)")
    while IFS= read -r line; do failures+=("$name: $line"); done < <(failed_cases "$report" "$2/reports")
  fi
  passed=$((passed + all - bad - left_out))
  failed=$((failed + bad))
  skipped=$((skipped + left_out))
  echo "ctest: $name ($((SECONDS - began)) s): $all cases, $bad failed, $left_out skipped"
}

# count_cases JUNIT REPORTS: "ALL FAILED SKIPPED". A process that failed and whose report is missing, or
# says that no case failed, counts as one failed case: it died. So does one that ran no case: its filter
# fits none.
count_cases() {
  [ -f "$1" ] || { echo 0 0 0; return; }
  awk -v reports="$2" '
    function number(line, name) {
      return match(line, " " name "=\"[0-9]+\"") ? substr(line, RSTART + length(name) + 3) + 0 : 0
    }
    function add_report(path, test_failed, line, found, its_bad, its_all) {
      while ((getline line < path) > 0) {
        if (line ~ /^<testsuites /) {
          found = 1
          its_all = number(line, "tests")
          its_bad = number(line, "failures") + number(line, "errors")
          skipped += number(line, "disabled")
        }
        if (line ~ /<testcase .*result="skipped"/) ++skipped
      }
      if (found) close(path)
      if ((test_failed && its_bad == 0) || (found && its_all == 0)) { ++its_all; its_bad = 1 }
      all += its_all
      bad += its_bad
      return found
    }
    # A report of another ctest, as on a machine without GoogleTest: its sums are all there is.
    /<testsuite / { sum = number($0, "tests"); sum_bad = number($0, "failures"); sum_skipped = number($0, "skipped") + number($0, "disabled") }
    /<testcase / {
      ++cases
      match($0, /name="[^"]*"/)
      name = substr($0, RSTART + 6, RLENGTH - 7)
      is_bad = $0 ~ /status="fail"/
      is_skipped = $0 ~ /status="(disabled|notrun)"/
      if (add_report(reports "/" name ".xml", is_bad)) next
      if (is_bad) next  # counted as one that died
      ++all
      skipped += is_skipped
    }
    END {
      if (cases == 0) print sum + 0, sum_bad + 0, sum_skipped + 0
      else print all + 0, bad + 0, skipped + 0
    }' "$1"
}

# failed_cases JUNIT REPORTS: "CASE: WHERE: WHAT" for every failed case of GoogleTest, and the name of
# every failed test of ctest: its process may have died before it wrote a report.
failed_cases() {
  [ -f "$1" ] || return 0
  awk '/<testcase .*status="fail"/ { match($0, /name="[^"]*"/); print substr($0, RSTART + 6, RLENGTH - 7) }' "$1"
  [ -d "$2" ] || return 0
  find "$2" -name '*.xml' -exec cat {} + | awk '
    /<testcase / {
      match($0, / name="[^"]*"/); name = substr($0, RSTART + 7, RLENGTH - 8)
      match($0, / classname="[^"]*"/); suite = substr($0, RSTART + 12, RLENGTH - 13)
    }
    /<failure / {
      what = $0
      sub(/.*message="/, "", what); sub(/".*/, "", what)
      gsub(/&#x0A;/, " ", what); gsub(/&quot;/, "\042", what); gsub(/&lt;/, "<", what); gsub(/&gt;/, ">", what)
      print suite "." name ": " substr(what, 1, 400)
    }'
}

# skip_reasons JUNIT REPORTS: "CASE: REASON" for every skipped case, the reason as the case gave it.
skip_reasons() {
  [ -f "$1" ] || return 0
  awk '
    /<testcase / { match($0, /name="[^"]*"/); name = substr($0, RSTART + 6, RLENGTH - 7) }
    /<skipped|status="(disabled|notrun)"/ { is_skipped = 1; reason = "" }
    is_skipped && /<system-out>/ { reason = $0; gsub(/.*<system-out>|<.system-out>.*/, "", reason) }
    /<\/testcase>/ {
      if (is_skipped) print name ": " (reason == "" ? "gave no reason" : reason)
      is_skipped = 0
    }' "$1"
  [ -d "$2" ] || return 0
  find "$2" -name '*.xml' -exec cat {} + | awk '
    /<testcase .*result="skipped"/ {
      match($0, / name="[^"]*"/); name = substr($0, RSTART + 7, RLENGTH - 8)
      match($0, / classname="[^"]*"/); suite = substr($0, RSTART + 12, RLENGTH - 13)
      waits = 1
    }
    waits && /<skipped / {
      reason = $0
      sub(/.*message="/, "", reason); sub(/".*/, "", reason)
      sub(/^[^ ]*:[0-9]+(&#x0A;)*/, "", reason); gsub(/&#x0A;/, " ", reason)
      print suite "." name ": " (reason == "" ? "gave no reason" : reason)
      waits = 0
    }'
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
  while read -r part; do ctests "$preset-${part//\//-}" "$folder" "$part"
  done < <(sanitized_folders "$folder" "$@")
}

# What kernels' texts are compiled to, for all test processes from here on (tests/built_objects).
export WB_BUILT_OBJECTS="$PWD/build/built-objects"
rm -rf "$WB_BUILT_OBJECTS"

deploy/setup.sh
build "$preset-configure" configure "$preset"
build "$preset" cmake --build --preset "$preset"

# It needs processor time alone, and what comes next waits for something now and then.
if [ $full = yes ]; then
  suite_beside tidy deploy/tidy.sh "build/$preset"
elif [ $sanitize = yes ]; then
  suite_beside tidy deploy/tidy.sh --only "compiler scheduler" "build/$preset"
fi
suite format deploy/format.sh
suite layers deploy/layers.sh
suite layers-test deploy/layers_test.sh
suite install deploy/install_test.sh "build/$preset"
suite platform deploy/platform_test.sh
suite launchd deploy/launchd_test.sh
suite bundle deploy/bundle_test.sh
ctests "$preset" "build/$preset" .
suite first-hour deploy/first_hour.sh
suite examples deploy/examples.sh
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
fi
if [ $sanitize = yes ]; then
  suite modules-c tests/modules/modules.sh c
  suite modules-npm tests/modules/modules.sh npm
  export ASAN_OPTIONS="detect_stack_use_after_return=1:${ASAN_OPTIONS:-}"
  sanitized asan tests/compiler tests/golden tests/scheduler
  # The compiler has no threads of its own; the scheduler's tests run it on several.
  leave_out_label=one_thread
  echo "left out of tsan: what CMakePresets.json says in WB_LEAVE_OUT (cases of tests/scheduler/devices that" \
    "asan has, without other threads than the rest), and tests/scheduler/control, placement and sensors," \
    "which start no thread"
  sanitized tsan tests/scheduler
  collect tidy
fi
