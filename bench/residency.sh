#!/usr/bin/env bash
# Residency on a GPU: bench/residency.sh BIN GUESTS [SECONDS] [ROUNDS]
#   BIN      a folder with wasmburstd and wasmburstctl: of a build's installation or a bundle
#   GUESTS   a folder with kernel_guests.wasm, calls.wasm and histogram.wasm: build/release/bench or a bundle's bench
# Two daemons, one with [cuda] residency = "all" and one with "auto", run the same jobs of about SECONDS (5) in
# turns; the second one has had jobs before, from which it found its lanes. Medians of the ROUNDS (3) with the lowest
# and the highest, in instructions a second while the GPU was busy; then what was found, and one job of
# another daemon that finds it beside the kernel. Fuel must be equal in all of them. WASMBURST_ENGINE_HOST names another
# engine host. Needs nothing but a shell and awk, so that it runs where a bundle runs.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
bin="$1" guests="$2" seconds="${3:-5}" rounds="${4:-3}"
refuse() { echo "residency.sh: $1" >&2; exit 2; }
for program in wasmburstd wasmburstctl; do
  [ -x "$bin/$program" ] || refuse "[$bin/$program] is not there or not executable"
done
for guest in kernel_guests calls histogram; do
  [ -r "$guests/$guest.wasm" ] || refuse "the module [$guests/$guest.wasm] cannot be read"
done
for number in "$seconds" "$rounds"; do
  [[ $number =~ ^[1-9][0-9]{0,3}$ ]] || refuse "[$number] is not a number of seconds or rounds"
done
work="$(mktemp -d)"
declare -A daemons=()
end_daemon() {
  if [ -n "${daemons[$1]:-}" ] && kill "${daemons[$1]}" 2>/dev/null; then wait "${daemons[$1]}" 2>/dev/null || true; fi
  unset "daemons[$1]"
}
clean_up() {
  trap - EXIT
  for name in "${!daemons[@]}"; do end_daemon "$name"; done
  rm -rf "$work"
}
trap clean_up EXIT

ctl() { local name="$1"; shift; "$bin/wasmburstctl" --addr "unix://$work/$name.sock" "$@"; }
# begin NAME: a daemon of that residency, each with a cache of its own.
begin() {
  cat >"$work/$1.toml" <<TOML
version = 1
[[listen]]
address = "unix://$work/$1.sock"
[cache]
directory = "$work/$1-cache"
[results]
max_total_bytes = "32GiB"
max_job_bytes = "16GiB"
[cuda]
enabled = "on"
devices = "0"
residency = "$1"
[engine]
host_path = "${WASMBURST_ENGINE_HOST:-}"
TOML
  "$bin/wasmburstd" --config "$work/$1.toml" 2>>"$work/$1.log" </dev/null &
  daemons[$1]=$!
  for _ in $(seq 300); do
    ctl "$1" server info >/dev/null 2>&1 && return
    kill -0 "${daemons[$1]}" 2>/dev/null || { cat "$work/$1.log" >&2; exit 1; }
    sleep 0.1
  done
  refuse "the daemon does not answer"
}
number_of() { sed -n "s/^  \"$2\": \"\{0,1\}\([0-9.]*\).*/\1/p" "$1" | head -n 1; }

# run DAEMON FILE EXPORT INSTANCES: says "fuel busy-seconds".
run() {
  local report="$work/report.json"
  ctl "$1" job run "$2" --call "$3" --arg "0..$4" --placement gpu --no-results --report "$report" \
    >/dev/null 2>"$work/ctl.log" || { cat "$work/ctl.log" >&2; exit 1; }
  echo "$(number_of "$report" fuel) $(number_of "$report" device_time)"
}
rate() { awk '{ print $1 / $2 }'; }
median() { sort -g | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }
spread() { sort -g | awk 'NR == 1 { low = $1 } { high = $1 } END { printf "%.4g .. %.4g", low, high }'; }
row() {
  local values
  values="$(cat)"
  printf '%-44s %10.4g %-8s %24s\n' "$1" "$(median <<<"$values")" "$2" "$(spread <<<"$values")"
}
found() { grep -c 'residency: ' "$work/auto.log" || true; }

measure() {
  local name="$1" file="$guests/$2.wasm" export="$3" first=500000 instances before all auto trial=0
  instances="$(run all "$file" "$export" $first |
    awk -v first=$first -v s="$seconds" '{ n = first * s / $2; if (n < first) n = first; if (n > 1e9) n = 1e9; printf "%d", n }')"
  before="$(found)"
  while [ "$(found)" = "$before" ] && [ $((trial++)) -lt 5 ]; do
    run auto "$file" "$export" "$instances" >>"$work/$name-first"
  done
  for ((round = 1; round <= rounds; round++)); do
    all="$(run all "$file" "$export" "$instances")"
    auto="$(run auto "$file" "$export" "$instances")"
    [ "${all% *}" = "${auto% *}" ] || { echo "residency.sh: $name: fuel [${all% *}] and [${auto% *}]" >&2; exit 1; }
    echo "$all" >>"$work/$name-all"
    echo "$auto" >>"$work/$name-auto"
  done
  row "$name, $instances instances, all lanes" instr/s < <(rate <"$work/$name-all")
  row "$name, jobs in which it was looked for" instr/s < <(rate <"$work/$name-first")
  row "$name, what was found" instr/s < <(rate <"$work/$name-auto")
  paste <(rate <"$work/$name-auto") <(rate <"$work/$name-all") | awk '{ print $1 / $2 }' | row "$name, found over all" x
  if [ "$(found)" = "$before" ]; then echo "$name: nothing was settled on"; return; fi
  grep 'residency: ' "$work/auto.log" | tail -n 1 | sed "s/.*residency: /$name: /; s/\"$//"
  echo "$file $export $instances" >>"$work/again"
}

: >"$work/again"
begin all
begin auto
measure sha256 kernel_guests sha256
measure shellsort kernel_guests shellsort
measure quicksort calls sort
measure histogram histogram histogram
end_daemon auto
begin auto
echo "another daemon, which finds it beside the kernel:"
while read -r file export instances; do
  run auto "$file" "$export" "$instances" | rate | row "$export" instr/s
done <"$work/again"
