// Native and metal floats on an NVIDIA GPU: every float operator on random and structured operands
// against this machine's own arithmetic, then what an operation costs. Metal floats are compiled
// with -ftz=true, so that the GPU flushes subnormals as Apple's do.
//
//   cuda_floats build FOLDER           compiles the kernels (needs NVRTC, no GPU)
//   cuda_floats run FOLDER [CASES]     runs them (needs a GPU, no NVRTC); 1,048,576 cases each
//
// Prints per operator what differs, and per operation: cycles of one dependent operation in one
// warp, and operations per second and lane slot with the whole GPU busy.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>

#include "bench/cuda/cuda_driver.h"
#include "bench/float_kernels.h"
#include "compiler/runtime/runtime.h"
#include "compiler/wasm/opcode.h"
#include "tests/compiler/floats/operands.h"
#include "tests/compiler/runtime/numeric_reference.h"

namespace wb {
namespace {

std::string CubinPath(const std::string& folder, const FloatVariant& variant) {
  return folder + "/" + variant.name + ".cubin";
}

int Build(const std::string& folder) {
  bench::Nvrtc nvrtc;
  for (const FloatVariant& variant : kFloatVariants) {
    std::vector<const char*> options;
    if (variant.flushes) options.push_back("-ftz=true");
    const std::string cubin = nvrtc.Compile(FloatKernels(variant),
                                            std::string(PreludeText("cuda/metal_stdlib")), options);
    std::ofstream(CubinPath(folder, variant), std::ios::binary) << cubin;
    std::printf("%s: %zu bytes of cubin\n", variant.name, cubin.size());
  }
  return 0;
}

bool IsNan(ValueType type, uint64_t bits) {
  if (type == ValueType::kF32) return (bits & 0x7fffffffu) > 0x7f800000u;
  return type == ValueType::kF64 && (bits & ~(uint64_t{1} << 63)) > 0x7ff0000000000000u;
}

class Gpu {
 public:
  Gpu() {
    cuda_.Call("cuInit", cuda_.cuInit(0));
    cuda_.Call("cuDevicePrimaryCtxRetain", cuda_.cuDevicePrimaryCtxRetain(&context_, 0));
    cuda_.Call("cuCtxSetCurrent", cuda_.cuCtxSetCurrent(context_));
    cuda_.Call("attribute", cuda_.cuDeviceGetAttribute(&processors_, 16, 0));
    for (void** event : {&begin_, &end_}) cuda_.Call("event", cuda_.cuEventCreate(event, 0));
  }

  int processors() const { return processors_; }
  void Load(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string cubin(std::istreambuf_iterator<char>(file), {});
    cuda_.Call("cuModuleLoadData", cuda_.cuModuleLoadData(&module_, cubin.data()));
  }

  uint64_t Copy(const std::vector<uint64_t>& values) {
    uint64_t at = 0;
    cuda_.Call("cuMemAlloc", cuda_.cuMemAlloc(&at, values.size() * 8));
    cuda_.Call("upload", cuda_.cuMemcpyHtoD(at, values.data(), values.size() * 8));
    return at;
  }
  std::vector<uint64_t> Fetch(uint64_t at, size_t count) {
    std::vector<uint64_t> values(count);
    cuda_.Call("download", cuda_.cuMemcpyDtoH(values.data(), at, count * 8));
    return values;
  }
  void Free(uint64_t at) { cuda_.Call("cuMemFree", cuda_.cuMemFree(at)); }

  // Milliseconds.
  float Launch(const std::string& kernel, uint32_t blocks, uint32_t threads, void** arguments) {
    void* function = nullptr;
    cuda_.Call(kernel.c_str(), cuda_.cuModuleGetFunction(&function, module_, kernel.c_str()));
    cuda_.Call("event", cuda_.cuEventRecord(begin_, nullptr));
    cuda_.Call(kernel.c_str(), cuda_.cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0,
                                                    nullptr, arguments, nullptr));
    cuda_.Call("event", cuda_.cuEventRecord(end_, nullptr));
    cuda_.Call(kernel.c_str(), cuda_.cuEventSynchronize(end_));
    float milliseconds = 0;
    cuda_.Call("event", cuda_.cuEventElapsedTime(&milliseconds, begin_, end_));
    return milliseconds;
  }

