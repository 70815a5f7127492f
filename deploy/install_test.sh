#!/usr/bin/env bash
# Installs into an empty folder and checks that everything lies where it belongs and holds together.
#   deploy/install_test.sh [BUILD]     a built tree (build/release)
# Every check that fails is printed; exit 0 only when none did.
set -euo pipefail
cd "$(dirname "$0")/.."
build="${1:-build/release}"
stage="$(mktemp -d)" work="$stage"
trap 'rm -rf "$stage"' EXIT

. tests/shell/checks.sh
holds() { grep -q -F -x -e "$2" "$1"; }

prefix="$(sed -n "s/^CMAKE_INSTALL_PREFIX:PATH=//p" "$build/CMakeCache.txt")"
etc="$prefix/etc"
[ "$prefix" != /usr ] || etc=/etc

stage_install() { DESTDIR="$stage" cmake --install "$build" >"$stage/install.log" 2>&1; }
check "cmake --install works" stage_install

for program in sbin/wasmburstd bin/wasmburstctl bin/wasmburst-util libexec/wasmburst/wasmburst-engine \
  libexec/wasmburst/wasmburst-nvrtc libexec/wasmburst/wasmburst-mslcheck \
  libexec/wasmburst/wasmburst-compile libexec/wasmburst/wasmburst-clang; do
  check "$program is installed and executable" test -x "$stage$prefix/$program"
done

# That they find their libraries, and the client and the checker do something.
check "wasmburstctl runs" eval '"$stage$prefix/bin/wasmburstctl" --version >/dev/null'
printf '\0asm\1\0\0\0' >"$stage/empty.wasm"
check "it compiles and checks a module without a daemon" \
  "$stage$prefix/bin/wasmburstctl" -q module check --local "$stage/empty.wasm"
check "wasmburst-mslcheck runs and refuses what is no kernel text" eval \
  'echo "int f() { goto x; }" | "$stage$prefix/libexec/wasmburst/wasmburst-mslcheck" - >/dev/null;
   [ $? = 1 ]'

# HTTP is the daemon's alone: what runs guests and compilers has no library for it.
has_no_http() { ! ldd "$1" | grep libcurl; }
for program in wasmburst-engine wasmburst-nvrtc wasmburst-compile; do
  check "$program links no libcurl" has_no_http "$stage$prefix/libexec/wasmburst/$program"
done

# What wasmburstctl prints of its commands.
check "the manual page is installed" grep -q "^.TH WASMBURSTCTL" "$stage$prefix/share/man/man1/wasmburstctl.1"
for text in bash-completion/completions/wasmburstctl zsh/site-functions/_wasmburstctl \
  fish/vendor_completions.d/wasmburstctl.fish; do
  check "share/$text is installed" grep -q __complete "$stage$prefix/share/$text"
done

# The guide, and the reference that the build has made.
documents="$stage$prefix/share/doc/wasmburst/guide"
check "the guide is installed" test -s "$documents/01_first_job.md"
check "the reference is installed" grep -q '^## wasmburstctl job run$' "$documents/reference/commands.md"
check "it has the API" grep -q '^### Jobs.CreateJob$' "$documents/reference/jobs.md"

# The configuration: what the daemon prints, taken by the daemon, kept when it was changed.
config="$stage$etc/wasmburst/wasmburstd.toml"
check "the default configuration is installed" test -s "$config"
check "it is what the installed daemon prints" \
  cmp "$config" <("$stage$prefix/sbin/wasmburstd" --print-default-config)
check "the installed daemon takes it" \
  "$stage$prefix/sbin/wasmburstd" --config "$config" --check-config
mkdir -p "$(dirname "$config")"
echo "# changed" >>"$config"
check "installing again works" stage_install
check "and keeps a changed configuration" holds "$config" "# changed"

for name in grafana.json alerts.yml; do
  check "$name is installed" test -s "$stage$prefix/share/wasmburst/$name"
done

# The unit, as systemd itself reads it.
check_unit() {
  unit="$stage$prefix/lib/systemd/system/wasmburstd.service"
  check "the unit is installed" test -s "$unit"
  check "its socket is the configuration's first listener" \
    grep -q "address = \"unix://$(sed -n 's/^ListenStream=//p' "${unit%.service}.socket")\"" "$config"
  check "the unit starts the installed daemon with the installed configuration" holds "$unit" \
    "ExecStart=$prefix/sbin/wasmburstd --config $etc/wasmburst/wasmburstd.toml"
  check "sysusers.d makes the user the unit names" \
    grep -q '^u wasmburst ' "$stage$prefix/lib/sysusers.d/wasmburst.conf"
  if command -v systemd-analyze >/dev/null 2>&1; then
    # verify wants the program where the unit says; in the stage it lies elsewhere.
    mkdir "$stage/verify"
    sed "s|^ExecStart=/|ExecStart=$stage/|" "$unit" >"$stage/verify/wasmburstd.service"
    cp "${unit%.service}.socket" "$stage/verify/"
    verify() {
      systemd-analyze verify "$stage"/verify/wasmburstd.{service,socket} >"$stage/verify.log" 2>&1 &&
        ! grep wasmburstd "$stage/verify.log"
    }
    check "systemd-analyze verify finds nothing" verify
    check "systemd-analyze security: exposure at most 2.0" \
      systemd-analyze security --offline=true --threshold=20 "$unit"
  else
    echo "systemd-analyze is not installed: the unit was not verified"
  fi
}
# On a Mac; deploy/launchd_test.sh reads what is in them.
check_launchd() {
  local lists="$stage/Library/LaunchDaemons $stage$prefix/share/wasmburst" name
  for name in daemon agent; do
    check "the property list of the $name is installed" test -s "${lists%% *}/dev.wasmburst.$name.plist"
    lists="${lists#* }"
  done
}
if [ "$(uname -s)" = Darwin ]; then check_launchd; else check_unit; fi

[ $failures = 0 ] || { cat "$stage/install.log"; exit 1; }
echo "$checks checks of the installation"
