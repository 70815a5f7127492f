#pragma once

// The forms of the runtime text: what of it depends on the device, and on the module.

#include <cstdint>
#include <string_view>

namespace wb {

enum class Floats : uint8_t {
  kNative,  // the device computes in IEEE 754 itself
  kMetal,   // it has no double and flushes subnormals: f32 guarded, f64 in software
  kFast32,  // as kMetal, but arithmetic of f32 may flush subnormals: only where a job allows it
};
enum class MemoryLayout : uint8_t {
  kContiguous,   // a lane's words follow one another (CPUs)
  kInterleaved,  // word w of the 32 lanes of a group lie side by side (GPUs)
  kTiled,        // the same, but of memories 4 words of a lane (NVIDIA GPUs, where it is quicker)
  kHot,          // as kInterleaved, but hot bytes lie in memory for a group while a call runs
};
std::string_view FloatsName(Floats floats);        // "native", "metal", "fast32"
std::string_view LayoutName(MemoryLayout layout);  // "contiguous"

// What the kernel of a text does for instances between their calls.
enum class KernelForm : uint8_t {
  kPlain,
  kAnswers,  // answers primitives
  kMeets,    // answers them, and has the instances of a group meet
};

struct RuntimeForm {
  Floats floats = Floats::kNative;
  MemoryLayout layout = MemoryLayout::kContiguous;
  bool vectors = false;       // some function has a v128
  bool folds = false;         // instances compute with their group
  bool group_memory = false;  // instances share memory with their group
  // The device has memory of its own for a group: the prelude has wb_native_group_words.
  bool native_group_memory = false;
};

}  // namespace wb
