#pragma once

// Lowering for looking at an instance. It computes what Lower's program computes, with the same
// fuel, stack and traps, but more slowly: each local is one variable of its own, which every frame
// holds, and no function is cut.

#include <memory>

#include "compiler/base/status.h"
#include "compiler/base/stop.h"
#include "compiler/ir/lowered_module.h"

namespace wb {

// `module`: LoweredModule::program.module of one that Lower made, which imports nothing. Errors:
// as Lower's.
Result<std::shared_ptr<const LoweredModule>> LowerWhole(std::shared_ptr<const Module> module,
                                                        const Stop& stop = {});

}  // namespace wb
