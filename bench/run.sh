#!/usr/bin/env bash
# Runs every benchmark and prints one table: bench/run.sh [ROUNDS]     (default 5)
# What is compared is measured in turns within the same run, so that a slow minute of the machine
# falls on both sides; a figure is the median of the rounds, with the lowest and the highest.
# What each row means and what it should be: bench/README.md.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds="${1:-5}"
[[ "$rounds" =~ ^[1-9][0-9]*$ ]] || { echo "use: bench/run.sh [ROUNDS]" >&2; exit 2; }

deploy/setup.sh
cmake --preset release >/dev/null
cmake --build --preset release --target wb_bench wb_service_bench >/dev/null
bench=build/release/bench
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# measure EXECUTABLE FILTER COLUMN...: columns of Google Benchmark's CSV, a line per benchmark.
measure() {
  "$bench/$1" --benchmark_filter="$2" --benchmark_format=csv 2>"$work/log" |
    awk -F, -v columns="${*:3}" '
      BEGIN { count = split(columns, names, " ") }
      /^name,/ { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); at[$i] = i } next }
      /ERROR/ || /true,/ { print > "/dev/stderr"; exit 1 }
      NF > 1 { for (i = 1; i <= count; i++) printf "%s%s", $at[names[i]], i < count ? " " : "\n" }
    ' || { cat "$work/log" >&2; return 1; }
}
# The interpreter's rows in wabt's interpreter: seconds. Its start is a few milliseconds of it.
wabt_seconds() {
  local began ended
  began="$(date +%s%N)"
  spectest-interp "$work/rows.json" >"$work/log" || { cat "$work/log" >&2; return 1; }
  ended="$(date +%s%N)"
  awk -v ns=$((ended - began)) 'BEGIN { print ns / 1e9 }'
}
{
  echo '{"source_filename": "rows", "commands": [{"type": "module", "line": 1, "filename": "m.wasm"}'
  for y in 128 384 640 896; do
    printf ', {"type": "assert_return", "line": 1, "action": {"type": "invoke", "field": "row",'
    printf ' "args": [{"type": "i32", "value": "%s"}]}, "expected": [{"type": "i32", "value":' $y
    printf ' "1024"}]}\n'
  done
  echo ']}'
} >"$work/rows.json"
cp "$bench/mandelbrot.wasm" "$work/m.wasm"

median() { sort -g | awk '{ v[NR] = $1 } END { if (NR) print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }
spread() { sort -g | awk 'NR == 1 { low = $1 } { high = $1 } END { printf "%.4g .. %.4g", low, high }'; }
ratios() { paste "$1" "$2" | awk '{ print $1 / $2 }'; }
row() { printf '%-44s %10.4g %-6s %22s   %s\n' "$1" "$(median <"$2")" "$3" "$(spread <"$2")" "$4"; }

for ((round = 1; round <= rounds; round++)); do
  echo "round $round of $rounds" >&2
  node bench/mandelbrot_v8.mjs "$bench/mandelbrot.wasm" 8 16 5 | median |
    awk '{ print $1 / 1e6 }' >>"$work/v8"
  measure wb_bench 'BM_Rows/cpu' real_time >>"$work/cpu"
  for call in fib sort; do
    [ $call = fib ] && numbers=(26 0) || numbers=(0 1)
    node bench/calls_v8.mjs "$bench/calls.wasm" $call "${numbers[@]}" 64 5 | median |
      awk '{ print $1 / 1e6 }' >>"$work/$call-v8"
    measure wb_bench "BM_${call^}/cpu" real_time >>"$work/$call-cpu"
  done
  measure wb_bench 'BM_Rows/cpu' instructions_per_s >>"$work/cpu_rate"
  measure wb_bench 'BM_Rows/interpreter' instructions_per_s >>"$work/interpreter_rate"
  measure wb_bench 'BM_Rows/interpreter' instructions >"$work/instructions"
  wabt_seconds | paste "$work/instructions" - | awk '{ print $1 / $2 }' >>"$work/wabt_rate"
  measure wb_bench 'BM_LoadCachedPipeline' real_time >>"$work/load"
  measure wb_bench 'BM_PictureInBursts' cost_percent whole_ms bursts >>"$work/cutting"
  measure wb_service_bench 'BM_OneInstanceJob' real_time >>"$work/job"
done
ratios "$work/v8" "$work/cpu" >"$work/of_v8"
for call in fib sort; do ratios "$work/$call-cpu" "$work/$call-v8" >"$work/$call-times"; done
ratios "$work/cpu_rate" "$work/interpreter_rate" >"$work/over_interpreter"
ratios "$work/cpu_rate" "$work/wabt_rate" >"$work/over_wabt"
cut -d' ' -f1 "$work/cutting" >"$work/cost"
cut -d' ' -f2 "$work/cutting" >"$work/whole"
cut -d' ' -f3 "$work/cutting" >"$work/bursts"

printf '%-44s %10s %-6s %22s   %s\n' "what" "median" "" "lowest .. highest" "aim"
row "64 rows in V8, warm" "$work/v8" ms ""
row "64 rows on the CPU device, one thread" "$work/cpu" ms ""
row "CPU device, share of V8's speed" "$work/of_v8" "" ">= 0.8"
row "CPU device, wasm instructions a second" "$work/cpu_rate" /s ""
row "fib(26) 64 times in V8, warm" "$work/fib-v8" ms ""
row "fib(26) in 64 instances, CPU device" "$work/fib-cpu" ms ""
row "fib(26), time of V8's" "$work/fib-times" x "<= 2"
row "64 sorts with a comparator in V8, warm" "$work/sort-v8" ms ""
row "the same in 64 instances, CPU device" "$work/sort-cpu" ms ""
row "sort, time of V8's" "$work/sort-times" x "<= 2"
row "interpreter, wasm instructions a second" "$work/interpreter_rate" /s ""
row "wabt's interpreter, the same" "$work/wabt_rate" /s ""
row "CPU device over the interpreter" "$work/over_interpreter" x ""
row "CPU device over wabt's interpreter" "$work/over_wabt" x ">= 60"
row "load of a cached pipeline, in process" "$work/load" us "<= 1000"
row "1-instance job, cached, as the client sees it" "$work/job" ms "<= 10"
row "picture in one go" "$work/whole" ms ""
row "how many bursts" "$work/bursts" "" ">= 100"
row "what the cutting costs" "$work/cost" % "<= 3"
