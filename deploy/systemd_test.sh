#!/usr/bin/env bash
# The installed service under a real systemd, which runs in namespaces of its own over a copy of this system
# that is thrown away: started, used, reloaded, killed, hung, upgraded, started by its socket.
#   deploy/systemd_test.sh [BUILD]     a built tree (build/release)
# Exit 77, the reason last, where that cannot be (not root, no systemd, no namespaces or overlays).
# Last line: N checks of the service under systemd
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
build="${1:-build/release}"

leave_out() { echo "skipped: $1"; exit 77; }
[ "$(uname -s)" = Linux ] || leave_out "systemd is Linux's"
[ "$(id -u)" = 0 ] || leave_out "only root may start a systemd"
[ -x /lib/systemd/systemd ] || leave_out "systemd is not installed"
cgroups="$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)"
[ -n "$cgroups" ] || leave_out "there is no cgroup2"
# All groups that the systemd makes lie in this one, and go with it.
group="$cgroups/wasmburst_trial_$$"
mkdir "$group" 2>/dev/null || leave_out "no group can be made in [$cgroups]"
work="$(mktemp -d)"
init=""
clean_up() {
  [ -z "$init" ] || kill -KILL "$init" 2>/dev/null
  wait 2>/dev/null
  find "$group" -depth -type d -exec rmdir {} \; 2>/dev/null
  rm -rf "$work"
}
trap clean_up EXIT

# The system that boots: this one beneath, and what is written in memory. Its /proc/sys is closed, since
# settings of the kernel are not in a namespace.
cat >"$work/boot.sh" <<'BOOT'
set -e
work="$1"
mount --make-rprivate /
mount -t tmpfs tmpfs "$work/memory"
mkdir "$work/memory/upper" "$work/memory/work"
mount -t overlay overlay -o "lowerdir=/,upperdir=$work/memory/upper,workdir=$work/memory/work" "$work/root"
root="$work/root"
mount -t proc proc "$root/proc"
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys"
mount --rbind /dev "$root/dev"
mount -t sysfs sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
for folder in run tmp var/lib var/cache var/log; do mount -t tmpfs tmpfs "$root/$folder"; done
cp -a "$work/stage/." "$root/"
mkdir -p "$root/run/systemd/system"
# Nothing of the machine's own services.
printf '[Unit]\nDefaultDependencies=no\nWants=systemd-journald.service\nAllowIsolate=yes\n' \
  >"$root/run/systemd/system/trial.target"
touch "$work/ready"
export container=trial
exec chroot "$root" /lib/systemd/systemd --system --unit=trial.target --log-target=null
BOOT

boot() {
  mkdir "$work/memory" "$work/root"
  (echo $BASHPID >"$group/cgroup.procs" &&
    exec unshare --mount --pid --fork --cgroup --ipc --uts --kill-child bash "$work/boot.sh" "$work") \
    >"$work/boot.log" 2>&1 </dev/null &
  local parent=$!
  for _ in $(seq 100); do
    init="$(pgrep -P "$parent" -x systemd | head -n 1)"
    [ -n "$init" ] && inside systemctl is-system-running 2>/dev/null | grep -qE 'running|degraded' && return
    kill -0 "$parent" 2>/dev/null || break
    sleep 0.1
  done
  leave_out "a systemd in namespaces does not start here: $(tail -n 1 "$work/boot.log")"
}
inside() { nsenter -t "$init" -m -p -C -i -u -r -w timeout 60 "$@"; }

