# What became of the cases of a ctest run; sourced by test.sh. Each function takes JUNIT, what ctest
# wrote of its tests, and REPORTS, the folder into which each GoogleTest program of them has written of
# its cases (NAME.xml for the test NAME; tests/CMakeLists.txt, wb_gtest).

# attribute(LINE, NAME): its value in a line of XML, as a text.
xml_functions='
  function attribute(line, name) {
    return match(line, " " name "=\"[^\"]*\"") ? substr(line, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : ""
  }
  function text(xml) {
    gsub(/&#x0A;/, " ", xml); gsub(/&quot;/, "\042", xml); gsub(/&lt;/, "<", xml)
    gsub(/&gt;/, ">", xml); gsub(/&apos;/, "\047", xml); gsub(/&amp;/, "\\&", xml)
    return xml
  }'

# count_cases JUNIT REPORTS: "ALL FAILED SKIPPED". A process that failed and whose report is missing, or
# says that no case failed, counts as one failed case: it died. So does one that ran no case: its filter
# fits none.
count_cases() {
  [ -f "$1" ] || { echo 0 0 0; return; }
  awk -v reports="$2" "$xml_functions"'
    function add_report(path, test_failed, line, found, its_bad, its_all) {
      while ((getline line < path) > 0) {
        if (line ~ /^<testsuites /) {
          found = 1
          its_all = attribute(line, "tests") + 0
          its_bad = attribute(line, "failures") + attribute(line, "errors")
          skipped += attribute(line, "disabled")
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
    /<testsuite / {
      sum = attribute($0, "tests")
      sum_bad = attribute($0, "failures")
      sum_skipped = attribute($0, "skipped") + attribute($0, "disabled")
    }
    /<testcase / {
      ++cases
      is_bad = $0 ~ /status="fail"/
      is_skipped = $0 ~ /status="(disabled|notrun)"/
      if (add_report(reports "/" attribute($0, "name") ".xml", is_bad)) next
      if (is_bad) next  # counted as one that died
      ++all
      skipped += is_skipped
    }
    END {
      if (cases == 0) print sum + 0, sum_bad + 0, sum_skipped + 0
      else print all + 0, bad + 0, skipped + 0
    }' "$1"
}

# reported REPORTS AWK-PROGRAM: runs it over all reports; in it, `case_name` is the case that a line is of.
reported() {
  [ -d "$1" ] || return 0
  find "$1" -name '*.xml' -exec cat {} + | awk "$xml_functions"'
    /<testcase / { case_name = attribute($0, "classname") "." attribute($0, "name") }'"$2"
}

# failed_cases JUNIT REPORTS: "CASE: WHERE: WHAT" for every failed case of GoogleTest, and the name of
# every failed test of ctest with a sanitizer's summaries: its process may have died before it wrote a report.
failed_cases() {
  [ -f "$1" ] || return 0
  awk "$xml_functions"'
    /<testcase / { bad = $0 ~ /status="fail"/; name = attribute($0, "name") }
    /<testcase / && bad { print name }
    bad && /SUMMARY: / {
      summary = text($0)
      sub(/.*SUMMARY: /, "", summary)
      sub(/<.system-out>.*/, "", summary)
      if (!said[name summary]++) print name ": " substr(summary, 1, 400)
    }' "$1"
  reported "$2" '/<failure / { print case_name ": " substr(text(attribute($0, "message")), 1, 400) }'
}

# skip_reasons JUNIT REPORTS: "CASE: REASON" for every skipped case, the reason as the case gave it.
skip_reasons() {
  [ -f "$1" ] || return 0
  awk "$xml_functions"'
    /<testcase / { name = attribute($0, "name") }
    /<skipped|status="(disabled|notrun)"/ { is_skipped = 1; reason = "" }
    is_skipped && /<system-out>/ { reason = $0; gsub(/.*<system-out>|<.system-out>.*/, "", reason) }
    /<\/testcase>/ {
      if (is_skipped) print name ": " (reason == "" ? "gave no reason" : reason)
      is_skipped = 0
    }' "$1"
  reported "$2" '
    /<testcase .*result="skipped"/ { waits = 1 }
    waits && /<skipped / {
      reason = attribute($0, "message")
      sub(/^[^ ]*:[0-9]+(&#x0A;)*/, "", reason)
      reason = text(reason)
      print case_name ": " (reason == "" ? "gave no reason" : reason)
      waits = 0
    }'
}
