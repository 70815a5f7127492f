#!/usr/bin/env bash
# That case_reports.sh counts and names cases as they are: over made-up reports.
#   deploy/case_reports_test.sh
# Every check that fails is printed; exit 0 only when none did.
set -euo pipefail
cd "$(dirname "$0")/.."
. deploy/case_reports.sh
stage="$(mktemp -d)"
trap 'rm -rf "$stage"' EXIT

checks=0
failures=0
# check WORDS EXPECTED COMMAND...: of what the command prints.
check() {
  local words="$1" expected="$2" said
  said="$("${@:3}")"
  checks=$((checks + 1))
  [ "$said" != "$expected" ] || return 0
  printf 'failed: %s\n--- said\n%s\n--- expected\n%s\n' "$words" "$said" "$expected"
  failures=$((failures + 1))
}
# test_of NAME STATUS: of ctest.
test_of() { printf '<testcase name="%s" classname="%s" time="1" status="%s">\n</testcase>\n' "$1" "$1" "$2"; }
# run_of TESTCASE...: ctest's report.
run_of() {
  {
    echo '<testsuite name="Linux" tests="9" failures="9" disabled="0" skipped="0">'
    printf '%s\n' "$@"
    echo '</testsuite>'
  } >"$stage/junit.xml"
  rm -rf "$stage/reports"
  mkdir "$stage/reports"
}
# report NAME TESTS FAILURES LINE...: a program's own.
report() {
  {
    printf '<testsuites tests="%s" failures="%s" disabled="0" errors="0" name="AllTests">\n' "$2" "$3"
    printf '%s\n' "${@:4}" '</testsuites>'
  } >"$stage/reports/$1.xml"
}
check_all() {
  check "$1: counts" "$2" count_cases "$stage/junit.xml" "$stage/reports"
  check "$1: names" "$3" failed_cases "$stage/junit.xml" "$stage/reports"
  check "$1: reasons" "$4" skip_reasons "$stage/junit.xml" "$stage/reports"
}

run_of "$(test_of wb_lane_tests.0 run)" "$(test_of e2e run)"
report wb_lane_tests.0 2 0 '<testcase name="Leaves" result="completed" classname="LaneTest" />' \
  '<testcase name="GoesOn" result="completed" classname="LaneTest" />'
check_all "a program of two cases, and a script" "3 0 0" "" ""

run_of "$(test_of wb_lane_tests.0 fail)"
report wb_lane_tests.0 2 1 '<testcase name="Leaves/0" result="completed" classname="Ways/LaneTest">' \
  '  <failure message="/a/lane_test.cc:7&#x0A;Expected: &quot;a&quot; &lt; b" type=""><![CDATA[x]]></failure>' '</testcase>' \
  '<testcase name="GoesOn" result="completed" classname="LaneTest" />'
check_all "a case that fails" "2 1 0" "wb_lane_tests.0
Ways/LaneTest.Leaves/0: /a/lane_test.cc:7 Expected: \"a\" < b" ""

run_of "$(test_of wb_lane_tests.0 fail)"
check_all "a program that died before its report" "1 1 0" "wb_lane_tests.0" ""

run_of "$(test_of wb_lane_tests.0 fail)"
report wb_lane_tests.0 1 0 '<testcase name="Leaves" result="completed" classname="LaneTest" />'
check_all "a program that died behind its report" "2 1 0" "wb_lane_tests.0" ""

run_of '<testcase name="wb_rpc_tests.3" time="1" status="fail">' \
  '<system-out>WARNING: data race' 'SUMMARY: Sanitizer: data race a.cc in wb::Job&lt;int&gt;::End()' \
  'SUMMARY: Sanitizer: data race a.cc in wb::Job&lt;int&gt;::End()</system-out>' '</testcase>' \
  '<testcase name="wb_job_tests.0" time="1" status="run">' '<system-out>SUMMARY: of a test that passed</system-out>' '</testcase>'
report wb_rpc_tests.3 2 0 '<testcase name="Ends" result="completed" classname="RpcTest" />'
check_all "a sanitizer's finding" "4 1 0" "wb_rpc_tests.3
wb_rpc_tests.3: Sanitizer: data race a.cc in wb::Job<int>::End()" ""

run_of "$(test_of wb_lane_tests.0 run)"
report wb_lane_tests.0 0 0
check_all "a filter that fits no case" "1 1 0" "" ""

run_of "$(test_of wb_lane_tests.0 run)" \
  '<testcase name="e2e.metal" time="1" status="notrun">' '<skipped message="SKIP_RETURN_CODE=77"/>' \
  '<system-out>there is no stand-in</system-out>' '</testcase>'
report wb_lane_tests.0 1 0 '<testcase name="Leaves" result="skipped" classname="LaneTest">' \
  '  <skipped message="/a/lane_test.cc:9&#x0A;no GPU &amp; no driver"><![CDATA[x]]></skipped>' '</testcase>'
check_all "skipped: a script, and a case" "2 0 2" "" "e2e.metal: there is no stand-in
LaneTest.Leaves: no GPU & no driver"

rm "$stage/junit.xml"
check_all "no report at all" "0 0 0" "" ""

[ $failures = 0 ] || exit 1
echo "$checks checks of case_reports.sh"
