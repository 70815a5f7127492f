#include "compiler/passes/rows/state_use.h"

namespace wb {
namespace {

void TakeAddress(const Instruction& instruction, StateUse& use) {
  if (instruction.opcode == Opcode::kRefFunc) use.address_taken[instruction.imm] = true;
}

void Visit(const Instruction& instruction, StateUse& use) {
  switch (instruction.opcode) {
    case Opcode::kDataDrop: use.data_dropped[instruction.imm] = true; break;
    case Opcode::kElemDrop: use.elements_dropped[instruction.imm] = true; break;
    case Opcode::kTableGrow:
      use.tables_grown[instruction.imm] = true;
      use.tables[instruction.imm] = true;
      break;
    case Opcode::kTableCopy:
      use.tables[instruction.imm2] = true;
      use.tables[instruction.imm] = true;
      break;
    case Opcode::kTableInit: use.tables[instruction.imm2] = true; break;
    case Opcode::kTableGet:
    case Opcode::kTableSet:
    case Opcode::kTableFill: use.tables[instruction.imm] = true; break;
    case Opcode::kRefFunc: TakeAddress(instruction, use); break;
    default: break;
  }
}

}  // namespace

StateUse FindStateUse(const Module& module) {
  StateUse use;
  use.data_dropped.resize(module.data.size());
  use.elements_dropped.resize(module.elements.size());
  use.tables.resize(module.tables.size());
  use.tables_grown.resize(module.tables.size());
  use.address_taken.resize(module.functions.size());
  for (const Body& body : module.bodies) {
    for (const Instruction& instruction : body.instructions) Visit(instruction, use);
  }
  for (const Global& global : module.globals) TakeAddress(global.init.instruction, use);
  for (const ElementSegment& segment : module.elements) {
    for (const ConstExpr& element : segment.elements) TakeAddress(element.instruction, use);
  }
  return use;
}

}  // namespace wb
