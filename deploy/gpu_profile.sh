#!/usr/bin/env bash
# A job under NVIDIA's tools: runs it on a daemon of its own whose GPU's engine host they watch, and
# says what to look at.
#   deploy/gpu_profile.sh nsys|ncu [--out FILE] MODULE [FLAGS of wasmburstctl job run...]
#   deploy/gpu_profile.sh nsys bench.wasm --call run --arg 0..1000000
# nsys: when what ran, with ranges for jobs, bursts and launches (cuda.nvtx_path).
# ncu: why a kernel is as fast as it is. Slow: the kernel runs once for each group of counters. It
# needs the right to read counters (root, or NVreg_RestrictProfilingToAdminUsers=0).
# Programs are those of build/release, or of $WASMBURST_BUILD. Exit 3: the tool is not installed.
set -euo pipefail
cd "$(dirname "$0")/.."
usage() { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
tool="${1:-}"
case "$tool" in nsys | ncu) shift ;; *) usage ;; esac
out="$PWD/wasmburst-$tool"
if [ "${1:-}" = --out ]; then out="${2:?--out needs a file}"; shift 2; fi
[ $# -gt 0 ] || usage
case "$tool" in
  nsys) watch=(nsys profile --trace=cuda,nvtx,osrt --trace-fork-before-exec=true --force-overwrite=true --output "$out") ;;
  ncu) watch=(ncu --target-processes all --nvtx --set full --launch-count 3 --force-overwrite --export "$out") ;;
esac
if ! command -v "$tool" >/dev/null; then
  echo "gpu_profile.sh: $tool is not installed (NVIDIA Nsight Systems and Nsight Compute; a CUDA toolkit has both)." >&2
  echo "It would run: ${watch[*]} wasmburstd ..." >&2
  exit 3
fi
. bench/own_daemon.sh
# CUDA 13 came without the library of ranges.
if [ -z "${WASMBURST_NVTX+set}" ]; then
  WASMBURST_NVTX=""
  if [ -e /usr/local/cuda/lib64/libnvToolsExt.so.1 ] || ldconfig -p 2>/dev/null | grep -q 'libnvToolsExt\.so\.1'; then
    WASMBURST_NVTX=auto
  else
    echo "gpu_profile.sh: there is no libnvToolsExt.so.1 (CUDA 12 and before have it): the report has no ranges of jobs" >&2
  fi
fi
# The tools' libraries write files and open sockets in the engine host, which seccomp refuses.
cat >"$work/config.toml" <<TOML
version = 1
[cuda]
enabled = "${WASMBURST_CUDA:-on}"
isolation = "off"
nvtx_path = "$WASMBURST_NVTX"
[engine]
isolation = "off"
[[listen]]
address = "$WASMBURST_ADDR"
TOML
# The daemon itself, not its tool, is told to end: the tool then writes its report.
"${watch[@]}" sh -c 'echo $$ >"$1"; shift; exec "$@"' sh "$work/pid" "$build/daemon/wasmburstd" --config "$work/config.toml" \
  >"$work/log" 2>&1 </dev/null &
daemon=$!
for _ in $(seq 300); do
  ctl server info >/dev/null 2>&1 && break
  kill -0 "$daemon" 2>/dev/null || { cat "$work/log" >&2; exit 1; }
  sleep 0.1
done
ended=0
ctl job run "$@" --placement "${WASMBURST_PLACEMENT:-gpu}" >"$work/results" || ended=$?
tail -n 3 "$work/results"
kill -TERM "$(cat "$work/pid")"
wait "$daemon" || { cat "$work/log" >&2; exit 1; }
daemon=""
case "$tool" in
  nsys) cat <<END
gpu_profile.sh: the report is $out.nsys-rep: nsys-ui $out.nsys-rep, or nsys stats $out.nsys-rep
Look at: gaps between ranges "burst of ..." (the GPU waits for the host); cuda_gpu_kern_sum (one kernel
should have nearly all of the time); cuda_gpu_mem_time_sum (copies of results beside the kernel).
END
  ;;
  ncu) cat <<END
gpu_profile.sh: the report is $out.ncu-rep: ncu-ui $out.ncu-rep, or ncu --import $out.ncu-rep --page details
Look at: Registers Per Thread and Local (Speed Of Light, Launch Statistics: spilled values); Theoretical and
Achieved Occupancy; DRAM Throughput; Avg. Active Threads Per Warp (32 is no divergence); Stall Long Scoreboard.
END
  ;;
esac
exit "$ended"
