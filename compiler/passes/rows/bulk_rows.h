#pragma once

// What a bulk operator does behind its bounds check, as rows. Where the length is a small constant
// it is one chunk, else a loop of chunks. Each chunk is paid before the safepoint that precedes it.

#include <compare>
#include <cstdint>

#include "compiler/ir/ir.h"
#include "compiler/passes/rows/row_emitter.h"

namespace wb {

// One of the six chunk rows of ir.h, and what it moves between.
struct BulkKind {
  ir::Op chunk = ir::Op::kMemoryCopyChunk;
  uint32_t from = 0;   // the segment, or the table or memory that is copied from
  uint32_t table = 0;  // of rows on tables: the one that is changed
  uint8_t memory = 0;  // of rows on memories: the one that is changed
  bool free = false;   // instantiation: nothing is paid
  auto operator<=>(const BulkKind&) const = default;
};

// Variables: destination, source (or what is filled in), bytes or elements.
struct BulkOperands {
  ir::Var d = ir::kNoVar;
  ir::Var s = ir::kNoVar;
  ir::Var n = ir::kNoVar;
};

// Bytes or elements between two safepoints.
uint32_t MostOfChunk(const BulkKind& kind);

// Appends the operation where `n` is a constant, `length`, of one chunk at most.
void AppendBulkChunk(const BulkKind& kind, const BulkOperands& operands, uint32_t length,
                     RowEmitter& rows);

// Appends the operation for any length, inside the construct `parent`. Changes the operands.
void AppendBulkLoop(const BulkKind& kind, const BulkOperands& operands, uint32_t parent,
                    RowEmitter& rows);

// AppendBulkLoop as a synthetic function; its parameters are the operands. It has no entry
// safepoint and costs no stack. It pays for what it moves and nothing else.
ir::Function BuildBulkFunction(const ir::Program& program, const BulkKind& kind, uint32_t index);

}  // namespace wb
