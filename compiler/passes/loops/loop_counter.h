#pragma once

// How many rounds a loop has, from the branch that decides whether it goes on.

#include <optional>

#include "compiler/passes/loops/loop_rows.h"

namespace wb {

// The loop is simple. Nothing where no branch compares a value that steps with one that does not.
std::optional<ir::LoopCounter> FindCounter(const LoopRows& rows);

// At most so many rounds from these two values on; 0 where it cannot be told, since the value
// passes the bound or wraps round. The kernel text's wb_rounds_* are the same.
uint32_t RoundsOf(const ir::LoopCounter& counter, uint32_t from, uint32_t to);

// The value where all variables begin as `starts` says; nothing where some other is in it.
std::optional<uint32_t> AtStart(const ir::LoopValue& value,
                                const std::vector<ir::KnownStart>& starts);

// What the variable is set to before the loop, wherever the loop is entered but by resuming: by a
// row on the only way to it.
std::optional<uint32_t> StartOf(const LoopRows& rows, uint32_t construct, ir::Var var,
                                const std::vector<KnownBits>& facts);

}  // namespace wb
