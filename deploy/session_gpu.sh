#!/usr/bin/env bash
# Sessions and checkpoints on a GPU, beside the interpreter: on a machine with an NVIDIA driver and NVRTC, and no compiler.
#   deploy/session_gpu.sh BIN [INSTANCES...]      default: 1 64 10000
#     BIN   a folder with wasmburstd, wasmburstctl and wasmburst-engine: of a build's installation or a bundle
# A session for each number of instances on the GPU and one on the interpreter have ten calls, which write all over memories that
# grow: results and fuel are compared after each call, memories at the end. Then a job stops on one of the two and goes on on the
# other, both ways; its values and fuel are compared with a run that never stopped.
# A line for each: ms of a call, median (lowest to highest), from wasmburstctl's start to its end. Last line:
#   session gpu: A of B calls equal, C of D memories equal, E of F checkpoints equal
# Exit 1 unless all are.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
bin="$(cd "$1" && pwd)" && shift
counts=("$@")
[ $# -gt 0 ] || counts=(1 64 10000)
for count in "${counts[@]}"; do
  [[ $count =~ ^[1-9][0-9]{0,4}$ ]] || { echo "session_gpu.sh: [$count] is not a number of instances" >&2; exit 2; }
done
work="$(mktemp -d)"
daemon=""
trap '[ -z "$daemon" ] || { kill -TERM "$daemon" && wait "$daemon" || true; }; rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache" XDG_STATE_HOME="$work/state" WASMBURST_ADDR="unix://$work/daemon.sock"
ctl() { "$bin/wasmburstctl" "$@"; }

cat >"$work/config.toml" <<TOML
version = 1
[server]
state_directory = "$work/state"
[cpu]
enabled = false
[cuda]
enabled = "on"
[burst]
slice_fuel = 1000000
[sessions]
max_bytes = "2GiB"
max_total_bytes = "4GiB"
[log]
level = "warning"
TOML
"$bin/wasmburstd" --listen "$WASMBURST_ADDR" --config "$work/config.toml" 2>"$work/log" </dev/null &
daemon=$!
for _ in $(seq 300); do
  ! ctl device get cuda0 >/dev/null 2>&1 && kill -0 "$daemon" 2>/dev/null || break
  sleep 0.1
done
ctl device get cuda0 >"$work/gpu" 2>&1 || { cat "$work/gpu" "$work/log" >&2; exit 1; }

cat >"$work/guest.wat" <<'WAT'
(module (memory 1 3) (global $calls (mut i32) (i32.const 0))
  (func $next (param $x i32) (result i32)
    (i32.add (i32.mul (local.get $x) (i32.const 1664525)) (i32.const 1013904223)))
  ;; Adds to words that its number and the calls so far choose, grows the memory in the fourth call, and answers with a sum.
  (func (export "step") (param $n i32) (result i32) (local $x i32) (local $i i32) (local $at i32)
    (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
    (if (i32.eq (global.get $calls) (i32.const 4)) (then (drop (memory.grow (i32.const 1)))))
    (local.set $x (i32.add (local.get $n) (i32.mul (global.get $calls) (i32.const 7919))))
    (loop $l
      (local.set $x (call $next (local.get $x)))
      (local.set $at (i32.and (i32.shr_u (local.get $x) (i32.const 8)) (i32.const 0xfffc)))
      (if (i32.gt_u (memory.size) (i32.const 1))
        (then (local.set $at (i32.add (local.get $at) (i32.and (local.get $x) (i32.const 0x10000))))))
      (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (local.get $x)))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 200))))
    (i32.xor (i32.load (local.get $at)) (i32.mul (memory.size) (global.get $calls))))
  (func (export "long") (param $n i32) (param $rounds i32) (result i32) (local $x i32) (local $i i32)
    (local.set $x (local.get $n))
    (loop $l
      (local.set $x (call $next (local.get $x)))
      (i32.store (i32.and (local.get $x) (i32.const 0xfffc)) (local.get $x))
      (br_if $l (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $rounds))))
    (i32.xor (local.get $x) (i32.load (i32.and (local.get $x) (i32.const 0xffc))))))
