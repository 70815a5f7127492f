#!/usr/bin/env bash
# What it costs to look into an instance.
#   bench/inside.sh [ROUNDS]     5; WASMBURST_BUILD=FOLDER: another build
# Dumps: a job of one instance that fills so many MiB of memory and traps; then the time of `job dump`, which
# runs it again, and of one that was kept. The client's own time, from start to file, is in both.
# Last line: inside: dump N ms of M MiB made, K ms kept; P ms a MiB made, Q ms kept
set -euo pipefail
cd "$(dirname "$0")/.."
rounds="${1:-5}"
. bench/own_daemon.sh
need_rounds "$rounds"
printf 'version = 1\n[server]\nstate_directory = "%s"\n[log]\nlevel = "warning"\n' "$work/state" >"$work/config.toml"
begin_daemon --config "$work/config.toml"
guest() {  # MIB
  cat <<WAT
(module (memory $((16 * $1 + 1)))
  (func (export "run") (memory.fill (i32.const 0) (i32.const 7) (i32.const $(($1 << 20)))) (unreachable)))
WAT
}
# took COMMAND...: milliseconds.
took() {
  local from
  from="$(seconds)"
  "$@" >/dev/null
  awk -v a="$(seconds)" -v b="$from" 'BEGIN { printf "%.1f\n", (a - b) * 1e3 }'
}
sizes=(0 1 4 16 60)
printf '%-6s %-26s %s\n' MiB "made, ms" "kept, ms"
for size in "${sizes[@]}"; do
  guest "$size" >"$work/guest.wat"
  for kind in 0 1; do  # without and with a dump that is kept
    job="$(ctl -q job submit "$work/guest.wat" --call run --memory 128MiB --placement interpreter --dump-on-trap "$kind")"
    ctl -q job results "$job" --follow >/dev/null
    if [ "$kind" -eq 1 ]; then until ls "$work/state/dumps/${job#jobs/}"/0-* >/dev/null 2>&1; do sleep 0.1; done; fi
    ctl -q job dump "$job" 0 --to "$work/core" >/dev/null  # the first one starts the process
    for ((round = 0; round < rounds; ++round)); do
      took ctl -q job dump "$job" 0 --to "$work/core" >>"$work/took.$size.$kind"
    done
  done
  printf '%-6s %-26s %s\n' "$size" "$(spread %.0f <"$work/took.$size.0")" "$(spread %.0f <"$work/took.$size.1")"
done
last="${sizes[-1]}"
made="$(median <"$work/took.$last.0")" kept="$(median <"$work/took.$last.1")"
each() { awk -v a="$1" -v b="$(median <"$work/took.0.$2")" -v n="$last" 'BEGIN { printf "%.2f", (a - b) / n }'; }
echo "inside: dump $made ms of $last MiB made, $kept ms kept; $(each "$made" 0) ms a MiB made, $(each "$kept" 1) ms kept"
