#pragma once

// The kernels that cuda_floats runs: CUDA C++ around the runtime text's floats. Values are 64-bit
// slots on all sides, 32-bit ones zero-extended.

#include <cstdint>
#include <span>
#include <string>

#include "compiler/runtime/runtime.h"
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

// Floats as they may be built. `calls` shows what inlining f64 add and mul is worth; fast32 is not
// exact, so it is timed only.
struct FloatVariant {
  const char* name;
  std::span<const std::string_view> (*parts)();
  bool flushes;
  bool calls;
  bool exact;
};
inline constexpr FloatVariant kFloatVariants[] = {
    {"native", &NativeFloatParts, false, false, true},
    {"metal", &MetalFloatParts, true, false, true},
    {"metal-calls", &MetalFloatParts, true, true, true},
    {"fast32", &Fast32FloatParts, true, false, false}};

// The text of all kernels. Variants that flush are to be compiled with -ftz=true.
std::string FloatKernels(const FloatVariant& variant);

}  // namespace wb
