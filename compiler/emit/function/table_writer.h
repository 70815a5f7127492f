#pragma once

// Rows on tables as lines of kernel text, and the look-ups of indirect calls: a constant table is
// an array of the text, one that changes lies in the lane.

#include <cstdint>
#include <string>

#include "compiler/emit/function/row_context.h"
#include "compiler/ir/ir.h"

namespace wb {

class TableWriter {
 public:
  explicit TableWriter(const RowContext& context) : context_(context) {}

  void Get(const ir::Inst& inst);
  void Set(const ir::Inst& inst);
  void FillChunk(const ir::Inst& inst);
  void CopyChunk(const ir::Inst& inst);
  void InitChunk(const ir::Inst& inst);
  // The callee's number. May end the function.
  void Lookup(const ir::Inst& inst, uint32_t row);
  // Room on the stack for a callee that was looked up. May end the function.
  void CheckRoom(const ir::Inst& inst);

 private:
  // `source`: the arguments before the place in the source, with a comma behind each.
  void Chunk(const ir::Inst& inst, const char* function, uint32_t table, const std::string& source);
  // Prints the variable `entry`, the element at `index`. False: there is none at any index.
  bool Fetch(const ir::Inst& inst, uint32_t table, const std::string& index,
             const std::string& entry);
  std::string Size(const ir::Table& table) const;
  std::string Word(uint32_t table) const;  // of element 0
  std::string ElementWord(const ir::Inst& inst);

  const RowContext context_;
};

}  // namespace wb
