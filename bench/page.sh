#!/usr/bin/env bash
# What the live page costs that follows a job of 1,000,000 instances: processor time of the daemon with and
# without it, in turns, and memory of the browser's process of the page.
#   bench/page.sh [ROUNDS [SECONDS]]      3 rounds of 20 s
# Needs a release build with its page, node and chromium. Prints a row for each round, and medians.
set -euo pipefail
cd "$(dirname "$0")/.."
. tests/page/browser.sh
. bench/own_daemon.sh
rounds="${1:-3}" time="${2:-20}"
need_rounds "$rounds"
need_page
port="$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')"
printf 'version = 1\n[metrics]\naddress = "127.0.0.1:%s"\n[page]\nrole = "viewer"\n[[listen]]\naddress = "%s"\n' \
  "$port" "$WASMBURST_ADDR" >"$work/config.toml"
"$build/daemon/wasmburstd" --config "$work/config.toml" 2>"$work/log" </dev/null &
daemon=$!
for _ in $(seq 100); do ! ctl server info >/dev/null 2>&1 || break; sleep 0.1; done
# A million instances are to last for a minute or more, and 65,536 of them for less than a round.
sed 's/(i32.const 40000)/(i32.const 6000)/' tests/page/guest.wat >"$work/guest.wat"
wat2wasm "$work/guest.wat" -o "$work/guest.wasm"

# Seconds of processors that the daemon itself has used; its engine hosts are other processes.
used() { awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); printf "%.2f\n", ($12 + $13) / hz }' "/proc/$daemon/stat"; }
finished() { ctl -o json job get "$1" | tr -d ' \n' | sed 's/.*"finished":"\([0-9]*\)".*/\1/'; }
over() { awk -v a="$1" -v b="$2" -v t="$time" 'BEGIN { printf "%.2f", 100 * (b - a) / t }'; }

echo "round  without %  with %  page %  private MiB  heap MiB  instances ended"
for round in $(seq "$rounds"); do
  job="$(ctl -q job submit "$work/guest.wasm" --call slow --arg 0..1000000 --placement cpu | grep -o 'jobs/[0-9A-Z]*' | head -1)"
  sleep 5
  a="$(used)"; sleep "$time"; b="$(used)"
  node tests/page/follow.mjs "http://127.0.0.1:$port" "$job" >"$work/follow" &
  page=$!
  c="$(used)"; sleep "$time"; d="$(used)"  # with what opening the page costs
  done_now="$(finished "$job")"
  kill -TERM $page; wait $page || { cat "$work/follow"; exit 1; }
  grep -q shown "$work/follow" || { echo "page.sh: the page did not show the job in $time s" >&2; exit 1; }
  memory="$(awk 'NF == 2 { if ($1 > p) p = $1; if ($2 > h) h = $2 } END { printf "%.1f %.1f", p / 1024, h / 1024 }' "$work/follow")"
  without="$(over "$a" "$b")" with="$(over "$c" "$d")"
  echo "$round $without $with $(less "$with" "$without") $memory $done_now" | tee -a "$work/rows" | sed 's/ /      /g'
  ctl -q job cancel "$job" >/dev/null
done
echo "page: $(awk '{ print $4 }' "$work/rows" | spread %.2f) % of a processor, $(awk '{ print $5 }' "$work/rows" | spread %.1f) MiB private, $(awk '{ print $6 }' "$work/rows" | spread %.1f) MiB heap"
