#pragma once

// What a kernel in a cubin takes of a GPU.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "compiler/base/bytes.h"

namespace wb::bench {

struct CubinSizes {
  uint32_t registers = 0;    // of a thread, with all that the kernel calls
  uint32_t stack_bytes = 0;  // of a thread, likewise: local memory
  size_t code_bytes = 0;     // of all functions
};

// Of the kernel `wb_entry`; nullopt: there is none, or the file is cut short. NVIDIA publishes no
// description of these sections; what is read here is what `ptxas -v` said of CUDA 13.0's cubins.
std::optional<CubinSizes> SizesOf(ByteView cubin);

}  // namespace wb::bench
