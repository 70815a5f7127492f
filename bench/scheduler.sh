#!/usr/bin/env bash
# bench/scheduler.sh [FOLDER [BURSTS [ROUNDS]]]: bursts, rests, sharing and placement. Prints figures,
# the last line for machines, and writes pictures (SVG) into FOLDER (build/release/bench/scheduler).
set -euo pipefail
cd "$(dirname "$0")/.."
folder="${1:-build/release/bench/scheduler}"
{
  deploy/setup.sh
  launcher=()
  command -v ccache >/dev/null 2>&1 && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cmake --preset release "${launcher[@]}"
  cmake --build --preset release --target wb_scheduler_report
} >/dev/null
mkdir -p "$folder"
exec build/release/bench/wb_scheduler_report "$folder" "${2:-100}" "${3:-7}"