. tests/shell/checks.sh
DESTDIR="$work/stage" cmake --install "$build" >"$work/install.log" 2>&1 || {
  tail -n 3 "$work/install.log"
  exit 1
}
prefix="$(sed -n "s/^CMAKE_INSTALL_PREFIX:PATH=//p" "$build/CMakeCache.txt")"
etc="$prefix/etc"
[ "$prefix" != /usr ] || etc=/etc
boot
ctl() { inside env WASMBURST_ADDR=unix:///run/wasmburst/wasmburstd.sock "$prefix/bin/wasmburstctl" "$@"; }
main_pid() { inside systemctl show -p MainPID --value wasmburstd; }
is() { [ "$(inside systemctl show -p "$1" --value wasmburstd)" = "$2" ]; }
journal() { inside journalctl -q -u wasmburstd --no-pager -o cat; }
serves() { ctl server info >/dev/null 2>&1; }
fact() { inside sed -n "s/^$1:[[:space:]]*//p" "/proc/$(main_pid)/status"; }

check "sysusers.d makes the user" inside systemd-sysusers "$prefix/lib/sysusers.d/wasmburst.conf"
check "the unit starts, and says READY" inside systemctl start wasmburstd
check "it serves root at once" serves
check "its process is the user's" [ "$(fact Uid | cut -f1)" = "$(inside id -u wasmburst)" ]
check "it has no capabilities" [ "$(fact CapEff)$(fact CapBnd)" = "00000000000000000000000000000000" ]
check "the unit's filter is in force" [ "$(fact Seccomp)" = 2 ]
isolated() { journal | grep -q 'isolated by: seccomp, Landlock'; }
check "its engine hosts restrict themselves further" within 20 isolated
inside sh -c 'cat >/tmp/add.wat' <<'WAT'
(module
  (func (export "add") (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
  (func (export "spin") (loop $l (br $l))))
WAT
adds() { ctl job run /tmp/add.wat --call add --arg 41 --placement "$1" -o csv | grep -q ',42,'; }
check "a job runs on the interpreter" adds interpreter
check "a job is compiled, and runs on the CPU" adds cpu
shuts_out() { inside setpriv --reuid nobody --regid nogroup --clear-groups env \
  WASMBURST_ADDR=unix:///run/wasmburst/wasmburstd.sock "$prefix/bin/wasmburstctl" server info; [ $? = 5 ]; }
check "a user outside the group does not reach the socket" shuts_out

# --- reload
inside sed -i 's/^fuel = .*/fuel = 12345/' "$etc/wasmburst/wasmburstd.toml"
before="$(main_pid)"
check "reload succeeds" inside systemctl reload wasmburstd
reloaded() { journal | grep -q 'reloaded changed=limits.fuel'; }
check "and the configuration was read again" within 10 reloaded
check "by the same process" [ "$(main_pid)" = "$before" ]

# --- killed, hung, upgraded: the job goes on
job="$(ctl -q job submit /tmp/add.wat --call spin --fuel 4000000000000000000)"
goes_on() { ctl job list --filter 'state = RUNNING' | grep -q "^$job "; }
inside kill -KILL "$before"
check "kill -9: it is started again" within 20 serves
check "as another process" [ "$(main_pid)" != "$before" ]
check "and knows its jobs" within 10 goes_on
inside mkdir -p /run/systemd/system/wasmburstd.service.d
inside sh -c 'printf "[Service]\nWatchdogSec=3\n" >/run/systemd/system/wasmburstd.service.d/watchdog.conf'
inside systemctl daemon-reload
inside systemctl restart wasmburstd
check "a restart, as an upgrade does one" within 20 serves
check "keeps its jobs" within 10 goes_on
before="$(main_pid)"
inside kill -STOP "$before"
other_serves() { [ "$(main_pid)" != "$before" ] && serves; }
check "a daemon that hangs is ended by the watchdog, and started again" within 40 other_serves
check "and knows its jobs" within 10 goes_on
ctl -q job cancel "$job" >/dev/null
check "stop" inside systemctl stop wasmburstd
check "is a success" is Result success
check "and leaves no process" [ "$(main_pid)" = 0 ]

# --- socket activation
check "the socket unit starts" inside systemctl start wasmburstd.socket
check "no daemon runs" is ActiveState inactive
check "whoever connects starts it" within 20 serves
check "it took systemd's socket" is ActiveState active
check "the socket is the group's" [ "$(inside stat -c '%a %G' /run/wasmburst/wasmburstd.sock)" = "660 wasmburst" ]
inside systemctl stop wasmburstd.socket wasmburstd

[ $failures = 0 ] || { journal | tail -n 20; exit 1; }
echo "$checks checks of the service under systemd"
