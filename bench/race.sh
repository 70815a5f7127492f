#!/usr/bin/env bash
# Fifteen kernels by everything that runs them on this machine: ours on an NVIDIA GPU, the CPU device and the
# interpreter, CUDA written by hand, and on all processors C, wasm2c and V8. bench/docs/race.md says what they are.
#
#   bench/race.sh BIN [--rounds N] [--only NAME,...] [--seconds S] [--prepared FOLDER]
#                 [--built FOLDER] [--record FILE] [--json] [--no-auto] [--no-joules]
#     BIN         a folder with race_kernels, and for the daemon's own choice wasmburstd and wasmburstctl:
#                 build/release, or a bundle's bin
#     --rounds    3; in a round everything on processors runs in turns
#     --seconds   0.5: that a measurement on processors takes at least
#     --prepared  what race/build_guests.sh --native made, where there is no compiler
#     --built     what `race_kernels build PREPARED --built FOLDER` made; without it the run builds the GPU's kernels
#     --record    build/race/race.json: what that file has is compared with this run, which then takes its
#                 place, unless only some kernels ran and no file is named; a picture lies beside it (.svg)
#     --json      prints the record instead of the tables
#     --no-auto   without the daemon
#     --no-joules without what a GPU uses, which each of its kernels is measured longer for
# A column whose tool is missing is "-". Every column's digests must be equal, or the run fails. Last line:
#   race: against CUDA geomean X worst Y NAME; against all cores geomean Z worst W NAME; auto worst A
# X, Y: our time over the best CUDA's. Z, W: our GPU's rate over wasm2c's. A: the least speed of a job that
# leaves its place open, over the best of those that do not.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
rounds=3 seconds=0.5 only="" prepared="" built="" record="" replaces=yes json=no auto=yes joules=yes bin=""
fail() { echo "race.sh: $1" >&2; exit "${2:-1}"; }
usage() { sed -n '2,24s/^# \{0,1\}//p' "$0"; }
is_positive() { [[ $1 =~ ^[0-9]+([.][0-9]+)?$ ]] && awk -v n="$1" 'BEGIN { exit !(n > 0) }'; }

take_arguments() {
  while [ $# -gt 0 ]; do
    case "$1" in
      --help | -h) usage; exit 0 ;;
      --json) json=yes ;;
      --no-auto) auto=no ;;
      --no-joules) joules=no ;;
      --rounds | --seconds | --only | --prepared | --built | --record)
        [ $# -ge 2 ] || fail "[$1] needs a value" 2
        printf -v "${1#--}" %s "$2"
        shift ;;
      --*) fail "unknown argument [$1]; --help names all" 2 ;;
      *) [ -z "$bin" ] || fail "one folder of programs, not [$1] too" 2; bin="$1" ;;
    esac
    shift
  done
  [ -n "$bin" ] || { usage >&2; exit 2; }
  [[ $rounds =~ ^[1-9][0-9]?$ ]] || fail "[$rounds] is not a number of rounds" 2
  is_positive "$seconds" || fail "[$seconds] is not a number of seconds" 2
  [ -n "$record" ] || [ -z "$only" ] || replaces=no
  record="${record:-$here/../build/race/race.json}"
}

# program NAME: where it is, in an installation or a build; nothing where it is not.
program() {
  local folder
  for folder in . bin bench daemon client; do
    if [ -x "$bin/$folder/$1" ] && [ ! -d "$bin/$folder/$1" ]; then
      realpath "$bin/$folder/$1"
      return
    fi
  done
}

# Sets tools, a folder with the daemon and its client; without them auto=no.
find_daemon() {
  local name path
  tools="$(mktemp -d)"
  for name in wasmburstd wasmburstctl; do
    path="$(program $name)"
    [ -n "$path" ] || auto=no
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$path" >"$tools/$name"
    chmod +x "$tools/$name"
  done
}