WAT
# "INSTANCE VALUE FUEL" of results as lines of JSON.
values() { sed 's/.*"instance":\([0-9]*\).*"values":\[\([-0-9]*\)\].*"fuel":\([0-9]*\).*/\1 \2 \3/' "$1" | sort -n; }
ms_since() { awk -v a="$1" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f\n", (b - a) * 1000 }'; }
spread() { sort -n | awk '{ all[NR] = $1 } END { printf "%.1f (%.1f to %.1f)", all[int((NR + 1) / 2)], all[1], all[NR] }'; }

calls=0 equal=0 memories=0 same=0
for count in "${counts[@]}"; do
  for place in gpu interpreter; do
    session="$(ctl session open "$work/guest.wat" --instances "$count" --placement "$place" --idle 10m)"
    for call in $(seq 10); do
      begin="$(date +%s.%N)"
      ctl -q session call "$session" step --arg "0..$count" -o jsonl >"$work/results" || { cat "$work/log" >&2; exit 1; }
      ms_since "$begin" >>"$work/$place.$count"
      values "$work/results" >"$work/$place.$count.$call"
      elsewhere="$(grep -vc "\"device\":\"$([ $place = gpu ] && echo cuda || echo interpreter)" "$work/results" || true)"
      [ "$elsewhere" = 0 ] || { echo "session_gpu.sh: $elsewhere instances of a call on $place ran elsewhere" >&2; exit 1; }
    done
    for instance in 0 $((count / 2)) $((count - 1)); do
      ctl session read "$session" --instance "$instance" --at 0 --bytes 131072 --file "$work/$place.memory.$instance"
    done
    ctl session close "$session" >/dev/null
    echo "session of $count on $place: $(spread <"$work/$place.$count") ms a call"
  done
  for call in $(seq 10); do
    calls=$((calls + 1))
    if [ "$(wc -l <"$work/gpu.$count.$call")" = "$count" ] && cmp -s "$work/gpu.$count.$call" "$work/interpreter.$count.$call"; then
      equal=$((equal + 1))
    else
      echo "FAILED: call $call of $count instances: $(diff "$work/gpu.$count.$call" "$work/interpreter.$count.$call" | head -3)"
    fi
  done
  for instance in 0 $((count / 2)) $((count - 1)); do
    memories=$((memories + 1))
    if [ -s "$work/gpu.memory.$instance" ] && cmp -s "$work"/{gpu,interpreter}.memory."$instance"; then same=$((same + 1)); fi
  done
done

# caught PLACE ROUNDS: submits and stops in mid-run. Sets job. False: it had ended before.
caught() {
  job="$(ctl -q job submit "$work/guest.wat" --call long --arg 0..64 --arg "$2" --placement "$1")"
  until ctl job get "$job" | grep -qE 'running ones used|SUCCEEDED|FAILED'; do sleep 0.01; done
  ctl job checkpoint "$job" --wait >"$work/said" 2>&1 && grep -q CHECKPOINTED "$work/said"
}
checkpoints=0 resumed=0
for way in gpu:interpreter interpreter:gpu; do
  from="${way%:*}" to="${way#*:}" rounds=1000000
  checkpoints=$((checkpoints + 1))
  until caught "$from" "$rounds"; do
    [ "$rounds" -lt 200000000 ] || { echo "FAILED: no job on $from is caught in mid-run"; continue 2; }
    rounds=$((rounds * 3))
  done
  begin="$(date +%s.%N)"
  ctl -q job resume "$job" --placement "$to" >/dev/null
  ctl -q job results "$job" --follow -o jsonl >"$work/results"
  took="$(ms_since "$begin")"
  values "$work/results" >"$work/stopped"
  ctl -q job run "$work/guest.wat" --call long --arg 0..64 --arg "$rounds" --placement gpu -o jsonl >"$work/results"
  values "$work/results" >"$work/plain"
  if [ "$(wc -l <"$work/plain")" = 64 ] && cmp -s "$work/stopped" "$work/plain" &&
    ! ctl job get "$job" | grep -q "states lost"; then
    resumed=$((resumed + 1))
  else
    echo "FAILED: from $from to $to: $(diff "$work/stopped" "$work/plain" | head -3)"
  fi
  echo "from $from to $to: $(sed 's/.*CHECKPOINTED, //' "$work/said"), $rounds rounds of each, $took ms from the resume to the last result"
done
echo "session gpu: $equal of $calls calls equal, $same of $memories memories equal, $resumed of $checkpoints checkpoints equal"
[ "$equal" = "$calls" ] && [ "$same" = "$memories" ] && [ "$resumed" = "$checkpoints" ]
