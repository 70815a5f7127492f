#!/usr/bin/env bash
# Emulated ARM64 cores: bench/arm64.sh BIN ARM64.wasm [--lanes N] [--busybox FILE] [PLACEMENT...]
#   BIN         a folder with wasmburstd and wasmburstctl: of a build's installation or a bundle
#   ARM64.wasm  deploy/examples/arm64, built as its main.c says
#   --lanes     instances of "all" (256 on processors, 10000 on a GPU)
#   --busybox   busybox for arm64, static: sha256sum in as many lanes, each of an input of its own, compared
#               with sha256sum here
#   PLACEMENT   interpreter, cpu, gpu (interpreter cpu)
# Instructions a second of the emulated core: of one lane, and of all together. "tight": add, subs, b.ne. "stores": six
# instructions, one of which stores 8 bytes within 8 KiB. Device time; a long loop less a short one, so that loading the
# program does not count. Needs nothing but a shell and awk.
# Last line, of the last placement: arm64: X M instr/s one lane, Y all (stores: X, Y)
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
me=arm64.sh bin="$1" module="$2" lanes="" busybox=""
shift 2
. "$(dirname "$0")/service.sh"
need_module "$module"
while [[ "${1:-}" == --* ]]; do
  case "$1" in
    --lanes) need_number lanes "${2:-}"; lanes="$2" ;;
    --busybox) need_module "${2:-}"; busybox="$2" ;;
    *) refuse "unknown argument [$1]" ;;
  esac
  shift 2
