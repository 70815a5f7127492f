#!/usr/bin/env bash
# bench/cluster.sh [FOLDER]: clusters of 1 to 1,000 hosts over one PostgreSQL in simulated time, by costs that
# bench/cluster_database.sh measured (tests/daemon/cluster/simulation/database_model.h). Prints figures, the last line
# for machines, and writes hosts-at-work.svg into FOLDER (build/release/bench/cluster).
set -euo pipefail
cd "$(dirname "$0")/.."
folder="${1:-build/release/bench/cluster}"
{
  deploy/setup.sh
  launcher=()
  command -v ccache >/dev/null 2>&1 && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  cmake --preset release "${launcher[@]}"
  cmake --build --preset release --target wb_simulate_cluster
} >/dev/null
mkdir -p "$folder"
exec build/release/bench/wb_simulate_cluster "$folder"
