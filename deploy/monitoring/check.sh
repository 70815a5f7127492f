#!/usr/bin/env bash
# Whether dashboard and alerts fit the daemon: every metric and label that they name is in metrics.def.
# Where promtool is installed, also whether Prometheus takes rules, configuration and a daemon's metrics.
#   deploy/monitoring/check.sh [METRICS]     METRICS: what GET /metrics answered, a file
# Exit 77 (skipped) without node.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v node >/dev/null 2>&1 || { echo "node is not installed"; exit 77; }
here=deploy/monitoring
table=daemon/metrics/metrics.def
stage="$(mktemp -d)"
trap 'rm -rf "$stage"' EXIT

node $here/names.js $table $here/grafana.json $here/alerts.yml >"$stage/names" || {
  cat "$stage/names"
  exit 1
}

# That it finds what it looks for.
refuses() {
  local words="$1" file="$2"
  if node $here/names.js $table "$file" >"$stage/said"; then
    echo "failed: names.js takes $words"
    exit 1
  fi
}
printf -- '- expr: wasmburst_no_such_total > 1\n' >"$stage/name.yml"
printf -- '- expr: >\n    rate(wasmburst_jobs{nation="x"}[5m])\n' >"$stage/label.yml"
printf -- '- expr: sum by (nation) (wasmburst_jobs)\n' >"$stage/sum.yml"
printf '{"panels": [{"targets": [{"expr": "wasmburst_job_queue_seconds"}]}]}' >"$stage/suffix.json"
printf -- '- alert: x\n' >"$stage/none.yml"
refuses "a metric that there is not" "$stage/name.yml"
refuses "a label that there is not" "$stage/label.yml"
refuses "a sum by a label that there is not" "$stage/sum.yml"
refuses "a histogram without one of its suffixes" "$stage/suffix.json"
refuses "a file without expressions" "$stage/none.yml"

if command -v promtool >/dev/null 2>&1; then
  promtool check rules $here/alerts.yml
  promtool check config $here/prometheus.yml
  promtool test rules $here/alerts_test.yml
  if [ $# -gt 0 ]; then promtool check metrics <"$1"; fi
else
  echo "promtool is not installed: Prometheus itself was not asked (Debian: apt-get install prometheus)"
fi
cat "$stage/names"