done
[ $# -gt 0 ] || set -- interpreter cpu

# Words of 32 and 64 bits, little endian.
word() {
  local value
  for value in "$@"; do
    printf "\\x$(printf %02x $((value & 255)))\\x$(printf %02x $((value >> 8 & 255)))"
    printf "\\x$(printf %02x $((value >> 16 & 255)))\\x$(printf %02x $((value >> 24 & 255)))"
  done
}
long() { local value; for value in "$@"; do word $((value & 0xffffffff)) $((value >> 32)); done; }
half() { word $(($1 | $2 << 16)); }
# program ROUNDS WORD...: a static program of one segment at 4 MiB, which runs the words so often with x0 as its
# counter. x2 points behind the code.
program() {
  local rounds="$1" back=$((-$#))
  shift
  word 0x464c457f 0x00010102 0 0
  half 2 183 && word 1
  long $((0x400078)) 64 0
  word 0 && half 64 56 && half 1 0 && half 0 0
  word 1 7
  long 0 $((0x400000)) $((0x400000)) 1024 $((0x10000)) 4096
  word $((0xd2800000 | (rounds & 0xffff) << 5))        # movz x0, #rounds
  word $((0xf2a00000 | (rounds >> 16) << 5))           # movk x0, #..., lsl #16
  word 0x10002002                                      # adr x2, 1 KiB on
  word "$@"
  word 0xf1000400                                      # subs x0, x0, #1
  word $((0x54000001 | (back & 0x7ffff) << 5))         # b.ne to the first word
  word 0xd2800000 0xd2800ba8 0xd4000001                # exit(0)
  head -c 1024 /dev/zero
}
tight() { program "$1" 0x91000421; }                   # add x1, x1, #1
# add x1, x1, #3; str x1, [x2, x4, lsl #3]; add x4, x4, #1; and x4, x4, #1023
stores() { program "$1" 0x91000c21 0xf8247841 0x91000484 0x92402484; }

run() {
  ctl arm run "$module" "$@" >"$work/printed" 2>"$work/ctl.log" </dev/null || { tail -n 5 "$work/ctl.log" >&2; exit 1; }
}
# Of the device, for the job that was submitted last.
last_seconds() {
  local job
  job="$(ctl arm -o json job list | tr -d ' \n' | grep -o '"jobs/[^"]*"' | head -n 1 | tr -d '"')"
  ctl arm -o json job get "$job" | tr -d ' \n' | sed 's/.*"device_time":"\([0-9.]*\)s".*/\1/'
}
# device_seconds KIND ROUNDS PLACEMENT LANES
device_seconds() {
  $1 "$2" >"$work/program"
  run --placement "$3" -n "$4" --fuel 1000000000000 --file "p=$work/program" -- -m 128k p
  last_seconds
}
# rate KIND INSTRUCTIONS PLACEMENT LANES: emulated instructions a second. The loop is made to last two seconds.
rate() {
  local short=$((50000 / $2)) long before after
  device_seconds "$1" $short "$3" "$4" >/dev/null
  before="$(device_seconds "$1" $short "$3" "$4")"
  long=$((short * 10))
  for _ in 1 2 3 4 5; do
    after="$(device_seconds "$1" $long "$3" "$4")"
    if awk -v a="$after" -v b="$before" 'BEGIN { exit !(a - b < 1) }' && [ $long -lt 100000000 ]; then
      long="$(awk -v a="$after" -v b="$before" -v l=$long 'BEGIN {
        d = a - b; f = d > 0.02 ? 2 / d : 50; if (f > 50) f = 50; printf "%d", l * f }')"
    else
      break
    fi
  done
  awk -v n=$((long - short)) -v i="$2" -v lanes="$4" -v a="$after" -v b="$before" 'BEGIN { print n * i * lanes / (a - b) }'
}
millions() { awk -v v="$1" 'BEGIN { printf "%.4g", v / 1e6 }'; }

cuda_enabled=auto begin arm
printf '%-12s %6s  %15s %15s %15s %15s   M instr/s\n' placement lanes "tight, one lane" "all" "stores, one lane" all
for placement in "$@"; do
  count="${lanes:-256}"
  [ "$placement" != gpu ] || count="${lanes:-10000}"
  # The full build first.
  for _ in $(seq 200); do
    device_seconds tight 1000 "$placement" 64 >/dev/null
    ctl arm -o jsonl run "$module" --placement "$placement" --file "p=$work/program" -- -m 128k p >"$work/results" 2>&1
    grep -q '"build":"quick"' "$work/results" || break
    sleep 2
  done
  one="$(millions "$(rate tight 3 "$placement" 1)")" all="$(millions "$(rate tight 3 "$placement" "$count")")"
  one_stores="$(millions "$(rate stores 6 "$placement" 1)")"
  all_stores="$(millions "$(rate stores 6 "$placement" "$count")")"
  printf '%-12s %6d  %15s %15s %15s %15s\n' "$placement" "$count" "$one" "$all" "$one_stores" "$all_stores"
  if [ -n "$busybox" ]; then
    mkdir -p "$work/in" && rm -f "$work/in/"*
    awk -v n="$count" -v folder="$work/in" 'BEGIN { for (i = 1; i <= n; ++i) {
      name = folder "/" i
      for (l = 0; l < 200; ++l) { x = (x * 75 + i) % 65537; print x, l >name }
      close(name)
    } }'
    (cd "$work/in" && for ((i = 1; i <= count; ++i)); do sha256sum <"$i"; done) >"$work/expected"
    began="$(date +%s.%N)"
    ctl arm -q run "$module" --placement "$placement" --ordered -n "$count" \
      --stdin-from "$work/in/{#}" --file "busybox=$busybox" -- -m 4 busybox sha256sum >"$work/printed" 2>"$work/ctl.log" ||
      { tail -n 5 "$work/ctl.log" >&2; exit 1; }
    cmp "$work/expected" "$work/printed" || refuse "busybox sha256sum differs on $placement"
    echo "$placement: busybox sha256sum of $count inputs of 2 KiB: equal; $(last_seconds) s of the device," \
      "$(awk -v a="$began" -v b="$(date +%s.%N)" 'BEGIN { print b - a }') s in all"
  fi
done
end_daemon arm
echo "arm64: $one M instr/s one lane, $all all (stores: $one_stores, $all_stores)"
