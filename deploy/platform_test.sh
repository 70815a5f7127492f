#!/usr/bin/env bash
# What the scripts here decide on a Mac: run with a made-up uname and tools that only note what they
# were asked for, so that no Mac is needed. It shows that they take the ways meant for macOS, and
# that its old bash can read them; not that those ways lead anywhere.
#   deploy/platform_test.sh [BASH]     which bash runs them (the usual one; macOS's own is 3.2)
# Every check that fails is printed; exit 0 only when none did.
set -euo pipefail
cd "$(dirname "$0")/.."
stage="$(mktemp -d)" work="$stage/checks"
trap 'rm -rf "$stage"' EXIT
tools="$stage/tools" tree="$stage/tree" notes="$stage/notes"
mkdir -p "$tools" "$tree" "$work"
cp -R deploy CMakePresets.json "$tree"

. tests/shell/checks.sh
noted() { grep -q -e "$1" "$notes"; }

# tool NAME [SCRIPT]: notes its arguments, then does what the script says.
tool() {
  printf '#!/bin/sh\necho "%s $*" >>"%s"\n%s\n' "${1##*/}" "$notes" "${2:-}" >"$1"
  chmod +x "$1"
}
[ $# = 0 ] || ln -s "$1" "$tools/bash"
tool "$tools/uname" 'echo Darwin'
tool "$tools/cmake"
tool "$tools/ctest" 'exit 1'
tool "$tools/brew" "case \"\$*\" in
  --prefix) echo $stage/brew ;;
  'list --versions ninja') exit 0 ;;
  list*) [ -e $stage/installed ] ;;
  install*) touch $stage/installed ;;
esac"

# as_mac COMMAND...: in the tree's copy, with these tools before the others.
as_mac() { (cd "$tree" && PATH="$tools:$PATH" "$@" >"$stage/said" 2>&1); }

check "setup.sh --check says what is missing" eval '! as_mac deploy/setup.sh --check'
check "and installs nothing" eval '! noted "^brew install"'
check "setup.sh installs" as_mac deploy/setup.sh
check "what the build needs" noted '^brew install .*wabt.* grpc .* cli11 .*googletest'
check "and not what is there" eval '! noted "^brew install.* ninja"'
check "a second time there is nothing to do" as_mac deploy/setup.sh --check
check "one more package can be asked for" eval 'rm "$stage/installed"; as_mac deploy/setup.sh --also binaryen'
check "and is installed" noted '^brew install .*binaryen'

