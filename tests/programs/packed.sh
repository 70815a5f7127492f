#!/usr/bin/env bash
# Runs what `deploy/programs.sh --pack PACK` made, on a machine without Node, and compares.
#   packed.sh [--slices] [--instances N] [--jobs J] [--seconds S] [--largest BYTES] BIN PACK ENGINE CACHE
#     BIN          a folder with wasmburstd and wasmburstctl (bin/ of deploy/bundle.sh)
#     ENGINE       interpreter, cpu, gpu, or metal-standin (BIN has wb_engine_metal_standin)
#     CACHE        the daemon's cache; a second call finds its pipelines there
#     --slices     leave and resume every 19,997 instructions
#     --instances  so many of each run, all of which must be equal (1)
#     --jobs       so many runs at a time (one for each processor)
#     --seconds    a run may take so long, with the build of its pipeline (500)
#     --largest    larger modules are refused
# One line for each run. Last line: programs: P of T equal to Node's, R refused
set -euo pipefail
slice_fuel="" instances=1 jobs="$(getconf _NPROCESSORS_ONLN)" seconds=500 largest=1000000000
while [ $# -gt 4 ]; do
  case "$1" in
    --slices) slice_fuel=19997 ;;
    --instances) instances="$2"; shift ;;
    --jobs) jobs="$2"; shift ;;
    --seconds) seconds="$2"; shift ;;
    --largest) largest="$2"; shift ;;
    *) echo "packed.sh: unknown argument [$1]" >&2; exit 2 ;;
  esac
  shift
done
[ $# = 4 ] || { sed -n '2,13s/^# \{0,1\}//p' "$0" >&2; exit 2; }
bin="$(cd "$1" && pwd)" pack="$(cd "$2" && pwd)" engine="$3"
mkdir -p "$4"
cache="$(cd "$4" && pwd)"
work="$(mktemp -d)"
placement="$engine" standin=""
if [ "$engine" = metal-standin ]; then
  placement=gpu
  standin="[cuda]
enabled = \"on\"
kind = \"metal\"
cooldown = \"0s\"
[metal]
max_text_bytes = \"64MiB\"
[engine]
host_path = \"$bin/wb_engine_metal_standin\""
fi
address="unix://$work/socket"

cat >"$work/config.toml" <<END
version = 1
[server]
state_directory = "$work/state"
[burst]
${slice_fuel:+slice_fuel = $slice_fuel}
[compile]
max_time = "${seconds}s"
max_memory_bytes = "16GiB"
parallel = $jobs
[cache]
directory = "$cache"
$standin
[[listen]]
address = "$address"
END
"$bin/wasmburstd" --config "$work/config.toml" 2>"$work/daemon.log" &
daemon=$!
finish() {
  kill "$daemon" 2>/dev/null || true
  wait "$daemon" 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
for _ in $(seq 100); do
  grep -q listening "$work/daemon.log" && break
  sleep 0.1
done
grep -q listening "$work/daemon.log" || { cat "$work/daemon.log" >&2; exit 1; }

# compare FOLDER RUN: the first difference of what is in FOLDER, or nothing.
compare() {
  local folder="$1" run="$2" said end expected
  read -r expected <"$run/end"
  for said in "$folder"/result.*; do
    end="$(sed -n 's/.*"end":"\([A-Z_]*\)".*/\1/p' "$said")"
    [ "$end" != RETURNED ] || end="EXITED 0"
    [ "$end" != EXITED ] || end="EXITED $(sed -n 's/.*"exit_code":"\{0,1\}\([0-9]*\).*/\1/p;t;s/.*/0/p' "$said")"
    [ "$end" = "$expected" ] || { echo "ends with [$end], not [$expected]"; return; }
  done
  [ "$expected" != TRAPPED ] || return 0 # its texts are in the result
  local instance path
  for ((instance = 1; instance <= instances; ++instance)); do
    (cd "$run/expected" && find . -type f) | while read -r path; do
      cmp -s "$run/expected/$path" "$folder/$instance/$path" ||
        { echo "instance $instance: [$path] differs"; break; }
    done
  done
}

# run_one NAME RUN
run_one() {
  local name="$1" run="$pack/runs/$1/$2" folder="$work/$1/$2" status=0 began=$SECONDS module="$pack/modules/$1.wasm"
  local args env outputs flags=() word instance
  [ "$(stat -c %s "$module")" -le "$largest" ] || { echo "refused $name $2: larger than $largest bytes"; return; }
  mapfile -d '' args <"$run/args"
  mapfile -d '' env <"$run/env"
  mapfile -d '' outputs <"$run/outputs"
  for word in ${env[@]+"${env[@]}"}; do flags+=(--env "$word"); done
  for word in ${outputs[@]+"${outputs[@]}"}; do
    flags+=(--output-file "$word" --output-to "$folder/{#}/files/$word")
    for ((instance = 1; instance <= instances; ++instance)); do mkdir -p "$(dirname "$folder/$instance/files/$word")"; done
  done
  mkdir -p "$folder"
  for ((instance = 1; instance <= instances; ++instance)); do mkdir -p "$folder/$instance"; done
  timeout "$seconds" "$bin/wasmburstctl" --addr "$address" -q -o jsonl run "$module" -n "$instances" \
    --placement "$placement" --output-limit 4194304 --stdin "$run/stdin" --files "$run/root" \
    --stdout-to "$folder/{#}/stdout" --stderr-to "$folder/{#}/stderr" ${flags[@]+"${flags[@]}"} \
    -- ${args[@]+"${args[@]}"} >"$folder/said" 2>"$folder/errors" </dev/null || status=$?
  grep '"end":' "$folder/said" >"$folder/ends" || true
  if [ $status = 124 ]; then echo "refused $name $2: no result in $seconds s"; return; fi
  if [ "$(wc -l <"$folder/ends")" != "$instances" ]; then
    echo "refused $name $2: $(tail -n 1 "$folder/errors")"
    return
  fi
  split -l 1 "$folder/ends" "$folder/result."
  local differs
  differs="$(compare "$folder" "$run")"
  if [ -n "$differs" ]; then echo "DIFFERS $name $2: $differs"; else echo "ok $name $2 ($((SECONDS - began)) s)"; fi
}

# The largest first: they are built the longest.
runs="$(cd "$pack/modules" && ls -S | sed 's/[.]wasm$//' |
  while read -r name; do find "$pack/runs/$name" -mindepth 1 -maxdepth 1 -printf "$name %f\n" | sort; done)"
while read -r name run; do
  while [ "$(jobs -rp | wc -l)" -gt "$jobs" ]; do wait -n || true; done
  run_one "$name" "$run" | tee -a "$work/lines" &
done <<<"$runs"
while [ "$(jobs -rp | wc -l)" -gt 1 ]; do wait -n || true; done
awk '
  { state[$2] = $1 == "ok" && state[$2] != "" ? state[$2] : (state[$2] == "DIFFERS" ? "DIFFERS" : $1) }
  END {
    for (name in state) { ++all; ++count[state[name]] }
    printf "programs: %d of %d equal to Node'\''s, %d refused\n", count["ok"], all, count["refused"]
    exit count["DIFFERS"] > 0
  }' "$work/lines"
