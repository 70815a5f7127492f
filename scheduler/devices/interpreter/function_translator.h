#pragma once

// FunctionTranslator: one function's IR rows to bytecode, in one linear pass.

#include <cstdint>

#include "compiler/compiler.h"
#include "scheduler/devices/interpreter/bytecode.h"
#include "scheduler/devices/interpreter/bytecode_builder.h"
#include "scheduler/devices/interpreter/control_translator.h"
#include "scheduler/devices/interpreter/forms.h"
#include "scheduler/devices/interpreter/memory_translator.h"
#include "scheduler/devices/interpreter/slots.h"

namespace wb {

// Used once. The module and the function outlive it.
class FunctionTranslator {
 public:
  FunctionTranslator(const LoweredModule& module, const ir::Function& function,
                     const TranslateOptions& options)
      : module_(module),
        function_(function),
        asserts_facts_(options.asserts_facts),
        slots_(function),
        builder_(function, slots_, out_),
        control_(module, options.profiles, builder_),
        memory_(module, builder_) {}
  // Its parts refer to one another.
  FunctionTranslator(const FunctionTranslator&) = delete;
  FunctionTranslator& operator=(const FunctionTranslator&) = delete;

  ByteFunction Run();

 private:
  void Row(const ir::Inst& inst);
  void Visit(const ir::Inst& inst);
  void Numeric(const ir::Inst& inst);
  bool NumericJump(const ir::Inst& inst, const NumericForms& forms);
  void Vector(const ir::Inst& inst, ByteOp op, uint32_t low);
  void Access(const ir::Inst& inst);
  void AssertFacts(const ir::Inst& inst);
  void GroupAccess(const ir::Inst& inst);
  void Const(const ir::Inst& inst);
  void Copy(const ir::Inst& inst);
  void Canon(const ir::Inst& inst);
  void LaneGet(ir::Var value, uint32_t word);
  void LaneSet(ir::Var value, uint32_t word);
  void EmitLane(ByteOp op, ir::Var value, uint32_t word);
  uint32_t GlobalWord(const ir::Inst& inst) const;
  uint32_t StageWord(const ir::Inst& inst) const;

  const LoweredModule& module_;
  const ir::Function& function_;
  const bool asserts_facts_;
  const Slots slots_;
  ByteFunction out_;
  BytecodeBuilder builder_;
  ControlTranslator control_;
  MemoryTranslator memory_;
};

}  // namespace wb
