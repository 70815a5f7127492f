#!/usr/bin/env bash
# deploy/demo/build_wasm.sh OUT.wasm [SOURCE.c [PAGES]]: compiles a guest, mandelbrot.c unless another is
# named, to WebAssembly with clang and wasm-ld. Its memory is a page and may grow to PAGES (1).
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
. "$here/../platform.sh"
{ [ $# -ge 1 ] && [ $# -le 3 ] && [[ "${3:-1}" =~ ^[1-9][0-9]{0,4}$ ]]; } ||
  { echo "use: build_wasm.sh OUT.wasm [SOURCE.c [PAGES]]" >&2; exit 2; }
PATH="$guest_path${guest_path:+:}$PATH"
clang --target=wasm32 -std=c17 -O2 -Wall -Wextra -Werror -nostdlib -fuse-ld=lld \
  -Wl,--no-entry,--strip-all,-z,stack-size=4096,--initial-memory=65536,--max-memory=$((${3:-1} * 65536)) \
  -o "$1" "${2:-$here/mandelbrot.c}"