# Sets folder, and names: those of the kernels.
prepare() {
  local name
  folder="${prepared:-$work/guests}"
  # shellcheck disable=SC2086  # several names
  [ -n "$prepared" ] || "$here/race/build_guests.sh" --native "$folder" ${only//,/ }
  [ -r "$folder/kernels.txt" ] || fail "[$folder/kernels.txt] cannot be read" 2
  mapfile -t names < <(awk -v only=",$only," '!/^#/ && (only == ",," || index(only, "," $1 ","))  { print $1 }' \
    "$folder/kernels.txt")
  for name in ${only//,/ }; do
    [[ " ${names[*]} " = *" $name "* ]] || fail "there is no kernel [$name]" 2
  done
}
# value NAME COLUMN: of the list.
value() { awk -v name="$1" -v at="$2" '$1 == name { print $at }' "$folder/kernels.txt"; }
module_of() { basename "$(value "$1" 4)" .c; }

# keep NAME COLUMN "INSTANCES SECONDS"
keep() { awk -v name="$1" -v column="$2" '{ printf "%s %s %d %.9g\n", name, column, $1, $2 / $1 }' <<<"$3" >>"$work/times"; }
on_processors() {
  local name="$1" column="$2" check result
  check="$(value "$name" 6)"
  result="$("$folder/$name.$column" "$seconds" "$check" "$processors" "$work/digests/$name.$column")" ||
    fail "[$name] of $column failed"
  keep "$name" "$column" "$result"
}
in_v8() {
  local result
  result="$(node "$folder/race_v8.mjs" "$folder/$(module_of "$1").wasm" "$(value "$1" 2)" "$seconds" "$(value "$1" 6)" \
    "$processors" "$work/digests/$1.v8")" || fail "[$1] in V8 failed"
  keep "$1" v8 "$result"
}
on_engine() {
  local result
  result="$("$race_kernels" "$2" "$folder" --only "$1" --rounds 1 --seconds "$seconds" --results "$work/digests")" ||
    fail "[$1] on the $2 failed"
  keep "$1" "$2" "$(awk -v column="$2" '$2 == column { print $4, $4 * $5 }' <<<"$result")"
}
# Everything on processors.
run_kernel() {
  [ ! -x "$folder/$1.cc" ] || on_processors "$1" cc
  [ ! -x "$folder/$1.wasm2c" ] || on_processors "$1" wasm2c
  [ $v8 = no ] || in_v8 "$1"
  on_engine "$1" cpu
  on_engine "$1" interpreter
}
# A kernel that fails there leaves the others; the run fails at its end.
run_gpu() {
  local asked=(--rounds "$rounds" --results "$work/digests")
  [ $joules = no ] || asked+=(--joules)
  "$race_kernels" cuda "$folder" ${only:+--only "$only"} ${built:+--built "$built"} "${asked[@]}" |
    tee "$work/gpu" >&2 || gpu_failed=yes
}

# Each column's digests against the first column's, as many as both have.
compare_digests() {
  local name file first bytes
  for name in "${names[@]}"; do
    first=""
    for file in "$work/digests/$name".*; do
      [ -n "$first" ] || first="$file"
      bytes="$(stat -c %s "$first" "$file" | sort -n | head -n 1)"
      [ "$bytes" -gt 0 ] || continue
      cmp -s -n "$bytes" "$first" "$file" || fail "digests of [$name] differ: ${first##*.} and ${file##*.}"
    done
  done
}

# Rows "NAME COLUMN VARIANT INSTANCES MEDIAN LOWEST HIGHEST [JOULES]", seconds of an instance, as
# race_kernels prints them.
rows() {
  sort -k1,1 -k2,2 -k4,4g "$work/times" | awk '
    function flush() { if (n) print key, "-", instances, all[int((n + 1) / 2)], all[1], all[n]; n = 0 }
    $1 " " $2 != key { flush(); key = $1 " " $2 }
    { all[++n] = $4; instances = $3 }
    END { flush() }'
  [ ! -s "$work/gpu" ] || cat "$work/gpu"
}

# Instances for a second on what is best at the kernel.
instances_for() {
  awk -v name="$1" '$1 == name && ($2 == "cpu" || $2 == "gpu") && (!best || $5 < best) { best = $5 }
    END { n = int(1 / best); print (n < 2 ? 2 : n > 4000000 ? 4000000 : n) }' "$work/rows"
}
# place NAME PLACEMENT INSTANCES: appends "NAME PLACEMENT SECONDS" to $work/placed.
place() {
  job race "$folder/$(module_of "$1").wasm" --call "$(value "$1" 2)" --arg "0..$3" --placement "$2"
  echo "$1 $2 $(took)" >>"$work/placed"
}
# placements_of NAME INSTANCES: not the processors where they would take 20 seconds.
placements_of() {
  [ $gpu = no ] || echo gpu
  awk -v name="$1" -v n="$2" '$1 == name && $2 == "cpu" && $5 * n < 20 { print "cpu" }' "$work/rows"
  echo auto
}
# place_all NAME: once by each placement.
place_all() {
  local instances placement
  instances="$(instances_for "$1")"
  for placement in $(placements_of "$1" "$instances"); do place "$1" "$placement" "$instances"; done
}
# The first round shows the daemon what instances take, and does not count; nor does what it compiles then, beside
# the jobs.
run_auto() {
  local name round
  for name in "${names[@]}"; do place_all "$name"; done
  await_quiet race
  : >"$work/placed"
  for ((round = 1; round <= rounds; ++round)); do
    for name in "${names[@]}"; do place_all "$name"; done
  done
  # The medians' ratio.
  sort -k1,1 -k2,2 -k3,3g "$work/placed" | awk -v rounds="$rounds" '
    { count[$1, $2]++; if (count[$1, $2] == int((rounds + 1) / 2)) time[$1, $2] = $3; names[$1] }
    END {
      for (name in names) {
        best = (name, "cpu") in time ? time[name, "cpu"] : time[name, "gpu"]
        if ((name, "gpu") in time && time[name, "gpu"] < best) best = time[name, "gpu"]
        print name, "auto", best / time[name, "auto"]
      }
    }' >>"$work/rows"
}

# The run as JSON, a line for each row, which compare.awk reads.
json() {
  awk -v day="$(date +%Y-%m-%d)" -v machine="$machine" -v gpu="$gpu_name" -v rounds="$rounds" \
    -v processors="$processors" -f "$here/race/json.awk" "$work/rows"
}
report() {
  local tables
  tables="$(awk -v processors="$processors" -v machine="$machine" -v gpu="$gpu_name" -v rounds="$rounds" \
    -f "$here/race/report.awk" "$folder/kernels.txt" "$work/rows")"
  mkdir -p "$(dirname "$record")"
  json >"$work/race.json"
  if [ $json = yes ]; then
    cat "$work/race.json"
  else
    sed '$d' <<<"$tables"
    [ ! -r "$record" ] || awk -f "$here/race/compare.awk" "$record" "$work/race.json"
  fi
  if [ $replaces = yes ]; then
    cp "$work/race.json" "$record"
    awk -f "$here/race/picture.awk" "$folder/kernels.txt" "$work/rows" >"${record%.json}.svg"
    [ $json = yes ] || echo "record $record, picture ${record%.json}.svg"
  fi
  [ $json = yes ] || tail -n 1 <<<"$tables"
}

take_arguments "$@"
race_kernels="$(program race_kernels)"
[ -n "$race_kernels" ] || fail "there is no race_kernels in [$bin]" 2
processors="$(getconf _NPROCESSORS_ONLN)"
machine="$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
gpu=no gpu_name=- gpu_failed=no v8=no tools=""
! command -v node >/dev/null || v8=yes
if gpu_name="$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1)" && [ -n "$gpu_name" ]; then
  gpu=yes
else
  gpu_name=-
fi
find_daemon
# shellcheck disable=SC2034  # of service.sh, whose arrays must not be a function's
me=race.sh bin="$tools" cuda_enabled=auto work=""
. "$here/service.sh"
trap 'rm -rf "$tools"; clean_up' EXIT
mkdir "$work/digests"
prepare
for ((round = 1; round <= rounds; ++round)); do
  for name in "${names[@]}"; do
    echo "round $round of $rounds: $name" >&2
    run_kernel "$name"
  done
done
[ $gpu = no ] || run_gpu
compare_digests
rows >"$work/rows"
if [ $auto = yes ]; then
  begin race
  run_auto
fi
report
[ $gpu_failed = no ] || fail "kernels failed on the GPU"
