#!/usr/bin/env bash
# deploy/demo/build_wasm.sh OUT.wasm [SOURCE.c]: compiles a guest, mandelbrot.c unless another is
# named, to WebAssembly with clang and wasm-ld.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
. "$here/../platform.sh"
[ $# = 1 ] || [ $# = 2 ] || { echo "use: build_wasm.sh OUT.wasm [SOURCE.c]" >&2; exit 2; }
PATH="$guest_path${guest_path:+:}$PATH"
clang --target=wasm32 -std=c17 -O2 -Wall -Wextra -Werror -nostdlib -fuse-ld=lld \
  -Wl,--no-entry,--strip-all,-z,stack-size=4096,--initial-memory=65536,--max-memory=65536 \
  -o "$1" "${2:-$here/mandelbrot.c}"
