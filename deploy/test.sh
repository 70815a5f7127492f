#!/usr/bin/env bash
# Set-up, release build, and the tests. (With a compiler cache: CMAKE_CXX_COMPILER_LAUNCHER=ccache.)
#   deploy/test.sh [--full] [--sanitize] [--within MINUTES]
#     (neither)    everything bounded
#     --sanitize   also whole modules against Node; clang-tidy over compiler and scheduler;
#                  these under address+undefined sanitizers; scheduler, daemon and the client's calls under the thread sanitizer;
#                  what address+undefined sanitizers run alike, the release build leaves to them
#     --full       everything: the specification suite on every engine and in every mode,
#                  clang-tidy over all files and with the analyzer's own bound, the sanitizers
#     --within M   on a slow machine: the thread sanitizer's tests, all of which ran without it by then, are
#                  skipped and named so if they would not end M minutes after the start
# Last line: N passed, N failed, N skipped. A GoogleTest case counts as one and so does a suite
# script; the reason of every skipped one is printed. Exit 0 only when nothing failed.
set -euo pipefail
cd "$(dirname "$0")/.."
. deploy/platform.sh
. deploy/case_reports.sh

full=no
sanitize=no
within=""  # minutes; empty: as long as it takes
while [ $# != 0 ]; do
  case "$1" in
    --full) full=yes sanitize=yes ;;
    --sanitize) sanitize=yes ;;
    --within)
      within="${2:-}"
      shift
      case "$within" in
        "" | *[!0-9]* | ?????*)
          echo "test.sh: --within takes minutes, a whole number of at most four digits, not [$within]" >&2
          exit 2
          ;;
      esac
      within=$((10#$within))  # 08 is no octal number
      ;;
    *) echo "test.sh: unknown argument [$1]; known are --full, --sanitize and --within" >&2; exit 2 ;;
  esac
  shift
done

logs="$PWD/build/test-logs"
mkdir -p "$logs"
jobs="$(getconf _NPROCESSORS_ONLN)"
passed=0
failed=0
skipped=0
failures=()
beside=""  # processes of checks that run beside others
began=0 used_before=0 used=0 clock=""

# end_process PID: and all that it has started.
end_process() {
  local child
  for child in $(pgrep -P "$1"); do end_process "$child"; done
  kill "$1" 2>/dev/null || true
}

finish() {
  local status=$?
  trap - EXIT
  local pid
  for pid in $beside; do end_process "$pid"; done
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

# begin_clock, and later read_clock, which sets `clock`: seconds, and seconds of processors by what has
# ended meanwhile. What is far below twice the first waits, or has one process left to wait for.
processor_seconds() {
  local file="$logs/times.${BASHPID:-$$}"
  times >"$file"  # not in a subshell, which has no children
  used=$(awk 'NR == 2 { split($0, t, /[ms ]+/); printf "%d", (t[1] + t[3]) * 60 + t[2] + t[4] }' "$file")
  rm "$file"
}
begin_clock() {
  began=$SECONDS
  processor_seconds
  used_before=$used
}
read_clock() {
  processor_seconds
  clock="$((SECONDS - began)) s, processors $((used - used_before)) s"
}

# suite NAME COMMAND...: one counted check. Exit 77 is "skipped", its last line says why.
suite() {
  local name="$1" status=0
  shift
  begin_clock
  "$@" >"$logs/$name.log" 2>&1 </dev/null || status=$?
  read_clock
  count_suite "$name" $status "$clock"
}
# count_suite NAME STATUS TIME
count_suite() {
  local name="$1" log="$logs/$1.log"
  case $2 in
    0)
      passed=$((passed + 1))
      echo "ok: $name ($3): $(tail -n 1 "$log")"
      ;;
    77) note_skip "$name" "$(tail -n 1 "$log")" ;;
    *)
      echo "failed: $name (status $2); the end of its output:"
      tail -n 60 "$log"
      note_failure "$name (whole output: $log)"
      ;;
  esac
}

# leave_to_others COMMAND...: with what everything else leaves of the processors. Linux shares them out to sessions
# first (sched(7), autogroup), and the engines of a daemon are one each: so this gets one of its own, too.
leave_to_others() {
  if command -v setsid >/dev/null 2>&1; then
    setsid --wait sh -c '{ echo 19 >/proc/self/autogroup; } 2>/dev/null; exec nice -n 19 "$@"' sh "$@"
  else
    nice -n 19 "$@"
  fi
}

