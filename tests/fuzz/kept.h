#pragma once

// What is kept of a difference: the case made small, as files that the fuzzer reads again.

#include <filesystem>
#include <string>

#include "tests/fuzz/fuzzer.h"

namespace wb::fuzz {

// The finding on the smallest case that still shows it. Itself if it does not show alone.
Finding Shrunk(Fuzzer& fuzzer, const Finding& finding, uint32_t tries);

// Writes FOLDER/NAME.wat (generated modules) or NAME.wasm, and NAME.txt, which says what differed.
// IO_ERROR.
Status Keep(const std::filesystem::path& folder, const Finding& finding);

// "seed-17 on cpu-metal: ..."
std::string Described(const Finding& finding);

}  // namespace wb::fuzz