 private:
  bench::CudaDriver cuda_;
  void* context_ = nullptr;
  void* module_ = nullptr;
  void* begin_ = nullptr;
  void* end_ = nullptr;
  int processors_ = 0;
};

// Differences of one operator. Where it traps the value does not matter.
uint64_t CompareVectors(Gpu& gpu, const FloatOperator& op, uint32_t cases) {
  const OpcodeFacts& facts = FactsOf(op.opcode);
  Operands operands(facts.a, facts.b, 7);
  std::vector<uint64_t> a(cases), b(cases);
  for (uint32_t i = 0; i < cases; ++i) {
    const Operands::Pair pair = operands.Next();
    a[i] = pair.a;
    b[i] = pair.b;
  }
  uint64_t at_a = gpu.Copy(a), at_b = gpu.Copy(b), at_r = gpu.Copy(a);
  void* arguments[] = {&at_a, &at_b, &at_r, &cases};
  gpu.Launch(std::string("vector_") + op.token, (cases + 127) / 128, 128, arguments);
  const std::vector<uint64_t> results = gpu.Fetch(at_r, cases);
  for (uint64_t at : {at_a, at_b, at_r}) gpu.Free(at);
  uint64_t differences = 0;
  for (uint32_t i = 0; i < cases; ++i) {
    const NumericOutcome expected = NumericReference(op.opcode, a[i], b[i]);
    if (expected.trap != Trap::kNone || results[i] == expected.bits) continue;
    if (!expected.exact_nan && IsNan(facts.result, expected.bits) &&
        IsNan(facts.result, results[i])) {
      continue;
    }
    if (differences++ == 0) {
      std::printf("  %s(0x%llx, 0x%llx) = 0x%llx, not 0x%llx\n", op.token,
                  static_cast<unsigned long long>(a[i]), static_cast<unsigned long long>(b[i]),
                  static_cast<unsigned long long>(results[i]),
                  static_cast<unsigned long long>(expected.bits));
    }
  }
  return differences;
}

std::vector<uint64_t> NormalValues(const char* type, size_t lanes) {
  std::vector<uint64_t> values;
  for (size_t i = 0; i < 2 * lanes; ++i) {
    const double value = 1 + 1e-6 * static_cast<double>(i % 1000);
    if (std::strcmp(type, "wb_f32") == 0) {
      const auto narrow = static_cast<float>(value);
      uint32_t bits;
      std::memcpy(&bits, &narrow, 4);
      values.push_back(bits);
    } else {
      uint64_t bits;
      std::memcpy(&bits, &value, 8);
      values.push_back(bits);
    }
  }
  return values;
}

void Time(Gpu& gpu, const FloatVariant& variant, const TimedFloats& timed) {
  const uint32_t rounds = 2000;
  const uint32_t blocks = static_cast<uint32_t>(gpu.processors()) * 8;  // of 256: full occupancy
  const std::vector<uint64_t> values = NormalValues(timed.type, size_t{blocks} * 256);
  uint64_t at_values = gpu.Copy(values), at_cycles = gpu.Copy(values);
  uint32_t count = rounds;
  void* arguments[] = {&at_values, &at_cycles, &count};
  const std::string kernel = std::string("timed_") + timed.name;
  gpu.Launch(kernel, 1, 32, arguments);
  const double steps = double{rounds} * kStepsInRound;
  const double latency = static_cast<double>(gpu.Fetch(at_cycles, 1)[0]) / steps;
  float best = 1e30f;
  for (int i = 0; i < 3; ++i) best = std::min(best, gpu.Launch(kernel, blocks, 256, arguments));
  std::printf("%-12s %-20s %8.1f cycles alone %12.1f Gop/s on the whole GPU\n", variant.name,
              timed.name, latency, steps * blocks * 256 / (best * 1e6));
  for (uint64_t at : {at_values, at_cycles}) gpu.Free(at);
}

int Run(const std::string& folder, uint32_t cases) {
  Gpu gpu;
  uint64_t differences = 0;
  for (const FloatVariant& variant : kFloatVariants) {
    gpu.Load(CubinPath(folder, variant));
    uint64_t own = 0, operators = 0;
    for (const FloatOperator& op : FloatOperators()) {
      if (!variant.exact) break;
      ++operators;
      own += CompareVectors(gpu, op, cases);
    }
    std::printf("%s: %llu operators, %u cases each, %llu differences\n", variant.name,
                static_cast<unsigned long long>(operators), cases,
                static_cast<unsigned long long>(own));
    differences += own;
    for (const TimedFloats& timed : AllTimedFloats()) Time(gpu, variant, timed);
  }
  return differences == 0 ? 0 : 1;
}

}  // namespace
}  // namespace wb

int main(int argc, char** argv) {
  const std::string what = argc > 2 ? argv[1] : "";
  if (what == "build") return wb::Build(argv[2]);
  if (what == "run") {
    return wb::Run(argv[2], argc > 3 ? static_cast<uint32_t>(std::atoi(argv[3])) : 1u << 20);
  }
  std::fprintf(stderr, "usage: cuda_floats build|run FOLDER [CASES]\n");
  return 2;
}
