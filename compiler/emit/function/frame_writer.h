#pragma once

// The beginning and the end of a function's text: what it declares, the frame that it resumes from,
// and behind the single exit the frame that it leaves, its traps and its results.

#include <cstdint>
#include <string>

#include "compiler/emit/function/activation_loop.h"
#include "compiler/emit/function/expressions.h"
#include "compiler/emit/function/memory_writer.h"
#include "compiler/emit/text/function_copy.h"
#include "compiler/emit/text/text.h"
#include "compiler/ir/ir.h"

namespace wb {

class FrameWriter {
 public:
  // Variables times places where paths meet; beyond it variables are left in memory (`volatile`).
  static constexpr uint64_t kMostJoins = uint64_t{1} << 19;

  // Appends to `text`; `expressions` and `memory` are those of the function.
  FrameWriter(const FunctionCopy& form, const MemoryWriter& memory, Expressions& expressions,
              Text& text);

  // The signature and what stands before the rows. `levels`: of flattened regions.
  void Open(uint32_t levels);
  // What stands behind the rows. `exits`: something leaves, traps or needs stack.
  // `loop`: over the function's activations, or null.
  void Close(bool exits, ActivationLoop* loop);
  // So many variables and places where paths meet that variables are left in memory.
  bool in_memory() const { return in_memory_; }

 private:
  bool HasManyJoins() const;
  void Declare(ir::Var var);
  void DeclareMemories();
  void Restore();
  void WriteEnd(ActivationLoop* loop);
  void Save();

  const FunctionCopy& form_;
  const ir::Function& function_;
  const MemoryWriter& memory_;
  Expressions& expressions_;
  Text& text_;
  const bool in_memory_;  // variables: kMostJoins
};

}  // namespace wb
