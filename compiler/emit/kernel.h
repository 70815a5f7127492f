#pragma once

// From a lowered module to the text that a device's own compiler gets.

#include <string>

#include "compiler/abi/lane_layout.h"
#include "compiler/base/digest.h"
#include "compiler/base/status.h"
#include "compiler/base/stop.h"
#include "compiler/emit/plan/compile_options.h"
#include "compiler/emit/plan/windows.h"
#include "compiler/ir/lowered_module.h"

namespace wb {

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
