#include "compiler/link/index_maps.h"

namespace wb {
namespace {

uint32_t MemoryOfAccess(const Instruction& access, const IndexMaps& maps) {
  if (FactsOf(access.opcode).immediate != OpcodeImmediate::kLane) {
    return maps.memories[access.imm2];
  }
  return (access.imm2 & 0xffu) | maps.memories[access.imm2 >> 8] << 8;
}

}  // namespace

Instruction Translated(const Instruction& instruction, const IndexMaps& maps) {
  Instruction out = instruction;
  const OpcodeClass klass = FactsOf(out.opcode).klass;
  if (klass == OpcodeClass::kLoad || klass == OpcodeClass::kStore) {
    out.imm2 = MemoryOfAccess(instruction, maps);
    return out;
  }
  switch (out.opcode) {
    case Opcode::kCall:
    case Opcode::kReturnCall:
    case Opcode::kRefFunc: out.imm = maps.functions[out.imm]; break;
    case Opcode::kCallIndirect:
    case Opcode::kReturnCallIndirect:
      out.imm += maps.types;
      out.imm2 = maps.tables[out.imm2];
      break;
    case Opcode::kGlobalGet:
    case Opcode::kGlobalSet: out.imm = maps.globals[out.imm]; break;
    case Opcode::kTableGet:
    case Opcode::kTableSet:
    case Opcode::kTableSize:
    case Opcode::kTableGrow:
    case Opcode::kTableFill: out.imm = maps.tables[out.imm]; break;
    case Opcode::kTableCopy:
      out.imm = maps.tables[out.imm];
      out.imm2 = maps.tables[out.imm2];
      break;
    case Opcode::kTableInit:
      out.imm += maps.elements;
      out.imm2 = maps.tables[out.imm2];
      break;
    case Opcode::kElemDrop: out.imm += maps.elements; break;
    case Opcode::kDataDrop: out.imm += maps.data; break;
    case Opcode::kMemorySize:
    case Opcode::kMemoryGrow:
    case Opcode::kMemoryFill: out.imm = maps.memories[out.imm]; break;
    case Opcode::kMemoryCopy:
      out.imm = maps.memories[out.imm];
      out.imm2 = maps.memories[out.imm2];
      break;
    case Opcode::kMemoryInit:
      out.imm += maps.data;
      out.imm2 = maps.memories[out.imm2];
      break;
    default: break;
  }
  return out;
}

}  // namespace wb
