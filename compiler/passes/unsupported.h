#pragma once

#include <string>

#include "compiler/base/status.h"

namespace wb {

// WASM_UNSUPPORTED_FEATURE. `offset`: bytes from the start of the module.
inline Status Unsupported(const std::string& what, uint32_t offset) {
  return Status(Reason::kWasmUnsupportedFeature, what + " is not supported.",
                {{"offset", std::to_string(offset)}});
}

}  // namespace wb
