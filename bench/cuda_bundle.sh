#!/usr/bin/env bash
# bench/cuda_bundle.sh FOLDER: what a machine with an NVIDIA GPU needs for the comparison of calls.c
# with CUDA: programs that need no library but glibc 2.36 (the driver and NVRTC are found at run time;
# cuda_probe also wants a C++ compiler there), the guest, and run.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# = 1 ] || { echo "use: bench/cuda_bundle.sh FOLDER" >&2; exit 2; }
build="${WASMBURST_BUILD:-$PWD/build/release}"
mkdir -p "$1"
cmake --build "$build" --target wb_device_cpu wb_scheduler >/dev/null

# Archives of ours name one another in both directions.
mapfile -t archives < <(find "$build/compiler" "$build/scheduler" -name '*.a')
link() {
  g++ -std=c++20 -O2 -I. -static-libstdc++ -static-libgcc "$@" -ldl -lpthread
}
link -o "$1/cuda_quicksort" bench/cuda_quicksort.cc
link -o "$1/cuda_probe" bench/cuda_probe.cc -Wl,--start-group "${archives[@]}" -Wl,--end-group \
  -lwabt -l:libcrypto.a
strip "$1/cuda_quicksort" "$1/cuda_probe"
cp bench/cuda_quicksort.cu "$1"
deploy/demo/build_wasm.sh "$1/calls.wasm" bench/calls.c
cat >"$1/run.sh" <<'RUN'
#!/usr/bin/env bash
# Hand-written kernels, then ours: sort in as many lanes, and fib(20).   run.sh [LANES]
cd "$(dirname "$0")"
lanes="${1:-33792}"
./cuda_quicksort cuda_quicksort.cu "$lanes"
./cuda_probe calls.wasm sort "$lanes" i32:0+1
./cuda_probe calls.wasm fib "$lanes" i32:20
RUN
chmod +x "$1/run.sh"
