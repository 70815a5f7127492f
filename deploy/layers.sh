#!/usr/bin/env bash
# The layers of the code: which folder may include which. Every build runs this first.
#   deploy/layers.sh [--quiet]     --quiet: problems and the last line alone
# Prints each folder's files, its level, and what it includes; then every upward include (of a
# folder that is not below), and every cycle of units, a unit being NAME.h with NAME.cc.
# Last line: layers: N folders, at most F files, U upward, C cycles. Exit 1 unless F is at most 40 and
# U and C are 0.
set -euo pipefail
cd "$(dirname "$0")/.."
quiet=no
case "${1:-}" in
  "") ;;
  --quiet) quiet=yes ;;
  *) echo "layers.sh: unknown argument [$1]; known is --quiet" >&2; exit 2 ;;
esac

# From the lowest to the highest. A folder may include itself and those before it. A folder that is
# not named belongs to the nearest one above it that is.
order="
compiler/abi compiler/base compiler/wasm compiler/debug compiler/coredump compiler/ir compiler/imports compiler/link compiler/system
compiler/passes/rows compiler/passes/analysis compiler/passes/cut compiler/passes/start compiler/passes compiler/runtime
compiler/emit/text compiler/emit/plan compiler/emit/function compiler/emit
compiler compiler/check compiler/tool
scheduler/base scheduler/sandbox scheduler/sensors scheduler/control
scheduler/devices scheduler/devices/migration scheduler/devices/compile scheduler/devices/cpu
scheduler/devices/interpreter scheduler/devices/cuda scheduler/devices/metal
scheduler/engine_host scheduler/placement scheduler/job scheduler/bursts scheduler/job/active scheduler/starts scheduler/pipelines
scheduler/run/seats scheduler/run/launches scheduler/run scheduler/trace
scheduler/dispatch scheduler
proto
daemon/process daemon/metrics daemon/config daemon/identity daemon/database daemon/blobs daemon/postgres daemon/postgres/shared daemon/store daemon/store/memory daemon/checkpoints daemon/store/durable daemon/cluster daemon/bursts daemon/traces daemon/translate daemon/rpc daemon/services daemon/inspection daemon/profiles daemon/sessions daemon/monitoring daemon/page daemon
client client/services client/cli/encoding client/cli/program client/cli/identity client/cli/presets client/cli/run client/cli/output client/cli/profile client/cli/host client/cli/perf client/cli/top client/cli/tree client/cli/invocation client/cli/commands client/cli
bench"

# Sorted, so that reports are the same everywhere. Not from git: the build runs this, also where the
# sources lie without their repository.
folders=()
for part in compiler scheduler proto daemon client bench; do
  if [ -d $part ]; then folders+=($part); fi
done
find "${folders[@]}" -type f | LC_ALL=C sort |
  grep -E '\.(h|cc|mm|def|inc|metal|cu|proto)$' |
  awk -v order="$order" -v quiet="$quiet" '
    function folder_of(path) {
      while (path != "" && !(path in level)) {
        if (path !~ /\//) return ""
        sub(/\/[^\/]*$/, "", path)
      }
      return path
    }
    function unit_of(path) { sub(/\.[a-z]+$/, "", path); return path }
    function direct(path) { sub(/\/[^\/]*$/, "", path); return path }
    # Tarjan: SIAM J. Comput. 1(2), 1972. Prints each cycle.
    function connect(unit, i, n, others, other, words) {
      number[unit] = low[unit] = ++numbers
      stack[++height] = unit
      on_stack[unit] = 1
      n = split(edges[unit], others, " ")
      for (i = 1; i <= n; ++i) {
        other = others[i]
        if (!(other in number)) connect(other)
        if (on_stack[other] && low[other] < low[unit]) low[unit] = low[other]
      }
      if (low[unit] != number[unit]) return
      n = 0
      words = ""
      do {
        other = stack[height--]
        on_stack[other] = 0
        words = words " " other
        ++n
      } while (other != unit)
      if (n > 1) { ++cycles; print "cycle:" words }
    }
    BEGIN {
      levels = split(order, names, /[ \n]+/)
      for (i = 1; i <= levels; ++i) if (names[i] != "") level[names[i]] = i
    }
    {
      path = $0
      home = folder_of(direct(path))
      ++files[direct(path)]
      unit = unit_of(path)
      units[++unit_count] = unit
      while ((getline line < path) > 0) {
        if (line !~ /^#(include|import) "/) continue
        split(line, parts, "\"")
        target = parts[2]
        to = folder_of(direct(target))
        if (to == "" || target !~ /\//) continue
        if (to != home && !((home, to) in seen)) { seen[home, to] = 1; uses[home] = uses[home] " " to }
        if (level[to] > level[home]) { ++upward; print "upward: " path " includes " target }
        other = unit_of(target)
        if (other != unit && !((unit, other) in edge)) { edge[unit, other] = 1; edges[unit] = edges[unit] " " other }
      }
      close(path)
    }
    END {
      for (i = 1; i <= unit_count; ++i) if (!(units[i] in number)) connect(units[i])
      for (folder in files) { ++folders; if (files[folder] > most) most = files[folder] }
      if (quiet == "no") {
        printf "%-34s %5s %5s  %s\n", "FOLDER", "FILES", "LEVEL", "INCLUDES"
        for (i = 1; i <= levels; ++i) {
          if (names[i] == "" || !(names[i] in files)) continue
          printf "%-34s %5d %5d %s\n", names[i], files[names[i]], ++shown, uses[names[i]]
        }
        for (folder in files) if (!(folder in level)) printf "%-34s %5d %5s\n", folder, files[folder], "-"
      }
      for (folder in files) if (files[folder] > 40) print "too many files: " folder ": " files[folder]
      printf "layers: %d folders, at most %d files, %d upward, %d cycles\n", folders, most, upward, cycles
      exit most > 40 || upward > 0 || cycles > 0
    }'
