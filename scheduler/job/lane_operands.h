#pragma once

// Operands of a lane program's steps: their types checked, and the words that the kernel's outer
// loop reads them from (OPERAND_* in compiler/abi/lane.def).

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/base/status.h"
#include "scheduler/job/lane_program.h"
#include "scheduler/job/program_exports.h"

namespace wb {

// A place in the program as errors name it.
struct ProgramPlace {
  size_t step = 0;
  std::string what;  // "argument 2 of [run]", "the pointer"

  Status Error(Reason reason, const std::string& message) const;
};

// Behind the rows of `program`, whose steps so far are what operands may name. All three must
// outlive it.
class OperandEncoder {
 public:
  OperandEncoder(const Module& module, const std::vector<ColumnType>& columns,
                 EncodedProgram& program)
      : module_(module), globals_(module), columns_(columns), out_(program) {}

  Status Add(const ProgramPlace& place, const Operand& operand, ValueType wanted);
  void AddWords(uint32_t source, uint32_t at, ValueType type, const Value& value);

 private:
  // Where an operand's words come from, and of which type they are.
  struct Found {
    uint32_t source = abi::OPERAND_CONST;
    uint32_t at = 0;
    ValueType type = ValueType::kI32;
  };

  Status AddLoads(const ProgramPlace& place, const Operand& operand, ValueType wanted);
  Status AddReference(const ProgramPlace& place, const Operand& operand, const Found& found,
                      ValueType wanted);
  Result<Found> Find(const ProgramPlace& place, const Operand& operand);
  Result<Found> FindColumn(const ProgramPlace& place, const Operand& operand) const;
  Result<Found> FindResult(const ProgramPlace& place, const Operand& operand) const;
  Result<Found> FindGlobal(const ProgramPlace& place, const GlobalName& name);

  const Module& module_;
  ExportedGlobals globals_;
  const std::vector<ColumnType>& columns_;
  EncodedProgram& out_;
};

}  // namespace wb
