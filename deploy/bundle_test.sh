#!/usr/bin/env bash
# A bundle of a built tree, and programs of it run with an empty environment, in which nothing of this
# machine but the system's own libraries and what one of them needs (wast2json, g++) can be found.
#   deploy/bundle_test.sh
# Exit 77 (skipped) without patchelf; what needs the specification suite is left out without it.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v patchelf >/dev/null 2>&1 || { echo "patchelf is not installed"; exit 77; }
stage="$(mktemp -d)" work="$stage"
trap 'rm -rf "$stage"' EXIT

. tests/shell/checks.sh

check "a bundle is made" deploy/bundle.sh "$stage/made/wasmburst"
mkdir "$stage/there" "$stage/path"
check "it is unpacked elsewhere" tar -xzf "$stage/made/wasmburst.tar.gz" -C "$stage/there"
rm -rf "$stage/made"
is_small() { [ "$(du -sm "$stage/there/wasmburst" | cut -f1)" -le 124 ]; }
check "it takes at most 124 MiB" is_small
bundle="$stage/there/wasmburst"
alone() { timeout 120 env -i "PATH=$stage/path" "TMPDIR=$stage" "$@"; }

for program in wasmburstd wasmburstctl wb_spec wb_fuzz wb_bench; do
  check "$program starts" alone "$bundle/bin/$program" --help
done
has_grpc_inside() { ! ldd "$bundle/bin/wasmburstctl" | grep -E "libgrpc|libprotobuf|libabsl"; }
if command -v ld.lld >/dev/null 2>&1; then check "wasmburstctl has gRPC inside" has_grpc_inside; fi
printf '\0asm\1\0\0\0' >"$stage/empty.wasm"
check "wasmburstctl inspects a module without a daemon" \
  alone "$bundle/bin/wasmburstctl" module inspect --local "$stage/empty.wasm"
foreign() { ! ldd "$bundle"/bin/* | grep ' => /' | grep -v -E " => ($bundle|/lib|/usr/lib.*/(libc|libm|libdl|libpthread|librt|libresolv)\.so)"; }
check "they take libraries from the bundle or the system" foreign
check "random modules agree on the interpreter and in wabt" \
  alone "$bundle/bin/wb_fuzz" --modules 16 --engine wabt
session() { bash "$bundle/bench/gpu_session.sh" "$@"; }
listed() { session --list "$bundle" "$stage/session" && [ -z "$(ls "$stage/session")" ]; }
check "all that a GPU session runs is there" listed
missed() { ! listed; }
mv "$bundle/bin/gpu_faults" "$stage"
check "and it says what is not" missed
mv "$stage/gpu_faults" "$bundle/bin"
refused() { local rc=0; session "$@" || rc=$?; [ $rc = 2 ]; }
check "a session refuses a part that there is not" refused --part 4 "$bundle" "$stage/session"
check "and a folder that is no bundle" refused "$stage" "$stage/session"
check "and too few arguments" refused "$bundle"
suite="${WASMBURST_TESTSUITE:-$PWD/../shared/testsuite}"
if [ -d "$suite" ] && command -v wast2json >/dev/null 2>&1; then
  cp tests/spec/baseline.txt "$stage"
  ln -s "$(command -v wast2json)" "$stage/path"  # reads the scripts
  check "a script of the suite passes on the interpreter" alone "$bundle/bin/wb_spec" \
    --engine interpreter --suite "$suite" --baseline "$stage/baseline.txt" i32
fi
tools=(g++ as ld)
if command -v "${tools[@]}" >/dev/null 2>&1; then
  for tool in "${tools[@]}"; do ln -s "$(command -v "$tool")" "$stage/path/$tool"; done
  check "random modules agree with kernels that g++ makes" \
    alone "$bundle/bin/wb_fuzz" --modules 2 --engine cpu,wabt --full 0
fi
[ $failures = 0 ] || exit 1
echo "$checks checks of the bundle"
