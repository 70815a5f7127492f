#!/usr/bin/env bash
# The packages in a root of their own: this system beneath (an overlay, in namespaces), its compilers hidden, and
# what is written in memory, so that nothing of it stays. No systemd runs there: of units, that they are enabled
# is seen; deploy/systemd_test.sh runs one. What packages need of others must be installed here.
#   deploy/packages/root_test.sh FOLDER     with the .deb files
# Exit 77, the reason last, where such a root cannot be. Last line: N checks of the packages
set -uo pipefail
folder="$(cd "$1" && pwd)"
here="$(cd "$(dirname "$0")" && pwd)"
leave_out() { echo "skipped: $1"; exit 77; }

if [ "${WB_IN_ROOT_TEST:-}" = "" ]; then
  [ "$(id -u)" = 0 ] || leave_out "only root may make a root to install into"
  command -v dpkg >/dev/null || leave_out "dpkg is not installed"
  unshare --mount --pid --fork true 2>/dev/null || leave_out "namespaces cannot be made here"
  work="$(mktemp -d)"
  trap 'rm -rf "$work"' EXIT
  status=0
  WB_IN_ROOT_TEST="$work" unshare --mount --pid --fork --kill-child bash "$here/root_test.sh" "$folder" || status=$?
  exit $status
fi

# --- the root
work="$WB_IN_ROOT_TEST"
root="$work/root" memory="$work/memory"
mkdir "$root" "$memory"
mount --make-rprivate /
mount -t tmpfs tmpfs "$memory"
mkdir "$memory/upper" "$memory/work"
mount -t overlay overlay -o "lowerdir=/,upperdir=$memory/upper,workdir=$memory/work" "$root" 2>/dev/null ||
  leave_out "an overlay over this root cannot be mounted"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/tmp"
cp "$folder"/*.deb "$root/tmp"
rm -f "$root"/usr/bin/{clang,lld,ld.lld,gcc,g++,c++,cc,c89,c99}* "$root"/usr/bin/x86_64-linux-gnu-g* \
  "$root"/usr/bin/{ld,as,ld.*,*-ld,*-as} "$root"/usr/local/bin/{clang,gcc,g++,c++,cc}*
rm -rf "$root"/usr/lib/llvm-*/bin
# What of an earlier installation by hand this system has, is none of ours.
rm -rf "$root"/{etc,var/lib,var/cache}/wasmburst

