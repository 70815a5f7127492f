#pragma once

// A module's binary as a row of sections, to cut and change without decoding it. Pure. What is
// given was decoded before, so lengths are right.
// Source: WebAssembly core specification 2.0, 5.5 (modules).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"

namespace wb::fuzz {

// The module with its one memory imported under this name instead, of any size; itself where it has
// none of its own. Indices stay what they were.
Bytes WithMemoryImported(ByteView wasm, const std::string& module, const std::string& name);

// How many functions have bodies; exports there are.
uint32_t BodyCount(ByteView wasm);
uint32_t ExportCount(ByteView wasm);

// Body `index` replaced by `unreachable`; export `index` left out; the start function left out.
Bytes WithEmptyBody(ByteView wasm, uint32_t index);
Bytes WithoutExport(ByteView wasm, uint32_t index);
Bytes WithoutStart(ByteView wasm);

}  // namespace wb::fuzz
