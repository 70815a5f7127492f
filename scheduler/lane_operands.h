#pragma once

// Operands of a lane program's steps: their types checked, and the words that the kernel's outer
// loop reads them from (OPERAND_* in compiler/abi/lane.def).

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "scheduler/lane_program.h"

namespace wb {

// A place in the program as errors name it.
struct ProgramPlace {
  size_t step = 0;
  std::string what;  // "argument 2 of [run]", "the pointer"

  Status Error(Reason reason, const std::string& message) const;
};

// Behind the rows of `program`, whose steps so far are what operands may name.
class OperandEncoder {
 public:
  OperandEncoder(const std::vector<ColumnType>& columns, EncodedProgram& program)
      : columns_(columns), out_(program) {}

  Status Add(const ProgramPlace& place, const Operand& operand, ValueType wanted);
  void AddWords(uint32_t source, uint32_t at, ValueType type, const Value& value);

 private:
  Status AddReference(const ProgramPlace& place, const Operand& operand, ValueType wanted);
  Result<ValueType> TypeOf(const ProgramPlace& place, const Operand& operand) const;
  Result<ValueType> TypeOfResult(const ProgramPlace& place, const Operand& operand) const;
  uint32_t RegisterOf(const Operand& operand) const;

  const std::vector<ColumnType>& columns_;
  EncodedProgram& out_;
};

}  // namespace wb
