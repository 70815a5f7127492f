#pragma once

// How loads from the text's copy of read-only data are spelled (compiler/docs/read_only_data.md).
// The variable `W` of the function (WriteNotes) says whether the copy still holds.

#include <cstdint>
#include <string>

#include "compiler/ir/ir.h"

namespace wb {

// The piece that the row may load from in the place of memory; null: none.
const ir::ReadOnlyData::Piece* PieceOf(const ir::Program& program, const ir::Function& function,
                                       const ir::Inst& inst, uint32_t row);
// What a load asks of the copy: whether it holds; nothing, since it does; or it reads memory.
enum class CopyUse : uint8_t { kAsk, kAlways, kNever };
// "(wb_reads_copy(W) ? wb_copy32(wl_1024_8, l0 - 1020u) : wb_i32_load(M, l0, 4ul))"; `otherwise` is
// the latter.
std::string CopyText(const ir::ReadOnlyData::Piece& piece, const ir::Inst& inst,
                     const std::string& address, const std::string& otherwise, CopyUse use);

// Some load of the function may read a copy; of its rows from `begin` up to `end`.
bool ReadsCopies(const ir::Program& program, const ir::Function& function, uint32_t begin = 0,
                 uint32_t end = ~0u);

}  // namespace wb
