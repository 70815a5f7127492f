#include "scheduler/lane_operands.h"

#include "scheduler/quoted.h"

namespace wb {

Status ProgramPlace::Error(Reason reason, const std::string& message) const {
  return Status(reason, "Step " + Quoted(step) + ", " + what + ": " + message,
                {{"step", std::to_string(step)}});
}

Result<ValueType> OperandEncoder::TypeOfResult(const ProgramPlace& place,
                                               const Operand& operand) const {
  if (operand.step >= place.step) {
    return place.Error(Reason::kInvalidArgument,
                       "it takes a result of step " + Quoted(operand.step) +
                           ", which has not run by then; only earlier steps have results.");
  }
  const std::vector<ValueType>& results = out_.steps[operand.step].results;
  if (operand.result >= results.size()) {
    return place.Error(Reason::kInvalidArgument, "it takes result " + Quoted(operand.result) +
                                                     " of step " + Quoted(operand.step) +
                                                     ", which has " + Quoted(results.size()) + ".");
  }
  return results[operand.result];
}

Result<ValueType> OperandEncoder::TypeOf(const ProgramPlace& place, const Operand& operand) const {
  switch (operand.source) {
    case Operand::Source::kConstant: return operand.value.type;
    case Operand::Source::kResult: return TypeOfResult(place, operand);
    case Operand::Source::kColumn: break;
  }
  if (operand.column >= columns_.size()) {
    return place.Error(Reason::kInvalidArgument, "there is no column " + Quoted(operand.column) +
                                                     "; the job has " + Quoted(columns_.size()) +
                                                     ".");
  }
  if (columns_[operand.column].bytes) {
    return place.Error(Reason::kSignatureMismatch,
                       "column " + Quoted(operand.column) +
                           " holds bytes where a value is wanted; bytes reach an instance by a "
                           "write step.");
  }
  return columns_[operand.column].type;
}

uint32_t OperandEncoder::RegisterOf(const Operand& operand) const {
  const StepLayout& layout = out_.steps[operand.step];
  uint32_t at = layout.results_at;
  for (uint32_t i = 0; i < operand.result; ++i) at += TypeWords(layout.results[i]);
  return at;
}

Status OperandEncoder::Add(const ProgramPlace& place, const Operand& operand, ValueType wanted) {
  WB_ASSIGN(const ValueType given, TypeOf(place, operand));
  // The number of a reference may be given as an i32; -1 is null.
  const bool number =
      IsReference(wanted) && given == ValueType::kI32 && operand.source != Operand::Source::kResult;
  if (given != wanted && !number) {
    return place.Error(Reason::kSignatureMismatch, Quoted(TypeName(wanted)) + " is wanted and " +
                                                       Quoted(TypeName(given)) + " is given.");
  }
  if (IsReference(wanted) && operand.source == Operand::Source::kConstant) {
    return AddReference(place, operand, wanted);
  }
  if (operand.source == Operand::Source::kConstant) {
    AddWords(abi::OPERAND_CONST, 0, wanted, operand.value);
    return {};
  }
  const bool adds = operand.value.words != Value{}.words;
  if (adds && wanted != ValueType::kI32 && wanted != ValueType::kI64) {
    return place.Error(Reason::kSignatureMismatch, "a number is added to a value of type " +
                                                       Quoted(TypeName(wanted)) +
                                                       "; only i32 and i64 can be added to.");
  }
  if (IsReference(wanted) && operand.source == Operand::Source::kColumn) {
    return AddReference(place, operand, wanted);
  }
  const bool column = operand.source == Operand::Source::kColumn;
  AddWords(column ? abi::OPERAND_COLUMN : abi::OPERAND_REGISTER,
           column ? out_.column_at[operand.column] : RegisterOf(operand), wanted, operand.value);
  return {};
}

// A reference in the form of lanes: a column's has one added. Functions are known by number to the
// engines alone, which trust it.
Status OperandEncoder::AddReference(const ProgramPlace& place, const Operand& operand,
                                    ValueType wanted) {
  const bool column = operand.source == Operand::Source::kColumn;
  if (wanted == ValueType::kFuncRef &&
      (column || operand.value.words[0] != Value::kNullReference)) {
    return place.Error(
        Reason::kSignatureMismatch,
        "a function reference is given; only null or a result of an earlier step can "
        "be passed as [funcref].");
  }
  const uint32_t added = column ? 1 : Value::ReferenceToLane(operand.value.words[0]);
  AddWords(column ? abi::OPERAND_COLUMN : abi::OPERAND_CONST,
           column ? out_.column_at[operand.column] : 0, wanted, Value{wanted, {added, 0, 0, 0}});
  return {};
}

void OperandEncoder::AddWords(uint32_t source, uint32_t at, ValueType type, const Value& value) {
  const size_t begin = out_.words.size();
  out_.words.resize(begin + abi::OPERAND_WORDS);
  uint32_t* row = &out_.words[begin];
  row[abi::OPERAND_SOURCE] = source;
  row[abi::OPERAND_AT] = at;
  row[abi::OPERAND_SIZE] = TypeWords(type);
  for (size_t i = 0; i < value.words.size(); ++i) row[abi::OPERAND_VALUE + i] = value.words[i];
}

}  // namespace wb
