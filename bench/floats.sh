#!/usr/bin/env bash
# bench/floats.sh [RUNS]: what metal floats cost beside native ones on one thread of the CPU device,
# as one table: f64 Mandelbrot, n-body, matrix products, an f32 filter (float_guests.c).
set -euo pipefail
cd "$(dirname "$0")/.."
runs="${1:-5}"
[[ "$runs" =~ ^[1-9][0-9]*$ ]] || { echo "use: bench/floats.sh [RUNS]" >&2; exit 2; }
{
  deploy/setup.sh
  launcher=()
  command -v ccache >/dev/null 2>&1 && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cmake --preset release "${launcher[@]}"
  cmake --build --preset release --target float_guests
} >/dev/null
exec build/release/bench/float_guests cpu build/release/bench/float_guests.wasm "$runs"
