#!/usr/bin/env bash
# A WASI program over many inputs: one `wasmburstctl run` beside `xargs -P` with a Node process each.
#   bench/programs.sh [FILES [LINES [PEERS]]]     (default 10000 1000000 500)
#     FILES  instances over files of 64 KiB
#     LINES  instances over short lines of standard input
#     PEERS  that many of each are given to Node: its time for one is the same however many there are
# Both compute the same bytes, or it fails. Memory is the most that was resident (VmHWM), of the daemon,
# of all its engine hosts together, and of the client, or of Node's processes at a time. Last line: programs bench: ...
set -euo pipefail
cd "$(dirname "$0")/.."
files="${1:-10000}" lines="${2:-1000000}" peers="${3:-500}"
for number in "$files" "$lines" "$peers"; do
  [[ $number =~ ^[1-9][0-9]{0,6}$ ]] || { echo "programs.sh: [$number] is not a number of inputs" >&2; exit 2; }
done
processors="$(getconf _NPROCESSORS_ONLN)"
. bench/own_daemon.sh

clang --target=wasm32-wasi -O2 -Wl,--strip-all -o "$work/words.wasm" bench/guests/words.c
mkdir "$work/in" "$work/out" "$work/peer"
# Files of 64 KiB, all different, and lines of 5 to 40 letters.
awk -v files="$files" -v folder="$work/in" 'BEGIN {
  for (i = 0; i < 8000; ++i) text = text sprintf("%x%s", (i * 2654435761) % 65536, i % 9 ? " " : "\n")
  for (f = 0; f < files; ++f) {
    name = folder "/" sprintf("%07d", f)
    printf "%s", substr(sprintf("%07d ", f) substr(text, f % 997 + 1) text text, 1, 65536) >name
    close(name)
  }
}'
awk -v lines="$lines" 'BEGIN { for (i = 0; i < lines; ++i) printf "line %d of %s\n", i, substr("abcdef ghijkl mnopqr stuvwx", 1, i % 27 + 1) }' \
  >"$work/input"

peak_of() { sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$1/status" 2>/dev/null || true; }

# ours NAME ARGUMENTS...: a run with a fresh daemon; leaves its seconds and peaks (MiB) in $work/NAME.
ours() {
  local name="$1" client began peak=0 now
  shift
  begin_daemon
  ctl run "$work/words.wasm" </dev/null >/dev/null 2>&1 || true # compiled before
  sleep 3
  began="$(seconds)"
  "$build/client/wasmburstctl" -q run "$work/words.wasm" "$@" 2>"$work/$name.err" >"$work/$name.out" <"$work/input" &
  client=$!
  while now="$(peak_of $client)"; [ -n "$now" ]; do peak=$now; sleep 0.05; done
  wait $client || { tail -n 3 "$work/$name.err" >&2; exit 1; }
  now="$(less "$(seconds)" "$began")"
  local hosts=0 host
  for host in $(pgrep -P "$daemon"); do hosts=$((hosts + $(peak_of "$host"))); done
  echo "$now $(($(peak_of "$daemon") / 1024)) $((hosts / 1024)) $((peak / 1024))" >"$work/$name"
  end_daemon
}

row() { printf '%-50s %8s %9s %11s %10s %11s\n' "$@"; }
# rows NAME WORDS COUNT PEER_SECONDS PEER_COUNT
rows() {
  local took daemon_mib hosts_mib client_mib
  read -r took daemon_mib hosts_mib client_mib <"$work/$1"
  row "$2: wasmburstctl run" "$(printf %.2f "$took")" "$(awk -v n="$3" -v t="$took" 'BEGIN { printf "%.0f", n / t }')" "$daemon_mib" "$hosts_mib" "$client_mib"
  row "$2: xargs -P $processors node ($5 of them)" "$(printf %.2f "$4")" "$(awk -v n="$5" -v t="$4" 'BEGIN { printf "%.1f", n / t }')" - - "$processors x $node_mib"
}

ours files --each-file "$work/in/*" --stdin-from {} --stdout-to "$work/out/{/}"
ours lines --each-line --stdin-column {} --ordered

# Node's sides: the program named by a file of standard input, or a line.
began="$(seconds)"
{ ls "$work/in" || true; } | head -n "$peers" | xargs -P "$processors" -I{} sh -c \
  'exec node --no-warnings bench/wasi_node.mjs "$0/words.wasm" <"$0/in/{}" >"$0/peer/{}"' "$work"
file_peer="$(less "$(seconds)" "$began")"
file_peers="$(ls "$work/peer" | wc -l)"
for name in $(ls "$work/peer"); do
  cmp -s "$work/peer/$name" "$work/out/$name" || { echo "programs.sh: the output for [$name] differs from Node's" >&2; exit 1; }
done
rm -rf "$work/peer" && mkdir "$work/peer"
began="$(seconds)"
head -n "$peers" "$work/input" | awk '{ printf "%07d %s%c", NR, $0, 0 }' | xargs -0 -P "$processors" -n 1 sh -c \
  'printf %s "${1#* }" | node --no-warnings bench/wasi_node.mjs "$0/words.wasm" >"$0/peer/${1%% *}"' "$work"
line_peer="$(less "$(seconds)" "$began")"
line_peers="$(ls "$work/peer" | wc -l)"
cat "$work"/peer/* | cmp -s - <(head -n "$line_peers" "$work/lines.out") ||
  { diff <(cat "$work"/peer/*) <(head -n "$line_peers" "$work/lines.out") | head -n 6 >&2; echo "programs.sh: the outputs for lines differ from Node's" >&2; exit 1; }

node_mib="$(PEAK=1 node --no-warnings bench/wasi_node.mjs "$work/words.wasm" <"$work/in/0000000" 2>&1 >/dev/null)"
row what seconds "inputs/s" "daemon MiB" "hosts MiB" "client MiB"
rows files "$files files of 64 KiB" "$files" "$file_peer" "$file_peers"
rows lines "$lines lines" "$lines" "$line_peer" "$line_peers"
# times COUNT NAME PEER_SECONDS PEER_COUNT: how many times as many inputs a second.
times() { awk -v n="$1" -v p="$3" -v m="$4" '{ printf "%.0f", n / $1 / (m / p) }' "$work/$2"; }
echo "programs bench: $(times "$files" files "$file_peer" "$file_peers") times xargs with Node for files," \
  "$(times "$lines" lines "$line_peer" "$line_peers") times for lines"
