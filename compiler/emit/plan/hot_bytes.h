#pragma once

// Which bytes of memory 0 a program comes to most, at addresses of its own in each lane: tables,
// as far as they are small. Where a GPU keeps these near (MemoryLayout::kHot), lanes wait for
// shared memory and not for caches (compiler/docs/hot_bytes.md).

#include <cstdint>

#include "compiler/emit/plan/compile_options.h"
#include "compiler/ir/ir.h"

namespace wb {

struct HotBytes {
  uint32_t from = 0;   // a multiple of 4
  uint32_t bytes = 0;  // likewise; 0: there are none
  uint64_t end() const { return uint64_t{from} + bytes; }
  bool empty() const { return bytes == 0; }
  bool operator==(const HotBytes&) const = default;
};

// With more, a GPU's processor has no room for those of one group (227 KiB on an H100).
inline constexpr uint32_t kMostHotBytes = 7168;

// Of a program that nearly all of its changing accesses in loops come to, known before it runs.
// With MemoryLayout::kHot also of one where nothing is known, so that tests have some: the first
// bytes. A few walks over the rows; of ranges at most some thousand are compared with one another.
HotBytes HotBytesOf(const ir::Program& program, const CompileOptions& options);

}  // namespace wb
