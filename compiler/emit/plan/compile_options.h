#pragma once

// What a caller chooses of a kernel text. Results, traps, fuel and frames of a job are the same
// with any choice but that of floats.

#include <cstdint>

#include "compiler/runtime/form.h"

namespace wb {

// Which control structure becomes a loop around a switch, not braces within braces. Results, fuel,
// traps and frames are the same.
enum class Flattening : uint8_t {
  kWhereNeeded,  // nests too deep for compilers, wide tables
  kAlways,       // tests only: whole functions
  kMixed,        // tests only: some constructs by their numbers, regions within regions
};

// Whether the text also runs in lanes that hold a part of memory 0 alone (MemoryWindow). Its
// accesses are a little slower.
enum class Windows : uint8_t {
  kNever,
  kWhereLarge,  // memory 0 begins with many pages (windows.h)
  kAlways,      // tests only: however small it is
  kAnywhere,    // tests only: likewise, and windows begin anywhere
};

struct CompileOptions {
  Floats floats = Floats::kNative;
  MemoryLayout layout = MemoryLayout::kContiguous;
  // The most copies of a recursive function beside the resumable one, and the most rows of all
  // copies of functions that call each other in a cycle (native_calls.h). What the text does,
  // frames included, is the same with any numbers.
  uint32_t most_copies = 12;
  uint32_t most_copied_rows = 800;
  // A function of more rows, with all that is copied into it, is not copied into its callers; 0: no
  // function is. The limit is lower where the whole text would grow too long (inline_plan.h).
  uint32_t most_inlined_rows = 1000;
  Flattening flattening = Flattening::kWhereNeeded;
  Windows windows = Windows::kNever;
  bool native_group_memory = false;  // RuntimeForm
  bool operator==(const CompileOptions&) const = default;
};

}  // namespace wb
