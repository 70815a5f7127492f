#!/usr/bin/env bash
# What stands in deploy/kubernetes and deploy/slurm: manifests by Kubernetes' own models and against the daemon, a
# pod's containers in namespaces, the batch script under a Slurm of its own, and daemons over a database with faults
# (tests/clusters/README.md).
#   deploy/clusters_test.sh [BUILD]     a built tree (build/release)
# Parts whose programs are missing are named and left out; exit 77, the reason last, where all are.
# Last line: clusters: N checks
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
build="${1:-build/release}"
out="$PWD/build/clusters"
here=tests/clusters
mkdir -p "$out"
checks=0 failed=no reason=""
# part COMMAND...: says in a line how many checks there were.
part() {
  local status=0
  timeout -k 5 240 "$@" >"$out/said" 2>&1 </dev/null || status=$?
  ended $status "$out/said"
}
ended() { # STATUS FILE
  local last
  last="$(tail -n 1 "$2")"
  case $1 in
    0) last="$(grep -E '^[0-9]+ checks' "$2")" && echo "$last" && checks=$((checks + ${last%% *})) || { cat "$2"; failed=yes; } ;;
    77) echo "$last" && reason="$last" ;;
    *) cat "$2" && failed=yes ;;
  esac
}

# The packages that the lock file names are installed once.
install_packages() {
  local name
  for name in node npm; do command -v $name >/dev/null || { reason="$name is not installed"; return 1; }; done
  export WASMBURST_PACKAGES="$out/packages"
  mkdir -p "$WASMBURST_PACKAGES"
  cmp -s $here/package-lock.json "$WASMBURST_PACKAGES/node_modules/installed.json" && return
  cp $here/package.json $here/package-lock.json $here/.npmrc "$WASMBURST_PACKAGES"
  if ! (cd "$WASMBURST_PACKAGES" && timeout 120 npm ci --ignore-scripts --fetch-retries 1 --fetch-timeout 20000) >"$out/npm.log" 2>&1; then
    reason="npm could not install the packages: $(grep -m 1 -E 'ERR!|error' "$out/npm.log" || tail -n 1 "$out/npm.log")"
    return 1
  fi
  cp $here/package-lock.json "$WASMBURST_PACKAGES/node_modules/installed.json"
}
# Debian 12's own kubectl is older than the form of these files.
render() { # NAME FOLDER
  kubectl kustomize "$2" >"$out/$1.yaml" 2>"$out/kustomize.log"
}
manifests() {
  local version
  version="$(kubectl version --client 2>/dev/null | sed -n 's/^Kustomize Version: v\([0-9]*\).*/\1/p')"
  [ "${version:-0}" -ge 5 ] || { reason="kubectl with Kustomize 5 is not installed"; return 1; }
  # As README.md says it for both at once.
  mkdir -p "$out/scaled"
  printf 'resources: [../../../deploy/kubernetes/processors]\ncomponents: [../../../deploy/kubernetes/autoscaling]\n' \
    >"$out/scaled/kustomization.yaml"
  render gpu deploy/kubernetes/base && render processors deploy/kubernetes/processors && render scaled "$out/scaled" ||
    { cat "$out/kustomize.log"; failed=yes; return 1; }
  "$build/daemon/wasmburstd" --print-default-config >"$out/defaults.toml" || { failed=yes; return 1; }
  part node $here/manifests_test.mjs "$out/defaults.toml" "gpu=$out/gpu.yaml" "processors=$out/processors.yaml" "scaled=$out/scaled.yaml"
  part bash $here/pod.sh "$build" "$out/processors.yaml"
}
# It mostly waits.
timeout -k 5 240 bash $here/database_faults.sh "$build" >"$out/faults" 2>&1 </dev/null &
faults=$!
part bash $here/files.sh "$build"
if install_packages; then manifests || [ $failed = yes ] || echo "left out: $reason"; else echo "left out: $reason"; fi
part bash $here/slurm.sh "$build"
status=0
wait $faults || status=$?
ended $status "$out/faults"
[ $failed = no ] || exit 1
[ $checks != 0 ] || { echo "$reason"; exit 77; }
echo "clusters: $checks checks"
