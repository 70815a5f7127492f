#!/usr/bin/env bash
# Builds the programs of deploy/examples, runs them through a daemon with default settings, and
# compares what they print with what their first comments say that they print.
#   deploy/examples.sh [FILE...]     such as rust/words.rs; none: all
# An example whose compiler cannot be installed is skipped, with the reason.
# Last line: examples: N passed, M failed, K skipped
set -uo pipefail
cd "$(dirname "$0")/.."
. deploy/platform.sh

root="$PWD"
build="${WASMBURST_BUILD:-$root/build/$preset}"
work="$(mktemp -d)"
daemon=""
passed=0 failed=0 skipped=0
clean_up() {
  if [ -n "$daemon" ] && kill -TERM "$daemon" 2>/dev/null; then wait "$daemon" 2>/dev/null; fi
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The compilers of C and Rust, from Debian: those of rustup may be first in PATH.
export PATH="${guest_path:+$guest_path:}/usr/bin:$build/client:$root/build/examples/node_modules/.bin:$PATH"

installs() {
  local arguments=() package
  for package in "$@"; do arguments+=(--also "$package"); done
  deploy/setup.sh "${arguments[@]}" >"$work/setup.log" 2>&1
}
install_asc() {
  [ ! -x build/examples/node_modules/.bin/asc ] || return 0
  command -v npm >/dev/null 2>&1 || { echo "npm is not installed" >"$work/setup.log"; return 1; }
  mkdir -p build/examples && echo '{"private": true}' >build/examples/package.json
  (cd build/examples && timeout 60 npm install --no-save --no-package-lock --ignore-scripts \
    --no-audit --no-fund --fetch-retries 1 --fetch-timeout 20000 assemblyscript@0.27.37) \
    >"$work/setup.log" 2>&1
}
has_compiler() { # of an example: by its folder, or by its ending
  case "$1" in
    *.ts) install_asc; return ;;
    *.rs) installs rustc libstd-rust-dev-wasm32 wasi-libc lld; return ;;
  esac
  case "${1%%/*}" in
    c | gpu_std) installs wasi-libc libclang-rt-14-dev-wasm32 ;;
    arm64) installs wasi-libc libclang-rt-14-dev-wasm32 gcc-aarch64-linux-gnu libc6-dev-arm64-cross ;;
    host) installs wasi-libc libclang-rt-14-dev-wasm32 python3 ;;
    *) installs wabt nodejs ;;
  esac
}

# The commands of an example's first comment: lines that are indented by 4 there and begin with "$ ".
# The other indented lines are what these print.
comment_of() { sed -E '/^(\/\/|;;)/!q; s/^(\/\/|;;) ?//' "$1" | sed -n 's/^    //p'; }
commands_of() { comment_of "$1" | sed -n 's/^\$ //p'; }
printed_of() { comment_of "$1" | grep -v '^\$ '; }

try() {
  local example="$1" folder="$work/${1//\//-}"
  if ! has_compiler "$example"; then
    skipped=$((skipped + 1))
    echo "skipped: $example: $(tail -n 1 "$work/setup.log")"
    return
  fi
  cp -r deploy/examples "$folder"
  commands_of "$folder/$example" >"$folder/commands"
  printed_of "$folder/$example" >"$folder/expected"
  (cd "$folder" && timeout 60 bash commands >printed 2>&1 </dev/null)
  if [ -s "$folder/expected" ] && diff -u "$folder/expected" "$folder/printed" >"$folder/differs"; then
    passed=$((passed + 1))
    echo "ok: $example"
  else
    failed=$((failed + 1))
    echo "FAILED: $example prints something else than its comment says:"
    head -n 40 "$folder/differs"
  fi
}

cmake --build "$build" --target wasmburstd wasmburstctl wasmburst-engine >"$work/build.log" 2>&1 ||
  { tail -n 40 "$work/build.log"; exit 1; }
export XDG_CACHE_HOME="$work/cache" XDG_STATE_HOME="$work/state"
export WASMBURST_ADDR="unix://$work/wasmburstd.sock"
"$build/daemon/wasmburstd" --listen "$WASMBURST_ADDR" 2>"$work/daemon.log" </dev/null &
daemon=$!
for _ in $(seq 100); do wasmburstctl server info >/dev/null 2>&1 && break; sleep 0.1; done
wasmburstctl server info >/dev/null 2>&1 || { cat "$work/daemon.log"; exit 1; }

examples=("$@")
[ $# -gt 0 ] ||
  examples=($(cd deploy/examples && ls c/*.c arm64/main.c host/*.c rust/*.rs assemblyscript/*.ts wat/*.wat gpu_std/{places.c,reduction.c,histogram.c,nbody.c,collatz.rs,mean.ts}))
for example in "${examples[@]}"; do
  if [ -r "deploy/examples/$example" ]; then
    try "$example"
  else
    failed=$((failed + 1))
    echo "FAILED: there is no deploy/examples/$example"
  fi
done
echo "examples: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
