#!/usr/bin/env bash
# How long a call of a session takes, from the request to its last result: instances of 64 KiB and of
# 1 MiB of memory, every 4 KiB of which has been written, whose function adds to one word.
#   bench/session.sh [CALLS [PLACEMENT...]]     (default 50 interpreter cpu)
# What the instances return is compared with the number of the call. Milliseconds: the median, the
# lowest and the highest; last line: session bench: ...
set -euo pipefail
cd "$(dirname "$0")/.."
calls="${1:-50}"
[[ $calls =~ ^[1-9][0-9]{0,3}$ ]] || { echo "session.sh: [$calls] is not a number of calls" >&2; exit 2; }
. bench/own_daemon.sh
take_placements "${@:2}"

# module PAGES: wat of one whose `fill` writes a word of each 4 KiB, and whose `step` counts.
module() {
  cat <<WAT
(module (memory $1)
  (func (export "fill") (result i32) (local \$i i32)
    (loop \$l
      (i32.store offset=4 (local.get \$i) (i32.const 1))
      (br_if \$l (i32.lt_u (local.tee \$i (i32.add (local.get \$i) (i32.const 4096)))
                          (i32.const $(($1 * 65536))))))
    (i32.const 0))
  (func (export "step") (result i32)
    (i32.store (i32.const 0) (i32.add (i32.load (i32.const 0)) (i32.const 1)))
    (i32.load (i32.const 0))))
WAT
}

printf '[sessions]\nmax_bytes = "2GiB"\nmax_total_bytes = "2GiB"\n' >"$work/config.toml"
sed -i '1i version = 1' "$work/config.toml"
begin_daemon --config "$work/config.toml"
summary=""
for placement in "${placements[@]}"; do
  for pages in 1 16; do
    module $pages >"$work/session.wat"
    wat2wasm "$work/session.wat" -o "$work/session.wasm"
    for instances in 1 32 64 1024; do
      some=$calls
      ((instances * pages < 16384)) || some=$(((calls + 4) / 5))
      "$build/bench/wb_session_bench" "$WASMBURST_ADDR" "$work/session.wasm" $instances $some $placement >"$work/times"
      echo "$placement, $instances instances of $((pages * 64)) KiB: $(spread %.1f <"$work/times") ms"
      summary+=" ${placement}_${instances}_$((pages * 64))=$(median <"$work/times")"
    done
  done
done
echo "session bench:$summary ms"
