#pragma once

// From a lowered module to the text that a device's own compiler gets.

#include <cstdint>
#include <string>

#include "compiler/abi/lane_layout.h"
#include "compiler/base/digest.h"
#include "compiler/base/status.h"
#include "compiler/base/stop.h"
#include "compiler/ir/lowered_module.h"
#include "compiler/runtime/form.h"

namespace wb {

// Which control structure becomes a loop around a switch, not braces within braces. Results, fuel,
// traps and frames are the same.
enum class Flattening : uint8_t {
  kWhereNeeded,  // nests too deep for compilers, wide tables
  kAlways,       // tests only: whole functions
  kMixed,        // tests only: some constructs by their numbers, regions within regions
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
  bool operator==(const CompileOptions&) const = default;
};

// What a device's own compiler gets.
struct KernelSource {
  std::string text;  // the whole kernel text; `wb_main` is its one kernel
  LaneLayout layout;
  CompileOptions options;
  Digest digest;  // of all that shaped the text: module, options, compiler, runtime text
};

// The kernel text of a lowered module. Errors: WASM_UNSUPPORTED_FEATURE for what only the
// interpreter runs so far (by name); COMPILE_TIMEOUT.
Result<KernelSource> EmitKernel(const LoweredModule& module, const CompileOptions& options,
                                const Stop& stop = {});

}  // namespace wb
