#pragma once

// Rows that go straight on (arithmetic, memory, globals, fuel, traps) as lines of kernel text. One
// printer serves both ways of printing the control structure around them.

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "compiler/emit/expressions.h"
#include "compiler/emit/kernel.h"
#include "compiler/emit/text.h"
#include "compiler/ir/ir.h"

namespace wb {

class RowWriter {
 public:
  // Appends to `text`; `expressions` are those of `function`.
  RowWriter(const ir::Program& program, const LaneLayout& layout, const ir::Function& function,
            Expressions& expressions, Text& text);

  // Any row but those of control structure, safepoints and calls. True: the row may end the
  // function (it sets `w` and breaks out of what it stands in).
  bool Write(uint32_t row);

  // Paths meet, or a variable has another value: earlier notes of writes no longer count.
  void Join() { noted_.clear(); }
  // Rows write to the first memory, and the variable `D` notes the spans that they wrote to.
  bool notes_writes() const { return notes_writes_; }

  // Prints "condition: w = why; break". The caller knows that the function may end here.
  void ExitIf(const std::string& condition, uint32_t why);
  void Pay(const std::string& amount) { text_.Line("fuel = fuel - ", amount, ";"); }

  // The memories that rows access, ascending. The caller declares their pointers.
  const std::set<uint32_t>& memories() const { return memories_; }
  bool uses_memory() const { return memories_.count(0) != 0; }  // the first
  // "M", "M1"
  static std::string MemoryText(uint32_t memory);

 private:
  void Visit(const ir::Inst& inst);
  void Numeric(const ir::Inst& inst);
  bool SumWithProduct(const ir::Inst& inst);  // false: printed nothing
  void Load(const ir::Inst& inst);
  void Store(const ir::Inst& inst);
  void NoteStore(const std::string& address, uint64_t offset, uint32_t bytes);
  void NoteSpans(const std::string& call);  // "wb_spans_of(a, b": the shift is added
  void Copy(const ir::Inst& inst);
  void Select(const ir::Inst& inst);
  void GlobalAccess(const ir::Inst& inst);
  void MemorySize(const ir::Inst& inst);
  void MemoryGrow(const ir::Inst& inst);
  void TableLookup(const ir::Inst& inst);
  void Bulk(const ir::Inst& inst);
  void RangeCheck(const ir::Inst& inst);
  void MemoryInitChunk(const ir::Inst& inst);
  void TableElement(const ir::Inst& inst);
  void TableChunk(const ir::Inst& inst);
  void CheckRoom(const ir::Inst& inst);

  std::string MemoryBytes(uint32_t memory) const;
  std::string StageWord(const ir::Inst& inst) const;
  std::string GlobalWord(uint32_t global) const;
  std::string TableWord(uint32_t table) const;  // of element 0
  void MarkExit() { exits_ = true; }

  const ir::Program& program_;
  const LaneLayout& layout_;
  const ir::Function& function_;
  Expressions& expressions_;
  Text& text_;
  std::set<uint32_t> memories_;
  const bool notes_writes_;
  std::map<std::string, uint64_t> noted_;  // address as printed: the offset that was noted last
  uint32_t row_ = 0;
  bool exits_ = false;  // the current row may end the function
};

}  // namespace wb
