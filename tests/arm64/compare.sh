#!/usr/bin/env bash
# The ARM64 interpreter of deploy/examples/arm64 beside qemu: outputs are compared byte for byte.
#   tests/arm64/compare.sh [--lanes N] [--programs N] [--seed N] [--only COMMAND] [PLACEMENT...]
#                                               (4, 2, 1, all, interpreter cpu)
#     --lanes     instances of each program of others, each with an input of its own
#     --programs  random programs of 4,000 blocks (random_program.mjs), from the seed on
#     --only      of all this busybox with that command alone, such as sha256sum
# Exit 77, the reason last, where qemu or the compilers cannot be installed. Programs of others are busybox as Debian
# builds it for arm64, fetched from its mirror; without it they are left out, which the last line says.
# Last line: arm64: N outputs equal, M differ
set -euo pipefail
cd "$(dirname "$0")/../.."
lanes=4 programs=2 seed=1 only=""
while [[ "${1:-}" == --* ]]; do
  [[ $1 == --only ]] || [[ "${2:-}" =~ ^[1-9][0-9]{0,4}$ ]] || { echo "compare.sh: $1 needs a number" >&2; exit 2; }
  case "$1" in
    --lanes) lanes=$2 ;;
    --programs) programs=$2 ;;
    --seed) seed=$2 ;;
    --only) only="${2:-}" ;;
    *) echo "compare.sh: unknown argument [$1]" >&2; exit 2 ;;
  esac
  shift 2
done
. bench/own_daemon.sh
take_placements "$@"

packages=(qemu-user-static gcc-aarch64-linux-gnu libc6-dev-arm64-cross wasi-libc libclang-rt-14-dev-wasm32 llvm-14 nodejs)
arguments=()
for package in "${packages[@]}"; do arguments+=(--also "$package"); done
deploy/setup.sh "${arguments[@]}" >"$work/setup.log" 2>&1 ||
  { tail -n 1 "$work/setup.log"; echo "could not be installed: ${packages[*]}"; exit 77; }
cmake --build "$build" --target wasmburstd wasmburstctl wasmburst-engine >"$work/build.log" 2>&1 ||
  { tail -n 40 "$work/build.log"; exit 1; }

