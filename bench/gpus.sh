#!/usr/bin/env bash
# Several GPUs on one job: bench/gpus.sh BIN LENGTHS.wasm [INSTANCES] [MEAN] [ROUNDS]
#   BIN           a folder with wasmburstd and wasmburstctl: of a build's installation or a bundle
#   LENGTHS.wasm  deploy/demo/build_wasm.sh LENGTHS.wasm bench/lengths.c
# The same job on one GPU, the others cordoned, and on all of them, in turns; medians of the rounds with the
# lowest and the highest. Last line: "gpus: N GPUs, R per GPU", R being the speed of all over N times that of
# one (aim >= 0.95). WASMBURST_ENGINE_HOST names another engine host. Needs nothing but a shell and awk, so
# that it runs where a bundle runs.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
bin="$1" lengths="$2" instances="${3:-8000000}" mean="${4:-1000000}" rounds="${5:-3}"
refuse() { echo "gpus.sh: $1" >&2; exit 2; }
for program in wasmburstd wasmburstctl; do
  [ -x "$bin/$program" ] || refuse "[$bin/$program] is not there or not executable"
done
[ -r "$lengths" ] || refuse "the module [$lengths] cannot be read"
for number in "$instances" "$mean" "$rounds"; do
  [[ $number =~ ^[1-9][0-9]{0,11}$ ]] || refuse "[$number] is not a number of instances, mean or rounds"
done
work="$(mktemp -d)"
daemon=""
clean_up() {
  trap - EXIT
  if [ -n "$daemon" ] && kill "$daemon" 2>/dev/null; then wait "$daemon" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap clean_up EXIT

address="unix://$work/d.sock"
cat >"$work/d.toml" <<TOML
version = 1
[[listen]]
address = "$address"
[cache]
directory = "$work/cache"
[results]
max_total_bytes = "32GiB"
max_job_bytes = "16GiB"
[cuda]
enabled = "on"
[engine]
host_path = "${WASMBURST_ENGINE_HOST:-}"
TOML
"$bin/wasmburstd" --config "$work/d.toml" 2>"$work/daemon.log" </dev/null &
daemon=$!
ctl() { "$bin/wasmburstctl" --addr "$address" "$@"; }
for _ in $(seq 300); do
  ctl server info >/dev/null 2>&1 && break
  kill -0 "$daemon" 2>/dev/null || { cat "$work/daemon.log" >&2; exit 1; }
  sleep 0.1
done
gpus=($(ctl device list | awk '$2 == "cuda" { sub(".*/", "", $1); print $1 }'))
[ ${#gpus[@]} -ge 1 ] || refuse "the daemon has no GPU"

seconds_of() { date -d "$(sed -n "s/^ \"$2\": \"\(.*\)\",*$/\1/p" "$1")" +%s.%N; }
number_of() { sed -n "s/^  \"$2\": \"\{0,1\}\([0-9.]*\).*/\1/p" "$1" | head -n 1; }

# run NAME GPUS EXPORT: appends to NAME "fuel/s, share of the GPUs' time that they were busy, seconds".
run() {
  local report="$work/report.json"
  ctl job run "$lengths" --call "$3" --arg "0..$instances" --arg "$mean" --placement gpu \
    --no-results --report "$report" >/dev/null 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
  awk -v s="$(seconds_of "$report" start_time)" -v e="$(seconds_of "$report" end_time)" -v n="$2" \
    -v fuel="$(number_of "$report" fuel)" -v busy="$(number_of "$report" device_time)" '
    BEGIN { t = e - s; print fuel / t, 100 * busy / (t * n), t }' >>"$work/$1"
}
others() { for ((i = 1; i < ${#gpus[@]}; i++)); do ctl device "$1" "${gpus[i]}" >/dev/null; done; }
median() { sort -g | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }
spread() { sort -g | awk 'NR == 1 { low = $1 } { high = $1 } END { printf "%.4g .. %.4g", low, high }'; }
row() {
  local values
  values="$(cat)"
  printf '%-52s %10.4g %-7s %22s   %s\n' "$1" "$(median <<<"$values")" "$2" "$(spread <<<"$values")" "$3"
}
column() { cut -d' ' -f"$2" "$work/$1"; }

# Builds the kernel and loads it everywhere.
for export in equal exponential; do
  ctl job run "$lengths" --call $export --arg "0..$instances" --arg 10 --placement gpu --no-results \
    >/dev/null 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
done
for ((round = 1; round <= rounds; round++)); do
  echo "round $round of $rounds" >&2
  for export in equal exponential; do
    others cordon
    run one-$export 1 $export
    others uncordon
    run all-$export ${#gpus[@]} $export
  done
done
echo "$instances instances of $mean rounds on average, ${#gpus[@]} GPUs: ${gpus[*]}"
ctl device list | awk '$2 == "cuda"'
printf '%-52s %10s %-7s %22s   %s\n' what median "" "lowest .. highest" aim
for export in equal exponential; do
  for on in one all; do
    column $on-$export 1 | row "$on, $export lengths" instr/s ""
    column $on-$export 3 | row "$on, $export lengths" s ""
    column $on-$export 2 | row "$on, $export: share of the GPUs' time that is busy" % ""
  done
  paste -d' ' <(column all-$export 1) <(column one-$export 1) |
    awk -v n=${#gpus[@]} '{ print $1 / (n * $2) }' >"$work/per-gpu-$export"
  row "$export: all over ${#gpus[@]} times one" "" ">= 0.95" <"$work/per-gpu-$export"
done
echo "gpus: ${#gpus[@]} GPUs, $(median <"$work/per-gpu-equal" | awk '{ printf "%.3f", $1 }') per GPU"
