#include "scheduler/job/constant_inputs.h"

#include <utility>
#include <variant>
#include <vector>

namespace wb {
namespace {

constexpr uint64_t kFewInstances = 4096;
constexpr size_t kMostConstants = 64;  // each is a column

bool IsConstantNumber(const Operand& operand) {
  const ValueType type = operand.value.type;
  const bool number = type == ValueType::kI32 || type == ValueType::kI64 ||
                      type == ValueType::kF32 || type == ValueType::kF64;
  return operand.source == Operand::Source::kConstant && number;
}

// `first`: of the columns that the constants become.
void TakeConstants(CallStep& call, size_t first, std::vector<Column>& columns) {
  for (Operand& operand : call.args) {
    if (!IsConstantNumber(operand)) continue;
    Column column;
    column.type = operand.value.type;
    column.values.push_back(operand.value);
    operand = {Operand::Source::kColumn, {}, static_cast<uint32_t>(first + columns.size()), 0, 0};
    columns.push_back(std::move(column));
  }
}

}  // namespace

void TakeConstantsAsInputs(JobSpec& spec, EncodedProgram& program, const ProgramInputs* inputs) {
  if (spec.InstancesPlanned() > kFewInstances) return;
  std::vector<Step> steps = spec.steps;
  std::vector<Column> constants;  // behind those that the job has
  for (Step& step : steps) {
    if (CallStep* call = std::get_if<CallStep>(&step))
      TakeConstants(*call, spec.columns.size(), constants);
  }
  if (constants.empty() || constants.size() > kMostConstants) return;
  std::vector<ColumnType> types;
  for (const Column& column : spec.columns)
    types.push_back(ColumnType{column.kind == Column::Kind::kBytes, column.type});
  for (const Column& column : constants)
    types.push_back(ColumnType{column.kind == Column::Kind::kBytes, column.type});
  Result<EncodedProgram> encoded = EncodeProgram(*spec.module, steps, types, inputs);
  if (!encoded.ok()) return;  // some constants cannot be inputs
  program = std::move(encoded).value();
  spec.steps = std::move(steps);
  for (Column& column : constants) spec.columns.push_back(std::move(column));
}

}  // namespace wb
