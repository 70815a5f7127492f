#include "client/cli/presets/step_writer.h"

#include <limits>

namespace wb::cli {

namespace v1 = wasmburst::v1;

v1::Operand NumberOperand(uint32_t number) {
  v1::Operand operand;
  operand.mutable_constant()->set_i32(static_cast<int32_t>(number));
  return operand;
}

v1::Operand ResultOperandOf(uint32_t step, uint32_t result, int32_t added) {
  v1::Operand operand;
  operand.mutable_result()->set_step(step);
  operand.mutable_result()->set_result(result);
  if (added != 0) operand.mutable_add()->set_i32(added);
  return operand;
}

v1::Operand LoadOperand(const v1::Operand& pointer) {
  v1::Operand operand;
  *operand.mutable_load32()->mutable_pointer() = pointer;
  return operand;
}

v1::Operand LengthOperand(uint32_t column) {
  v1::Operand operand;
  operand.set_column_length(column);
  return operand;
}

uint32_t StepWriter::Call(const std::string& function, const std::vector<v1::Operand>& args) {
  v1::CallStep* call = job_->add_steps()->mutable_call();
  call->set_function(function);
  for (const v1::Operand& arg : args) *call->add_args() = arg;
  return static_cast<uint32_t>(job_->steps_size() - 1);
}

uint32_t StepWriter::CallLinked(const std::string& module, const std::string& function,
                                const std::vector<v1::Operand>& args) {
  const uint32_t step = Call(function, args);
  job_->mutable_steps(static_cast<int>(step))->mutable_call()->set_module(module);
  return step;
}

void StepWriter::Write(const v1::Operand& pointer, uint32_t column) {
  v1::WriteStep* write = job_->add_steps()->mutable_write();
  *write->mutable_pointer() = pointer;
  write->set_column(column);
}

void StepWriter::Store(const v1::Operand& pointer, const v1::Operand& value) {
  v1::StoreStep* store = job_->add_steps()->mutable_store();
  *store->mutable_pointer() = pointer;
  *store->mutable_value() = value;
}

void StepWriter::Read(const v1::Operand& pointer, const v1::Operand& length,
                      const std::string& output) {
  v1::ReadStep* read = job_->add_steps()->mutable_read();
  *read->mutable_pointer() = pointer;
  *read->mutable_length() = length;
  read->set_output(output);
}

// The instance's limit of output bounds the length.
void StepWriter::ReadUntilZero(const v1::Operand& pointer, const std::string& output) {
  Read(pointer, NumberOperand(std::numeric_limits<int32_t>::max()), output);
  job_->mutable_steps(job_->steps_size() - 1)->mutable_read()->set_until_zero(true);
}

}  // namespace wb::cli
