#pragma once

// Makes a case that shows a difference smaller, as long as it still shows it. Pure but for the
// question that is asked.

#include <cstdint>
#include <functional>
#include <vector>

#include "compiler/base/bytes.h"

namespace wb::fuzz {

using Numbers = std::vector<uint32_t>;

// Choices of a generator: parts of the row are left out, then set to 0, then made smaller, for as
// long as `fails` says that the case still fails and at most `tries` times.
Numbers ShrinkChoices(Numbers choices, const std::function<bool(const Numbers&)>& fails,
                      uint32_t tries);

// A module: exports and the start function left out, bodies replaced by `unreachable`.
Bytes ShrinkModule(Bytes wasm, const std::function<bool(const Bytes&)>& fails, uint32_t tries);

}  // namespace wb::fuzz
