#pragma once

// Streams of a loop that is unrolled which read the module's data at addresses that are known
// before the program runs: round constants, tables of coefficients. As long as an instance has not
// changed them they need not be loaded.

#include <cstdint>
#include <vector>

#include "compiler/ir/ir.h"
#include "compiler/passes/loops/loop_rows.h"

namespace wb {

// Of one stream.
inline constexpr uint32_t kMostDataWords = 1024;

// The loop has its streams and known rounds. Takes at most `*words` words, which it lowers.
std::vector<ir::LoopData> FindData(const LoopRows& rows, const ir::CountedLoop& loop,
                                   const ir::Image& image, uint64_t* words);

}  // namespace wb
