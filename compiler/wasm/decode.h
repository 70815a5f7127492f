#pragma once

#include "compiler/base/status.h"
#include "compiler/wasm/module.h"

namespace wb {

// Reads and validates the sections of module->binary() into *module. On an error *module is
// half-filled and must be dropped. Errors as of Module::Decode.
Status DecodeSections(Module* module, const Proposals& proposals);

}  // namespace wb