# begin [-n] [-a OTHER] NAME COMMAND...: what runs beside others; most use one processor. With -n it is left to
# others; with -a it waits until OTHER, which was begun, has ended. collect NAME: waits for it, and counts it as a
# check. is_built NAME: likewise, but counts it only if it failed.
begin() {
  local run="" after="" name
  if [ "$1" = -n ]; then run=leave_to_others && shift; fi
  if [ "$1" = -a ]; then after="$logs/$2" && shift 2; fi
  name="$1"
  shift
  rm -f "$logs/$name.status"
  (
    status=0
    while [ -n "$after" ] && [ ! -e "$after.status" ] && kill -0 "$(cat "$after.pid")" 2>/dev/null; do sleep 1; done
    SECONDS=0
    $run "$@" >"$logs/$name.log" 2>&1 </dev/null || status=$?
    processor_seconds
    echo "$status $SECONDS s, processors $used s" >"$logs/$name.status"
  ) &
  echo $! >"$logs/$name.pid"
  beside="$beside $!"
}
# await NAME: sets the caller's status and took.
await() {
  local pid
  pid="$(cat "$logs/$1.pid")"
  wait "$pid" || true
  beside="${beside/ $pid/}"  # the number may be another process's from now on
  status=1 took=""
  read -r status took <"$logs/$1.status" || true
}
collect() {
  local status took
  await "$1"
  count_suite "$1" "$status" "$took"
}
is_built() {
  local status took
  await "$1"
  if [ "$status" != 0 ]; then
    echo "$1 failed; the end of its output:"
    tail -n 80 "$logs/$1.log"
    note_failure "$1 (whole output: $logs/$1.log)"
    return 1
  fi
  echo "built: $1 ($took)"
}

# build NAME COMMAND...: not counted unless it fails.
build() {
  local name="$1" log="$logs/build-$1.log"
  shift
  begin_clock
  if "$@" >"$log" 2>&1 </dev/null; then
    read_clock
    echo "built: $name ($clock)"
  else
    echo "build of $name failed; the end of its output:"
    tail -n 80 "$log"
    note_failure "build of $name (whole output: $log)"
    return 1
  fi
}

# ctests NAME BUILD FOLDER: every test of a folder of a build, one count per case of GoogleTest. If only_label is
# not empty: those that have it, and every test must say to which folder it belongs (wb_test). Those with
# the label leave_out_label are left out. Of a GoogleTest program ctest knows processes (tests/CMakeLists.txt,
# wb_gtest); what became of its cases is in the report that each has written.
leave_out_label="" only_label=""
ctests() {
  local name="$1" folder="$2/$3" log="$logs/ctest-$1.log" report="$logs/ctest-$1.xml"
  local status=0 all bad left_out line
  local chosen=(${only_label:+-L "$only_label"} ${leave_out_label:+-LE "$leave_out_label"})
  begin_clock
  if [ -n "$only_label" ] && ctest --test-dir "$folder" -N -LE '^in_' 2>/dev/null | grep -q '^ *Test *#'; then
    note_failure "$name: a test that says no folder, and would never run there (wb_test)"
  fi
  rm -rf "$report" "$2/reports"
  # One more than there are processors: some tests wait.
  ctest --test-dir "$folder" -j "$((jobs + 1))" --timeout 900 --no-tests=error --output-on-failure \
    --output-junit "$report" ${chosen[@]+"${chosen[@]}"} >"$log" 2>&1 </dev/null || status=$?
  read_clock
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
  echo "ctest: $name ($clock): $all cases, $bad failed, $left_out skipped"
}

# configure FOLDER-PRESET [CMAKE ARGUMENTS]
configure() {
  local preset="$1"
  shift
  cmake --preset "$preset" "$@"
}

# is_late SECONDS: what takes so long would not end by --within.
is_late() { [ -n "$within" ] && [ $((SECONDS + $1)) -gt $((within * 60)) ]; }

# tsan_tests SECONDS: the tests under the thread sanitizer, which are expected to take so long, when they are built.
tsan_tests() {
  local pid
  pid="$(cat "$logs/tsan-build.pid")"
  while kill -0 "$pid" 2>/dev/null && ! is_late "$1"; do sleep 1; done
  if is_late "$1"; then
    end_process "$pid"
    beside="${beside/ $pid/}"
    note_skip tsan "would end about $(((SECONDS + $1) / 60 + 1)) min after the start, and $within were given (--within)"
  elif is_built tsan-build; then
    ctests tsan build/tsan .
  fi
}

# What kernels' texts are compiled to, for all test processes from here on (tests/built_objects).
export WB_BUILT_OBJECTS="$PWD/build/built-objects"
rm -rf "$WB_BUILT_OBJECTS"

deploy/setup.sh
# With --sanitize a case runs once where it is the same under the address sanitizer.
leave_to_asan=OFF
if [ $sanitize = yes ] && [ $full = no ]; then
  leave_to_asan=ON
  echo "left to asan: tests of compiler and scheduler whose cases are the same there (ALIKE in" \
    "tests/*/CMakeLists.txt); without --sanitize, and with --full, the release build has them too"