# The demo, with a daemon that only waits and a client that knows one GPU.
built="$tree/build/macos"
mkdir -p "$built/daemon" "$built/client" "$built/deploy" "$stage/brew/opt/llvm/bin"
tool "$stage/brew/opt/llvm/bin/clang" 'while [ "$1" != -o ]; do shift; done; echo wasm >"$2"'
tool "$built/daemon/wasmburstd" 'exec sleep 60'
tool "$built/client/wasmburstctl" 'case "$*" in
  *"device list"*) echo "devices/metal0  metal" ;;
  *concat*) for word; do case "$word" in row=/*) head -c 8388608 /dev/zero >"${word#row=}" ;; esac; done ;;
esac'
tool "$tools/node" 'head -c 8388608 /dev/zero >"$5"; echo 1.5 8'
tool "$built/deploy/wb_demo_png"
tool "$built/deploy/wb_demo_report"
check "demo.sh runs" as_mac deploy/demo.sh "$stage/picture.png"
check "with the preset of macOS" noted '^cmake --preset macos'
check "built by it" noted '^cmake --build --preset macos --target wasmburstd'
check "its module made by Homebrew's clang" noted '^clang --target=wasm32'
check "the picture on the GPU" noted '^wasmburstctl .*--arg 0..1024.*--placement gpu'
check "V8 beside it" noted '^wb_demo_report gpu .* 1.5 8$'
check "the sample on the interpreter" noted '^wasmburstctl .*--placement interpreter'
tool "$built/client/wasmburstctl" 'case "$*" in
  *concat*) for word; do case "$word" in row=/*) head -c 8388608 /dev/zero >"${word#row=}" ;; esac; done ;;
esac'
check "demo.sh runs without a GPU" as_mac deploy/demo.sh "$stage/picture.png"
check "then on the CPU" noted '^wasmburstctl .*--arg 0..1024.*--placement cpu'

# The tests, with suites that only pass or are skipped.
for suite in format layers layers_test case_reports_test first_hour guide examples gallery reliability inside install_test clients_test cluster clusters_test page_test systemd_test bundle_test package platform_test launchd_test spec tidy fuzz; do
  tool "$tree/deploy/$suite.sh" 'echo nothing; exit 77'
done
mkdir -p "$tree/tests/modules" "$tree/tests/arm64" "$tree/deploy/monitoring" "$tree/bench"
tool "$tree/bench/compile.sh" 'echo nothing; exit 77'
tool "$tree/tests/modules/modules.sh"
tool "$tree/tests/arm64/compare.sh" 'echo nothing; exit 77'
tool "$tree/deploy/monitoring/check.sh" 'echo nothing; exit 77'
tool "$tools/ctest" 'while [ "$1" != --output-junit ]; do shift; done
  echo "<testsuite name=\"x\" tests=\"3\" failures=\"0\" disabled=\"0\" skipped=\"0\">" >"$2"'
check "test.sh runs" as_mac deploy/test.sh
check "and says so" grep -q '^3 passed, 0 failed, [0-9]* skipped$' "$stage/said"
check "test.sh --sanitize runs" as_mac deploy/test.sh --sanitize --within 9
check "with both sanitizers" grep -q '^ctest: tsan (.*: 3 cases, 0 failed' "$stage/said"
check "and late without the thread sanitizer" as_mac deploy/test.sh --sanitize --within 0
check "which it says" grep -q '^skipped: tsan: would end about .* 0 were given (--within)$' "$stage/said"
check "having run the other" grep -q '^ctest: asan (.*: 3 cases, 0 failed' "$stage/said"
check "test.sh --within wants minutes" eval '! as_mac deploy/test.sh --within soon'
check "and says so" grep -q 'takes minutes, a whole number .*, not .soon' "$stage/said"
check "not too many" eval '! as_mac deploy/test.sh --within 12345'
check "nor none" eval '! as_mac deploy/test.sh --within'
check "and takes them with zeros in front" as_mac deploy/test.sh --within 08
# What became of cases: a process of five cases, one of them skipped; one that is no GoogleTest program;
# then one that died before its report, and one whose filter fits no case.
tool "$tools/ctest" 'while [ "$1" != --output-junit ]; do shift; done
  mkdir -p build/macos/reports
  printf "%s\n" "<testsuites tests=\"5\" failures=\"0\" disabled=\"0\" errors=\"0\">" \
    "<testcase name=\"Reads\" result=\"skipped\" classname=\"Files\">" \
    "<skipped message=\"a.cc:1&#x0A;no disk\"/>" >build/macos/reports/wb_a.0.xml
  printf "%s\n" "<testsuite name=\"x\" tests=\"2\" failures=\"0\" disabled=\"0\" skipped=\"0\">" \
    "<testcase name=\"wb_a.0\" status=\"run\">" "</testcase>" \
    "<testcase name=\"e2e\" status=\"run\">" "</testcase>" >"$2"'
check "test.sh counts the cases of reports" as_mac deploy/test.sh
check "and what is skipped in them" grep -q '^5 passed, 0 failed, [0-9]* skipped$' "$stage/said"
check "with its reason" grep -q '^skipped: macos: Files.Reads: no disk$' "$stage/said"
tool "$tools/ctest" 'while [ "$1" != --output-junit ]; do shift; done
  mkdir -p build/macos/reports
  echo "<testsuites tests=\"0\" failures=\"0\" disabled=\"0\" errors=\"0\">" >build/macos/reports/wb_b.0.xml
  printf "%s\n" "<testcase name=\"wb_a.0\" status=\"fail\">" "</testcase>" \
    "<testcase name=\"wb_b.0\" status=\"run\">" "</testcase>" >"$2"'
check "test.sh fails where a process died or ran no case" eval '! as_mac deploy/test.sh'
check "and counts both" grep -q '^0 passed, 2 failed, [0-9]* skipped$' "$stage/said"

check "ctest looks where macOS's build is" noted '^ctest --test-dir build/macos'
check "the installation that is checked is that one" noted '^install_test.sh build/macos'

if [ $failures != 0 ]; then
  cat "$notes" "$stage/said"
  exit 1
fi
echo "$checks checks of what the scripts do on a Mac"
