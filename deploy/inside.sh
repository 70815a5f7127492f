#!/usr/bin/env bash
# What instances do together, and what can be seen of them from inside: each collective of gpu_std gives the same on every
# engine, each trap of several kinds of modules is dumped, read again as a core file, and replayed, and emulated ARM64 cores are
# as fast as they are.
#   deploy/inside.sh [--quick] [PLACEMENT...]     cpu and interpreter; gpu where there is one
#     --quick   without ARM64 cores, which take a minute, and collectives on a million instances
# Needs a release build (deploy/test.sh makes one), or WASMBURST_BUILD=FOLDER.
# WASMBURST_GUESTS=FOLDER has arm64.wasm where there is no clang.
# Last line: inside: C of T collective cases equal, D of E dumps replayed, arm64 X M instr/s one lane, Y all
# Exit 1 unless C is T and D is E, neither is 0, and the first three traps of each module have backtraces.
set -euo pipefail
cd "$(dirname "$0")/.."
. bench/own_daemon.sh
. tests/e2e/collective_cases.sh
quick=no
if [ "${1:-}" = --quick ]; then quick=yes && shift; fi
placements=("$@")
[ $# -gt 0 ] || placements=(cpu interpreter)
printf 'version = 1\n[server]\nstate_directory = "%s"\n[log]\nlevel = "warning"\n' "$work/state" >"$work/config.toml"
begin_daemon --config "$work/config.toml"

# kind NAME: a module from standard input, whose run traps where its argument is odd.
kinds=()
kind() { cat >"$work/$1.wat"; kinds+=("$1"); }
kind divide <<'WAT'
(module (func $d (param i32) (result i32) (i32.div_s (i32.const 8) (i32.sub (i32.const 1) (i32.and (local.get 0) (i32.const 1)))))
  (func (export "run") (param i32) (result i32) (call $d (local.get 0))))
WAT
kind memory <<'WAT'
(module (memory 1 3) (data (i32.const 60000) "here")
  (func (export "run") (param i32) (result i32)
    (drop (memory.grow (i32.const 1)))
    (i32.store (i32.const 131068) (local.get 0))
    (i32.load (i32.mul (i32.and (local.get 0) (i32.const 1)) (i32.const 131070)))))
WAT
kind indirect <<'WAT'
(module (type $t (func (result i32))) (table 2 funcref) (elem (i32.const 0) $f)
  (func $f (result i32) (i32.const 1))
  (func (export "run") (param i32) (result i32) (call_indirect (type $t) (i32.and (local.get 0) (i32.const 1)))))
WAT
kind deep <<'WAT'
(module (func $down (param i64 f64) (result i32) (call $down (i64.add (local.get 0) (i64.const 1)) (f64.mul (local.get 1) (f64.const 0.5))))
  (func (export "run") (param i32) (result i32)
    (if (result i32) (i32.and (local.get 0) (i32.const 1)) (then (call $down (i64.const 0) (f64.const 1))) (else (i32.const 0)))))
WAT
kind convert <<'WAT'
(module (global $g (mut f64) (f64.const 0))
  (func (export "run") (param i32) (result i32) (local $x f64)
    (local.set $x (f64.mul (f64.const 3e9) (f64.convert_i32_u (i32.and (local.get 0) (i32.const 1)))))
    (global.set $g (local.get $x))
    (i32.trunc_f64_s (local.get $x))))
WAT
kind loops <<'WAT'
(module (memory 1)
  (func (export "run") (param $n i32) (result i32) (local $i i32)
    (loop $l
      (i32.store8 (local.get $i) (i32.add (local.get $i) (local.get $n)))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 50000))))
    (if (i32.and (local.get $n) (i32.const 1)) (then (unreachable)))
    (i32.load8_u (i32.const 777))))
WAT
kind several <<'WAT'
(module (memory 1) (memory $m 1 2)
  (func (export "run") (param i32) (result i32)
    (i32.store $m (i32.const 100) (local.get 0))
    (drop (memory.grow $m (i32.const 1)))
    (i32.load $m (i32.sub (i32.const 0) (i32.and (local.get 0) (i32.const 1))))))
WAT

# Of two modules, of which the one that is called traps.
cat >"$work/lib.wat" <<'WAT'
(module (memory 1) (func (export "half") (param i32) (result i32)
  (i32.store (i32.const 8) (local.get 0))
  (i32.div_u (i32.const 1) (i32.sub (i32.const 1) (i32.and (local.get 0) (i32.const 1))))))
WAT
kind linked <<'WAT'
(module (import "lib" "half" (func $half (param i32) (result i32)))
  (func (export "run") (param i32) (result i32) (call $half (local.get 0))))
WAT

