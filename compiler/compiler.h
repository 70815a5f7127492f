#pragma once

// The compiler's front door: Module::Decode, Lower, EmitKernel, EncodeImage. Pure: no threads,
// files, devices or network; the same input gives the same output.

#include <memory>

#include "compiler/abi/lane_layout.h"
#include "compiler/abi/version.h"
#include "compiler/base/digest.h"
#include "compiler/base/status.h"
#include "compiler/base/stop.h"
#include "compiler/emit/kernel.h"
#include "compiler/imports/imports.h"
#include "compiler/ir/lowered_module.h"
#include "compiler/passes/cut/plan_cuts.h"
#include "compiler/wasm/module.h"

namespace wb {

// Decoded module -> IR after all passes. Errors: WASM_UNSUPPORTED_FEATURE and IMPORT_NOT_PROVIDED,
// by name and offset; COMPILE_TIMEOUT. Every engine that runs an instance needs the same `sizes`.
Result<std::shared_ptr<const LoweredModule>> Lower(std::shared_ptr<const Module> module,
                                                   const Imports& imports = {},
                                                   const Stop& stop = {},
                                                   const CutSizes& sizes = {});

}  // namespace wb
