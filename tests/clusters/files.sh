#!/usr/bin/env bash
# What needs no cluster of either kind: settings that the daemon takes, times, metrics, secrets, shell.
#   tests/clusters/files.sh BUILD
# Last line: N checks of files
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
build="$1"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
. tests/shell/checks.sh

# --- settings
taken() { # FILE...: together they are a configuration of the daemon
  sed -e 's/@HOST@/a/; s/@PORT@/7443/; s|@FOLDER@|/tmp/a|; s|@HOME@|/home/a|g' "$@" >"$work/config.toml"
  "$build/daemon/wasmburstd" --config "$work/config.toml" --check-config
}
kubernetes=deploy/kubernetes slurm=deploy/slurm
check "settings of a pod with a GPU" taken $kubernetes/base/daemon.toml $kubernetes/base/devices.toml
check "settings of a pod without one" taken $kubernetes/base/daemon.toml $kubernetes/processors/devices.toml
check "settings of a task of Slurm" taken $slurm/wasmburstd.toml
echo '[no_section]' >"$work/wrong.toml"
check "others are refused" eval '! taken $slurm/wasmburstd.toml "$work/wrong.toml"'
check "both agree when a host is dropped" \
  [ "$(sed -n '/^lease = /p' $kubernetes/base/daemon.toml $slurm/wasmburstd.toml | sort -u | wc -l)" = 1 ]

# --- the signal of the batch script comes early enough
seconds_of() { sed -n "s/^$1 = \"\([0-9]*\)s\"/\1/p" $slurm/wasmburstd.toml; }
signal="$(sed -n 's/^#SBATCH --signal=B:USR1@\([0-9]*\)$/\1/p' $slurm/wasmburst.sbatch)"
last=$(sed -n 's/^constexpr nanoseconds kLast.* = std::chrono::seconds(\([0-9]*\));$/\1/p' daemon/daemon.cc | awk '{ sum += $1 } END { print sum + 0 }')
check "so long that is" grep -q "^const last = $last;" tests/clusters/manifests.mjs
check "a task has time for the drain and what comes behind it" [ "${signal:-0}" -gt $(($(seconds_of drain_timeout) + last)) ]

# --- the rule for the scaler
rule="$kubernetes/autoscaling/adapter.yaml"
expression="$(sed -n "s/^ *metricsQuery: '\(.*\)'$/\1/p" $rule | sed 's/,<<.LabelMatchers>>//')"
name="$(sed -n 's/^ *name: {as: \(.*\)}$/\1/p' $rule)"
known() { printf -- '- expr: %s\n' "$1" >"$work/rule.yml" && node deploy/monitoring/names.js daemon/metrics/metrics.def "$work/rule.yml"; }
if command -v node >/dev/null; then
  check "its metric is the daemon's" known "$expression"
  check "another is none" eval '! known "${expression//wasmburst_jobs/wasmburst_tasks}"'
fi
check "the scaler asks for what the rule makes" grep -q "name: $name\$" $kubernetes/autoscaling/scaler.yaml
for state in queued compiling running; do
  check "[$state] is a state of jobs" grep -r -q "return \"$state\";" daemon/store
done

# --- no secret
secrets() { grep -r -n -i -E 'PRIVATE KEY|wbt_[0-9a-z]|password *[:=] *[^ ]|://[^/ "]*:[^/ "@]+@|stringData|^kind: Secret|^data: *$' "$@"; }
check "no secret stands in a file" eval '! secrets $kubernetes $slurm'
for line in 'url = "postgresql://a:sesame@b/c"' 'password: sesame' '-----BEGIN PRIVATE KEY-----' 'kind: Secret'; do
  echo "$line" >"$work/secret"
  check "one would be found" secrets "$work/secret"
done

# --- shell
if command -v shellcheck >/dev/null; then
  check "shellcheck finds nothing" shellcheck -S warning -s bash $slurm/wasmburst.sbatch $kubernetes/base/probe
fi
[ $failures = 0 ] || exit 1
echo "$checks checks of files"