# Assertions, and traps in the midst of a group.
kind assertion <<'WAT'
(module (import "gpu_std" "assert" (func $assert (param i32 i32)))
  (func $check (param i32) (call $assert (i32.eqz (i32.and (local.get 0) (i32.const 1))) (i32.const 7)))
  (func (export "run") (param i32) (result i32) (call $check (local.get 0)) (i32.const 1)))
WAT
group='(module (import "gpu_std" "sum_i32" (func $sum (param i32) (result i32)))
  (import "gpu_std" "assert" (func $assert (param i32 i32)))
  (import "gpu_std" "any" (func $any (param i32) (result i32)))
  (import "gpu_std" "group_load_i32" (func $load (param i32) (result i32)))
  (memory 1)
  (func $part (param $n i32) (result i32) (local $a i32)
    (local.set $a (call $sum (call $sum (local.get $n))))
    (i32.store (i32.const 8) (local.get $a))'
rest=') (func (export "run") (param i32) (result i32) (call $sum (call $part (local.get 0)))))'
odd='(i32.and (local.get $n) (i32.const 1))'
kind group_assertion <<<"$group (call \$assert (i32.eqz $odd) (i32.const 9)) (local.get \$a) $rest"
kind group_trap <<<"$group (i32.div_u (local.get \$a) (i32.sub (i32.const 1) $odd)) $rest"
kind group_memory <<<"$group (call \$load (i32.mul $odd (i32.const 8192))) $rest"
kind mismatch <<<"$group (if (result i32) (i32.eq (local.get \$n) (i32.const 3)) (then (call \$any (i32.const 1))) (else (i32.const 1))) $rest"

traps=0 dumped=0 untraced=0
# look NAME JOB INSTANCE: a dump that wabt takes and our own reader reads, of the trap that the job tells.
look() {
  local core="$work/core.$1.$3"
  ctl -q job dump "$2" "$3" --to "$core" >/dev/null || return 1
  if command -v wasm-validate >/dev/null; then wasm-validate --enable-multi-memory "$core" || return 1; fi
  ctl -q job dump --read "$core" --json | grep -q '"end": *"TRAPPED"' || return 1
  ctl -q job replay "$2" "$3" --limit 10 | grep -q "^The same as the job's result"
}
for placement in "${placements[@]}"; do
  for name in "${kinds[@]}"; do
    more=()
    [ "$name" != linked ] || more=(--module "lib=$work/lib.wat")
    job="$(ctl -q job submit "$work/$name.wat" ${more[@]+"${more[@]}"} --call run --arg 0..6 --placement "$placement" --dump-on-trap 3)"
    ctl -q -o jsonl job results "$job" --follow >"$work/results"
    traced="$(grep -c '"backtrace":\[{' "$work/results" || true)"
    [ "$traced" = 3 ] || { echo "FAILED: $traced of 3 traps of $name on $placement have a backtrace"; untraced=1; }
    for instance in $(sed -n 's/.*"instance":\([0-9]*\),"end":"TRAPPED".*/\1/p' "$work/results"); do
      traps=$((traps + 1))
      if look "$name" "$job" "$instance"; then dumped=$((dumped + 1)); else echo "FAILED: $name, instance $instance of $job on $placement"; fi
    done
    echo "$placement $name: $traps traps so far, $dumped dumped and replayed"
  done
done

count_collectives "${placements[@]}"
end_daemon

# arm64_rates PLACEMENT: "arm64 X M instr/s one lane, Y all", or why there is none.
arm64_rates() {
  [ $quick = no ] || { echo "arm64 left out"; return; }
  if [ -n "${WASMBURST_GUESTS:-}" ]; then
    cp "$WASMBURST_GUESTS/arm64.wasm" "$work"
  else
    clang --target=wasm32-wasi -O2 -Wl,-s,--initial-memory=524288 -o "$work/arm64.wasm" deploy/examples/arm64/*.c \
      >"$work/clang.log" 2>&1 || { echo "arm64 left out: no clang and wasi-libc"; return; }
  fi
  mkdir "$work/bin"
  ln -s "$build/daemon/wasmburstd" "$build/client/wasmburstctl" "$work/bin/"
  WASMBURST_ENGINE_HOST="$build/scheduler/engine_host/wasmburst-engine" \
    bench/arm64.sh "$work/bin" "$work/arm64.wasm" "$1" >"$work/arm64.log" || return 1
  sed -n '$s/^arm64: \(.*\) all (.*/arm64 \1 all/p' "$work/arm64.log"
}
rates="$(arm64_rates "${placements[0]}")"
echo "inside: $collective_equal of $collective_cases collective cases equal, $dumped of $traps dumps replayed, $rates"
[ "$dumped" -eq "$traps" ] && [ "$traps" -gt 0 ] && [ $untraced = 0 ] && [ "$collective_equal" -eq "$collective_cases" ]