fi
build "$preset-configure" configure "$preset" -DWB_LEAVE_TO_ASAN=$leave_to_asan
build "$preset" cmake --build --preset "$preset"

# These need processor time alone, and what comes next waits for something now and then.
if [ $full = yes ]; then
  begin -n tidy deploy/tidy.sh --deep "build/$preset"
elif [ $sanitize = yes ]; then
  begin -n tidy deploy/tidy.sh --only "compiler scheduler" "build/$preset"
fi
if [ $sanitize = yes ]; then
  begin -n -a tidy asan-build deploy/sanitizer_build.sh asan compiler golden scheduler
  begin -n -a asan-build tsan-build deploy/sanitizer_build.sh tsan scheduler daemon client
fi
suite format deploy/format.sh
suite layers deploy/layers.sh
suite layers-test deploy/layers_test.sh
suite case-reports-test deploy/case_reports_test.sh
suite install deploy/install_test.sh "build/$preset"
suite systemd deploy/systemd_test.sh "build/$preset"
suite platform deploy/platform_test.sh
suite launchd deploy/launchd_test.sh
suite bundle deploy/bundle_test.sh
suite package deploy/package.sh "build/$preset"
suite monitoring deploy/monitoring/check.sh
# It counts instructions, so that it may run beside anything.
begin compile-gate bench/compile.sh --gate "build/$preset"
suite cluster deploy/cluster.sh --hosts 4 --rate 400 --seconds 2 --kills 3
suite clusters deploy/clusters_test.sh "build/$preset"
ctests "$preset" "build/$preset" .
if [ $sanitize = yes ]; then begin modules-npm tests/modules/modules.sh npm; fi
suite first-hour deploy/first_hour.sh --seconds 10
collect compile-gate
suite guide deploy/guide.sh "build/$preset"
if [ $sanitize = yes ]; then collect modules-npm && begin modules-c tests/modules/modules.sh c; fi
suite examples deploy/examples.sh
suite gallery deploy/gallery.sh --quick "build/$preset"
suite client-python deploy/clients_test.sh python
suite client-node deploy/clients_test.sh node
suite page deploy/page_test.sh
suite arm64 tests/arm64/compare.sh
suite reliability deploy/reliability.sh --quick
suite inside deploy/inside.sh --quick
suite spec-interpreter deploy/spec.sh --engine interpreter
suite spec-interpreter-leave deploy/spec.sh --engine interpreter --leave
suite spec-cpu deploy/spec.sh --engine cpu
suite spec-cpu-leave deploy/spec.sh --engine cpu --leave
suite spec-cpu-windows deploy/spec.sh --engine cpu --layout interleaved --windows --quick
suite spec-proposals-interpreter-leave deploy/spec.sh --proposals --engine interpreter --leave
suite spec-proposals-cpu deploy/spec.sh --proposals --engine cpu
suite spec-proposals-cpu-leave deploy/spec.sh --proposals --engine cpu --leave
if [ $sanitize = yes ]; then collect modules-c; fi
if [ $full = yes ]; then
  suite spec-cpu-interleaved deploy/spec.sh --engine cpu --layout interleaved
  suite spec-cpu-tiled deploy/spec.sh --engine cpu --layout tiled
  suite spec-cpu-hot deploy/spec.sh --engine cpu --layout hot
  suite spec-cpu-chunks deploy/spec.sh --engine cpu --chunks
  suite spec-interpreter-cut-leave deploy/spec.sh --engine interpreter --cut --leave
  suite spec-cpu-cut-leave deploy/spec.sh --engine cpu --cut --leave
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
  export ASAN_OPTIONS="detect_stack_use_after_return=1:${ASAN_OPTIONS:-}"
  if is_built asan-build; then
    only_label="in_(compiler|golden|scheduler)"
    echo "left out of asan and tsan: UNSANITIZED in tests/*/CMakeLists.txt, cases that the release build has: texts" \
      "for installed compilers and for the subset checker, a simulation of numbers"
    asan_began=$SECONDS
    ctests asan build/asan .
    # The compiler has no threads of its own; the scheduler's tests run it on several. Of the daemon and the
    # client the fuzzers have what the other sanitizers find (tests/fuzz/coverage.sh).
    only_label="in_(scheduler|daemon|client)" leave_out_label=one_thread
    echo "left out of tsan: what CMakePresets.json says in WB_LEAVE_OUT (cases that asan has, without" \
      "other threads than the rest, and simulated disks); what starts no thread: tests/scheduler/control," \
      "placement and sensors; the command line, which starts few: of tests/client it has wb_client_calls_tests"
    # They take about half as long as those under the address sanitizer did.
    tsan_tests $(((SECONDS - asan_began) * 6 / 10 + 60))
  fi
  collect tidy
fi
