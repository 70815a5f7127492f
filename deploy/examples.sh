#!/usr/bin/env bash
# Builds the programs of deploy/examples, runs them through a daemon with default settings, and
# compares what they print with what their first comments say that they print.
#   deploy/examples.sh [FILE...]     such as rust/words.rs; none: all
# An example whose compiler cannot be installed is skipped, with the reason.
# Last line: examples: N passed, M failed, K skipped
set -uo pipefail
cd "$(dirname "$0")/.."
. bench/own_daemon.sh
. deploy/examples/compilers.sh
trap 'exit 130' INT
trap 'exit 143' TERM
root="$PWD"
passed=0 failed=0 skipped=0

# The compilers of C and Rust, from Debian: those of rustup may be first in PATH.
export PATH="${guest_path:+$guest_path:}/usr/bin:$build/client:$root/build/examples/node_modules/.bin:$PATH"

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
    c | gpu_std) install_c ;;
    arm64) install_arm64 ;;
    host) install_c python3 ;;
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
begin_daemon

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
