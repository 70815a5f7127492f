#pragma once

// ControlTranslator: control structure, calls, fuel and where lanes may stop, of one function's IR
// rows to bytecode.

#include <cstdint>

#include "compiler/compiler.h"
#include "scheduler/devices/interpreter/bytecode_builder.h"
#include "scheduler/devices/interpreter/jump_patcher.h"
#include "scheduler/devices/interpreter/loop_nest.h"

namespace wb {

class ControlTranslator {
 public:
  // `module` and `builder` outlive it. `profiles`: as in TranslateOptions.
  ControlTranslator(const LoweredModule& module, bool profiles, BytecodeBuilder& builder);

  // Before the first row, and behind the last one.
  void Begin();
  void Finish();
  // The row at which the builder stands.
  void Visit(const ir::Inst& inst);
  // The last instruction is a test that goes where the row `branch`, a kIf or kBrIf, does.
  void Branch(const ir::Inst& branch);

 private:
  void Loop(uint64_t construct);
  void Else(uint64_t construct);
  void End(uint64_t construct);
  void BrTable(const ir::Inst& inst);
  void Call(const ir::Inst& inst);
  void CheckRoom(const ir::Inst& inst);
  void Grow(const ir::Inst& inst);
  void Pay(const ir::Inst& inst);
  void Safepoint(uint64_t number, ByteOp op, uint64_t cost);

  const LoweredModule& module_;
  const ir::Function& function_;
  const bool profiles_;
  BytecodeBuilder& builder_;
  ByteFunction& out_;
  JumpPatcher jumps_;
  LoopNest nest_;
};

}  // namespace wb
