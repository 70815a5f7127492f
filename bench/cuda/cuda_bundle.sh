#!/usr/bin/env bash
# bench/cuda/cuda_bundle.sh FOLDER: what a machine with an NVIDIA GPU needs for the comparison of four
# kernels with CUDA, and of metal floats with native ones: programs that need no library but
# glibc 2.36 (the driver and NVRTC are found at run time; cuda_probe also wants a C++ compiler there),
# the guests, run.sh, and full_floats.sh: the tests of metal floats at their full size, which want the
# many processors of such a machine rather than its GPU.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# = 1 ] || { echo "use: bench/cuda/cuda_bundle.sh FOLDER" >&2; exit 2; }
build="${WASMBURST_BUILD:-$PWD/build/release}"
mkdir -p "$1"
cmake --build "$build" --target wb_device_cpu wb_device_cuda wb_scheduler wasmburst-nvrtc wb_runtime_test_parts \
  wb_floats_tests wb_unguarded_tests >/dev/null

# Archives of ours name one another in both directions.
mapfile -t archives < <(find "$build/compiler" "$build/scheduler" -name '*.a')
link() {
  g++ -std=c++20 -O2 -I. -static-libstdc++ -static-libgcc "$@" -ldl -lpthread
}
for program in cuda_probe float_guests; do
  link -o "$1/$program" bench/cuda/$program.cc bench/cuda/cuda_work.cc bench/cuda/probe_work.cc \
    -Wl,--start-group "${archives[@]}" -Wl,--end-group -lwabt -l:libcrypto.a
done
link -o "$1/cuda_kernels" bench/cuda/cuda_kernels.cc bench/cuda/hand_kernels.cc bench/cuda/cuda_work.cc bench/cuda/probe_work.cc \
  -Wl,--start-group "${archives[@]}" -Wl,--end-group -lwabt -l:libcrypto.a
cp "$build/scheduler/engine_host/wasmburst-nvrtc" "$1"
link -o "$1/cuda_floats" bench/cuda/cuda_floats.cc bench/float_kernels.cc \
  tests/compiler/floats/operands.cc "$build"/tests/compiler/runtime/libwb_runtime_test_parts.a \
  -Wl,--start-group "${archives[@]}" -Wl,--end-group -l:libcrypto.a
for test in floats unguarded; do
  link -o "$1/${test}_tests" \
    "$build"/tests/compiler/floats/CMakeFiles/wb_${test}_tests.dir/*.o \
    "$build"/tests/compiler/runtime/libwb_runtime_test_parts.a -Wl,--start-group "${archives[@]}" \
    -Wl,--end-group -l:libgtest_main.a -l:libgtest.a -l:libcrypto.a
done
strip "$1/cuda_kernels" "$1/cuda_probe" "$1/float_guests" "$1/cuda_floats" "$1/floats_tests" "$1/unguarded_tests"
cp bench/cuda/cuda_{sha256,gemm,shellsort,quicksort}.cu "$1"
deploy/demo/build_wasm.sh "$1/kernel_guests.wasm" bench/kernel_guests.c
deploy/demo/build_wasm.sh "$1/calls.wasm" bench/calls.c
deploy/demo/build_wasm.sh "$1/float_guests.wasm" bench/float_guests.c
deploy/demo/build_wasm.sh "$1/mandelbrot.wasm"
# Built here where NVRTC is, there where it is not.
mkdir -p "$1/cubins"
"$1/cuda_floats" build "$1/cubins" || rmdir "$1/cubins"
cat >"$1/run.sh" <<'RUN'
#!/usr/bin/env bash
# Four kernels beside hand-written ones, then the probe: sort in as many lanes, and fib(20); then floats: every operator
# compared and timed, the f64 picture in both, and the table of float_guests.c.   run.sh [LANES]
# The table alone, in a minute: ./float_guests cuda float_guests.wasm 3
cd "$(dirname "$0")"
lanes="${1:-33792}"
./cuda_kernels . "$lanes"
./cuda_probe calls.wasm sort "$lanes" i32:0+1
./cuda_probe calls.wasm fib "$lanes" i32:20
[ -d cubins ] || { mkdir cubins && ./cuda_floats build cubins; }
./cuda_floats run cubins
for floats in "" --metal-floats; do ./cuda_probe $floats mandelbrot.wasm row 1024 i32:0+1; done
./float_guests cuda float_guests.wasm 5
RUN
cat >"$1/full_floats.sh" <<'RUN'
#!/usr/bin/env bash
# All 2^32 of one f32 operand, 20 million cases of every other operator, and the negative control.
cd "$(dirname "$0")"
time WB_FLOATS_FULL=1 ./floats_tests --gtest_brief=1
./unguarded_tests --gtest_brief=1
RUN
chmod +x "$1/run.sh" "$1/full_floats.sh"
