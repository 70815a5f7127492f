#pragma once

// Linked modules as one row of bytes, so that they travel and are stored as a module is: 8 bytes
// that no module begins with, then the number of parts, then for each its name and its binary, both
// preceded by their length. Numbers: 32 bits, little end first.

#include "compiler/link/link.h"

namespace wb {

Bytes EncodeBundle(const std::vector<LinkPart>& parts);

// A module's binary, or a bundle: decoded and linked, parts importing from earlier ones by name and
// from nobody else, instantiated at start. Errors: those of Module::Decode and Link; WASM_MALFORMED
// for a bundle that ends too early.
Result<std::shared_ptr<const Module>> LoadModule(ByteView bytes);

}  // namespace wb
