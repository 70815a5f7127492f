#!/usr/bin/env bash
# A relocatable folder and a .tar.gz of it: what runs on any x86-64 Linux with glibc 2.36 or later, with
# no package of ours or of others installed. In it bin/ (wasmburstd, wasmburstctl, wasmburst-compile, wasmburst-engine,
# wasmburst-nvrtc, wb_spec, wb_fuzz, wb_bench, and what bench/gpu_session.sh runs), lib/ (the libraries they
# need but
# the system's own) and bench/ (guests, hand-written kernels, scripts).
#   deploy/bundle.sh [FOLDER]     default: build/bundle/wasmburst
# Last line: the path of the .tar.gz. The machine that runs it needs a C++ compiler for the CPU device,
# or an NVIDIA driver and NVRTC for the GPU; the interpreter needs neither.
set -euo pipefail
cd "$(dirname "$0")/.."
build="${WASMBURST_BUILD:-$PWD/build/release}"
folder="${1:-$PWD/build/bundle/wasmburst}"
programs=(daemon/wasmburstd daemon/wasmburst-util client/wasmburstctl compiler/tool/wasmburst-compile
  scheduler/engine_host/wasmburst-engine
  scheduler/engine_host/wasmburst-nvrtc
  tests/spec/wb_spec tests/fuzz/wb_fuzz bench/wb_bench bench/cuda_kernels bench/cuda_queue bench/cuda_mapping bench/cuda_windows bench/compile_times bench/race_kernels
  tests/scheduler/gpu_faults)
# For bench/gpu_session.sh: guests as they are built, and what is read as it stands.
guests=(kernel_guests.wasm calls.wasm float_guests.wasm histogram.wasm growing.wasm mandelbrot.wasm
  guests/{sha256,gemm,lexer,trees}.wasm)
texts=(bench/cuda/cuda_{sha256,gemm,shellsort,quicksort}.cu bench/service.sh bench/gpu.sh bench/gpus.sh bench/policies.sh bench/auto.sh
  bench/residency.sh bench/growing.sh bench/gpu_session.sh bench/race.sh deploy/session_gpu.sh
  tests/spec/baseline.txt tests/e2e/{e2e.sh,cases_gpu_hosts.sh,guest.wat})
# What every glibc system has in its own version.
system='^(linux-vdso|ld-linux.*|libc|libm|libdl|libpthread|librt|libresolv)\.so'

deploy/setup.sh
[ -f "$build/build.ninja" ] || cmake --preset release >/dev/null
cmake --build "$build" --target $(printf '%s ' "${programs[@]##*/}") \
  wb_bench_kernel_guests wb_bench_histogram wb_bench_growing wb_bench_calls wb_bench_float_guests wb_bench_module wb_bench_guests

rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/lib"
for program in "${programs[@]}"; do
  cp "$build/$program" "$folder/bin"
  ldd "$build/$program"
done | sed -n 's/^\t\([^ ]*\) => \(\/[^ ]*\) .*/\1 \2/p' | sort -u |
  while read -r name path; do
    [[ $name =~ $system ]] || cp -L "$path" "$folder/lib/$name"
  done
# Reads the specification's scripts for wb_spec; of the libraries beside it.
if tool="$(command -v wast2json)"; then cp -L "$tool" "$folder/bin"; fi
if ls "$folder/lib" | grep -q -i llvm; then
  echo "bundle.sh: LLVM must not be in a bundle" >&2
  exit 1
fi
for file in "$folder"/bin/* "$folder"/lib/*; do
  strip --strip-unneeded "$file"
  patchelf --set-rpath '$ORIGIN/../lib' "$file"
done
mkdir -p "$folder/bench"
cp "${guests[@]/#/$build/bench/}" "$folder/bench"
cp "${texts[@]}" "$folder/bench"
deploy/demo/build_wasm.sh "$folder/bench/lengths.wasm" bench/lengths.c
bench/race/build_guests.sh --native "$folder/bench/race"
cp bench/race/*.awk "$folder/bench/race"
cp LICENSE README.md "$folder"
tar -czf "$folder.tar.gz" -C "$(dirname "$folder")" "$(basename "$folder")"
du -sh "$folder" | sed 's/\t.*/ unpacked/'
echo "$folder.tar.gz"
