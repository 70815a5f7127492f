#!/usr/bin/env bash
# deploy/demo/build_wasm.sh OUT.wasm [SOURCE.c [PAGES [FIRST [FLAG...]]]]: compiles a guest, mandelbrot.c unless another is
# named, to WebAssembly with clang and wasm-ld. Its memory is FIRST pages (1) and may grow to PAGES
# (FIRST); FLAGs are clang's.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
. "$here/../platform.sh"
first="${4:-1}" most="${3:-$first}"
{ [ $# -ge 1 ] && [[ "$first $most" =~ ^[1-9][0-9]{0,4}\ [1-9][0-9]{0,4}$ ]]; } ||
  { echo "use: build_wasm.sh OUT.wasm [SOURCE.c [PAGES [FIRST [FLAG...]]]]" >&2; exit 2; }
PATH="$guest_path${guest_path:+:}$PATH"
clang --target=wasm32 -std=c17 -O2 -Wall -Wextra -Werror -nostdlib -fuse-ld=lld \
  -Wl,--no-entry,--strip-all,-z,stack-size=4096,--initial-memory=$((first * 65536)),--max-memory=$((most * 65536)) \
  "${@:5}" -o "$1" "${2:-$here/mandelbrot.c}"
