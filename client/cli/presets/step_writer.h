#pragma once

// Steps of a job, one after the other. Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "wasmburst/v1/jobs.pb.h"

namespace wb::cli {

wasmburst::v1::Operand NumberOperand(uint32_t number);  // an i32
// Of an i32 result; `added` modulo 2^32.
wasmburst::v1::Operand ResultOperandOf(uint32_t step, uint32_t result = 0, int32_t added = 0);
wasmburst::v1::Operand LoadOperand(const wasmburst::v1::Operand& pointer);
wasmburst::v1::Operand LengthOperand(uint32_t column);

// Into a job, which must outlive it.
class StepWriter {
 public:
  explicit StepWriter(wasmburst::v1::Job* job) : job_(job) {}

  // The step's number.
  uint32_t Call(const std::string& function, const std::vector<wasmburst::v1::Operand>& args);
  // Of the job's linked module `module`.
  uint32_t CallLinked(const std::string& module, const std::string& function,
                      const std::vector<wasmburst::v1::Operand>& args);
  void Write(const wasmburst::v1::Operand& pointer, uint32_t column);
  void Store(const wasmburst::v1::Operand& pointer, const wasmburst::v1::Operand& value);
  void Read(const wasmburst::v1::Operand& pointer, const wasmburst::v1::Operand& length,
            const std::string& output);
  // What stands before the first zero.
  void ReadUntilZero(const wasmburst::v1::Operand& pointer, const std::string& output);

 private:
  wasmburst::v1::Job* const job_;
};

}  // namespace wb::cli
