#pragma once

// The kernels that cuda_floats runs: CUDA C++ around the runtime text's floats. Values are 64-bit
// slots on all sides, 32-bit ones zero-extended.

#include <cstdint>
#include <span>
#include <string>

#include "compiler/wasm/opcode.h"

namespace wb {

// Operators of opcode.def with a float among their operands or as their result. Kernel
// `vector_TOKEN(a, b, results, count)`: one case per thread.
struct FloatOperator {
  Opcode opcode;
  const char* token;
};
std::span<const FloatOperator> FloatOperators();

// What is timed: c = step, again and again. Kernel `timed_NAME(values, cycles, rounds)`: per thread
// two values, and the cycles it took.
struct TimedFloats {
  const char* name;
  const char* type;
  const char* step;
};
std::span<const TimedFloats> AllTimedFloats();
inline constexpr uint32_t kStepsInRound = 16;

// Floats as they may be built. The last shows what inlining f64 add and mul is worth.
struct FloatVariant {
  const char* name;
  bool metal;
  bool calls;
};
inline constexpr FloatVariant kFloatVariants[] = {
    {"native", false, false}, {"metal", true, false}, {"metal-calls", true, true}};

// The text of all kernels. Metal variants are to be compiled with -ftz=true.
std::string FloatKernels(const FloatVariant& variant);

}  // namespace wb
