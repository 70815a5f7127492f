#pragma once

// Test only: a module in the text format as IR after all passes.

#include <memory>
#include <string>
#include <string_view>

#include "compiler/compiler.h"

namespace wb::test {

// Why it is refused, or the lowered module.
Result<std::shared_ptr<const LoweredModule>> TryLower(std::string_view wat,
                                                      const CutSizes& sizes = {});

// The same; stops the process where the module is refused.
std::shared_ptr<const LoweredModule> MustLower(std::string_view wat, const CutSizes& sizes = {});

// ir::Dump of one of its functions.
std::string DumpOf(std::string_view wat, uint32_t function = 0);

// How many rows of this kind a function has.
size_t CountOf(const ir::Function& function, ir::Op op);

}  // namespace wb::test
