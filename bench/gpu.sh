#!/usr/bin/env bash
# A GPU through the whole service: bench/gpu.sh BIN LENGTHS.wasm [INSTANCES] [MEAN] [ROUNDS]
#   BIN           a folder with wasmburstd and wasmburstctl: of a build's installation or a bundle
#   LENGTHS.wasm  deploy/demo/build_wasm.sh LENGTHS.wasm bench/lengths.c
# Instances of equal and of exponentially distributed length, on the GPU and on all processors beside
# it (these get one in 200), in turns; medians of the rounds with the lowest and the highest. Needs nothing but a shell and
# awk, so that it runs where a bundle runs. What the rows mean: bench/README.md.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
bin="$1" lengths="$2" instances="${3:-8000000}" mean="${4:-100000}" rounds="${5:-3}"
refuse() { echo "gpu.sh: $1" >&2; exit 2; }
for program in wasmburstd wasmburstctl; do
  [ -x "$bin/$program" ] || refuse "[$bin/$program] is not there or not executable"
done
[ -r "$lengths" ] || refuse "the module [$lengths] cannot be read"
for number in "$instances" "$mean" "$rounds"; do
  [[ $number =~ ^[1-9][0-9]{0,11}$ ]] || refuse "[$number] is not a number of instances, mean or rounds"
done
[ "$instances" -ge 200 ] || refuse "[$instances] instances are too few: the CPU gets one in 200"
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
TOML
"$bin/wasmburstd" --config "$work/d.toml" 2>"$work/daemon.log" </dev/null &
daemon=$!
ctl() { "$bin/wasmburstctl" --addr "$address" "$@"; }
for _ in $(seq 100); do
  ctl server info >/dev/null 2>&1 && break
  kill -0 "$daemon" 2>/dev/null || { cat "$work/daemon.log" >&2; exit 1; }
  sleep 0.1
done

# Processor seconds of the engine hosts so far.
host_seconds() {
  local pid all=0
  for pid in $(pgrep -P "$daemon"); do
    all="$(awk -v all="$all" -v hz="$(getconf CLK_TCK)" '{ print all + ($14 + $15) / hz }' "/proc/$pid/stat")"
  done
  echo "$all"
}
seconds_of() { date -d "$(sed -n "s/^ \"$2\": \"\(.*\)\",*$/\1/p" "$1")" +%s.%N; }
number_of() { sed -n "s/^  \"$2\": \"\{0,1\}\([0-9.]*\).*/\1/p" "$1" | head -n 1; }

# run NAME PLACEMENT EXPORT INSTANCES: appends to NAME "seconds fuel/s busy-share gap-ms host-share bursts
# fuel/busy-s".
run() {
  local report="$work/report.json" before after
  before="$(host_seconds)"
  ctl job run "$lengths" --call "$3" --arg "0..$4" --arg "$mean" --placement "$2" \
    --no-results --report "$report" >/dev/null 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
  after="$(host_seconds)"
  awk -v s="$(seconds_of "$report" start_time)" -v e="$(seconds_of "$report" end_time)" \
    -v fuel="$(number_of "$report" fuel)" -v busy="$(number_of "$report" device_time)" \
    -v bursts="$(number_of "$report" bursts)" -v host="$(awk "BEGIN { print $after - $before }")" '
    BEGIN { t = e - s
      print t, fuel / t, 100 * busy / t, 1000 * (t - busy) / bursts, 100 * host / t, bursts, fuel / busy }
  ' >>"$work/$1"
}
median() { sort -g | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }
spread() { sort -g | awk 'NR == 1 { low = $1 } { high = $1 } END { printf "%.4g .. %.4g", low, high }'; }
row() {
  local values
  values="$(cat)"
  printf '%-57s %10.4g %-7s %22s   %s\n' "$1" "$(median <<<"$values")" "$2" "$(spread <<<"$values")" "$3"
}
column() { cut -d' ' -f"$2" "$work/$1"; }

for placement in gpu cpu; do  # builds the kernels
  ctl job run "$lengths" --call equal --arg 0..1000 --arg 10 --placement $placement --no-results 2>/dev/null
done
for ((round = 1; round <= rounds; round++)); do
  echo "round $round of $rounds" >&2
  run gpu-equal gpu equal "$instances"
  run gpu-exponential gpu exponential "$instances"
  run cpu-equal cpu equal $((instances / 200))
  run cpu-exponential cpu exponential $((instances / 200))
done
echo "$instances instances of $mean rounds on average, $(getconf _NPROCESSORS_ONLN) processors beside the GPU"
printf '%-57s %10s %-7s %22s   %s\n' what median "" "lowest .. highest" aim
for lengths_of in equal exponential; do
  column gpu-$lengths_of 2 | row "GPU, $lengths_of lengths" instr/s ""
  column gpu-$lengths_of 7 | row "GPU, $lengths_of lengths, while it was busy" instr/s ""
  column cpu-$lengths_of 2 | row "CPU device, $lengths_of lengths" instr/s ""
  column gpu-$lengths_of 3 | row "GPU, $lengths_of: share of the job it is busy" % ">= 98"
  column gpu-$lengths_of 4 | row "GPU, $lengths_of: gap between launches" ms "<= 1"
  column gpu-$lengths_of 5 | row "GPU, $lengths_of: engine hosts, of one processor" % "<= 5"
  column gpu-$lengths_of 6 | row "GPU, $lengths_of: launches" "" ""
done
paste <(column gpu-exponential 7) <(column gpu-equal 7) | awk '{ print 100 * $1 / $2 }' |
  row "GPU, exponential, of the speed of equal ones, while busy" % ">= 90"
paste <(column gpu-equal 2) <(column cpu-equal 2) | awk '{ print $1 / $2 }' | row "GPU over CPU device, equal" x ""
