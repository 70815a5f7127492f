#!/usr/bin/env bash
# Reads launchd's property lists as they are installed, checks what launchd would take from them, and
# runs what the agent starts with a daemon that only notes how it was called. launchd itself is not asked.
#   deploy/launchd_test.sh
# Exit 77 (skipped) without python3, which reads property lists everywhere.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v python3 >/dev/null 2>&1 || { echo "python3 is not installed"; exit 77; }
stage="$(mktemp -d)"
trap 'rm -rf "$stage"' EXIT
mkdir -p "$stage/sbin" "$stage/home"
for name in daemon agent; do
  sed -e "s|@CMAKE_INSTALL_FULL_SBINDIR@|$stage/sbin|g" -e "s|@WB_CONFIG_FILE@|/etc/wasmburstd.toml|g" \
    "deploy/dev.wasmburst.$name.plist.in" >"$stage/dev.wasmburst.$name.plist"
done
cat >"$stage/sbin/wasmburstd" <<'SH'
#!/bin/sh
echo "$* in $CACHE_DIRECTORY"
echo "a line for the log" >&2
SH
chmod +x "$stage/sbin/wasmburstd"

python3 - "$stage" <<'PY'
import os, plistlib, subprocess, sys

stage = sys.argv[1]
# What launchd.plist(5) has of what ours use, with the type it wants.
KEYS = {
    "Label": str, "ProgramArguments": list, "UserName": str, "GroupName": str,
    "EnvironmentVariables": dict, "RunAtLoad": bool, "KeepAlive": dict, "ThrottleInterval": int,
    "ExitTimeOut": int, "SoftResourceLimits": dict, "ProcessType": str, "StandardErrorPath": str,
    "LimitLoadToSessionType": str, "LowPriorityIO": bool,
}
checks, failures = 0, []


def check(words, holds):
    global checks
    checks += 1
    if not holds:
        failures.append(words)


def read(name):
    path = f"{stage}/{name}.plist"
    check(f"{name}: nothing is left to be filled in", "@" not in open(path).read())
    with open(path, "rb") as file:
        job = plistlib.load(file)
    check(f"{name}: its label is its file's name", job["Label"] == name)
    for key, value in job.items():
        check(f"{name}: {key} is known to launchd, as a {KEYS.get(key)}", type(value) is KEYS.get(key))
    check(f"{name}: it is started again unless it ended well", job["KeepAlive"] == {"SuccessfulExit": False})
    check(f"{name}: it has longer than its drain of 30 s to end", job["ExitTimeOut"] > 30)
    check(f"{name}: its program is named from the root", job["ProgramArguments"][0].startswith("/"))
    check(f"{name}: it is no more than background", job["ProcessType"] == "Background")
    return job


daemon = read("dev.wasmburst.daemon")
check("the daemon runs with its configuration", daemon["ProgramArguments"] ==
      [f"{stage}/sbin/wasmburstd", "--config", "/etc/wasmburstd.toml"])
check("the daemon is not root", daemon["UserName"] == "_wasmburst")
check("the daemon's kernels are in the system's caches",
      daemon["EnvironmentVariables"]["CACHE_DIRECTORY"] == "/Library/Caches/WasmBurst")

agent = read("dev.wasmburst.agent")
check("the agent is in the login session, where the GPU is", agent["LimitLoadToSessionType"] == "Aqua")
home = f"{stage}/home"
ended = subprocess.run(agent["ProgramArguments"], env={"HOME": home, "PATH": "/usr/bin:/bin"},
                       capture_output=True, text=True, check=False)
check("the agent starts the daemon with its configuration and the user's caches", ended.stdout ==
      f"--config /etc/wasmburstd.toml in {home}/Library/Caches/WasmBurst\n")
check("the caches are there", os.path.isdir(f"{home}/Library/Caches/WasmBurst"))
log = f"{home}/Library/Logs/WasmBurst/wasmburstd.log"
check("the log is in the user's", os.path.exists(log) and open(log).read() == "a line for the log\n")

for words in failures:
    print("failed:", words)
print(checks, "checks of launchd's property lists")
sys.exit(bool(failures))
PY
