#pragma once

// Several modules as one string of bytes, so that they travel and are stored as a module is. It is
// 8 bytes that no module begins with, the number of parts, and for each part its name, what it
// imports from (a count, then a name and the number of a part for each), and its binary. Texts are
// preceded by their length. Numbers have 32 bits, little-endian.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/link/link.h"

namespace wb {

Bytes EncodeBundle(const std::vector<LinkPart>& parts);

// Of the modules that the part may import from, those that it does.
std::map<std::string, uint32_t> UsedImports(const LinkPart& part);

// Decodes a module's binary, or decodes and links a bundle. The parts of a bundle import from one
// another and from no other module, and are instantiated at start. Errors: those of
// Module::Decode and Link; WASM_MALFORMED for a bundle that ends too early.
Result<std::shared_ptr<const Module>> LoadModule(ByteView bytes);

}  // namespace wb
