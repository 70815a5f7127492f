#pragma once

// Rows on memories as lines of kernel text. Every access is checked that is not known to lie inside
// (ProveAccesses). Writes to the first memory note where they write, so that the next instance in
// the lane finds it clean.

#include <cstdint>
#include <set>
#include <string>

#include "compiler/emit/function/row_context.h"
#include "compiler/emit/text/write_notes.h"
#include "compiler/ir/ir.h"

namespace wb {

class MemoryWriter {
 public:
  explicit MemoryWriter(const RowContext& context);

  // One row each. All but the chunks may end the function.
  void Load(const ir::Inst& inst, uint32_t row);
  void Store(const ir::Inst& inst, uint32_t row);
  void Size(const ir::Inst& inst);
  void Grow(const ir::Inst& inst, uint32_t row);
  void CopyCheck(const ir::Inst& inst);
  void FillCheck(const ir::Inst& inst);
  void CopyChunk(const ir::Inst& inst);
  void FillChunk(const ir::Inst& inst);
  void InitChunk(const ir::Inst& inst);

  // Paths meet: earlier notes of writes no longer count.
  void Join() { notes_.Join(); }
  // This variable has another value: notes behind addresses in it no longer count.
  void Forget(ir::Var var) { notes_.Forget(Expressions::Name(context_.function, var)); }

  const WriteNotes& notes() const { return notes_; }
  // The memories that rows access, ascending. The caller declares their pointers.
  const std::set<uint32_t>& memories() const { return memories_; }
  bool uses_first() const { return memories_.count(0) != 0; }
  // What a test that bytes of memory 0 are in the lane begins with: "wb_inside(65536ul, ".
  std::string InsideFirst() const;
  // The variables that tests of memory 0 read, where it needs some, and the size behind what may
  // have grown it.
  void DeclareSize() const;
  void ReadSize() const;
  // "M", "M1"
  static std::string Pointer(uint32_t memory);
  // The pointer that is `M`, from the lane.
  std::string First() const;
  // The pointer that a row's access gets, which says what is known of whether its bytes are hot.
  static std::string PointerOf(const RowContext& context, const ir::Inst& inst, uint32_t row);
  // "wb_i32_load": the function of a load or store, and the address that it gets. `aligned`: as
  // Function::aligned, or known otherwise.
  static std::string FunctionOf(const RowContext& context, const ir::Inst& inst, uint32_t row);
  static std::string Address(const RowContext& context, const ir::Inst& inst, uint32_t row,
                             bool aligned, const std::string& address);
  // What a row loads: `otherwise`, or that from a copy of the text where there is one.
  static std::string FromCopy(const RowContext& context, const ir::Inst& inst, uint32_t row,
                              const std::string& address, const std::string& otherwise);

 private:
  // The lane may hold a part of it.
  bool IsWindowed(uint32_t memory) const {
    return memory == 0 && context_.windows != WindowForm::kNone;
  }
  std::string Bytes(uint32_t memory) const;
  // What a test begins with: its function's name of the two, and what all its calls have.
  std::string Miss(uint32_t memory, const char* misses, const char* outside) const;
  void CheckAccess(const ir::Inst& inst, uint32_t row, const std::string& address);

  const RowContext context_;
  const std::set<uint32_t> memories_;
  WriteNotes notes_;
};

}  // namespace wb