enter=(chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive)
inside() { "${enter[@]}" "$@"; }
. "$here/../../tests/shell/checks.sh"
ctl() { inside timeout 60 wasmburstctl --addr unix:///run/wasmburst/wasmburstd.sock "$@"; }
is_there() { [ -e "$root$1" ] || [ -L "$root$1" ]; }
is_gone() { ! is_there "$1"; }
owned() { [ "$(inside stat -c '%a %U %G' "$1")" = "$2" ]; }

# As the unit starts it, without the unit.
daemon=""
begin_daemon() {
  "${enter[@]}" setpriv --reuid wasmburst --regid wasmburst --init-groups env STATE_DIRECTORY=/var/lib/wasmburst \
    CACHE_DIRECTORY=/var/cache/wasmburst wasmburstd --config /etc/wasmburst/wasmburstd.toml 2>>"$work/log" </dev/null &
  daemon=$!
  for _ in $(seq 300); do ctl server info >/dev/null 2>&1 && return; sleep 0.1; done
  cat "$work/log"
  return 1
}
end_daemon() { kill -TERM "$daemon"; wait "$daemon"; daemon=""; }

# --- installation
enabled=/etc/systemd/system/multi-user.target.wants/wasmburstd.service
# shellcheck disable=SC2016  # $ is the inner shell's
all() { inside sh -c 'dpkg "$@" && dpkg --audit' sh "$@"; }
debs() { (cd "$root" && ls tmp/*_"$1"_*.deb | sed 's|^|/|'); }
version="$(dpkg-deb -f "$(echo "$folder"/wasmburst-daemon_*.deb)" Version)"
# shellcheck disable=SC2046  # several names
check "the packages are installed, with what they need" all -i $(debs "$version")
names="wasmburst-daemon wasmburst-client wasmburst-mslcheck python3-wasmburst"
for name in $names; do check "$name is installed" inside dpkg -s "$name"; done
check "the user is made" inside id wasmburst
check "the state is the user's alone" owned /var/lib/wasmburst "700 wasmburst wasmburst"
check "the cache too" owned /var/cache/wasmburst "700 wasmburst wasmburst"
check "the socket's folder is the group's" owned /run/wasmburst "750 wasmburst wasmburst"
check "the service is enabled" is_there $enabled
check "the socket unit is there, and not enabled" is_gone /etc/systemd/system/sockets.target.wants/wasmburstd.socket
check "the daemon takes its configuration" inside wasmburstd --config /etc/wasmburst/wasmburstd.toml --check-config
if inside sh -c 'command -v man' >/dev/null; then
  for page in wasmburstctl wasmburstd wasmburst-util; do
    check "man $page" inside sh -c "MANWIDTH=80 man -E ascii $page | grep -q -i wasmburst"
  done
fi
check "bash completes" inside bash -c 'source /usr/share/bash-completion/completions/wasmburstctl && complete -p wasmburstctl'

# --- a first job, on a machine without a compiler
inside sh -c 'cat >/tmp/add.wat' <<'WAT'
(module (func (export "add") (param i32) (result i32) (i32.add (local.get 0) (i32.const 1))))
WAT
check "the daemon starts as its user" begin_daemon
ctl device list >"$work/devices"
check "the CPU device says what it lacks" grep -q 'There is no linker in PATH (ld' "$work/devices"
check "and the interpreter serves" grep -q '^devices/interpreter0 .*idle' "$work/devices"
adds() { ctl job run /tmp/add.wat --call add --arg 41 -o csv | grep -E 'interpreter.*' | grep -q ',42'; }
check "a job runs, on the interpreter" adds
check "Python calls it" inside env WASMBURST_ADDR=unix:///run/wasmburst/wasmburstd.sock python3 -c "
import wasmburst
wasm = bytes.fromhex('0061736d0100000001060160017f017f030201000707010361646400000a09010700200041016a0b')
assert list(wasmburst.Client().map(wasm, 'add', [1, 2])) == [2, 3]"
check "the checker of kernel texts runs" inside sh -c \
  'echo "int f() { goto x; }" | /usr/libexec/wasmburst/wasmburst-mslcheck -; [ $? = 1 ]'
check "a module is compiled and checked without a daemon" inside env -u WASMBURST_ADDR wasmburstctl -q module check --local /tmp/add.wat
end_daemon

# --- an upgrade: the same packages under a higher version
for deb in "$root"/tmp/*.deb; do
  dpkg-deb -R "$deb" "$work/next" && sed -i "s/^Version: .*/Version: $version+next/" "$work/next/DEBIAN/control"
  if [ -e "$work/next/etc" ]; then echo "# of the next version" >>"$work/next/etc/wasmburst/wasmburstd.toml"; fi
  dpkg-deb -Z gzip -z 1 -b "$work/next" "$root/tmp/$(dpkg-deb -f "$deb" Package)_$version+next_x.deb" >/dev/null
  rm -rf "$work/next"
done
inside sed -i 's/^worker_threads = .*/worker_threads = 5/' /etc/wasmburst/wasmburstd.toml
# shellcheck disable=SC2046
check "an upgrade" all --force-confdef --force-confold -i $(debs "$version+next")
check "is one" [ "$(inside dpkg-query -W -f='${Version}' wasmburst-daemon)" = "$version+next" ]
check "keeps the changed configuration" inside grep -q '^worker_threads = 5' /etc/wasmburst/wasmburstd.toml
check "and the service's place" is_there $enabled
check "the daemon starts again" begin_daemon
knows_jobs() { ctl job list | grep -q SUCCEEDED; }
check "and knows its jobs" knows_jobs
end_daemon

# --- removal
# shellcheck disable=SC2086
check "the packages are removed" all -r $names
for file in /usr/sbin/wasmburstd /usr/bin/wasmburstctl /usr/libexec/wasmburst /lib/systemd/system/wasmburstd.service \
  /usr/lib/python3/dist-packages/wasmburst; do
  check "$file is gone" is_gone $file
done
check "the configuration stays" is_there /etc/wasmburst/wasmburstd.toml
check "and so does the state" is_there /var/lib/wasmburst
# shellcheck disable=SC2046
check "they are installed again" all --force-confdef --force-confold -i $(debs "$version+next")
check "and the service is enabled, not masked" [ "$(inside readlink -f /etc/systemd/system/wasmburstd.service)" != /dev/null ]
# shellcheck disable=SC2086
check "they are purged" all -P $names
check "the user leaves" eval '! inside id wasmburst'
home="$(getent passwd root | cut -d: -f6)"  # what the commands of this test leave there is theirs
left() { (cd "$memory/upper" && find . -name '*wasmburst*' ! -type c ! -path './var/log/*' ! -path ".$home/*"); }
check "and nothing is left" [ -z "$(left)" ]
[ -z "$(left)" ] || left

if [ $failures != 0 ]; then
  cat "$work/log" "$work/devices" 2>/dev/null | tail -n 20
  echo "$failures of $checks checks of the packages failed"
  exit 1
fi
echo "$checks checks of the packages"
