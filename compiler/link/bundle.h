#pragma once

// Several modules as one string of bytes, so that they travel and are stored as a module is. It is
// 8 bytes that no module begins with, the number of parts, and for each part its name and its
// binary, both preceded by their length. Numbers have 32 bits, little-endian.

#include "compiler/link/link.h"

namespace wb {

Bytes EncodeBundle(const std::vector<LinkPart>& parts);

// Decodes a module's binary, or decodes and links a bundle. The parts of a bundle import from
// earlier ones by name and from no other module, and are instantiated at start. Errors: those of
// Module::Decode and Link; WASM_MALFORMED for a bundle that ends too early.
Result<std::shared_ptr<const Module>> LoadModule(ByteView bytes);

}  // namespace wb