equal=0 differ=0
# check NAME EXPECTED GOT [COMMAND...]: the command explains a difference.
check() {
  if cmp -s "$2" "$3"; then equal=$((equal + 1)); return; fi
  differ=$((differ + 1))
  echo "differs: $1"
  if [ $# -gt 3 ]; then "${@:4}"; else cmp "$2" "$3" || head -n 3 "$work/said"; fi
}
# lanes_of PLACEMENT OUT ARGUMENTS...: standard output and exit code of each instance go to OUT/{#}.
lanes_of() {
  local placement="$1" out="$2"
  shift 2
  rm -rf "$out" && mkdir -p "$out"
  ctl -q run "$work/arm64.wasm" --placement "$placement" --output-limit 16m --stdout-to "$out/{#}" "$@" \
    >"$work/said" 2>&1 || true # a code but 0 may be right
}

clang --target=wasm32-wasi -O2 -Wl,-s,--initial-memory=524288 -o "$work/arm64.wasm" deploy/examples/arm64/*.c
begin_daemon

random_programs() {
  echo "== random programs of 4,000 blocks"
  mkdir "$work/random"
  for ((i = 1; i <= programs; ++i)); do
    node tests/arm64/random_program.mjs $((seed + i - 1)) 4000 >"$work/random.S" 2>"$work/random/list$i"
    aarch64-linux-gnu-gcc -nostdlib -static -o "$work/random/$i" "$work/random.S"
    qemu-aarch64-static "$work/random/$i" >"$work/random/expected$i"
  done
  for placement in "${placements[@]}"; do
    seq "$programs" | lanes_of "$placement" "$work/out" --each-line --file "p=$work/random/{}" -- -m 4 p
    for ((i = 1; i <= programs; ++i)); do
      check "random program $((seed + i - 1)) on $placement" "$work/random/expected$i" "$work/out/$i" \
        node tests/arm64/explain.mjs "$work/random/expected$i" "$work/out/$i" "$work/random/list$i"
    done
  done
}

our_programs() {
  echo "== programs of ours with glibc, static and static-pie"
  for source in deploy/examples/arm64/guests/sorts.c tests/arm64/calls.c; do
    for kind in -static -static-pie; do
      aarch64-linux-gnu-gcc -O2 $kind -o "$work/ours" "$source" -lm
      for placement in "${placements[@]}"; do
        lanes_of "$placement" "$work/out" -n "$lanes" --file "ours=$work/ours" -- -m 4 ours {}
        for ((i = 0; i < lanes; ++i)); do
          qemu-aarch64-static "$work/ours" $i >"$work/expected"
          check "$source $i ($kind) on $placement" "$work/expected" "$work/out/$((i + 1))"
        done
      done
    done
  done
}

# ends NAME MESSAGE CODE ASSEMBLY: what a program of this assembly says and ends with.
ends() {
  printf '.global _start\n_start:\n%s\n' "$4" >"$work/fault.S"
  aarch64-linux-gnu-gcc -nostdlib -static -Wl,-Ttext=0x400000 -o "$work/fault" "$work/fault.S"
  local code=0
  ctl run "$work/arm64.wasm" --file "p=$work/fault" -- p >"$work/got" 2>&1 || code=$?
  echo "exit code $code" >>"$work/got"
  printf '%sexit code %s\n' "${2:+$2$'\n'}" "$3" >"$work/expected"
  check "$1" "$work/expected" "$work/got"
}
faults() {
  echo "== ends that are a program's fault"
  ends "an undefined instruction" "arm64: undefined instruction 0x00000000 at 0x00400004" 132 $'nop\nudf #0'
  ends "an address that is not ours" \
    "arm64: no memory at address 0x0000000000000008, for the instruction at 0x00400004; -m MIB gives more" \
    139 $'mov x1, #8\nldr x0, [x1]'
  ends "a jump to where no code is" \
    "arm64: no memory at address 0x0000000000001000, for the instruction at 0x00001000; -m MIB gives more" \
    139 $'mov x1, #4096\nbr x1'
  ends "a rounding that is not there" "arm64: undefined instruction 0xd51b4401 at 0x00400004" 132 \
    $'mov x1, #0x400000\nmsr fpcr, x1'
  ends "an exit code" "" 7 $'mov x0, #7\nmov x8, #93\nsvc #0'
  ends "bytes to write that are not ours" "" 242 $'mov x0, #1\nmov x1, #8\nmov x2, #5\nmov x8, #64\nsvc #0\nmov x8, #93\nsvc #0'
  # Runs f, writes another instruction over its first one, and runs it again.
  ends "code that changes" "" 5 $'bl f\nadr x1, f\nldr w2, new\nstr w2, [x1]\nic ivau, x1\nisb\nbl f
    mov x8, #93\nsvc #0\nf: mov x0, #7\nret\nnew: mov x0, #5'
  ends "a signal to itself" "" 134 $'mov x0, #1\nmov x1, #1\nmov x2, #6\nmov x8, #131\nsvc #0'
  ends "a system call that is not there" "" 218 $'mov x8, #220\nsvc #0\nmov x8, #93\nsvc #0'
}

if [ -z "$only" ]; then
  random_programs
  our_programs
  faults
fi

echo "== programs of others: busybox, each lane with an input of its own"
# Lists and package go to a folder of their own: the system's stay as they are.
fetch_busybox() {
  mkdir -p "$work/apt/lists/partial" "$work/apt/cache/partial"
  local apt=(timeout 120 apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64
    -o "Dir::State::Lists=$work/apt/lists" -o "Dir::Cache=$work/apt/cache" -o Dir::State::status=/dev/null)
  (cd "$work/apt" && "${apt[@]}" update && "${apt[@]}" download busybox-static &&
    dpkg-deb -x busybox-static*.deb busybox) >"$work/apt.log" 2>&1
}
others="busybox too"
if fetch_busybox; then
  busybox="$work/apt/busybox/bin/busybox"
  mkdir "$work/in"
  for ((i = 1; i <= lanes; ++i)); do
    awk -v n="$i" 'BEGIN { for (l = 0; l < 200 + n % 100; ++l) { x = (x * 75 + n) % 65537; print x, sprintf("%c", 97 + x % 26) l, x / 7 } }' >"$work/in/$i"
  done
  while read -r command; do
    [ -z "$only" ] || [ "$only" = "$command" ] || continue
    read -ra words <<<"$command"
    for placement in "${placements[@]}"; do
      seq "$lanes" | lanes_of "$placement" "$work/out" --each-line --stdin-from "$work/in/{}" \
        --file "busybox=$busybox" -- -m 12 busybox "${words[@]}"
      for ((i = 1; i <= lanes; ++i)); do
        qemu-aarch64-static "$busybox" "${words[@]}" <"$work/in/$i" >"$work/expected" 2>/dev/null || true
        check "busybox $command, input $i on $placement" "$work/expected" "$work/out/$i"
      done
    done
  done <<'COMMANDS'
sha256sum
md5sum
sha512sum
sort -n
sort -k2
awk {s+=$1*$3;n[$1%7]++}END{printf("%.17g%s",s,n[3])}
gzip -c
bzip2 -c
od -x
wc
COMMANDS
else
  others="without busybox, which could not be fetched"
fi
end_daemon
echo "arm64: $equal outputs equal, $differ differ ($others)"
[ $differ = 0 ]
